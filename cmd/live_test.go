package cmd_test

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// conversation is a running "helve call --ndjson".
type conversation struct {
	t     *testing.T
	in    io.WriteCloser
	lines *bufio.Reader
	asked int
}

// converse starts a session in dir, with flags.
func converse(t *testing.T, dir string, flags ...string) *conversation {
	t.Helper()
	return conversing(t, helve(dir, append([]string{"call", "--ndjson"}, flags...)...))
}

// conversing starts the command of a session.
func conversing(t *testing.T, c *exec.Cmd) *conversation {
	t.Helper()
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
	})
	return &conversation{t: t, in: in, lines: bufio.NewReader(out)}
}

// say makes a call and returns the text of its answer.
func (c *conversation) say(name, args string) string {
	c.t.Helper()
	c.asked++
	id := strconv.Itoa(c.asked)
	line, err := json.Marshal(map[string]any{"id": id, "type": "function", "function": map[string]string{"name": name, "arguments": args}})
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := c.in.Write(append(line, '\n')); err != nil {
		c.t.Fatal(err)
	}
	got, err := c.lines.ReadBytes('\n')
	if err != nil {
		c.t.Fatal(err)
	}
	var messages []struct {
		ID      string `json:"tool_call_id"`
		Content string
	}
	if err := json.Unmarshal(got, &messages); err != nil || len(messages) != 1 || messages[0].ID != id {
		c.t.Fatalf("no one answer to call %s: %v %s", id, err, got)
	}
	return messages[0].Content
}

// TestSessionSeesPolicy changes what decides about calls while a session is open.
// The next line goes by each change.
func TestSessionSeesPolicy(t *testing.T) {
	dir := here(t, workdir(t))
	home := homeOf(dir)
	flag := put(t, t.TempDir(), "flag.json", `{}`)
	lib := t.TempDir()
	put(t, lib, "l.txt", "in the library\n")
	put(t, dir, "a.txt", "plain\n")
	put(t, dir, "b.txt", "plain\n")
	if err := os.MkdirAll(filepath.Join(dir, ".helve", "tools"), 0o755); err != nil {
		t.Fatal(err)
	}
	user := func(text string) func() { return func() { put(t, home, "config.json", text) } }
	run := func(args ...string) func() {
		return func() {
			if out, err := person(t, dir, args...).CombinedOutput(); err != nil {
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
		{"a registered tool", func() { run("tools", "register", put(t, t.TempDir(), "greet.json", tool))() }, "greet", `{}`, "hello"},
		{"its manifest changed", func() { put(t, filepath.Join(home, "tools"), "greet.json", strings.Replace(tool, "hello", "howdy", 1)) }, "greet", `{}`, "howdy"},
		{"unregistered", run("tools", "unregister", "greet"), "greet", `{}`, "(unknown_tool)"},
		{"a manifest of the workspace", func() { put(t, dir, ".helve/tools/local.json", strings.Replace(tool, "greet", "local", 1)) }, "local", `{}`, "(not_registered)"},
		{"trusted", run("config", "trust"), "local", `{}`, "hello"},
		{"changed since", func() {
			put(t, dir, ".helve/tools/local.json", strings.NewReplacer("greet", "local", "hello", "howdy").Replace(tool))
		}, "local", `{}`, "(not_registered)"},
		{"a workspace that widens", func() {
			put(t, dir, ".helve/config.json", `{"projects":[{"id":"lib","path":"`+filepath.ToSlash(lib)+`"}]}`)
		}, "read", readLib, "error"},
		{"that is trusted", run("config", "trust"), "read", readLib, "in the library"},
		{"and changed", func() {
			put(t, dir, ".helve/config.json", `{"rules":[],"projects":[{"id":"lib","path":"`+filepath.ToSlash(lib)+`"}]}`)
		}, "read", readLib, "error"},
		{"a workspace that narrows", func() { put(t, dir, ".helve/config.json", `{"rules":[{"path":"a.txt","read":"deny"}]}`) }, "read", readA, "(denied)"},
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
			put(t, lib, "l.txt", "in the new one\n")
		}, "read", readLib, "in the new one"},
		{"no project", user(`{}`), "read", readLib, "error"},
		{"the flag's file by a rename", func() {
			if err := os.Rename(put(t, filepath.Dir(flag), "new", `{"rules":[{"path":"a.txt","read":"deny"}]}`), flag); err != nil {
				t.Fatal(err)
			}
		}, "read", readA, "(denied)"},
		{"without it", func() {
			if err := os.Remove(flag); err != nil {
				t.Fatal(err)
			}
		}, "read", readA, "(not_configured)"},
		{"with it", func() { put(t, filepath.Dir(flag), "flag.json", `{}`) }, "read", readA, "plain"},
	} {
		step.change()
		if got := s.say(step.tool, step.args); !strings.Contains(got, step.want) {
			t.Errorf("%s: %s %s: %q, want %q", step.name, step.tool, step.args, got, step.want)
		}
	}
}
