// Package prompt writes tools as text, for models that have no tool calls of their
// own: what each tool does and takes, how to call it and how its results come back.
// Package modeltext reads the calls that such a model writes.
//
// The text is the same for the same tools, so that servers can keep it in a cache.
package prompt

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// Format is a convention of writing tools and calls.
type Format string

// The conventions. XML has a tag for the tool and one for each parameter, so that the
// text of a file needs no escapes; the others have JSON.
const (
	XML      Format = "xml"
	JSON     Format = "json"
	Markdown Format = "markdown"
	Hermes   Format = "hermes"
)

// Formats lists the conventions.
func Formats() []string {
	return []string{string(XML), string(JSON), string(Markdown), string(Hermes)}
}

// Tool is one tool to be described.
type Tool struct {
	Name       string
	Doc        string
	Parameters schema.Document // its JSON Schema, from [schema.Object.JSONSchema]
	Examples   []Example
}

// Example is a call of a tool.
type Example struct {
	Doc  string // what it does, in a few words
	Args string // a JSON object
}

// Options configure a prompt.
type Options struct {
	Format   Format
	Lang     fault.Lang
	Examples int  // the most that each tool has
	Bare     bool // the definitions alone
}

// Write returns the text. The fault is usage, for an unknown format.
func Write(tools []Tool, o Options) (string, error) {
	w := &writer{o: o}
	c := conventionOf(o.Format)
	if c == nil {
		return "", fault.New(fault.Usage, fault.T("unknown format %q", string(o.Format))).
			WithHint(fault.T("the formats are: %s", strings.Join(Formats(), ", ")))
	}
	if !o.Bare {
		w.say(c.before())
	}
	if err := c.define(w, tools); err != nil {
		return "", err
	}
	if !o.Bare {
		w.say(c.after())
	}
	return strings.TrimSpace(w.b.String()) + "\n", nil
}

// convention is one way of writing.
type convention interface {
	before() fault.Text // what comes before the definitions
	after() fault.Text  // how to call, and what comes back
	define(w *writer, tools []Tool) error
	call(name string, arguments []byte) (string, error)
}

func conventionOf(f Format) convention {
	switch f {
	case XML:
		return inXML{}
	case JSON:
		return inJSON{}
	case Markdown:
		return inMarkdown{}
	case Hermes:
		return inHermes{}
	}
	return nil
}

type writer struct {
	o Options
	b strings.Builder
}

func (w *writer) line(parts ...string) {
	for _, p := range parts {
		w.b.WriteString(p)
	}
	w.b.WriteByte('\n')
}

func (w *writer) say(t fault.Text) {
	if w.b.Len() > 0 {
		w.line()
	}
	w.line(t.In(w.o.Lang))
	w.line()
}

func (w *writer) text(t fault.Text) string { return t.In(w.o.Lang) }

// examples returns those of a tool that are shown.
func (w *writer) examples(t Tool) []Example {
	if w.o.Bare {
		return nil
	}
	return t.Examples[:min(len(t.Examples), max(w.o.Examples, 0))]
}

// Outcome is the outcome of a call.
type Outcome struct {
	ID, Name string
	Content  string // the result or the error, as a model reads it
	Failed   bool
}

// Result returns the outcome of a call in the form that a convention's prompt announced.
// Content cannot end the place that it stands in.
func Result(f Format, o Outcome) (string, error) {
	content := strings.TrimSuffix(o.Content, "\n")
	if f == XML {
		status := ""
		if o.Failed {
			status = ` status="error"`
		}
		if strings.Contains(content, "</tool_result") || strings.Contains(content, cdataOpen) {
			content = cdata(content)
		}
		return `<tool_result id="` + attribute(o.ID) + `" name="` + attribute(o.Name) + `"` + status + ">\n" + content + "\n</tool_result>", nil
	}
	d := schema.Document{{Name: "id", Value: o.ID}, {Name: "name", Value: o.Name}}
	if o.Failed {
		d = d.With("status", "error")
	}
	text, err := schema.Marshal(d.With("content", content))
	if err != nil || f != Hermes {
		return "```tool_result\n" + string(text) + "\n```", err
	}
	return "<tool_response>\n" + strings.ReplaceAll(string(text), "</", `<\/`) + "\n</tool_response>", nil
}
