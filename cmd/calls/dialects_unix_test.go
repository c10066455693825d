//go:build unix

package calls_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// The shells that the Responses API has without a definition are exec: their calls run,
// and each command has its own outcome.
func TestResponsesShells(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Commands(t)
	out, err := cmdtest.Person(t, dir, "call", `[{"type":"shell_call","call_id":"a","action":{"commands":["echo one","exit 3"]}},`+
		`{"type":"local_shell_call","id":"l","call_id":"b","action":{"type":"exec","command":["printenv","WHO"],"env":{"WHO":"me"},"timeout_ms":20000}},`+
		`{"type":"local_shell_call","id":"l","call_id":"c","action":{"type":"exec","command":["ls"],"user":"root"}}]`).Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	items := decoded[[]struct {
		Type   string
		CallID string `json:"call_id"`
		ID     string
		Output any
	}](t, out)
	if len(items) != 3 {
		t.Fatalf("%s", out)
	}
	outcome := func(n int) any { return map[string]any{"type": "exit", "exit_code": float64(n)} }
	chunks, _ := items[0].Output.([]any)
	if len(chunks) != 2 || cmdtest.JSON(chunks[0].(map[string]any)["outcome"]) != cmdtest.JSON(outcome(0)) || cmdtest.JSON(chunks[1].(map[string]any)["outcome"]) != cmdtest.JSON(outcome(3)) ||
		!strings.Contains(cmdtest.JSON(chunks[0]), `"stdout":"one\n`) {
		t.Errorf("%s", out)
	}
	if items[1].Type != "local_shell_call_output" || items[1].ID != "b" || !strings.HasPrefix(items[1].Output.(string), "me\n") {
		t.Errorf("%+v", items[1])
	}
	if items[2].ID != "c" || !strings.Contains(items[2].Output.(string), "invalid_arguments") {
		t.Errorf("%+v", items[2])
	}
}

// Ctrl-C while a batch runs ends the call that runs and starts no further one. Both are
// answered.
func TestInterruptedBatch(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Commands(t)
	started := filepath.Join(dir, "started")
	c := cmdtest.Person(t, dir, "call", `[{"type":"tool_use","id":"a","name":"exec","input":{"command":"touch started; sleep 600","timeout":600}},`+
		`{"type":"tool_use","id":"b","name":"write","input":{"path":"after.txt","content":"x"}}]`)
	s := cmdtest.Start(t, c)
	cmdtest.Eventually(t, "the command runs", func() bool { _, err := os.Lstat(started); return err == nil })
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = s.Wait() // the status is that of an interrupted run
	var anthropic spoken
	for _, d := range dialects() {
		if d.name == "anthropic" {
			anthropic = d
		}
	}
	answers := anthropic.hear(t, s.Out.Bytes())
	if len(answers) != 2 || answers[0].ID != "a" || answers[1].ID != "b" || !answers[1].Failed || !strings.Contains(answers[1].Text, "(canceled)") {
		t.Errorf("%+v", answers)
	}
	if _, err := os.Lstat(filepath.Join(dir, "after.txt")); err == nil {
		t.Error("a call was started after the interruption")
	}
}
