// Package modeltext reads tool calls out of the text of a model that has no calls of
// its own, or whose server passes them on as text. It knows the conventions that
// package prompt teaches, and those that the families of models were trained on:
// tags with JSON or with parameters in them, fenced blocks, special tokens, calls in
// Python, and "Action:" with "Action Input:".
//
// It runs nothing and checks no arguments against a schema; it only converts the text
// into JSON. Its rule: a guess never writes. Text that is ambiguous or cut off, and text
// in the model's thinking or after a result that the model made up, is no call.
package modeltext

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
)

// Format is a convention of writing calls.
type Format string

// The conventions. Auto is all of them, and those of the families of models.
const (
	Auto     Format = "auto"
	XML      Format = "xml"
	JSON     Format = "json"
	Markdown Format = "markdown"
	Hermes   Format = "hermes"
)

// Formats lists the conventions.
func Formats() []string {
	return []string{string(Auto), string(XML), string(JSON), string(Markdown), string(Hermes)}
}

// Tool describes a tool as far as reading a call of it needs.
type Tool struct {
	Arguments *schema.Object // which of them are texts, and which are JSON
	Bare      string         // the argument that a value without a name is for; "" is none
	Reads     bool           // no call of it changes anything
}

// Options configure the reading of a text.
type Options struct {
	Format Format
	// Tools returns what is known of the tool of a name. Nil knows none.
	Tools func(name string) (Tool, bool)
}

// Call is one call, in the order of the text.
type Call struct {
	Name string
	// Arguments is a JSON object. With Err it is nil: then the call must not be run.
	Arguments []byte
	Repairs   []fault.Text // slips that were read over
	Err       *fault.Error // invalid_arguments: why the call cannot be read
	Source    string       // the call as the model wrote it
}

// Reading is the content of a text.
type Reading struct {
	Calls    []Call
	Text     string // what the model wrote around the calls
	Thinking string // what it wrote in tags such as <think>
	Notes    []fault.Text
}

// Read returns the calls in a text and what is around them.
func Read(text string, o Options) Reading {
	if o.Tools == nil {
		o.Tools = func(string) (Tool, bool) { return Tool{}, false }
	}
	const attempts = 64 // at reading with repairs, of a text that consists of calls
	r := &reader{s: strings.TrimPrefix(text, "\ufeff"), opt: o, known: map[string]*Tool{}, closers: map[string]int{}, mending: attempts * len(text)}
	r.run()
	return Reading{
		Calls: r.calls, Notes: r.notes,
		Text:     strings.TrimSpace(r.text.String()),
		Thinking: strings.TrimSpace(r.thinking.String()),
	}
}

// damaged returns the error of a call that cannot be read.
func damaged(what fault.Text) *fault.Error {
	return fault.New(fault.InvalidArguments, fault.T("the call cannot be read: %s", what)).
		WithHint(fault.T("write the whole call again"))
}

// unclear returns the error of a call with a value that could end in two places.
func unclear(parameter string) *fault.Error {
	return damaged(fault.T("it is not clear where the value of %s ends", parameter)).
		WithHint(fault.T("write the call again, with that value inside <![CDATA[ and ]]>"))
}

func cutOff() *fault.Error {
	return damaged(fault.T("the text ends before the call does"))
}

// Of returns what must be known of t.
func Of(t *tool.Tool) Tool {
	return Tool{Arguments: t.Schema(), Bare: t.DefaultArg, Reads: t.Risk == policy.Read}
}
