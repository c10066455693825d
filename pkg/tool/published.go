package tool

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// Publication is a host's own name, description and names of arguments for a tool. An empty
// field keeps those of the tool.
type Publication struct {
	Name       string
	Doc, DocZH string
	Arguments  map[string]string // published names, by those that the tool has
}

// Published returns t as a host shows it; see [Tool.Called]. To rules, approvals and
// the log it is still t, and it takes its own names of arguments as aliases. The fault
// is not_configured.
func (t *Tool) Published(as Publication) (*Tool, error) {
	if !nameOf(as.Name, true) {
		return nil, fault.New(fault.NotConfigured, fault.T("%q is not a name for a tool: want letters, digits, _ and -, a letter first, at most 64", as.Name))
	}
	names, err := t.publishedArguments(as.Arguments)
	if err != nil {
		return nil, err
	}
	p := &Tool{t.Spec, t.actions, t}
	p.published, p.grouped = as.Name, false
	if as.Doc != "" {
		p.Doc, p.DocZH = as.Doc, ""
	}
	p.DocZH = cmp.Or(as.DocZH, p.DocZH)
	if len(names) == 0 {
		return p, nil
	}
	p.actions = published{t.actions, names, t.Arguments().Renamed(names), t.Schema().Renamed(names)}
	for _, name := range []*string{&p.DefaultArg, &p.Input, &p.Words, &p.timeoutArg} {
		if to, ok := names[*name]; ok {
			*name = to
		}
	}
	p.Further, p.OneOf = renamed(t.Further, names), renamed(t.OneOf, names)
	p.Examples = slices.Clone(t.Examples)
	for i, e := range p.Examples {
		p.Examples[i].Args = renamedMembers(e.Args, names)
	}
	return p, nil
}

// published has other names for arguments, and speaks of them by these in faults.
type published struct {
	actions
	names      map[string]string
	all, given *schema.Object
}

func (p published) arguments() *schema.Object { return p.all }
func (p published) schema() *schema.Object    { return p.given }

func (p published) judge(ctx context.Context, c *Call) error {
	return inNames(p.actions.judge(ctx, c), p.names)
}

func (p published) paths(ctx context.Context, c *Call) ([]Target, error) {
	targets, err := p.actions.paths(ctx, c)
	return targets, inNames(err, p.names)
}

func (p published) preview(ctx context.Context, c *Call, later bool) (string, error) {
	text, err := p.actions.preview(ctx, c, later)
	return text, inNames(err, p.names)
}

func (p published) run(ctx context.Context, c *Call) (any, error) {
	result, err := p.actions.run(ctx, c)
	return result, inNames(err, p.names)
}

// publishedArguments checks other names of arguments and returns them by the main
// names of the arguments.
func (t *Tool) publishedArguments(given map[string]string) (map[string]string, error) {
	bad := func(what fault.Text) error { return fault.New(fault.NotConfigured, what) }
	names := map[string]string{}
	for _, from := range slices.Sorted(maps.Keys(given)) {
		to := given[from]
		f, ok := t.Schema().Field(from)
		switch {
		case !ok:
			return nil, bad(fault.T("%s has no argument %q", t.Name, from))
		case !nameOf(to, false):
			return nil, bad(fault.T("%q is not a name for an argument: want letters, digits and _, no digit first, at most 64", to))
		case names[f.Name] != "":
			return nil, bad(fault.T("the argument %s is named twice", f.Name))
		}
		if other, taken := t.Arguments().Field(to); taken && other.Name != f.Name || slices.Contains(slices.Collect(maps.Values(names)), to) {
			return nil, bad(fault.T("%s would be the name of two arguments", to))
		}
		if to != f.Name {
			names[f.Name] = to
		}
	}
	return names, nil
}

// nameOf reports whether a text can be the name of an argument or, with a hyphen, of a
// tool, for every provider.
func nameOf(s string, hyphen bool) bool {
	const longest = 64
	for i, c := range []byte(s) {
		letter := c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (i == 0 || (c < '0' || c > '9') && (c != '-' || !hyphen)) {
			return false
		}
	}
	return s != "" && len(s) <= longest
}

// Called returns the name by which callers know the tool.
func (t *Tool) Called() string { return cmp.Or(t.published, t.Name) }

// Own returns the tool as it is without a [Publication].
func (t *Tool) Own() *Tool { return cmp.Or(t.own, t) }

func renamed(list []string, names map[string]string) []string {
	list = slices.Clone(list)
	for i, name := range list {
		if to, ok := names[name]; ok {
			list[i] = to
		}
	}
	return list
}

// renamedMembers returns a JSON object with other names for its members.
func renamedMembers(object string, names map[string]string) string {
	d, err := schema.ReadDocument([]byte(object))
	if err != nil {
		return object
	}
	for i, m := range d {
		d[i].Name = renamed([]string{m.Name}, names)[0]
	}
	text, err := schema.Marshal(d)
	if err != nil {
		return object
	}
	return string(bytes.TrimSpace(text))
}

// inNames returns a fault about arguments with other names for them; any other error
// stays.
func inNames(err error, names map[string]string) error {
	if err == nil || !fault.Is(err, fault.InvalidArguments) {
		return err
	}
	e := *fault.As(err)
	e.Message, e.Hint = worded(e.Message, names), worded(e.Hint, names)
	if problems, ok := e.Details.(schema.Problems); ok {
		problems = slices.Clone(problems)
		for i, p := range problems {
			problems[i] = schema.Problem{Pointer: words(p.Pointer, names), Message: worded(p.Message, names)}
		}
		e.Details = problems
	}
	return &e
}

func worded(t fault.Text, names map[string]string) fault.Text {
	if t.IsZero() {
		return t
	}
	return fault.Verbatim(words(t.In(fault.English), names), words(t.In(fault.Chinese), names))
}

// words returns a text with other words for some.
func words(s string, names map[string]string) string {
	part := func(c byte) bool {
		return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		end := i
		for end < len(s) && part(s[end]) {
			end++
		}
		word := s[i:end]
		if to, ok := names[word]; ok {
			word = to
		}
		b.WriteString(word)
		if end < len(s) {
			b.WriteByte(s[end])
		}
		i = end + 1
	}
	return b.String()
}
