package dialect

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/turn/modeltext"
	"github.com/helve-dev/helve/pkg/turn/prompt"
)

// texts are the dialects of models that have no calls of their own: they write them
// into their text, in a convention of package prompt, and read the results in the next
// message of the user.
func texts() []*Dialect {
	var all []*Dialect
	for _, format := range prompt.Formats() {
		all = append(all, &Dialect{Name: format, Pictures: openAIPictures(), text: prompt.Format(format)})
	}
	return all
}

// OfText reports whether calls of the dialect are written in a model's text.
func (d *Dialect) OfText() bool { return d != nil && d.text != "" }

// Known returns what a reader of texts must know of the tool of a name.
type Known func(name string) (modeltext.Tool, bool)

// Read is [Parse] for the dialects of texts, too. Their input is a text as it is, or a
// message or response that has it as its content. With a nil dialect, input that is
// no JSON and has calls is such a text.
func Read(d *Dialect, data []byte, known Known) (*Turn, error) {
	if !utf8.Valid(data) && (d == nil || d.OfText()) {
		return nil, fault.New(fault.EncodingUnsupported, fault.T("the text is not UTF-8")).
			WithHint(fault.T("pass the text as the model's server returned it"))
	}
	if d.OfText() {
		turn, text, err := textOf(data)
		if err != nil {
			return nil, err
		}
		start := strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
		if raw := text == strings.TrimSuffix(string(data), "\n"); raw && d.text != prompt.JSON && (strings.HasPrefix(start, `{"`) || strings.HasPrefix(start, "[{")) {
			return nil, unrecognised(d) // a document, in which the text would be escaped
		}
		turn.Dialect = d
		turn.fromText(modeltext.Read(text, modeltext.Options{Format: modeltext.Format(d.text), Tools: known}))
		return turn, nil
	}
	turn, err := Parse(d, data)
	if trimmed := strings.TrimSpace(strings.TrimPrefix(string(data), "\ufeff")); err == nil || d != nil || trimmed == "" || strings.ContainsAny(trimmed[:1], "{[\"") || schema.Check(data) == nil {
		return turn, err
	}
	text := string(data)
	r := modeltext.Read(text, modeltext.Options{Format: modeltext.Auto, Tools: known})
	if len(r.Calls) == 0 {
		return nil, err
	}
	turn = &Turn{Dialect: conventionOf(text, r.Calls[0])}
	turn.fromText(r)
	return turn, nil
}

// conventionOf returns the dialect in which a model is answered that made a call in
// its text: the one that is most like its own.
func conventionOf(text string, first modeltext.Call) *Dialect {
	format := prompt.Hermes
	switch {
	case strings.Contains(text, "<tool_call>"):
	case strings.Contains(text, "```tool_call"):
		format = prompt.Markdown
	case strings.HasPrefix(first.Source, "{"), strings.HasPrefix(first.Source, "["):
		format = prompt.JSON
	case strings.HasPrefix(first.Source, "<") && !strings.HasPrefix(first.Source, "<|") && !strings.HasPrefix(first.Source, "<｜"):
		format = prompt.XML
	}
	for _, d := range texts() {
		if d.text == format {
			return d
		}
	}
	return nil // unreachable: every format has one
}

// textOf returns the model's text in a document, and the turn that it begins.
func textOf(data []byte) (*Turn, string, error) {
	turn := &Turn{}
	doc := open(bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff"))))
	if schema.Check(data) != nil || doc.object == nil {
		var text string
		if json.Unmarshal(data, &text) == nil { // of a line that is a string of JSON
			return turn, text, schema.Check(data)
		}
		return turn, strings.TrimSuffix(string(data), "\n"), nil
	}
	doc, origin, err := doc.context()
	if err != nil {
		return nil, "", err
	}
	turn.Origin = origin
	m := doc.object
	if choices := m.list("choices"); len(choices) > 0 {
		m = membersOf(choices[0]).object("message")
	}
	if !m.has("role") && origin == (tool.Origin{}) {
		return turn, strings.TrimSuffix(string(data), "\n"), nil // a call as JSON
	}
	if parts := m.list("content"); parts != nil { // of Anthropic and of Responses
		var b strings.Builder
		for _, part := range parts {
			b.WriteString(membersOf(part).text("text"))
		}
		return turn, b.String(), nil
	}
	return turn, m.text("content"), nil
}

// fromText takes the calls that were read in a text. A text has no ids: the calls are
// counted.
func (t *Turn) fromText(r modeltext.Reading) {
	for i, c := range r.Calls {
		call := Call{ID: "call_" + strconv.Itoa(i+1), Name: c.Name, Arguments: c.Arguments, Err: c.Err, Repairs: c.Repairs}
		raw := schema.Document{{Name: "id", Value: call.ID}, {Name: "name", Value: call.Name}}
		if c.Err == nil {
			raw = raw.With("arguments", json.RawMessage(c.Arguments))
		}
		if text, err := schema.Marshal(raw); err == nil {
			call.Raw = text
		}
		t.Calls = append(t.Calls, call)
	}
	if last := len(t.Calls) - 1; last >= 0 {
		t.Calls[last].Repairs = append(append([]fault.Text{}, t.Calls[last].Repairs...), r.Notes...)
	}
	t.write = func(answers []Answer) []any {
		content, err := t.Dialect.results(answers)
		if err != nil {
			content = fault.As(err).Error()
		}
		return append([]any{textMessage{"user", content}}, chatPictures(answers)...)
	}
}

// textMessage is the message of the user that has the results.
type textMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// results returns the results as the text of one message.
func (d *Dialect) results(answers []Answer) (string, error) {
	parts := make([]string, len(answers))
	for i, a := range answers {
		var err error
		if parts[i], err = prompt.Result(d.text, prompt.Outcome{ID: a.Call.ID, Name: a.Call.Name, Content: a.Content, Failed: a.Failure != nil}); err != nil {
			return "", err
		}
	}
	return strings.Join(parts, "\n"), nil
}

// Text returns the text of a reply in a dialect of texts; ok is false for any other.
func Text(reply any) (text string, ok bool) {
	all, _ := reply.([]any)
	if len(all) == 0 {
		return "", false
	}
	m, ok := all[0].(textMessage)
	return m.Content, ok
}
