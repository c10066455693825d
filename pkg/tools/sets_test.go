package tools_test

import (
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tools"
)

func TestChoose(t *testing.T) {
	c := tools.New(tools.Options{
		Disabled: []string{"undo"},
		Presets:  []tools.Preset{{Name: "remember", Of: "edit", Fixed: []byte(`{"path":"MEMORY.md"}`)}},
		Sets: []tools.Set{
			{Name: "mine", Tools: []string{"grep", "remember", "undo", "read_file"}},
			{Name: "web", Tools: []string{"fetch"}},
			{Name: "broken", Tools: []string{"raed"}},
		},
	})
	var every []string
	for _, one := range c.Tools() {
		every = append(every, one.Name)
	}
	all := strings.Join(every, " ")
	for _, s := range []struct {
		sets, names string
		want        string // the tools, or the code of the fault
		hint        string // parts of it
	}{
		{"", "", all, ""},
		{"all", "", all, ""},
		{"coding", "", "read write edit patch ls find grep exec job", ""},
		{"reading", "", "read ls find grep", ""},
		{"mine", "", "read grep remember", ""},
		{"web", "", "fetch", ""},
		{"web,reading", "time", "read ls find grep fetch time", ""},
		{"", "grep, read_file,read", "read grep", ""},
		{"", "web,mine", "read grep fetch remember", ""},
		{"", "shell-readonly,ls", "ls shell-readonly", ""},
		{"", "all", all, ""},
		{"codng", "", "unknown_tool", "did you mean coding? The toolsets are: coding, reading, web, agent, subagent, all, mine, broken"},
		{"read", "", "unknown_tool", "the toolsets are: coding"},
		{"zzz", "", "unknown_tool", "the toolsets are: coding"},
		{"broken", "", "unknown_tool", "did you mean read?"},
		{"", "broken", "unknown_tool", "did you mean read?"},
		{"", "raed", "unknown_tool", "did you mean read? The tools are: read"},
		{"", "codng", "unknown_tool", "the toolsets are: coding, reading, web, agent, subagent, all, mine, broken; did you mean the toolset coding?"},
		{"", "undo", "not_registered", ""},
	} {
		chosen, err := c.Choose(split(s.sets), split(s.names))
		var names []string
		for _, one := range chosen {
			names = append(names, one.Name)
		}
		got := strings.Join(names, " ")
		if err != nil {
			got = string(fault.As(err).Code)
			if hint := fault.As(err).Hint.In(fault.English); !strings.Contains(hint, s.hint) {
				t.Errorf("%s, %s: hint %q", s.sets, s.names, hint)
			}
		}
		if got != s.want {
			t.Errorf("--toolset %s --tools %s: %s, want %s", s.sets, s.names, got, s.want)
		}
	}
}

func split(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}

// The built-in sets name tools that there are.
func TestBuiltinSets(t *testing.T) {
	c := tools.New(tools.Options{})
	for _, set := range tools.BuiltinSets() {
		chosen, err := c.Choose([]string{set.Name}, nil)
		if err != nil || set.Name != "all" && len(chosen) != len(set.Tools) || len(chosen) == 0 {
			t.Errorf("%s: %d tools, %v", set.Name, len(chosen), err)
		}
	}
}
