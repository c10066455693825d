package exec

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool"
)

// inBothKinds runs a test under each kind of sandbox that this machine has.
func inBothKinds(t *testing.T, settings config.Exec, test func(t *testing.T, call *tool.Call, dir string), rules ...policy.Rule) {
	for _, kind := range []string{"namespaces", "landlock"} {
		t.Run(kind, func(t *testing.T) {
			settings := settings
			settings.Sandbox = kind
			call, dir := world(t, settings, rules...)
			if _, _, err := judge(t.Context(), call, Args{Command: "ls", Cwd: "."}); fault.Is(err, fault.SandboxUnavailable) {
				t.Skip("no " + kind)
			}
			test(t, call, dir)
		})
	}
}

// What is outside is refused where a command names it, and not there for one that
// computes its name.
func TestClosed(t *testing.T) {
	outside, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	secret := filepath.Join(outside, "plans")
	if err := os.WriteFile(secret, []byte("attack at dawn\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	open := filepath.Join(outside, "open")
	if err := os.WriteFile(open, []byte("hello\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	inBothKinds(t, config.Exec{Reads: "workspace", Readable: []string{open}}, func(t *testing.T, call *tool.Call, dir string) {
		machine, _ := call.Env.Machine()
		machine.Home = filepath.Join(outside, "home")
		if err := os.WriteFile(filepath.Join(dir, "in"), []byte("in\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(secret, filepath.Join(dir, "link")); err != nil {
			t.Fatal(err)
		}
		for _, c := range []string{
			"cat " + secret, "cat < " + secret, "echo x > ../x", "ls ..", "cat sub/../../x", "ls --color=never -I/usr/include .", "cd / && ls", "cd && ls",
			"cat ~/x", "cat link", "dd if=" + secret, "git -C /etc status", "sh -c 'cat " + secret + "'", "find . -newer /etc/passwd",
		} {
			if _, _, err := judge(t.Context(), call, Args{Command: c, Cwd: "."}); !fault.Is(err, fault.OutsideWorkspace) {
				t.Errorf("%s: %v", c, err)
			}
		}
		_, result := ran(t, call, strings.Join([]string{
			"cat in ./in " + dir + "/in 2>&1", // inside, however it is named
			"x=" + outside[:3] + "; y=" + outside[3:], `cat "$x$y/plans" 2>/dev/null || echo hidden`,
			`p=/pro; cat "${p}c/1/root$x$y/plans" 2>/dev/null || echo hidden`,
			`sed '/api/d; s,/,/x/,' in`, "echo /no-such-root/x > /dev/null",
			`cat "$x$y/open"`, "cat " + open,
			`e=/et; test -r "${e}c/passwd" && echo system`,
		}, "\n"))
		if want := "in\nin\nin\nhidden\nhidden\nin\nhello\nhello\nsystem\n"; result.Output != want {
			t.Errorf("%q, want %q", result.Output, want)
		}
		if slices.Contains(result.Sandbox.Degraded, "reads") {
			t.Error(result.Sandbox)
		}
	})
}

// Real tool chains work where everything else is withheld.
func TestClosedToolchains(t *testing.T) {
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	cache := t.TempDir() // for both: what Go's runtime takes to build is most of the test
	inBothKinds(t, config.Exec{Reads: "workspace"}, func(t *testing.T, call *tool.Call, dir string) {
		machine, _ := call.Env.Machine()
		machine.Home, machine.Cache = home, cache
		for name, text := range map[string]string{
			"go.mod": "module x\n", "x.go": "package main\n\nfunc main() { println(\"go\") }\n",
			"Cargo.toml": "[package]\nname = \"x\"\nversion = \"0.1.0\"\n[workspace]\n", "src/main.rs": "fn main() { println!(\"cargo\"); }\n",
			"x.js": "const fs = require('fs'); console.log(fs.existsSync('x.js') ? 'node' : '')\n", "x.py": "import json, ssl; print('python3')\n",
		} {
			name = filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range []struct{ program, command string }{
			{"go", "GOFLAGS=-mod=mod go build -o x . && ./x"}, {"node", "node x.js"}, {"python3", "python3 x.py"},
			{"cargo", "cargo run -q --offline"},
			{"git", "git init -q . && git add x.py && git -c user.name=a -c user.email=a@b.example commit -qm x && echo git"},
		} {
			t.Run(c.program, func(t *testing.T) {
				if exec.Command(c.program, "--version").Run() != nil && exec.Command(c.program, "version").Run() != nil {
					t.Skip("no " + c.program)
				}
				if _, result := ran(t, call, c.command); !strings.HasSuffix(result.Output, c.program+"\n") {
					t.Errorf("%q %+v", result.Output, result.Denials)
				}
			})
		}
	})
}

// A project that is closed to reading is so for commands, too.
func TestClosedProjects(t *testing.T) {
	project := func(files ...string) string {
		t.Helper()
		dir, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			name = filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(filepath.Base(name)+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	closed, other := project("top", "sub/deep"), project("open", "sub/private")
	inBothKinds(t, config.Exec{}, func(t *testing.T, call *tool.Call, dir string) {
		machine, _ := call.Env.Machine()
		machine.Projects = map[string]string{"closed": closed, "other": other}
		machine.Settings.Readable = []string{closed, other} // in a /tmp of the sandbox's own, they would not be there
		_, result := ran(t, call, "exec 2> /dev/null\n"+strings.Join([]string{
			"cat " + closed + "/top || echo hidden", "cat " + closed + "/sub/deep || echo hidden", "cat " + other + "/open", "cat " + other + "/sub/private || echo hidden",
		}, "\n"))
		if want := "hidden\nhidden\nopen\nhidden\n"; result.Output != want {
			t.Errorf("%q, want %q", result.Output, want)
		}
	}, policy.Rule{Project: "closed", Path: "**", Read: policy.Deny}, policy.Rule{Path: "sub/private", Read: policy.Deny})
}
