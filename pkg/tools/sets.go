package tools

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/fault/similar"
	"github.com/helve-dev/helve/pkg/tool"
)

// Set is a choice of tools with a name of its own.
type Set struct {
	Name  string
	Tools []string // their names; of the set "all", none
}

// allSet is the set of all tools there are, those of the settings included.
const allSet = "all"

// BuiltinSets returns the sets that there always are.
func BuiltinSets() []Set {
	return []Set{
		{Name: "coding", Tools: []string{"read", "write", "edit", "patch", "undo", "ls", "find", "grep", "exec", "job"}},
		{Name: "reading", Tools: []string{"read", "ls", "find", "grep"}},
		{Name: "web", Tools: []string{"websearch", "fetch"}},
		{Name: "agent", Tools: []string{"time", "message", "spawn"}},
		{Name: subagentSet, Tools: []string{"read", "write", "edit", "patch", "ls", "find", "grep", "exec", "fetch", "websearch", "time"}},
		{Name: allSet},
	}
}

// Sets returns the sets of tools. One of the settings takes the place of a built-in one
// of the same name. The tools of a server are a set of its name, unless there is another.
func (c *Catalog) Sets() []Set {
	c.Tools() // which servers there are
	sets := BuiltinSets()
	for _, own := range c.opt.Sets {
		if i := slices.IndexFunc(sets, func(s Set) bool { return s.Name == own.Name }); i >= 0 {
			sets[i] = own
			continue
		}
		sets = append(sets, own)
	}
	for _, server := range c.servers {
		if setOf(sets, server.Name) == nil {
			sets = append(sets, server)
		}
	}
	return sets
}

// Choose returns the tools of all the sets and names together, in the order of the
// catalogue; all tools but deferred ones if none is given. Names may be those of sets, too. What a set
// names and the settings leave out is left out. The faults are unknown_tool, for a set
// as well, and not_registered.
func (c *Catalog) Choose(sets, names []string) ([]*tool.Tool, error) {
	all := c.Tools()
	if len(sets)+len(names) == 0 {
		return all, nil
	}
	known := c.Sets()
	var chosen []*tool.Tool
	for _, name := range sets {
		set := setOf(known, name)
		if set == nil {
			return nil, unknownSet(name, known)
		}
		members, err := c.members(set)
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, members...)
	}
	for _, name := range names {
		name = strings.TrimSpace(name)
		t, err := c.Find(name)
		if set := setOf(known, name); set != nil && fault.Is(err, fault.UnknownTool) {
			members, err := c.members(set)
			if err != nil {
				return nil, err
			}
			chosen = append(chosen, members...)
			continue
		}
		if err != nil {
			return nil, withSets(err, name, known)
		}
		chosen = append(chosen, t)
	}
	return ordered(c.All(), chosen), nil
}

// Served returns the tools that a host of an agent is offered where nobody chooses: those of
// [Options.Served], or else those of files, commands and the web, with the tools that the
// person added. A host has messages, a clock and sub-agents of its own, and each definition
// costs tokens in every conversation.
func (c *Catalog) Served() ([]*tool.Tool, error) {
	if c.profile != nil {
		return c.Tools(), nil
	}
	if len(c.opt.Served) > 0 {
		return c.Choose(c.opt.Served, nil)
	}
	chosen, err := c.Choose([]string{"coding", "web"}, nil)
	if err != nil {
		return nil, err
	}
	builtin := Builtin()
	for _, t := range c.Tools() {
		if !slices.ContainsFunc(builtin, func(one *tool.Tool) bool { return one.Name == t.Own().Name }) {
			chosen = append(chosen, t)
		}
	}
	return ordered(c.All(), chosen), nil
}

// members returns the tools of a set, without those that are left out, or that the set
// cannot have.
func (c *Catalog) members(set *Set) (members []*tool.Tool, err error) {
	if set.Name == allSet && set.Tools == nil {
		return c.Tools(), nil
	}
	for _, name := range set.Tools {
		t, err := c.Find(name)
		switch {
		case fault.Is(err, fault.NotRegistered):
		case err == nil && set.Name == subagentSet && isNever(t):
		case err != nil:
			e := fault.As(err)
			return nil, fault.New(e.Code, fault.T("the toolset %s: %s", set.Name, e.Message)).WithHint(e.Hint)
		default:
			members = append(members, t)
		}
	}
	return members, nil
}

// ordered returns the chosen tools in the order of all tools, each once. Presets, which
// are not among those, come last.
func ordered(all, chosen []*tool.Tool) []*tool.Tool {
	place := func(t *tool.Tool) int {
		if i := slices.IndexFunc(all, func(one *tool.Tool) bool { return one.Name == t.Name }); i >= 0 {
			return i
		}
		return len(all)
	}
	slices.SortStableFunc(chosen, func(a, b *tool.Tool) int { return place(a) - place(b) })
	var once []*tool.Tool
	for _, t := range chosen {
		if slices.ContainsFunc(once, func(one *tool.Tool) bool { return one.Name == t.Name }) {
			continue
		}
		if i := place(t); i < len(all) {
			t = all[i] // as it is published
		}
		once = append(once, t)
	}
	return once
}

func setOf(sets []Set, name string) *Set {
	for i := range sets {
		if sets[i].Name == strings.TrimSpace(name) {
			return &sets[i]
		}
	}
	return nil
}

func setNames(sets []Set) []string {
	names := make([]string, len(sets))
	for i, s := range sets {
		names[i] = s.Name
	}
	return names
}

func unknownSet(name string, sets []Set) *fault.Error {
	names := setNames(sets)
	e := fault.New(fault.UnknownTool, fault.T("there is no toolset %q", name))
	if near := similar.Name(name, names); near != "" {
		return e.WithHint(fault.T("did you mean %s? The toolsets are: %s", near, strings.Join(names, ", ")))
	}
	return e.WithHint(fault.T("the toolsets are: %s", strings.Join(names, ", ")))
}

// withSets adds the sets to the hint of an unknown tool.
func withSets(err error, name string, sets []Set) error {
	e := fault.As(err)
	if e.Code != fault.UnknownTool {
		return err
	}
	names := setNames(sets)
	hint := fault.T("%s; the toolsets are: %s", e.Hint, strings.Join(names, ", "))
	if near := similar.Name(name, names); near != "" {
		hint = fault.T("%s; did you mean the toolset %s?", hint, near)
	}
	return e.WithHint(hint)
}
