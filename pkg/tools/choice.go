package tools

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/fault/similar"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/foreign"
	"github.com/helve-dev/helve/pkg/tools/profile"
)

// Preset is a tool of the settings: a built-in one with arguments fixed.
type Preset struct {
	Name, Of, Doc string
	Fixed         []byte   // a JSON object
	Requires      []string // switches that must be on
}

// Custom is a tool that a manifest defines, or one of another server.
type Custom struct {
	Name     string
	Tool     *tool.Tool // nil for one that may not be used
	Why      fault.Text // it may not
	Requires []string
	// Server is the name of the server that it is one of, which is a toolset as well; "" is
	// none.
	Server string
	// Deferred says that it is found and called like any other, and not in the list of all
	// tools: its definition costs nothing until somebody asks for it.
	Deferred bool
}

// Options choose among the tools.
type Options struct {
	Disabled []string // names of tools to leave out
	Presets  []Preset
	// Custom reads the manifests. It is called when a name is none of the other
	// tools', or when all tools are wanted.
	Custom func() []Custom
	Sets   []Set // of the settings
	// Served are the sets that a host of an agent is offered; see [Catalog.Served].
	Served []string
	Names  []Name // other names of tools
	// Commands returns names that no tool can be published under; nil for none. It
	// is called when a tool has another name.
	Commands func() []string
	On       []string // switches that are on
	Project  string   // that calls work in; "" is none
	// Offers reports whether a call of a tool can succeed, for what lists deferred ones; nil
	// is always.
	Offers func(*tool.Env, *tool.Tool) bool
	// Shell names the shell and the system that commands run on, for descriptions; nil
	// says nothing.
	Shell func(fault.Lang) string
}

// Catalog is the tools that one caller is offered.
type Catalog struct {
	opt   Options
	tools []*tool.Tool
	// deferred are tools that are not in the list of all tools; servers are the sets of the
	// tools of each server.
	deferred []*tool.Tool
	servers  []Set
	absent   map[string]fault.Text // why a tool is left out
	off      []string              // those of them that a switch leaves out
	// outside are those of them that a sub-agent does not have; nil if the caller is none.
	outside map[string]bool
	// profile is the one that the tools are those of, and ours the catalogue of their own
	// tools; nil for ours.
	profile *profile.Profile
	ours    *Catalog
	mu      sync.Mutex // calls of a batch look up tools concurrently
	loaded  bool

	warnings []fault.Text
}

// New returns the tools that the options choose. A preset that cannot be used is left out,
// with a warning.
func New(o Options) *Catalog {
	c := &Catalog{opt: o, absent: map[string]fault.Text{}}
	builtin := Builtin()
	for i, t := range builtin {
		if t.NamesShell() && o.Shell != nil {
			t = t.On(o.Shell)
			builtin[i] = t
		}
		c.add(t, nil)
	}
	for _, p := range o.Presets {
		t, err := preset(p, builtin)
		if err != nil {
			c.warnings = append(c.warnings, fault.T("%s; it is left out", fault.As(err).Message))
			if lookup(builtin, p.Name) == nil {
				c.absent[p.Name] = fault.T("its entry in tools.bound cannot be used")
			}
			continue
		}
		c.add(t, p.Requires)
	}
	return c
}

// Check reports the first preset that cannot be used. The fault is not_configured.
func (o Options) Check() error {
	for _, p := range o.Presets {
		if _, err := preset(p, Builtin()); err != nil {
			return err
		}
	}
	return nil
}

// load adds the custom tools and publishes tools under other names, once. The caller
// holds the lock.
func (c *Catalog) load() {
	if c.loaded {
		return
	}
	c.loaded = true
	if c.opt.Custom != nil {
		for _, one := range c.opt.Custom() {
			switch {
			case one.Tool == nil && lookup(c.every(), one.Name) == nil:
				c.absent[one.Name] = one.Why
			case one.Tool == nil:
			case one.Server != "" || one.Deferred:
				c.addServers(one)
			default:
				c.add(one.Tool, one.Requires)
			}
		}
	}
	c.addFinders()
	c.publish()
}

// add adds a tool if it is not disabled and the switches that it requires are on.
func (c *Catalog) add(t *tool.Tool, requires []string) {
	if i := slices.IndexFunc(requires, func(s string) bool { return !slices.Contains(c.opt.On, s) }); i >= 0 {
		c.absent[t.Name] = fault.T("%s is off", requires[i])
		c.off = append(c.off, t.Name)
		return
	}
	if slices.Contains(c.opt.Disabled, t.Name) {
		for _, name := range append(t.PresetNames(), t.Name) {
			c.absent[name] = fault.T("it is disabled")
		}
		return
	}
	c.tools = append(c.tools, t)
}

// preset makes the tool of a preset in the settings.
func preset(p Preset, builtin []*tool.Tool) (*tool.Tool, error) {
	if lookup(builtin, p.Name) != nil {
		return nil, fault.New(fault.NotConfigured, fault.T("the bound tool %q has the name of a built-in one", p.Name)).
			WithHint(fault.T("choose another name"))
	}
	t := lookup(builtin, p.Of)
	if t == nil {
		return nil, fault.New(fault.NotConfigured, fault.T("the bound tool %q uses %q, which does not exist", p.Name, p.Of)).
			WithHint(fault.T("uses must name a built-in tool: helve tools list"))
	}
	return tool.NewPreset(t, p.Name, p.Doc, p.Fixed)
}

// Tools lists the tools, in the order in which a model should see them, without those
// that are deferred.
func (c *Catalog) Tools() []*tool.Tool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.load()
	return c.tools
}

// Absent returns, by name, why tools are left out. Those that a switch leaves out
// are not in it: while the switch is off they do not exist.
func (c *Catalog) Absent() map[string]fault.Text {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.load()
	absent := maps.Clone(c.absent)
	for _, name := range c.off {
		delete(absent, name)
	}
	return absent
}

// Find returns the tool of a name, of a preset or of another system's name for it: of
// one that chooses by its arguments, the first that it may mean. The fault is
// not_registered for a tool that is left out, else unknown_tool.
func (c *Catalog) Find(name string) (*tool.Tool, error) { return c.find(name, nil, true) }

// For returns the tool that a call means, by the name and the arguments as a model
// wrote them: names of other systems mean a tool of ours, and some of them one by their
// arguments. The tool reads the arguments as their system takes them, and reports what
// it made of them. Tools of the settings and custom ones come before other systems'
// names. A name may come with the prefix of a host, in another case or with other
// separators. It returns the fault of Find, or invalid_arguments.
func (c *Catalog) For(name string, input []byte) (*tool.Tool, error) {
	if c.profile != nil {
		return c.profiled(name, input)
	}
	t, err := c.find(name, input, false)
	switch {
	case err != nil:
		return t, err
	case c.calls(t):
		return c.called(input)
	case t.Name == "exec":
		return c.patching(t, name, input), nil
	}
	return t, nil
}

// patching returns patch for a call of exec whose command is apply_patch, else exec. Where
// there is no patch, the shell says so.
func (c *Catalog) patching(exec *tool.Tool, name string, input []byte) *tool.Tool {
	if !bytes.Contains(input, []byte("patch")) {
		return exec
	}
	given, _, err := schema.ReadRepaired(input, nil, true)
	if err != nil { // its decoder says what is wrong
		return exec
	}
	n, ok := foreign.Patching(name, given)
	if !ok {
		return exec
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.load()
	if t := lookup(c.every(), n.Tool); t != nil {
		return reading(t, n)
	}
	return exec
}

// find is For or, with exact, Find.
func (c *Catalog) find(name string, input []byte, exact bool) (*tool.Tool, error) {
	if c.profile != nil {
		return c.profiled(name, nil)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.opt.Names) > 0 { // a name may have become that of another tool
		c.load()
	}
	if t, err := c.own(name); t != nil || err != nil {
		return t, err
	}
	c.load()
	if t, err := c.own(name); t != nil || err != nil {
		return t, err
	}
	n, ok := foreign.Lookup(name, c.names())
	if !ok || exact && !slices.ContainsFunc(foreign.Names(), func(one foreign.Name) bool { return one.Name == name }) {
		return nil, c.unknown(name)
	}
	given, _, err := schema.ReadRepaired(input, nil, true)
	if err != nil { // its decoder says what is wrong
		given = &schema.Given{}
	}
	chosen, err := n.Choose(given)
	switch {
	case err != nil && exact && len(n.Tools) > 0:
		n = &foreign.Name{Name: name, Tool: n.Tools[0]}
	case err != nil:
		return nil, err
	default:
		n = chosen
	}
	t := lookup(c.every(), n.Tool)
	if why, absent := c.absent[n.Tool]; t == nil && absent {
		return nil, left(name, why, c.outside[n.Tool])
	}
	if t == nil {
		return nil, c.unknown(name)
	}
	return reading(t, n), nil
}

// own returns the tool of a name of ours; nil if there is none. The fault is
// not_registered. The caller holds the lock.
func (c *Catalog) own(name string) (*tool.Tool, error) {
	if t := lookup(c.every(), name); t != nil {
		return reading(t, nil), nil
	}
	if why, ok := c.absent[name]; ok {
		return nil, left(name, why, c.outside[name])
	}
	return nil, nil
}

// left is the fault of a tool that is left out, or else outside of what the caller can
// ever have.
func left(name string, why fault.Text, outside bool) error {
	e := fault.New(fault.NotRegistered, fault.T("the tool %q is not registered: %s", name, why))
	if outside {
		return e.WithHint(fault.T("continue without it"))
	}
	return e.WithHint(fault.T("continue without it; only the person can turn it on"))
}

// names returns all names of ours, those of tools that are left out included.
func (c *Catalog) names() []string {
	var names []string
	for _, t := range c.every() {
		names = append(append(names, t.Name), t.PresetNames()...)
		if t.Called() != t.Name {
			names = append(names, t.Called())
		}
	}
	return append(names, slices.Sorted(maps.Keys(c.absent))...)
}

// OtherNames returns the names of a built-in tool beside its own: its presets, and
// those that other systems have for it.
func OtherNames(t *tool.Tool) []string {
	if t.PresetOf != "" || !slices.ContainsFunc(Builtin(), func(b *tool.Tool) bool { return b.Name == t.Name }) {
		return nil
	}
	names := append(t.PresetNames(), foreign.Of(t.Name)...)
	if t.Own() != t {
		names = slices.DeleteFunc(append([]string{t.Name}, names...), func(name string) bool { return name == t.Called() })
	}
	return names
}

// reading returns t for callers who may write its arguments as other systems take
// them. One whose arguments have the host's names is only called by these.
func reading(t *tool.Tool, n *foreign.Name) *tool.Tool {
	if own := t.Own(); own != t && !slices.Equal(own.Schema().Names(), t.Schema().Names()) {
		return t
	}
	return foreign.Reading(t, n)
}

// lookup returns the tool of a name that it is published under, and else of a name or
// a preset; nil if there is none.
func lookup(tools []*tool.Tool, name string) *tool.Tool {
	for _, t := range tools {
		if t.Called() == name {
			return t
		}
	}
	for _, t := range tools {
		t = t.Own()
		if t.Name == name {
			return t
		}
		for _, p := range t.Presets {
			if p.Name != name {
				continue
			}
			made, err := tool.NewPreset(t, p.Name, "", []byte(p.Fixed))
			if err != nil {
				panic(err) // the definition of a built-in tool is wrong
			}
			return made
		}
	}
	return nil
}

func (c *Catalog) unknown(name string) *fault.Error {
	var names, all []string
	for _, t := range c.tools {
		names = append(names, t.Called())
	}
	for _, t := range c.every() {
		all = append(append(all, t.Called(), t.Name), t.PresetNames()...)
	}
	for _, n := range foreign.Names() {
		all = append(all, n.Name)
	}
	e := fault.New(fault.UnknownTool, fault.T("there is no tool %q", name))
	if near := similar.Name(name, all); near != "" {
		return e.WithHint(fault.T("did you mean %s? The tools are: %s", near, strings.Join(names, ", ")))
	}
	return e.WithHint(fault.T("the tools are: %s", strings.Join(names, ", ")))
}
