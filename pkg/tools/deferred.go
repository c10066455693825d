package tools

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
)

// The tools that there are only beside deferred ones.
const (
	SearchName = "tools_search"
	CallName   = "tools_call"
)

// every returns all tools, deferred ones included. The caller holds the lock.
func (c *Catalog) every() []*tool.Tool {
	if len(c.deferred) == 0 {
		return c.tools
	}
	return slices.Concat(c.tools, c.deferred)
}

// IsDeferred reports whether a tool is offered only to those who look for it.
func (c *Catalog) IsDeferred(t *tool.Tool) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.defers(t)
}

// defers is IsDeferred. The caller holds the lock.
func (c *Catalog) defers(t *tool.Tool) bool {
	return slices.ContainsFunc(c.deferred, func(one *tool.Tool) bool { return one.Name == t.Name })
}

// All lists all tools, those that are deferred last.
func (c *Catalog) All() []*tool.Tool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.load()
	return c.every()
}

// addServers adds a tool of a server, or of all. A name that another tool has stays with that one.
// The caller holds the lock.
func (c *Catalog) addServers(one Custom) {
	if lookup(c.every(), one.Name) != nil || one.Name == SearchName || one.Name == CallName {
		return
	}
	if slices.Contains(c.opt.Disabled, one.Name) {
		c.absent[one.Name] = fault.T("it is disabled")
		return
	}
	if set := setOf(c.servers, one.Server); set != nil {
		set.Tools = append(set.Tools, one.Name)
	} else if one.Server != "" {
		c.servers = append(c.servers, Set{Name: one.Server, Tools: []string{one.Name}})
	}
	if one.Deferred {
		c.deferred = append(c.deferred, one.Tool)
	} else {
		c.tools = append(c.tools, one.Tool)
	}
}

// addFinders adds the tools by which a model finds deferred ones and calls them. The
// caller holds the lock.
func (c *Catalog) addFinders() {
	if len(c.deferred) == 0 {
		return
	}
	for _, t := range []*tool.Tool{c.searchTool(), callTool()} {
		if lookup(c.tools, t.Name) == nil {
			c.add(t, nil)
		}
	}
}

// searchArgs are the arguments of tools_search.
type searchArgs struct {
	Words string `json:"words" doc:"What the tool should do, or a part of its name." min:"1"`
	Limit int    `json:"limit,omitzero" doc:"Most tools to return." default:"5" min:"1" max:"20"`
}

// SearchResult is the result of tools_search.
type SearchResult struct {
	Tools []Match `json:"tools"`
	Total int     `json:"total"` // that match
}

func (c *Catalog) searchTool() *tool.Tool {
	return tool.New(tool.Def[searchArgs, SearchResult]{
		Name: SearchName, Risk: policy.Read, DefaultArg: "words",
		Doc:      "Find further tools, which are not listed here, and what arguments they take. Call one with tools_call.",
		Examples: []tool.Example{{Doc: "Find tools for issues", Args: `{"words":"create issue"}`}},
		Run: func(_ context.Context, call *tool.Call, a searchArgs) (SearchResult, error) {
			return c.Search(call.Env, a.Words, a.Limit), nil
		},
		Text: matchText,
	})
}

// matchText shows a tool, its description and the schema of its arguments.
func matchText(r SearchResult, v screen.View) string {
	if len(r.Tools) == 0 {
		return v.Say(fault.T("no tool matches: try other words")) + "\n"
	}
	var b strings.Builder
	for _, m := range r.Tools {
		b.WriteString(m.Name + "  " + m.Description + "\n")
		if text, err := schema.Marshal(m.Parameters); err == nil {
			b.WriteString("  " + string(text) + "\n")
		}
	}
	return b.String()
}

// callSchema describes the arguments of tools_call.
const callSchema = `{"type":"object","properties":{"name":{"type":"string","description":"Name of the tool."},` +
	`"arguments":{"type":"object","description":"Its arguments."}},"required":["name"],"additionalProperties":false}`

// callTool returns the tool by which models call deferred tools. No call of it runs: see
// [Catalog.For].
func callTool() *tool.Tool {
	return tool.Dynamic[struct{}]{
		Name: CallName, Risk: policy.Destructive, Doc: "Call a tool that tools_search found.", Web: true, Reads: true,
		Parameters: func() *schema.Object {
			o, err := schema.Portable([]byte(callSchema))
			if err != nil {
				panic(err) // unreachable: a constant
			}
			return o
		},
		Judge: func(context.Context, *tool.Call, any) (*tool.Judgement, struct{}, error) {
			return nil, struct{}{}, fault.New(fault.Unsupported, fault.T("%s only calls other tools", CallName)).
				WithHint(fault.T("call the tool itself, by its name"))
		},
	}.Tool()
}

// calls reports whether a tool is tools_call.
func (c *Catalog) calls(t *tool.Tool) bool {
	return t != nil && t.Own().Name == CallName && t.PresetOf == "" && len(c.deferred) > 0
}

// called returns the tool that a call of tools_call means. It takes the arguments out of
// those of the call. So what is decided, asked and recorded is about the tool itself.
func (c *Catalog) called(input []byte) (*tool.Tool, error) {
	name, arguments, err := inner(input)
	if err != nil {
		return nil, err
	}
	t, err := c.find(name, arguments, false)
	if err != nil {
		return nil, err
	}
	if !c.defers(t) {
		// Whoever is offered some tools and this one is not given all others by that.
		return nil, schema.Invalid("/name", fault.T("%s calls the tools that %s finds; call %s by its name", CallName, SearchName, t.Called()))
	}
	return t.Inside(func(input []byte) ([]byte, error) {
		_, arguments, err := inner(input)
		return arguments, err
	}), nil
}

// inner returns the call inside of the arguments of tools_call.
func inner(input []byte) (name string, arguments []byte, err error) {
	o := callTool().Schema()
	args := o.NewArgs()
	if _, err := o.DecodeRepaired(input, args, schema.Repair{Writes: true}); err != nil {
		return "", nil, err
	}
	values := o.Values(args)
	text, _ := values.Get("name").(json.RawMessage)
	if err := json.Unmarshal(text, &name); err != nil {
		return "", nil, fault.As(err)
	}
	arguments, _ = values.Get("arguments").(json.RawMessage)
	if len(arguments) == 0 {
		arguments = []byte("{}")
	}
	return name, arguments, nil
}
