package tools

import (
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/foreign"
)

// Name publishes a tool under another name.
type Name struct {
	Of string // the tool, by its own name
	As tool.Publication
}

// publish publishes the tools of the settings under other names. What cannot be
// published keeps its name, with a warning. The caller holds the lock.
func (c *Catalog) publish() {
	for _, n := range c.opt.Names {
		if why := c.publishOne(n); !why.IsZero() {
			c.warnings = append(c.warnings, fault.T("tools.names: %s is not published: %s", n.As.Name, why))
		}
	}
}

func (c *Catalog) publishOne(n Name) (why fault.Text) {
	list := &c.tools
	if slices.ContainsFunc(c.deferred, func(t *tool.Tool) bool { return t.Name == n.Of }) {
		list = &c.deferred
	}
	i := slices.IndexFunc(*list, func(t *tool.Tool) bool { return t.Name == n.Of })
	if why, absent := c.absent[n.Of]; i < 0 && absent {
		if _, taken := c.absent[n.As.Name]; !taken && lookup(c.every(), n.As.Name) == nil {
			c.absent[n.As.Name] = why
		}
		return fault.Text{}
	}
	if i < 0 {
		return fault.T("there is no tool %q", n.Of)
	}
	t := (*list)[i].Own()
	if why := c.taken(n.As.Name, t); !why.IsZero() {
		return why
	}
	published, err := t.Published(n.As)
	if err != nil {
		return fault.As(err).Message
	}
	if already := (*list)[i]; already != t {
		return fault.T("%s is published as %s already", n.Of, already.Called())
	}
	*list = slices.Clone(*list)
	(*list)[i] = published
	return fault.Text{}
}

// taken returns why t cannot be published under a name: whoever calls something else
// by that name, or knows a rule about it, must not get t.
func (c *Catalog) taken(name string, t *tool.Tool) fault.Text {
	if c.opt.Commands != nil && slices.Contains(c.opt.Commands(), name) {
		return fault.T("it is a command of helve")
	}
	all := slices.Concat(c.every(), Builtin())
	for _, other := range all {
		own := other.Own()
		switch {
		case own.Name == t.Name:
			if slices.Contains(own.PresetNames(), name) {
				return fault.T("%s calls with some arguments fixed have that name", own.Name)
			}
		case own.Name == name, other.Called() == name, slices.Contains(own.PresetNames(), name):
			return fault.T("it is the name of another tool")
		}
	}
	for _, n := range foreign.Names() {
		if n.Name != name {
			continue
		}
		for _, means := range append(n.Tools, n.Tool) {
			if i := slices.IndexFunc(all, func(other *tool.Tool) bool { return other.Name == means }); i >= 0 && all[i].Risk != t.Risk {
				return fault.T("it is another name of %s, whose risk is another", means)
			}
		}
	}
	return fault.Text{}
}

// Warnings returns what is wrong with the presets of the settings and the names that
// they give to tools.
func (c *Catalog) Warnings() []fault.Text {
	c = c.Ours()
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.opt.Names) > 0 {
		c.load()
	}
	return slices.Clone(c.warnings)
}
