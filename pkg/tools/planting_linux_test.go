package tools_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/config/manifest"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tools"
	"github.com/helve-dev/helve/pkg/tools/custom"
	"github.com/helve-dev/helve/pkg/workspace"
)

// calls is a way to have the person run code later by calls of tools: what the person
// had, the calls as "tool {arguments}", and what the person does then. MARK is the
// file that the code makes, RUN the setting that has git status run it.
type calls struct {
	name, before string
	calls        []string
	act          string
}

const (
	status = "git status"
	direnv = "test ! -f .envrc || . ./.envrc"
	tasks  = "test ! -f .vscode/tasks.json || sh .vscode/tasks.json"
)

func ways() []calls {
	return []calls{
		{"settings", "", []string{`write {"path":".git/config","mode":"append","content":"RUN"}`}, status},
		{"settings edited", "", []string{`edit {"path":".git/config","old_text":"[core]\n","new_text":"RUN"}`}, status},
		{"settings patched", "printf '[core]\\n' > .git/config", []string{`patch {"patch":"--- a/.git/config\n+++ b/.git/config\n@@ -1 +1,3 @@\n [core]\n+fsmonitor=touch MARK;:\n+bare=false\n"}`}, status},
		{"settings through a link", "ln -s .git g", []string{`write {"path":"g/config","mode":"append","content":"RUN"}`}, status},
		{"settings moved into place", "", []string{`write {"path":"x","content":"RUN"}`, `move {"from":"x","to":".git/config","overwrite":true}`}, status},
		{"settings of a worktree", "git config extensions.worktreeConfig true", []string{`write {"path":".git/config.worktree","content":"RUN"}`}, status},
		{"settings of a submodule", "git -c protocol.file.allow=always submodule --quiet add ./ sub", []string{`write {"path":".git/modules/sub/config","mode":"append","content":"RUN"}`}, status},
		{"a submodule led elsewhere", "git -c protocol.file.allow=always submodule --quiet add ./ sub; cp -r .git/modules/sub e; git config -f e/config core.worktree ../sub",
			[]string{`write {"path":"e/config","mode":"append","content":"RUN"}`, `write {"path":"sub/.git","content":"gitdir: ../e"}`}, status},
		{"a file that settings include", "touch team.cfg; git config include.path ../team.cfg", []string{`write {"path":"team.cfg","content":"RUN"}`}, status},
		{"one that does not exist", "git config include.path ../team.cfg", []string{`write {"path":"team.cfg","content":"RUN"}`}, status},
		{"the program of fsmonitor", "mkdir tools; echo : > tools/w; chmod +x tools/w; git config core.fsmonitor tools/w", []string{`write {"path":"tools/w","content":"#!/bin/sh\ntouch MARK\n"}`}, status},
		{"a program moved into place", "mkdir tools; echo : > tools/w; chmod +x tools/w; git config core.fsmonitor tools/w; printf '#!/bin/sh\\ntouch MARK\\n' > x; chmod +x x",
			[]string{`move {"from":"x","to":"tools/w","overwrite":true}`}, status},
		{"a directory moved into place", "mkdir tools x; echo : > tools/w; chmod +x tools/w; git config core.fsmonitor tools/w; printf '#!/bin/sh\\ntouch MARK\\n' > x/w; chmod +x x/w",
			[]string{`move {"from":"tools","to":"old"}`, `move {"from":"x","to":"tools"}`}, status},
		{"a hook moved", "printf '#!/bin/sh\\ntouch MARK\\n' > x; chmod +x x", []string{`move {"from":"x","to":".git/hooks/post-checkout"}`}, "git checkout -q --detach"},
		{"hooks elsewhere", "mkdir mine; git config core.hooksPath mine; printf '#!/bin/sh\\ntouch MARK\\n' > x; chmod +x x", []string{`move {"from":"x","to":"mine/post-checkout"}`}, "git checkout -q --detach"},
		{"a directory that git takes for a repository", "", []string{
			`write {"path":"d/config","content":"RUN[core]\nrepositoryformatversion=0\nbare=false\nworktree=w\n"}`, `write {"path":"d/w/x","content":"x"}`, `write {"path":"d/objects/x","content":"x"}`,
			`write {"path":"d/refs/x","content":"x"}`, `write {"path":"d/HEAD","content":"ref: refs/heads/x\n"}`,
		}, "cd d; git status"},
		{"another spelling", "", []string{`write {"path":".GIT/config","content":"RUN"}`}, "test ! -d .GIT || { cp -r .git/. c; cat .GIT/config >> c/config; GIT_DIR=c git status; }"},
		{"direnv", "", []string{`write {"path":".envrc","content":"touch MARK"}`}, direnv},
		{"direnv edited", "echo : > .envrc", []string{`edit {"path":".envrc","old_text":":","new_text":"touch MARK"}`}, direnv},
		{"direnv moved", "", []string{`write {"path":"x","content":"touch MARK"}`, `move {"from":"x","to":".envrc"}`}, direnv},
		{"direnv patched", "", []string{`patch {"patch":"--- /dev/null\n+++ b/.envrc\n@@ -0,0 +1 @@\n+touch MARK\n"}`}, direnv},
		{"direnv patched from another file", "", []string{`write {"path":"x","content":"touch MARK"}`, `patch {"patch":"diff --git a/x b/.envrc\nsimilarity index 100%\nrename from x\nrename to .envrc\n"}`}, direnv},
		{"an editor's tasks", "", []string{`patch {"patch":"*** Begin Patch\n*** Add File: .vscode/tasks.json\n+touch MARK\n*** End Patch"}`}, tasks},
		{"a directory of tasks", "", []string{`write {"path":"x/tasks.json","content":"touch MARK"}`, `move {"from":"x","to":".vscode"}`}, tasks},
		{"tasks through a link", "mkdir .vscode; ln -s .vscode v", []string{`write {"path":"v/tasks.json","content":"touch MARK"}`}, tasks},
		{"workflows", "", []string{`write {"path":"x/workflows/ci.yml","content":"touch MARK"}`, `move {"from":"x","to":".github"}`}, "test ! -f .github/workflows/ci.yml || sh .github/workflows/ci.yml"},
		{"a custom tool's file", "", []string{`planter {"script":"echo touch MARK > .envrc"}`}, direnv},
		{"a custom tool's settings", "", []string{`planter {"script":"git config core.fsmonitor 'touch MARK;:'"}`}, status},
		{"a custom tool's repository", "", []string{`planter {"script":"git init -q n; git -C n config core.fsmonitor 'touch MARK;:'"}`}, "cd n; git status"},
	}
}

// TestPlantingByTools first shows that each way works where nothing decides, and then
// that none does under the default policy.
func TestPlantingByTools(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	for _, guarded := range []bool{false, true} {
		for _, w := range ways() {
			if planted := plant(t, w, guarded); planted == guarded {
				t.Errorf("%s: guarded %t, planted %t", w.name, guarded, planted)
			}
		}
	}
}

// plant makes the calls in a new repository, has the person act, and reports whether
// code ran.
func plant(t *testing.T, w calls, guarded bool) bool {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	mark := filepath.Join(home, "mark")
	fill := func(text string) string {
		run := "[core]\nfsmonitor = \"touch MARK;:\"\n"
		if strings.Contains(text, `{"`) {
			quoted, _ := json.Marshal(run) // of a string it cannot fail
			run = strings.Trim(string(quoted), `"`)
		}
		return strings.ReplaceAll(strings.ReplaceAll(text, "RUN", run), "MARK", mark)
	}
	person := func(script string) error {
		c := exec.Command("sh", "-c", fill(script))
		c.Dir, c.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b"}
		return c.Run()
	}
	if err := person("git init -q; echo a > a; git add a; git commit -qm a; " + w.before); err != nil {
		t.Fatalf("%s: %v", w.name, err)
	}
	env := calling(t, dir, guarded)
	for _, call := range w.calls {
		name, args, _ := strings.Cut(call, " ")
		o := guard.Run(t.Context(), env, found(t, name), []byte(fill(args)))
		if o.Err != nil && !guarded {
			t.Errorf("%s: %s: %v", w.name, name, o.Err)
		}
	}
	_ = os.Remove(mark) // what a call runs by itself is not what the person runs
	_ = person(w.act)   // whatever becomes of it
	_, err = os.Stat(mark)
	return err == nil
}

// found returns a tool by its name; planter is a custom one that writes.
func found(t *testing.T, name string) *tool.Tool {
	t.Helper()
	for _, one := range tools.Builtin() {
		if one.Name == name {
			return one
		}
	}
	m, problems := manifest.Parse("m.json", []byte(`{"name":"planter","description":"Plant.","risk":"write",
		"parameters":{"type":"object","properties":{"script":{"type":"string"}},"required":["script"]},"run":{"argv":["sh","-c","{script}"]}}`), manifest.Options{})
	if len(problems) > 0 {
		t.Fatal(problems.Err())
	}
	return custom.New(m, os.Environ())
}

// calling returns a world in a directory, with the default policy or with none.
func calling(t *testing.T, dir string, guarded bool) *tool.Env {
	t.Helper()
	root, err := workspace.Open(dir, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	base := t.TempDir()
	kept, err := state.Open(base, dir, state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rules, err := policy.New(nil, policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := &tool.Machine{Settings: config.Exec{Sandbox: "auto", Network: "none"}, Environ: os.Environ(), Home: "/home/nobody", Hidden: []string{base}}
	stateOf := func() (*state.Dir, error) { return kept, nil }
	env := &tool.Env{
		Root: func() (*workspace.Root, error) { return root, nil }, State: stateOf, Audit: stateOf, Policy: rules, Now: time.Now, Session: "s", RequireRead: "off",
		Journal: sync.OnceValues(func() (*journal.Journal, error) { return journal.New(kept, root.Tree(), journal.Options{}), nil }),
		Machine: func() (*tool.Machine, error) { return m, nil },
	}
	if guarded {
		a := &guard.Approver{Policy: rules, Approvals: func() (*approval.Store, error) { return approval.NewStore(kept), nil }}
		env.Decide = a.Decide
		return env
	}
	m.Settings.Sandbox = "off"
	root.Permit(func(string) bool { return true })
	return env
}
