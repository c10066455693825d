package tools

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/fault/similar"
	"github.com/helve-dev/helve/pkg/tool"
)

// Bound is a tool that is another one with arguments fixed.
type Bound struct {
	Name, Uses, Doc string
	Fixed           []byte   // a JSON object
	Requires        []string // switches without which it is not there
}

// Custom is a tool that a manifest defines.
type Custom struct {
	Name     string
	Tool     *tool.Tool // nil for one that may not be used
	Why      fault.Text // it may not
	Requires []string
}

// Options choose among the tools.
type Options struct {
	Disabled []string // names of tools that are not there
	Bound    []Bound
	// Custom reads the manifests. It is called when a name is none of the other
	// tools', or all are wanted.
	Custom func() []Custom
	On     []string // switches that are on
}

// Catalog is the tools that there are for one caller.
type Catalog struct {
	opt    Options
	tools  []*tool.Tool
	absent map[string]fault.Text // why a tool that could be there is not
	off    []string              // those of them that a switch took away
	mu     sync.Mutex            // calls of a batch look at once
	loaded bool
}

// New chooses the tools. The fault is not_configured.
func New(o Options) (*Catalog, error) {
	c := &Catalog{opt: o, absent: map[string]fault.Text{}}
	builtin := Builtin()
	for _, t := range builtin {
		c.add(t, nil)
	}
	for _, b := range o.Bound {
		t, err := bind(b, builtin)
		if err != nil {
			return nil, err
		}
		c.add(t, b.Requires)
	}
	return c, nil
}

// load adds the custom tools, once. The caller holds the lock.
func (c *Catalog) load() {
	if c.loaded || c.opt.Custom == nil {
		return
	}
	c.loaded = true
	for _, one := range c.opt.Custom() {
		if one.Tool != nil {
			c.add(one.Tool, one.Requires)
		} else if _, taken := named(c.tools, one.Name); !taken {
			c.absent[one.Name] = one.Why
		}
	}
}

// add takes a tool in if the switches that it requires are on.
func (c *Catalog) add(t *tool.Tool, requires []string) {
	if i := slices.IndexFunc(requires, func(s string) bool { return !slices.Contains(c.opt.On, s) }); i >= 0 {
		c.absent[t.Name] = fault.T("%s is off", "%s 已关闭", requires[i])
		c.off = append(c.off, t.Name)
		return
	}
	if slices.Contains(c.opt.Disabled, t.Name) {
		c.absent[t.Name] = fault.T("it is disabled", "已被停用")
		for _, alias := range otherNames(t) {
			c.absent[alias] = c.absent[t.Name]
		}
		return
	}
	c.tools = append(c.tools, t)
}

func bind(b Bound, builtin []*tool.Tool) (*tool.Tool, error) {
	if t, _ := named(builtin, b.Name); t != nil {
		return nil, fault.New(fault.NotConfigured, fault.T("the bound tool %q shadows a built-in one", "绑定工具 %q 与内置工具重名", b.Name)).
			WithHint(fault.T("give it a name of its own", "请换一个名称"))
	}
	t, ok := named(builtin, b.Uses)
	if !ok {
		return nil, fault.New(fault.NotConfigured, fault.T("the bound tool %q uses %q, which there is not", "绑定工具 %q 使用了不存在的 %q", b.Name, b.Uses)).
			WithHint(fault.T("uses names a built-in tool: helve tools list", "uses 须为内置工具：helve tools list"))
	}
	return tool.Bind(t, b.Name, b.Doc, b.Fixed)
}

// Tools lists the tools, in the order in which a model should meet them.
func (c *Catalog) Tools() []*tool.Tool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.load()
	return c.tools
}

// Absent gives, by name, why tools are not there that could be. Of those that a
// switch took away nothing is told: without it there are none such.
func (c *Catalog) Absent() map[string]fault.Text {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.load()
	told := maps.Clone(c.absent)
	for _, name := range c.off {
		delete(told, name)
	}
	return told
}

// Find gives the tool of a name or an alias. The fault is not_registered for one
// that is switched off, else unknown_tool.
func (c *Catalog) Find(name string) (*tool.Tool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, ok := named(c.tools, name)
	if _, known := c.absent[name]; !ok && !known {
		c.load()
		t, ok = named(c.tools, name)
	}
	if ok {
		return t, nil
	}
	if why, ok := c.absent[name]; ok {
		return nil, fault.New(fault.NotRegistered, fault.T("the tool %q is not registered: %s", "工具 %q 未注册：%s", name, why)).
			WithHint(fault.T("go on without it; only the person can turn it on", "请不使用它继续；只有用户可以开启"))
	}
	return nil, unknown(name, c.tools)
}

func named(tools []*tool.Tool, name string) (*tool.Tool, bool) {
	for _, t := range tools {
		if t.Name == name || slices.Contains(t.Aliases, name) {
			return t, true
		}
		for _, p := range t.Profiles {
			if p.Name == name {
				return profile(t, p), true
			}
		}
	}
	return nil, false
}

// profile is a tool with what one of its names fixes. It panics when the
// definition is wrong.
func profile(t *tool.Tool, p tool.Profile) *tool.Tool {
	bound, err := tool.Bind(t, p.Name, "", []byte(p.Fixed))
	if err != nil {
		panic(err)
	}
	return bound
}

// otherNames are the names of a tool beside its own.
func otherNames(t *tool.Tool) []string {
	names := slices.Clone(t.Aliases)
	for _, p := range t.Profiles {
		names = append(names, p.Name)
	}
	return names
}

func unknown(name string, tools []*tool.Tool) *fault.Error {
	var names, all []string
	for _, t := range tools {
		names = append(names, t.Name)
		all = append(append(all, t.Name), otherNames(t)...)
	}
	e := fault.New(fault.UnknownTool, fault.T("there is no tool %q", "没有名为 %q 的工具", name))
	if near := similar.Name(name, all); near != "" {
		return e.WithHint(fault.T("did you mean %s? The tools are: %s", "是否指 %s？可用工具：%s", near, strings.Join(names, ", ")))
	}
	return e.WithHint(fault.T("the tools are: %s", "可用工具：%s", strings.Join(names, ", ")))
}
