package dialect

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/schema"
)

// The Responses API has tools without a definition, whose calls have forms of their own:
// apply_patch is helve's patch, shell and local_shell are its exec.
const (
	patchTool = "patch"
	execTool  = "exec"
)

// patches returns an apply_patch_call: one file, whose diff comes without the envelope.
func (c Call) patches(operation members) Call {
	path, diff := operation.text("path"), operation.text("diff")
	header := map[string]string{"create_file": "Add", "update_file": "Update", "delete_file": "Delete"}[operation.text("type")]
	c.Name = patchTool
	if header == "" || strings.ContainsAny(path, "\r\n") { // the tool says what it wants instead
		c.Arguments = c.item["operation"]
		return c
	}
	patch := "*** Begin Patch\n*** " + header + " File: " + path + "\n"
	if diff != "" {
		patch += strings.TrimSuffix(diff, "\n") + "\n"
	}
	c.Arguments = encoded(schema.Document{{Name: "patch", Value: patch + "*** End Patch\n"}})
	return c
}

func patched(a Answer) any {
	status := "completed"
	if a.Failure != nil {
		status = "failed"
	}
	return struct {
		Type   string          `json:"type"`
		CallID string          `json:"call_id"`
		Status string          `json:"status"`
		Output string          `json:"output"`
		Caller json.RawMessage `json:"caller,omitempty"`
	}{"apply_patch_call_output", a.Call.ID, status, a.Content, a.Call.caller()}
}

// runs returns a local_shell_call: a program with its arguments.
func (c Call) runs(action members) Call {
	args := schema.Document{{Name: "argv", Value: action["command"]}}
	if !action.has("command") {
		args = nil
	}
	if action.has("working_directory") {
		args = args.With("cwd", action["working_directory"])
	}
	if env := action.object("env"); env != nil {
		list := []string{}
		for _, name := range slices.Sorted(maps.Keys(env)) {
			list = append(list, name+"="+env.text(name))
		}
		args = args.With("env", list)
	}
	if action.has("user") {
		args = args.With("user", action["user"]) // refused: nobody else runs commands
	}
	c.Name, c.Arguments = execTool, encoded(within(args, action))
	return c
}

func ran(a Answer) any {
	return struct {
		Type   string `json:"type"`
		ID     string `json:"id"` // the call's call_id
		Output string `json:"output"`
	}{"local_shell_call_output", a.Call.ID, a.Content}
}

// runsEach returns a shell_call: command lines, one after another.
func (c Call) runsEach(action members) (all []Call) {
	commands := action.list("commands")
	if len(commands) == 0 {
		commands = []json.RawMessage{[]byte(`""`)} // exec says what it wants instead
	}
	for i, command := range commands {
		args := schema.Document{{Name: "command", Value: command}}
		if n, ok := number(action, "max_output_length"); ok {
			args = args.With("max_output", min(max(n, 200), 200_000)) // the bounds of exec
		}
		c.Name, c.Arguments, c.more = execTool, encoded(within(args, action)), i > 0
		all = append(all, c)
	}
	return all
}

func ranEach(answers []Answer) any {
	type outcome struct {
		Type     string `json:"type"`                // exit or timeout
		ExitCode *int   `json:"exit_code,omitempty"` // of an exit
	}
	type chunk struct {
		Stdout  string  `json:"stdout"`
		Stderr  string  `json:"stderr"`
		Outcome outcome `json:"outcome"`
	}
	first := answers[0].Call
	chunks := make([]chunk, len(answers))
	for i, a := range answers {
		var done struct {
			ExitCode int  `json:"exit_code"`
			TimedOut bool `json:"timed_out"`
		}
		out := chunk{Stdout: a.Content, Outcome: outcome{Type: "exit", ExitCode: &done.ExitCode}}
		if a.Failure != nil || json.Unmarshal(a.Data, &done) != nil {
			done.ExitCode = 1
			out.Stdout, out.Stderr = "", a.Content
		}
		if done.TimedOut {
			out.Outcome = outcome{Type: "timeout"}
		}
		chunks[i] = out
	}
	length := json.RawMessage(nil)
	if first.item.object("action").has("max_output_length") {
		length = first.item.object("action")["max_output_length"] // it wants it back
	}
	return struct {
		Type   string          `json:"type"`
		CallID string          `json:"call_id"`
		Length json.RawMessage `json:"max_output_length,omitempty"`
		Output []chunk         `json:"output"`
		Caller json.RawMessage `json:"caller,omitempty"`
	}{"shell_call_output", first.ID, length, chunks, first.caller()}
}

// within adds the limit of time, which is in milliseconds there, and in whole seconds
// from 1 to 600 for exec.
func within(args schema.Document, action members) schema.Document {
	if ms, ok := number(action, "timeout_ms"); ok {
		return args.With("timeout", (min(max(ms, 1), 600_000)+999)/1000)
	}
	return args
}

// number returns a member that is a whole number.
func number(m members, name string) (n int, ok bool) {
	return n, m.has(name) && json.Unmarshal(m[name], &n) == nil
}
