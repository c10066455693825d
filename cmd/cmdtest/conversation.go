package cmdtest

import (
	"bufio"
	"encoding/json"
	"io"
	"os/exec"
	"strconv"
	"testing"
)

// Conversation is a running "helve call --ndjson".
type Conversation struct {
	t     *testing.T
	in    io.WriteCloser
	lines *bufio.Reader
	asked int
}

// Converse starts the command of a session.
func Converse(t *testing.T, c *exec.Cmd) *Conversation {
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
	return &Conversation{t: t, in: in, lines: bufio.NewReader(out)}
}

// Say makes a call and returns the text of its answer.
func (c *Conversation) Say(name, args string) string {
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
