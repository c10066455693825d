package prompt

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// inMarkdown writes the tools as a person reads them, and calls in blocks that are
// marked as such.
type inMarkdown struct{}

func (inMarkdown) before() fault.Text {
	return fault.T("# Tools")
}

func (inMarkdown) after() fault.Text {
	return fault.T("# Calling\n\n%s", calling("tool_call"))
}

func (c inMarkdown) define(w *writer, tools []Tool) error {
	for i, t := range tools {
		if i > 0 {
			w.line()
		}
		w.line("## ", t.Name, "\n\n", t.Doc)
		if properties, ok := t.Parameters.Get("properties").(schema.Document); ok && len(properties) > 0 {
			w.line()
			c.parameters(w, t.Parameters, "")
		}
		for _, e := range w.examples(t) {
			call, err := c.call(t.Name, []byte(e.Args))
			if err != nil {
				return err
			}
			w.line("\n", w.text(fault.T("Example, %s:", e.Doc)), "\n\n", call)
		}
	}
	return nil
}

// parameters writes the properties of an object of a JSON Schema as a list.
func (c inMarkdown) parameters(w *writer, object schema.Document, indent string) {
	properties, _ := object.Get("properties").(schema.Document)
	for _, p := range properties {
		property := p.Value.(schema.Document)
		about := []string{typeOf(property)}
		if required(object, p.Name) {
			about = append(about, w.text(fault.T("required")))
		}
		for _, k := range keywords(property) {
			about = append(about, k.Name+" "+plain(k.Value))
		}
		doc, _ := property.Get("description").(string)
		w.line(indent, "- `", p.Name, "` (", strings.Join(about, "; "), "): ", doc)
		if inner := objectIn(property); inner != nil {
			c.parameters(w, inner, indent+"  ")
		}
	}
}

func (inMarkdown) call(name string, arguments []byte) (string, error) {
	text, err := object(name, arguments)
	return "```tool_call\n" + text + "\n```", err
}
