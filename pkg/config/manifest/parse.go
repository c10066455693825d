package manifest

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/helve-dev/helve/pkg/config/jsonc"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// Options are the names that a manifest is checked against.
type Options struct {
	Builtin  []string // built-in tools and their presets
	Taken    []string // other custom tools, and presets
	Switches []string // what requires may name
}

// Parse reads a manifest, in JSON with comments and trailing commas. file names it in
// the problems. These are complete; the tool is nil if there are any.
func Parse(file string, data []byte, o Options) (*Tool, Problems) {
	p := &parser{file: file, data: data}
	tree, syntax := jsonc.Parse(data)
	for _, s := range syntax {
		p.reportAt(Syntax, s.Offset, "", s.Message)
	}
	if tree == nil {
		return nil, p.problems
	}
	p.tree = tree
	t := &Tool{SHA: sum(data)}
	d := p.document()
	if d != nil {
		p.names(t, d, o)
	}
	p.parameters(t)
	if d != nil {
		p.run(t, d)
	}
	p.env(t)
	p.exit(t)
	p.examples(t, d)
	if len(p.problems) > 0 {
		slices.SortStableFunc(p.problems, func(a, b Problem) int {
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
		})
		return nil, p.problems[:min(len(p.problems), jsonc.MaxProblems)]
	}
	return t, nil
}

// sum returns the SHA-256 of data in hex digits.
func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}

// parser reads a manifest and collects its problems.
type parser struct {
	file     string
	data     []byte
	tree     *jsonc.Node
	problems Problems
}

func (p *parser) reportAt(name Name, offset int, pointer string, what fault.Text) {
	line, column := jsonc.Position(p.data, offset)
	p.problems = append(p.problems, Problem{name, p.file, line, column, pointer, what})
}

func (p *parser) report(name Name, pointer string, what fault.Text) {
	p.reportAt(name, p.tree.Offset(pointer), pointer, what)
}

// document decodes the part of the manifest with fixed members; nil if it is wrong.
func (p *parser) document() *document {
	if p.tree.Kind != jsonc.Object {
		p.report(BadField, "", fault.T("a manifest must be an object, not %s", p.tree.Kind))
		return nil
	}
	fixed := without(p.tree, "$schema", "parameters")
	for i, m := range fixed.Members {
		switch m.Name {
		case "run":
			fixed.Members[i].Value = texts(without(m.Value, "env", "exit"))
		case "examples":
			list := *m.Value
			list.Items = slices.Clone(list.Items)
			for j, item := range list.Items {
				list.Items[j] = without(item, "args")
			}
			fixed.Members[i].Value = &list
		}
	}
	// A missing name or description counts as empty, which is a problem of its own.
	for _, name := range []string{"name", "description"} {
		if fixed.Get(name) == nil {
			fixed.Members = append(fixed.Members, jsonc.Member{Name: name, Value: &jsonc.Node{Kind: jsonc.String}})
		}
	}
	d := &document{}
	err := documentObject().Decode(fixed.JSON(), d)
	if err == nil {
		return d
	}
	problems, ok := fault.As(err).Details.(schema.Problems)
	if !ok {
		p.report(BadField, "", fault.As(err).Message)
	}
	for _, one := range problems {
		p.report(BadField, one.Pointer, one.Message)
	}
	return nil
}

// without returns a copy of a node without some members.
func without(n *jsonc.Node, names ...string) *jsonc.Node {
	copied := *n
	copied.Members = nil
	for _, m := range n.Members {
		if !slices.Contains(names, m.Name) {
			copied.Members = append(copied.Members, m)
		}
	}
	return &copied
}

// texts makes a text of max_output, which may be a number of bytes.
func texts(n *jsonc.Node) *jsonc.Node {
	for i, m := range n.Members {
		if m.Name == "max_output" && m.Value.Kind == jsonc.Number {
			n.Members[i].Value = &jsonc.Node{Kind: jsonc.String, Text: m.Value.Text}
		}
	}
	return n
}
