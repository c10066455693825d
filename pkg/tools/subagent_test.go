package tools_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools"
)

// subagent returns the names of a sub-agent's tools, and its catalogue.
func subagent(t *testing.T, o tools.Options) (string, *tools.Catalog) {
	t.Helper()
	c := tools.New(o)
	s, err := c.Subagent()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, one := range s.Tools() {
		names = append(names, one.Called())
	}
	return strings.Join(names, " "), s
}

// Whoever adds a tool decides whether a sub-agent has it: by itself, if the settings
// say so, or never.
func TestSubagentTools(t *testing.T) {
	has := strings.Fields("read write edit patch ls find grep exec websearch fetch time")
	may := strings.Fields("undo delete copy move mkdir job")
	never := strings.Fields("message spawn cron_add cron_list cron_remove")
	got, _ := subagent(t, tools.Options{})
	if want := strings.Join(has, " "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	var every []string
	for _, b := range tools.Builtin() {
		if !slices.Contains(slices.Concat(has, may, never), b.Name) {
			t.Errorf("decide whether a sub-agent may have %s", b.Name)
		}
		every = append(append(every, b.Name), b.PresetNames()...)
	}
	got, all := subagent(t, tools.Options{Sets: []tools.Set{{Name: "subagent", Tools: every}}})
	for name := range strings.FieldsSeq(got) {
		if one, err := all.Find(name); err != nil || slices.Contains(never, one.Name) || slices.Contains(never, one.PresetOf) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range may {
		if _, err := all.Find(name); err != nil {
			t.Errorf("%s is not there although the settings say so: %v", name, err)
		}
	}
}

// What a sub-agent does not have is refused under every name.
func TestSubagentRefusals(t *testing.T) {
	noted := tool.New(tool.Def[struct{}, struct{}]{Name: "noted", Risk: policy.Read, Doc: "Note.",
		Run: func(context.Context, *tool.Call, struct{}) (struct{}, error) { return struct{}{}, nil }})
	settings := tools.Options{
		Disabled: []string{"fetch"},
		Presets: []tools.Preset{
			{Name: "notify", Of: "message", Fixed: []byte(`{"channel":"telegram"}`)},
			{Name: "remember", Of: "edit", Fixed: []byte(`{"path":"MEMORY.md"}`)},
			{Name: "recall", Of: "read", Fixed: []byte(`{"path":"MEMORY.md"}`), Requires: []string{"memory"}},
		},
		Custom: func() []tools.Custom {
			return []tools.Custom{{Name: "noted", Tool: noted}, {Name: "theirs", Why: fault.T("nobody trusts it")}}
		},
		Names: []tools.Name{{Of: "message", As: tool.Publication{Name: "say"}}, {Of: "grep", As: tool.Publication{Name: "look"}}},
	}
	redefined := settings
	redefined.Sets = []tools.Set{{Name: "subagent", Tools: []string{"noted", "remember", "notify", "message", "say", "cron_add", "shell-readonly", "read_file", "undo"}}}
	for _, c := range []struct {
		what string
		o    tools.Options
		want string   // the tools
		call []string // name, arguments, and the tool that is meant or the code of the fault, by turns
	}{
		{"by itself", settings, "read write edit patch ls find look exec websearch time", []string{
			"Read", `{"file_path":"x"}`, "read",
			"bash", `{"command":"ls"}`, "exec",
			"shell-readonly", `{"command":"ls"}`, "shell-readonly",
			"grep", `{"pattern":"x"}`, "grep",
			"look", `{"pattern":"x"}`, "grep",
			"message", `{"content":"x"}`, "not_registered",
			"say", `{"content":"x"}`, "not_registered",
			"send_message", `{"content":"x"}`, "not_registered",
			"mcp__helve__message", `{"content":"x"}`, "not_registered",
			"MESSAGE", `{"content":"x"}`, "not_registered",
			"notify", `{"content":"x"}`, "not_registered",
			"cron_add", `{"message":"x","in":"1m"}`, "not_registered",
			"cron", `{"action":"add","message":"x","every_seconds":60}`, "not_registered",
			"cron-list", `{}`, "not_registered",
			"undo", `{}`, "not_registered",
			"file-delete", `{"path":"x"}`, "not_registered",
			"noted", `{}`, "not_registered",
			"theirs", `{}`, "not_registered",
			"remember", `{"old_text":"a","new_text":"b"}`, "not_registered",
			"recall", `{}`, "not_registered",
			"fetch", `{"url":"https://example.com"}`, "not_registered",
			"web_fetch", `{"url":"https://example.com"}`, "not_registered",
			"nothing", `{}`, "unknown_tool",
			"", `{}`, "unknown_tool",
		}},
		{"by the settings", redefined, "read undo remember noted shell-readonly", []string{
			"noted", `{}`, "noted",
			"remember", `{"old_text":"a","new_text":"b"}`, "remember",
			"read_file", `{"path":"x"}`, "read",
			"shell-readonly", `{"command":"ls"}`, "shell-readonly",
			"shell-write", `{"command":"ls"}`, "not_registered",
			"exec", `{"command":"ls"}`, "not_registered",
			"bash", `{"command":"ls"}`, "not_registered",
			"write", `{"path":"x","content":"x"}`, "not_registered",
			"look", `{"pattern":"x"}`, "not_registered",
			"grep", `{"pattern":"x"}`, "not_registered",
			"message", `{"content":"x"}`, "not_registered",
			"say", `{"content":"x"}`, "not_registered",
			"notify", `{"content":"x"}`, "not_registered",
			"cron_add", `{"message":"x","in":"1m"}`, "not_registered",
		}},
	} {
		got, s := subagent(t, c.o)
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
		for one := range slices.Chunk(c.call, 3) {
			name, arguments, want := one[0], one[1], one[2]
			found, err := s.For(name, []byte(arguments))
			var got string
			if err != nil {
				got = string(fault.As(err).Code)
			} else {
				got = found.Name
			}
			if got != want {
				t.Errorf("%s: %q is %s (%v), want %s", c.what, name, got, err, want)
			}
		}
	}
	_, s := subagent(t, settings)
	for name, want := range map[string]string{"message": "a sub-agent does not have it", "send_message": "a sub-agent does not have it", "fetch": "it is disabled", "theirs": "nobody trusts it"} {
		_, err := s.For(name, []byte(`{}`))
		if e := fault.As(err); !strings.Contains(e.Message.In(fault.English), want) || strings.Contains(e.Hint.In(fault.English), "turn it on") == (name == "message" || name == "send_message") {
			t.Errorf("%s: %v, hint %v", name, e.Message, e.Hint)
		}
	}
	if why, ok := s.Absent()["recall"]; ok {
		t.Errorf("a tool whose switch is off is there: %v", why)
	}
}

// A set of the settings that names what is not there is a fault, and no sub-agent with
// other tools than the person meant.
func TestSubagentOfBrokenSet(t *testing.T) {
	c := tools.New(tools.Options{Sets: []tools.Set{{Name: "subagent", Tools: []string{"read", "wirte"}}}})
	if _, err := c.Subagent(); !fault.Is(err, fault.UnknownTool) || !strings.Contains(fault.As(err).Message.In(fault.English), "the toolset subagent") {
		t.Error(err)
	}
}
