package hook

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
)

// event is the input of a hook: first as helve has it, then as the hooks of
// Claude Code and codex document it.
type event struct {
	Event     string          `json:"event"` // before, after or session
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Risk      policy.Risk     `json:"risk"`
	Project   string          `json:"project,omitzero"`
	Result    json.RawMessage `json:"result,omitempty"`
	Error     json.RawMessage `json:"error,omitempty"`

	Session    string          `json:"session_id"`
	Transcript string          `json:"transcript_path"`
	Cwd        string          `json:"cwd"`
	Permission string          `json:"permission_mode"`
	Hook       string          `json:"hook_event_name"`
	Source     string          `json:"source,omitzero"` // of a SessionStart
	ToolName   string          `json:"tool_name,omitzero"`
	ToolInput  json.RawMessage `json:"tool_input,omitempty"`
	Response   json.RawMessage `json:"tool_response,omitempty"`

	foreign foreign
	schema  *schema.Object
}

// foreign is a tool under the name and with the arguments of other agents.
type foreign struct {
	name string
	args map[string]string // theirs by ours; others keep their names
}

// foreignOf returns what other agents call a tool.
func foreignOf(name string) foreign {
	file := map[string]string{"path": "file_path"}
	switch name {
	case "read":
		return foreign{"Read", file}
	case "write":
		return foreign{"Write", file}
	case "edit":
		return foreign{"Edit", map[string]string{"path": "file_path", "old_text": "old_string", "new_text": "new_string"}}
	case "exec":
		return foreign{"Bash", map[string]string{"background": "run_in_background"}}
	case "patch":
		return foreign{"apply_patch", map[string]string{"patch": "command"}}
	case "grep":
		return foreign{"Grep", nil}
	case "find":
		return foreign{"Glob", map[string]string{"glob": "pattern"}}
	case "ls":
		return foreign{"LS", nil}
	case "fetch":
		return foreign{"WebFetch", nil}
	case "websearch":
		return foreign{"WebSearch", nil}
	case "spawn_run":
		return foreign{"Task", map[string]string{"task": "prompt", "label": "description"}}
	}
	return foreign{"mcp__helve__" + name, nil}
}

// eventOf returns the event of a call.
func eventOf(call *tool.Call, hook string) (*event, error) {
	root, err := call.Env.Root()
	if err != nil {
		return nil, err
	}
	own := cmp.Or(call.Tool.PresetOf, call.Tool.Name)
	e := &event{
		Event: map[string]string{"PreToolUse": "before", "PostToolUse": "after", "SessionStart": "session"}[hook],
		Tool:  call.Tool.Name, Risk: call.Risk(), Project: call.Env.Project, Session: call.Env.Session, Cwd: root.Dir(), Permission: "default", Hook: hook,
		foreign: foreignOf(own), schema: call.Tool.Schema(),
	}
	if hook == "SessionStart" {
		e.Source, e.Arguments = "startup", json.RawMessage("{}")
		return e, nil
	}
	if e.Arguments, err = schema.Marshal(call.Tool.Schema().Values(call.Args)); err != nil {
		return nil, err
	}
	var args map[string]any
	if err := json.Unmarshal(e.Arguments, &args); err != nil {
		return nil, fault.New(fault.Internal, fault.T("the arguments cannot be read")).Because(err)
	}
	theirs := map[string]any{}
	for key, value := range args {
		if path, ok := value.(string); ok && key == "path" && path != "" && !filepath.IsAbs(path) {
			value = root.Path(relative(call, path))
		}
		if seconds, ok := value.(float64); ok && own == "exec" && key == "timeout" {
			value = seconds * 1000
		}
		theirs[cmp.Or(e.foreign.args[key], key)] = value
	}
	if words, ok := args["argv"].([]any); ok && own == "exec" && args["command"] == nil {
		theirs["command"] = line(words)
	}
	e.ToolName = e.foreign.name
	e.ToolInput, err = schema.Marshal(theirs)
	return e, err
}

// line returns words as a shell reads them.
func line(words []any) string {
	all := make([]string, len(words))
	for i, word := range words {
		text, _ := word.(string)
		if all[i] = text; text == "" || strings.ContainsAny(text, " \t\n'\"\\$`;&|<>(){}*?[]#~!") {
			all[i] = "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
		}
	}
	return strings.Join(all, " ")
}

// relative returns a path argument relative to the root of the project that it is in.
func relative(call *tool.Call, path string) string {
	for _, p := range call.Paths {
		if p.Path == path || strings.HasSuffix(path, p.Clean.String()) {
			return p.Clean.String()
		}
	}
	return path
}

// concerns reports whether a hook with names of tools is about the event.
func (e *event) concerns(names string) bool {
	if names == "" || names == "*" || names == ".*" {
		return true
	}
	return slices.ContainsFunc(strings.Split(names, "|"), func(one string) bool {
		one = strings.TrimSpace(one)
		if prefix, ok := strings.CutSuffix(one, "*"); ok {
			prefix = strings.TrimSuffix(prefix, ".")
			return strings.HasPrefix(e.Tool, prefix) || strings.HasPrefix(e.ToolName, prefix)
		}
		return one == e.Tool || one == e.ToolName
	})
}

// change returns the arguments of the call with those of an answer, which may have the names of
// the other agents. Later hooks read them, and what those agents alone know is left out.
func (e *event) change(given json.RawMessage, theirs bool) (changed []byte, err error) {
	var next map[string]any
	if err := json.Unmarshal(given, &next); err != nil || next == nil {
		return nil, fault.New(fault.BadDocument, fault.T("its arguments are no object"))
	}
	var ours map[string]any
	if err := json.Unmarshal(e.Arguments, &ours); err != nil {
		return nil, fault.New(fault.Internal, fault.T("the arguments cannot be read")).Because(err)
	}
	for key, value := range next {
		own := key
		for mine, name := range e.foreign.args {
			if theirs && name == key {
				own = mine
			}
		}
		if theirs && !slices.Contains(e.schema.Names(), own) {
			continue
		}
		if number, ok := value.(float64); ok && theirs && e.foreign.name == "Bash" && key == "timeout" {
			value = max(1, number/1000)
		}
		ours[own] = value
	}
	if changed, err = schema.Marshal(ours); err == nil {
		e.Arguments = changed
	}
	return changed, err
}
