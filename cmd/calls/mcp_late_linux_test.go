package calls_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// conversation is a client of "helve mcp" that waits for one answer at a time.
type conversation struct {
	t     *testing.T
	in    io.WriteCloser
	lines *bufio.Reader
	last  int
	wait  func() error
}

// converse starts a server in a workspace.
func converse(t *testing.T, dir string, args ...string) *conversation {
	t.Helper()
	p := cmdtest.Helve(dir, append([]string{"mcp"}, args...)...)
	in, err := p.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	c := &conversation{t: t, in: in, lines: bufio.NewReader(out), wait: p.Wait}
	c.write(strings.TrimSuffix(cmdtest.Initialize, "\n"))
	if _, err := c.lines.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *conversation) write(line string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

// send asks for a call, and returns its id.
func (c *conversation) send(tool, arguments string) int {
	c.t.Helper()
	c.last++
	c.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, c.last, tool, arguments))
	return c.last
}

// call makes a call, and returns the text of its result.
func (c *conversation) call(tool, arguments string) (text string, failed bool) {
	c.t.Helper()
	id := c.send(tool, arguments)
	for {
		line, err := c.lines.ReadBytes('\n')
		if err != nil {
			c.t.Fatal(err)
		}
		var m struct {
			ID     json.RawMessage
			Result struct {
				Content []struct{ Text string }
				IsError bool
			}
		}
		if err := json.Unmarshal(line, &m); err != nil {
			c.t.Fatalf("%v: %s", err, line)
		}
		if string(m.ID) != fmt.Sprint(id) {
			continue
		}
		for _, block := range m.Result.Content {
			text += block.Text
		}
		return text, m.Result.IsError
	}
}

// ended makes a call until it has ended, on a machine that is too busy to do so in time.
func (c *conversation) ended(tool, arguments string) (text string, failed bool) {
	c.t.Helper()
	for text = "make the same call again"; strings.Contains(text, "make the same call again"); {
		text, failed = c.call(tool, arguments)
	}
	return text, failed
}

// end closes the client's end, and waits for the server.
func (c *conversation) end() {
	c.t.Helper()
	if err := c.in.Close(); err != nil {
		c.t.Error(err)
	}
	if err := c.wait(); err != nil {
		c.t.Error(err)
	}
}

// allowed returns a workspace in which every command may run.
func allowed(t *testing.T) string {
	t.Helper()
	dir := cmdtest.Workspace(t)
	cmdtest.Put(t, cmdtest.HomeOf(dir), "config.json", `{"rules":[{"tool":"exec","decision":"allow"}]}`)
	return dir
}

var jobID = regexp.MustCompile(`as job ([0-9a-z]{26})`)

// has reports parts that a text lacks.
func has(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q: %s", part, text)
		}
	}
}

// TestMCPAnswersInTime: a command that runs for longer than the client waits is answered
// with what it printed so far, and goes on as a job, which says the rest, can be undone and
// stopped, and does not end with the input of the server.
func TestMCPAnswersInTime(t *testing.T) {
	t.Parallel()
	dir := allowed(t)
	c := converse(t, dir, "--answer-within", "2s")
	said, failed := c.ended("exec", `{"command":"echo begin; while ! test -e go; do sleep 0.05; done; echo new >made.txt; echo end"}`)
	id := jobID.FindStringSubmatch(said)
	if failed || id == nil {
		t.Fatalf("%v: %s", failed, said)
	}
	has(t, said, "begin\n", "it still runs after", "action wait, since 6")
	said, _ = c.ended("job", `{"id":"`+id[1]+`","action":"wait","timeout":600}`) // which is answered in time, too
	has(t, said, "running")
	if said, failed := c.ended("write", `{"path":"go","content":""}`); failed {
		t.Fatal(said)
	}
	for said = "  running  "; strings.Contains(said, "  running  "); {
		said, _ = c.ended("job", `{"id":"`+id[1]+`","action":"wait","since":6}`)
	}
	has(t, said, "end\n", "[create made.txt]", "[undo these changes with id ", "ended, exit code 0")
	said, _ = c.ended("undo", `{"path":"made.txt"}`)
	has(t, said, "undid create of made.txt")

	said, _ = c.ended("exec", `{"command":"echo first; exec sleep 1000"}`)
	if id = jobID.FindStringSubmatch(said); id == nil {
		t.Fatal(said)
	}
	said, _ = c.ended("job", `{"id":"`+id[1]+`","action":"stop"}`)
	has(t, said, "first\n", "stopped")

	said, _ = c.ended("exec", `{"command":"echo late; sleep 3; echo more"}`)
	if id = jobID.FindStringSubmatch(said); id == nil {
		t.Fatal(said)
	}
	c.end()
	a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "job", id[1], "-o", "json"))
	if got := fmt.Sprint(a.Data["output"]); got != "late\nmore\n" {
		t.Errorf("%q", got)
	}
}

// TestMCPKeepsWhatWasCanceled: what a command printed whose call the client canceled is
// kept, and the next answer names it.
func TestMCPKeepsWhatWasCanceled(t *testing.T) {
	t.Parallel()
	dir := allowed(t)
	c := converse(t, dir)
	id := c.send("exec", `{"command":"echo so far; echo >began; exec sleep 1000"}`)
	cmdtest.Eventually(t, "the command begins", func() bool { return isThere(dir + "/began") })
	c.write(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id))
	said := ""
	cmdtest.Eventually(t, "an answer names it", func() bool {
		said, _ = c.call("time", `{}`)
		said, _ = c.call("ls", `{}`)
		return strings.Contains(said, "warning: the call of exec before was canceled")
	})
	has(t, said, "so far", "began")
	kept := jobID.FindStringSubmatch(said)
	if kept == nil {
		t.Fatal(said)
	}
	if again, _ := c.call("ls", `{}`); strings.Contains(again, "warning") {
		t.Errorf("it is said twice: %s", again)
	}
	said, _ = c.call("job", `{"id":"`+kept[1]+`"}`)
	has(t, said, "so far\n", "stopped")
	c.end()
}

// TestMCPForms: errors as text, and optional arguments that may be null.
func TestMCPForms(t *testing.T) {
	t.Parallel()
	c := converse(t, allowed(t), "--errors", "text", "--nullable")
	for tool, want := range map[string]string{"read": "(not_found)", "cron_list": "helve mcp --toolset all"} {
		if said, failed := c.call(tool, `{"path":"none.txt"}`); failed || !strings.Contains(said, want) {
			t.Errorf("%s: %v, %s", tool, failed, said)
		}
	}
	if said, failed := c.call("write", `{"path":"a.txt","content":"x","mode":null}`); failed {
		t.Error(said)
	}
	c.write(`{"jsonrpc":"2.0","id":"list","method":"tools/list"}`)
	line, err := c.lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	has(t, line, `"enum":["overwrite","create","append",null]`, `"type":["string","null"]`, `"path":{"type":"string",`)
	c.end()
	for _, args := range [][]string{{"--errors", "none"}, {"--answer-within", "-1s"}} {
		if a, status := cmdtest.Call(t, cmdtest.Helve(allowed(t), append([]string{"mcp", "--http", "127.0.0.1:0"}, args...)...)); status != 2 {
			t.Errorf("%q: %d, %+v", args, status, a)
		}
	}
}
