package cmd_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// converse starts a session in dir, with flags.
func converse(t *testing.T, dir string, flags ...string) *cmdtest.Conversation {
	t.Helper()
	return cmdtest.Converse(t, cmdtest.Helve(dir, append([]string{"call", "--ndjson"}, flags...)...))
}

// TestSessionSeesPolicy changes what decides about calls while a session is open.
// The next line goes by each change.
func TestSessionSeesPolicy(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Workspace(t)
	home := cmdtest.HomeOf(dir)
	flag := cmdtest.Put(t, t.TempDir(), "flag.json", `{}`)
	lib := t.TempDir()
	cmdtest.Put(t, lib, "l.txt", "in the library\n")
	cmdtest.Put(t, dir, "a.txt", "plain\n")
	cmdtest.Put(t, dir, "b.txt", "plain\n")
	if err := os.MkdirAll(filepath.Join(dir, ".helve", "tools"), 0o755); err != nil {
		t.Fatal(err)
	}
	user := func(text string) func() { return func() { cmdtest.Put(t, home, "config.json", text) } }
	run := func(args ...string) func() {
		return func() {
			if out, err := cmdtest.Person(t, dir, args...).CombinedOutput(); err != nil {
				t.Fatalf("%v: %v\n%s", args, err, out)
			}
		}
	}
	tool := `{"name":"greet","description":"Greet.","risk":"read","run":{"argv":["echo","hello"],"output":"text"}}`
	readA, readLib := `{"path":"a.txt"}`, `{"path":"[lib]/l.txt"}`
	s := converse(t, dir, "--config", flag)
	for _, step := range []struct {
		name   string
		change func()
		tool   string
		args   string
		want   string
	}{
		{"nothing", func() {}, "read", readA, "plain"},
		{"a rule of the person's", user(`{"rules":[{"path":"a.txt","read":"deny"}]}`), "read", readA, "(denied)"},
		{"an edit in place of the same size", user(`{"rules":[{"path":"b.txt","read":"deny"}]}`), "read", readA, "plain"},
		{"a half-written file", user(`{"rules":[{"path":"a.t`), "read", readA, "(not_configured)"},
		{"its rest", user(`{"rules":[{"path":"a.txt","read":"ask"}]}`), "read", readA, "(approval_required)"},
		{"no file any more", func() {
			if err := os.Remove(filepath.Join(home, "config.json")); err != nil {
				t.Fatal(err)
			}
		}, "read", readA, "plain"},
		{"read-only", run("config", "set", "readonly", "true"), "write", `{"path":"c.txt","content":"c"}`, "(denied)"},
		{"writable again", run("config", "set", "readonly", "false"), "write", `{"path":"c.txt","content":"c"}`, "c.txt"},
		{"a disabled tool", run("tools", "disable", "mkdir"), "mkdir", `{"path":"d"}`, "(not_registered)"},
		{"an enabled tool", run("tools", "enable", "mkdir"), "mkdir", `{"path":"d"}`, "d"},
		{"no custom tool", func() {}, "greet", `{}`, "(unknown_tool)"},
		{"a registered tool", func() { run("tools", "register", cmdtest.Put(t, t.TempDir(), "greet.json", tool))() }, "greet", `{}`, "hello"},
		{"its manifest changed", func() {
			cmdtest.Put(t, filepath.Join(home, "tools"), "greet.json", strings.Replace(tool, "hello", "howdy", 1))
		}, "greet", `{}`, "howdy"},
		{"unregistered", run("tools", "unregister", "greet"), "greet", `{}`, "(unknown_tool)"},
		{"a manifest of the workspace", func() { cmdtest.Put(t, dir, ".helve/tools/local.json", strings.Replace(tool, "greet", "local", 1)) }, "local", `{}`, "(not_registered)"},
		{"trusted", run("config", "trust"), "local", `{}`, "hello"},
		{"changed since", func() {
			cmdtest.Put(t, dir, ".helve/tools/local.json", strings.NewReplacer("greet", "local", "hello", "howdy").Replace(tool))
		}, "local", `{}`, "(not_registered)"},
		{"a workspace that widens", func() {
			cmdtest.Put(t, dir, ".helve/config.json", `{"projects":[{"id":"lib","path":"`+filepath.ToSlash(lib)+`"}]}`)
		}, "read", readLib, "error"},
		{"that is trusted", run("config", "trust"), "read", readLib, "in the library"},
		{"and changed", func() {
			cmdtest.Put(t, dir, ".helve/config.json", `{"rules":[],"projects":[{"id":"lib","path":"`+filepath.ToSlash(lib)+`"}]}`)
		}, "read", readLib, "error"},
		{"a workspace that narrows", func() { cmdtest.Put(t, dir, ".helve/config.json", `{"rules":[{"path":"a.txt","read":"deny"}]}`) }, "read", readA, "(denied)"},
		{"that is removed", func() {
			if err := os.Remove(filepath.Join(dir, ".helve", "config.json")); err != nil {
				t.Fatal(err)
			}
		}, "read", readA, "plain"},
		{"a rule of the memory", user(`{"rules":[{"path":"a.txt","read":"allow","requires":["memory"]}]}`), "read", readA, "plain"},
		{"memory off", run("memory", "off"), "read", readA, "(not_registered)"},
		{"memory on", run("memory", "on"), "read", readA, "plain"},
		{"a project", user(`{"projects":[{"id":"lib","path":"` + filepath.ToSlash(lib) + `"}]}`), "read", readLib, "in the library"},
		{"whose directory is another", func() {
			if err := os.Rename(lib, lib+"-old"); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(lib, 0o755); err != nil {
				t.Fatal(err)
			}
			cmdtest.Put(t, lib, "l.txt", "in the new one\n")
		}, "read", readLib, "in the new one"},
		{"no project", user(`{}`), "read", readLib, "error"},
		{"the flag's file by a rename", func() {
			if err := os.Rename(cmdtest.Put(t, filepath.Dir(flag), "new", `{"rules":[{"path":"a.txt","read":"deny"}]}`), flag); err != nil {
				t.Fatal(err)
			}
		}, "read", readA, "(denied)"},
		{"without it", func() {
			if err := os.Remove(flag); err != nil {
				t.Fatal(err)
			}
		}, "read", readA, "(not_configured)"},
		{"with it", func() { cmdtest.Put(t, filepath.Dir(flag), "flag.json", `{}`) }, "read", readA, "plain"},
	} {
		step.change()
		if got := s.Say(step.tool, step.args); !strings.Contains(got, step.want) {
			t.Errorf("%s: %s %s: %q, want %q", step.name, step.tool, step.args, got, step.want)
		}
	}
}
