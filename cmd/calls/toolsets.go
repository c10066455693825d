package calls

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/line"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tools"
)

// choice selects tools for a command: all if it is empty.
type choice struct {
	sets  []string // names of toolsets
	names []string // of tools, or of toolsets
}

// flags adds the flags of a choice to a command.
func (s *choice) flags(c *cobra.Command, h *host.Host, p *out.Printer) {
	f := c.Flags()
	f.StringSliceVar(&s.sets, "toolset", nil, p.Text("only the tools of these toolsets, comma separated: %s, or your own (tools.sets)", builtinSets()))
	f.StringSliceVar(&s.names, "tools", nil, p.Text("only these tools, comma separated; toolsets may be among them"))
	for name, complete := range map[string]func(*tools.Catalog) []string{"toolset": completeSets, "tools": completeTools} {
		_ = c.RegisterFlagCompletionFunc(name, func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) { // fails only for a flag that is not there
			return line.Soon(func() line.Offered {
				catalog, err := h.Catalog()
				if err != nil {
					return nil
				}
				return complete(catalog)
			}, typed)
		})
	}
}

func builtinSets() string {
	var names []string
	for _, s := range tools.BuiltinSets() {
		names = append(names, s.Name)
	}
	return strings.Join(names, ", ")
}

func completeSets(c *tools.Catalog) (names []string) {
	for _, s := range c.Sets() {
		names = append(names, s.Name)
	}
	return names
}

func completeTools(c *tools.Catalog) (names []string) {
	for _, t := range c.All() {
		names = append(names, t.Name)
	}
	return append(names, completeSets(c)...)
}

// chosen returns the tools of a choice, in the order of the catalogue, and the settings.
// Tools of which no call can succeed are left out; to name one is a fault.
func chosen(h *host.Host, s choice) ([]*tool.Tool, *host.Settings, error) {
	env, settings, err := h.Governed()
	if err != nil {
		return nil, nil, err
	}
	c, err := settings.Offered()
	if err != nil {
		return nil, nil, err
	}
	all, err := s.among(env, c)
	return all, settings, err
}

// among returns the tools of a choice that are in a catalogue, as [chosen] does.
func (s choice) among(env *tool.Env, c *tools.Catalog) ([]*tool.Tool, error) {
	all, err := c.Choose(s.sets, s.names)
	if err != nil {
		return nil, err
	}
	return s.callable(env, c, all)
}

// served returns the tools that a host is offered: those of the choice, or else the usual
// ones.
func (s choice) served(env *tool.Env, c *tools.Catalog) ([]*tool.Tool, error) {
	if len(s.sets)+len(s.names) > 0 {
		return s.among(env, c)
	}
	all, err := c.Served()
	if err != nil {
		return nil, err
	}
	return s.callable(env, c, all)
}

// callable returns those of the chosen tools of which a call can succeed. It is a fault
// to name another.
func (s choice) callable(env *tool.Env, c *tools.Catalog, chosen []*tool.Tool) ([]*tool.Tool, error) {
	var offered []*tool.Tool
	for _, t := range chosen {
		withheld := guard.Withheld(env, t)
		if withheld == nil {
			offered = append(offered, t)
		} else if slices.ContainsFunc(s.names, func(name string) bool { return isCalled(c, name, t) }) {
			return nil, withheld
		}
	}
	return offered, nil
}

// isCalled reports whether a name is that of a tool, and not of a toolset that has it.
func isCalled(c *tools.Catalog, name string, t *tool.Tool) bool {
	found, err := c.Find(strings.TrimSpace(name))
	return err == nil && found.Name == t.Name
}
