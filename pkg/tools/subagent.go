package tools

import (
	"maps"
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool"
)

// subagentSet is the set of the tools that a sub-agent has.
const subagentSet = "subagent"

// neverSubagents lists the built-in tools that no sub-agent has, whatever the settings
// say: it speaks to nobody but whoever gave it its task, it gives none away, and it
// leaves nothing behind that acts later.
func neverSubagents() []string {
	return []string{"message", "spawn", "cron_add", "cron_list", "cron_remove"}
}

// isNever reports whether no sub-agent has a tool: it is one of those, or a preset of one.
func isNever(t *tool.Tool) bool {
	never := neverSubagents()
	return slices.Contains(never, t.Name) || slices.Contains(never, t.PresetOf)
}

// Subagent returns the catalogue of a sub-agent: the tools of the set "subagent" that
// there are in c, which the settings may define. Every other tool is left out, under
// all of its names. The faults are those of [Catalog.Choose].
func (c *Catalog) Subagent() (*Catalog, error) {
	c = c.Ours()
	chosen, err := c.Choose([]string{subagentSet}, nil)
	if err != nil {
		return nil, err
	}
	all := c.All()
	c.mu.Lock()
	defer c.mu.Unlock()
	s := &Catalog{opt: c.opt, tools: chosen, absent: maps.Clone(c.absent), off: c.off, loaded: true, warnings: c.warnings, outside: map[string]bool{}}
	for _, t := range all {
		if slices.ContainsFunc(s.tools, func(one *tool.Tool) bool { return one.Name == t.Name }) {
			continue
		}
		for _, name := range append(t.PresetNames(), t.Name, t.Called()) {
			if lookup(s.tools, name) == nil { // a preset may be in the set without its tool
				s.absent[name], s.outside[name] = fault.T("a sub-agent does not have it"), true
			}
		}
	}
	return s, nil
}
