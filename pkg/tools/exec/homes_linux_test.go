package exec

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/testing/homes"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// inHome marks the process that runs TestHomes for an ordinary user, with the directory
// that it may use.
const inHome = "EXEC_TEST_IN_HOME"

// place returns a directory that no sandbox replaces by one of its own.
func place(t *testing.T) string {
	t.Helper()
	top := os.Getenv(inHome)
	if top == "" {
		var err error
		if top, err = os.Getwd(); err != nil {
			t.Fatal(err)
		}
	}
	dir, err := os.MkdirTemp(top, "_homes-") //nolint:usetesting // that one is below /tmp; go sees no packages there
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Log(err)
		}
	})
	return dir
}

// person is a call in a workspace in a home directory.
func person(t *testing.T, home string, settings config.Exec) (call *tool.Call, dir string) {
	t.Helper()
	t.Setenv("TMPDIR", filepath.Join(home, "work"))
	call, dir = world(t, settings)
	m, err := call.Env.Machine()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // the layers of an ordinary user have directories without rights
		if err := sandbox.RemoveAll(m.Hidden[0]); err != nil {
			t.Log(err)
		}
	})
	m.Home = home
	m.Environ = []string{"PATH=" + home + "/.local/bin:" + home + "/tools/own/bin:/usr/local/bin:/usr/bin:/bin", "HOME=" + home}
	return call, dir
}

// TestHomes reads nothing of a home directory with secrets of all kinds among thousands of
// files, and everything that builds need.
func TestHomes(t *testing.T) {
	home := filepath.Join(place(t), "me")
	all, err := homes.Make(home, 5000)
	if err != nil {
		t.Fatal(err)
	}
	if secrets := len(all) - 5000; secrets < 300 {
		t.Errorf("only %d secrets", secrets)
	}
	for name, text := range map[string]string{
		".gitconfig": "[include]\n\tpath = .gitconfig.work\n[core]\n\texcludesFile = ~/my-ignore\n", "dotfiles/bashrc": homes.Word + "\n", "dotfiles/gitconfig.work": "[user]\n\tname = Me\n\temail = me@example.org\n", "my-ignore": "*.o\n",
		".config/git/attributes": "*.bin binary\n", ".ssh/known_hosts": "host key\n", ".cargo/config.toml": "[net]\n", ".cargo/bin/tool": "#!/bin/sh\necho tool\n", ".npm/x": "x\n",
		".cache/go-build/x": "x\n", ".cache/pip/x": "x\n", "go/pkg/mod/x": "x\n", ".m2/repository/x": "x\n", ".gradle/caches/x": "x\n", ".pyenv/shims/x": "x\n", ".nvm/nvm.sh": "x\n", ".volta/bin/x": "x\n",
		".local/share/pnpm/store/x": "x\n", ".rustup/settings.toml": "x\n", ".local/lib/python3/x": "x\n", "apps/one/bin/one": "#!/bin/sh\ncat \"$(dirname \"$(readlink -f \"$0\")\")/../lib/x\"\n", "apps/one/lib/x": "one\n",
		"tools/own/bin/own": "#!/bin/sh\ncat \"${0%/*}/../lib/x\"\n", "tools/own/lib/x": "own\n", ".local/bin/two": "#!/bin/sh\necho two\n",
		"work/lib/go.mod": "module lib\n", "work/lib/x": "lib\n", "work/linked/package.json": "{}\n", "work/linked/x": "linked\n", "work/plain/x": homes.Word + "\n", "work/none/x": homes.Word + "\n",
	} {
		if err := homes.Write(home, name, text); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{".local/bin/one": filepath.Join(home, "apps/current/bin/one"), "apps/current": "one", ".gitconfig.work": "dotfiles/gitconfig.work", ".profile.link": "dotfiles/bashrc"} {
		if err := os.Symlink(to, filepath.Join(home, link)); err != nil {
			t.Fatal(err)
		}
	}
	all = append(all, "work/plain/x", "work/none/x", "dotfiles/bashrc", ".profile.link")
	for _, kind := range []string{"namespaces", "landlock"} {
		t.Run(kind, func(t *testing.T) { inHomeOf(t, home, kind, all) })
	}
	if os.Getuid() == 0 && os.Getenv(inHome) == "" {
		t.Run("as an ordinary user", ordinary)
	}
}

func inHomeOf(t *testing.T, home, kind string, closed []string) {
	call, dir := person(t, home, config.Exec{Sandbox: kind})
	if _, _, err := judge(t.Context(), call, Args{Command: "ls", Cwd: "."}); err != nil {
		t.Skip(err)
	}
	// A temporary directory on the way to state of helve's own is as full as /tmp can be.
	for i := range 2000 {
		if err := homes.Write(filepath.Dir(dir), fmt.Sprintf("full%d", i), homes.Word+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		"go.mod": "module x\n\nreplace lib => " + home + "/work/lib\n", "package.json": `{"dependencies": {"plain": "file:` + up(dir, home) + `work/plain"}}`, "list": strings.Join(closed, "\n") + "\n",
	} {
		if err := homes.Write(dir, name, text); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"node_modules/linked": "work/linked", "node_modules/none": "work/none", "node_modules/ssh": ".ssh"} {
		if err := os.MkdirAll(filepath.Join(dir, "node_modules"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(home, to), filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	// The program computes the names, so that no look at the text can refuse them.
	const reader = `while IFS= read -r f; do for at in "$HOME/$f" "/proc/self/root$HOME/$f"; do
  if IFS= read -r word < "$at" && [ "$word" = sesame ]; then echo "$f"; fi; done; done < list 2> /dev/null; echo done`
	for _, program := range []string{reader, "touch written\n" + reader} { // one that reads and one that may write
		if _, result := ran(t, call, program); result.Output != "done\n" {
			t.Errorf("read %s", result.Output)
		}
	}
	_, result := ran(t, call, `cd; for f in .ssh/known_hosts .cargo/config.toml .npm/x .cache/go-build/x .cache/pip/x go/pkg/mod/x .m2/repository/x .gradle/caches/x .pyenv/shims/x .nvm/nvm.sh .volta/bin/x \
  .local/share/pnpm/store/x .rustup/settings.toml .local/lib/python3/x work/lib/x work/linked/x; do cat $f > /dev/null || echo "no $f"; done; .cargo/bin/tool; one; two; own`)
	if result.Output != "tool\none\ntwo\nown\n" {
		t.Errorf("%s", result.Output)
	}
	_, result = ran(t, call, "git init -q . && touch a.o b && git add b && git commit -qm b && git log --format='%an %ae' && git status --short -- a.o b")
	if result.Output != "Me me@example.org\n" {
		t.Errorf("%s %+v", result.Output, result.Denials)
	}
	denied := filepath.Join(home, "notes.txt")
	_, result = ran(t, call, "cat ~/notes.txt ~/never-was")
	if len(result.Denials) != 1 || result.Denials[0].Op != "read" || result.Denials[0].Path != denied || !strings.HasSuffix(result.Denials[0].Fix, `helve config set exec.readable '["`+denied+`"]'`) {
		t.Errorf("%+v %s", result.Denials, result.Output)
	}
	m, _ := call.Env.Machine()
	m.Settings.Readable = []string{denied}
	if _, result = ran(t, call, "cat ~/notes.txt"); result.Output != homes.Word+"\n" {
		t.Errorf("opened: %s", result.Output)
	}
	m.Settings.Readable = nil
	if m.Settings.Reads = "all"; kind == "landlock" {
		return // it would take a rule for every file
	}
	if _, result = ran(t, call, "cat ~/notes.txt; cat ~/.ssh/id_rsa 2> /dev/null || echo no"); result.Output != homes.Word+"\nno\n" {
		t.Errorf("all: %s", result.Output)
	}
}

// up returns the way from a directory to one above, with "/" at the end.
func up(dir, above string) string {
	rel, err := filepath.Rel(dir, above)
	if err != nil {
		return ""
	}
	return rel + "/"
}

// TestPlantedLinks opens nothing by what a program can write: not by links in a directory
// of the PATH or of settings that lie in the workspace, nor by what git's settings there
// name.
func TestPlantedLinks(t *testing.T) {
	home := filepath.Join(place(t), "me")
	for name, text := range map[string]string{
		"notes": homes.Word + "\n", ".ssh/id_rsa": homes.Word + "\n", "work/dotfiles/gitconfig": "[include]\n\tpath = ~/notes\n[core]\n\texcludesFile = ~/notes\n", "work/dotfiles/bin/plain": "#!/bin/sh\n", "private/x": homes.Word + "\n",
		"work/dotfiles/go.mod": "module x\n\nreplace y => ../../private\n\nreplace z => " + home + "/.ssh\n", "work/dotfiles/.git/objects/info/alternates": home + "/private/objects\n",
	} {
		if err := homes.Write(home, name, text); err != nil {
			t.Fatal(err)
		}
	}
	dotfiles := filepath.Join(home, "work/dotfiles")
	for link, to := range map[string]string{
		".gitconfig": "work/dotfiles/gitconfig", ".gitignore": "work/dotfiles/ignore", "work/dotfiles/ignore": "../../notes", "work/dotfiles/bin/tool": "../../../notes",
		".npm": "work/dotfiles/npm", "work/dotfiles/npm": "../../private", "work/dotfiles/node_modules": "../../private", "bin": "work/dotfiles/bin",
	} {
		if err := os.Symlink(to, filepath.Join(home, link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, kind := range []string{"namespaces", "landlock"} {
		t.Run(kind, func(t *testing.T) {
			call, _ := person(t, home, config.Exec{Sandbox: kind})
			call = within(t, call, dotfiles)
			m, _ := call.Env.Machine()
			m.Environ = []string{"PATH=" + dotfiles + "/bin:" + home + "/bin:/usr/bin:/bin", "HOME=" + home}
			if _, _, err := judge(t.Context(), call, Args{Command: "ls", Cwd: "."}); err != nil {
				t.Skip(err)
			}
			for _, before := range []string{"", "touch written; "} {
				_, result := ran(t, call, before+"for f in notes .ssh/id_rsa private/x .gitignore .npm/x bin/tool work/dotfiles/npm/x; do cat ~/$f 2> /dev/null; done; cat ~/.gitconfig > /dev/null && echo settings")
				if result.Output != "settings\n" {
					t.Errorf("%s", result.Output)
				}
			}
		})
	}
}

// TestOpenHomes closes nothing where the home directory is that of the system or the
// workspace itself, but secrets.
func TestOpenHomes(t *testing.T) {
	base := place(t)
	for name, text := range map[string]string{"doc": "doc\n", ".ssh/id_rsa": homes.Word + "\n", ".netrc": homes.Word + "\n", "src/x": "x\n", "src/.ssh/id_rsa": homes.Word + "\n", "src/.netrc": homes.Word + "\n"} {
		if err := homes.Write(base, "ws/"+name, text); err != nil {
			t.Fatal(err)
		}
	}
	for _, kind := range []string{"namespaces", "landlock"} {
		for name, home := range map[string]string{"the root": "/", "the workspace": "ws", "in the workspace": "ws/src", "missing": "/no/home", "the system's": "/usr/sbin", "none": ""} {
			t.Run(kind+", "+name, func(t *testing.T) {
				call, dir := world(t, config.Exec{Sandbox: kind})
				m, _ := call.Env.Machine()
				if m.Home = home; strings.HasPrefix(home, "ws") {
					dir = filepath.Join(base, "ws")
					call = within(t, call, dir)
					m.Home = filepath.Join(base, home)
				} else if err := homes.Write(dir, "doc", "doc\n"); err != nil {
					t.Fatal(err)
				}
				m.Environ = []string{"PATH=/usr/bin:/bin", "HOME=" + m.Home}
				if _, _, err := judge(t.Context(), call, Args{Command: "ls", Cwd: "."}); err != nil {
					t.Skip(err)
				}
				const reader = "cat doc; ls -d /usr/bin; for f in .ssh/id_rsa .netrc; do cat ~/$f 2> /dev/null; done; true"
				for _, program := range []string{reader, "mkdir -p src; cp doc src/new && rm src/new; " + reader} {
					if _, result := ran(t, call, program); result.Output != "doc\n/usr/bin\n" {
						t.Errorf("%q %+v", result.Output, result.Denials)
					}
				}
			})
		}
	}
}

// within returns a call in another directory.
func within(t *testing.T, call *tool.Call, dir string) *tool.Call {
	t.Helper()
	root, err := workspace.Open(dir, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	env := *call.Env
	env.Root = func() (*workspace.Root, error) { return root, nil }
	return tool.NewCall(&env, Tool, nil)
}

// ordinary runs the tests of homes for an ordinary user.
func ordinary(t *testing.T) {
	const nobody = 65534
	dir, err := os.MkdirTemp("/opt", "exec-homes-") //nolint:usetesting // others reach that one
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Log(err)
		}
	})
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(dir, "test")
	for _, err := range []error{os.WriteFile(copied, program, 0o755), os.Chmod(dir, 0o755), os.Mkdir(filepath.Join(dir, "top"), 0o755), os.Chown(filepath.Join(dir, "top"), nobody, nobody)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command(copied, "-test.run=^(TestHomes|TestOpenHomes|TestPlantedLinks|TestHomeBuilds|TestHomeWork)$", "-test.v")
	c.Dir = filepath.Join(dir, "top")
	c.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + c.Dir, inHome + "=" + c.Dir}
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := c.CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if !strings.Contains(string(out), "--- PASS: TestHomes/") {
		t.Skip("no sandbox for an ordinary user")
	}
}
