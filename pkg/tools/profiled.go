package tools

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/fault/similar"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/profile"
)

// As returns the catalogue for callers who know the tools of a profile, and no others. A tool
// of the profile whose tool of ours is left out is left out, too.
func (c *Catalog) As(p *profile.Profile) *Catalog {
	as := &Catalog{opt: c.opt, ours: c, profile: p, absent: map[string]fault.Text{}, loaded: true}
	for _, one := range p.Tools {
		t, err := one.In(c.plain, nil)
		if err != nil {
			as.absent[one.Name] = fault.As(err).Message
			continue
		}
		t.Risk = c.risk(one)
		as.tools = append(as.tools, t)
	}
	return as
}

// Ours returns the catalogue of our own tools that a profile is of; of another, itself.
func (c *Catalog) Ours() *Catalog {
	if c.ours == nil {
		return c
	}
	return c.ours
}

// risk returns the highest risk of the tools among which one of a profile chooses.
func (c *Catalog) risk(one *profile.Tool) policy.Risk {
	highest := policy.Read
	for _, of := range one.Cases {
		if t, err := c.plain(of.Of); err == nil {
			highest = policy.Worst(highest, t.Risk)
		}
	}
	return highest
}

// plain returns a tool of ours, which takes its arguments as it declares them. The faults are
// those of [Catalog.Find].
func (c *Catalog) plain(name string) (*tool.Tool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := lookup(c.every(), name)
	if t == nil {
		c.load()
		t = lookup(c.every(), name)
	}
	if t != nil {
		return t.Own(), nil
	}
	if why, ok := c.absent[name]; ok {
		return nil, left(name, why, c.outside[name])
	}
	return nil, c.unknown(name)
}

// ReadProfile reads a profile, and checks it against the built-in tools; see [profile.Read].
func ReadProfile(data []byte) (*profile.Profile, []profile.Problem) {
	return profile.Read(data, (&Catalog{tools: Builtin(), absent: map[string]fault.Text{}, loaded: true}).plain)
}

// profiled returns the tool of a profile that a call means; with nil input, one that shows
// what it is.
func (c *Catalog) profiled(name string, input []byte) (*tool.Tool, error) {
	one := c.profile.Find(name)
	if one == nil {
		e := fault.New(fault.UnknownTool, fault.T("there is no tool %q", name))
		all := c.profile.Names()
		if near := similar.Name(name, all); near != "" {
			return nil, e.WithHint(fault.T("did you mean %s? The tools are: %s", near, strings.Join(all, ", ")))
		}
		return nil, e.WithHint(fault.T("the tools are: %s", strings.Join(all, ", ")))
	}
	if input == nil {
		for _, t := range c.tools {
			if t.Called() == name {
				return t, nil
			}
		}
	}
	if one.Project && c.opt.Project == "" && input != nil {
		return nil, fault.New(fault.NotConfigured, fault.T("%s works in a project, and there is none", name)).
			WithHint(fault.T("the person configures projects, and names one with --project ID, HELVE_PROJECT or the setting project"))
	}
	return one.In(c.ours.plain, input)
}
