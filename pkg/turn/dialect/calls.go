package dialect

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/turn/prompt"
)

// Dialect is a provider's format of calls and answers. Each is a file of this package,
// named calls_*.go, and a line of [Dialects].
type Dialect struct {
	Name     string          // the value of the caller's option
	Pictures tool.PictureFit // what its models make use of
	// Inline: results hold pictures. Else these come in a message of their own,
	// which only a model that sees takes.
	Inline bool
	// Structured: an answer has the result as data, beside its text.
	Structured bool

	// read returns the calls of a document, and nil for one of another dialect.
	read func(document) *Turn
	text prompt.Format // of the dialects of texts, which have no documents
}

// Dialects lists the dialects of providers, whose documents are JSON.
func Dialects() []*Dialect {
	return []*Dialect{chat(), responses(), anthropic(), gemini(), mcp(), canonical()}
}

// Auto stands for the dialect that a document is found to be in.
const Auto = "auto"

// Names lists what names a dialect, [Auto] first.
func Names() []string {
	names := []string{Auto}
	for _, d := range append(Dialects(), texts()...) {
		names = append(names, d.Name)
	}
	return names
}

// Find returns the dialect of a name; nil for [Auto]. The fault is usage.
func Find(name string) (*Dialect, error) {
	for _, d := range append(Dialects(), texts()...) {
		if d.Name == name {
			return d, nil
		}
	}
	if name == Auto {
		return nil, nil
	}
	return nil, fault.New(fault.Usage, fault.T("unknown dialect %q", name)).
		WithHint(fault.T("the dialects are: %s", strings.Join(Names(), ", ")))
}

// Call is one call that a model made.
type Call struct {
	ID        string
	Name      string
	Arguments []byte          // JSON as the model wrote it, which may be invalid, or a text without JSON around it
	Raw       json.RawMessage // the call as it came
	Err       *fault.Error    // why it cannot be read, in a text; it must not be run
	Repairs   []fault.Text    // slips that were read over, in a text

	item members // what Raw holds, if it is an object
	// more: it is a further part of what the provider regards as one call, and shares
	// an answer with the part before it.
	more bool
}

// Answer is the outcome of a call.
type Answer struct {
	Call     Call
	Content  string          // the result or the error, as a model reads it
	Failure  any             // the error as an object with a code; nil for a call that was carried out
	Data     json.RawMessage // the result; nil for a call that failed
	Pictures []tool.Picture  // beside the content
	// Contents is the result in content blocks of the Model Context Protocol, warnings
	// included; nil where the tool has none.
	Contents *tool.Contents
}

// Turn is the calls that a provider returned at once, and the way to answer them.
type Turn struct {
	Dialect *Dialect
	Calls   []Call
	Origin  tool.Origin // as far as the document says

	// write returns the messages with the answers to calls, of which some may be left
	// to others. It is not called when there are no calls.
	write func([]Answer) []any
	// alone: one answer is not in a list.
	alone bool
}

// Messages returns what holds the answers, in the order in which to append it to the
// conversation.
func (t *Turn) Messages(answers []Answer) []any {
	if len(t.Calls) == 0 {
		return []any{}
	}
	return append([]any{}, t.write(answers)...)
}

// Reply returns the answers as the provider takes them: a list of messages, or the one
// object that answers a protocol's request.
func (t *Turn) Reply(answers []Answer) any {
	all := t.Messages(answers)
	if t.alone && len(all) == 1 {
		return all[0]
	}
	return all
}

// Shared is a reply where others answer some of the calls.
type Shared struct {
	Messages []any `json:"messages"`
	// PassThrough are the calls to be answered. Whoever inserts each answer at its
	// index, in this order, has them in the order of the calls.
	PassThrough []Passed `json:"pass_through"`
}

// Passed is a call that somebody else answers.
type Passed struct {
	Index int             `json:"index"` // of its answer among the answers
	Call  json.RawMessage `json:"call"`  // as it came
}

// Share returns the reply to a turn of whose calls those in passed, by index, are
// answered by others.
func (t *Turn) Share(answers []Answer, passed []int) Shared {
	s := Shared{Messages: t.Messages(answers), PassThrough: []Passed{}}
	at := -1
	for i, c := range t.Calls {
		if c.more {
			continue
		}
		at++
		if slices.Contains(passed, i) {
			s.PassThrough = append(s.PassThrough, Passed{at, c.Raw})
		}
	}
	return s
}

// Parse returns the calls in what a provider returned. With a nil dialect it finds
// out which it is. A document without calls is no fault; one that is in no known
// dialect is invalid_arguments. Slips of JSON are repaired as in arguments: hosts pass on what
// a model wrote.
func Parse(d *Dialect, data []byte) (*Turn, error) {
	err := schema.Check(data)
	if err == nil {
		return parse(d, data)
	}
	mended, repairs, failed := schema.Mended(data)
	if failed != nil || bytes.HasPrefix(bytes.TrimSpace(data), []byte("```")) { // a block is a model's text
		return nil, err
	}
	turn, failed := parse(d, mended)
	if failed != nil || len(turn.Calls) == 0 {
		return nil, err
	}
	turn.Calls[0].Repairs = append(repairs, turn.Calls[0].Repairs...)
	return turn, nil
}

// parse is [Parse] of valid JSON.
func parse(d *Dialect, data []byte) (*Turn, error) {
	doc := open(bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff"))))
	among := []*Dialect{d}
	if d == nil {
		among = Dialects()
	}
	doc, origin, bad := doc.context()
	doc.chosen = d != nil
	if bad == nil && doc.list != nil && len(doc.list) == 0 {
		return &Turn{Dialect: among[0], Origin: origin}, nil
	}
	// A message without calls is one of Chat Completions unless it tells more: the
	// first of the list is the least particular.
	for _, one := range slices.Backward(among) {
		if turn := one.read(doc); turn != nil {
			turn.Dialect, turn.Origin = one, origin
			return turn, turn.refuse(bad)
		}
	}
	if bad != nil {
		return nil, bad
	}
	return nil, unrecognised(d)
}

// refuse has every call answered with an error, if there is one; it returns the error where
// there is no call.
func (t *Turn) refuse(err error) error {
	if err == nil || len(t.Calls) == 0 {
		return err
	}
	for i := range t.Calls {
		t.Calls[i].Err = fault.As(err)
	}
	return nil
}

func unrecognised(d *Dialect) *fault.Error {
	if d != nil {
		return fault.New(fault.InvalidArguments, fault.T("this is no call in the dialect %s", d.Name)).
			WithHint(fault.T("leave --dialect out to have it found; the dialects are: %s", strings.Join(Names(), ", ")))
	}
	return fault.New(fault.InvalidArguments, fault.T("this is not a tool call in a known format")).
		WithHint(fault.T("pass what the provider returned: a call, an array of calls, the message or the whole response"))
}

// document is a JSON text, opened one level deep.
type document struct {
	raw    json.RawMessage
	object members           // nil if it is no object
	list   []json.RawMessage // nil if it is no array
	chosen bool              // the caller says which dialect it is in
}

// open opens a valid JSON text.
func open(raw json.RawMessage) document {
	return document{raw: raw, object: membersOf(raw), list: listOf(raw)}
}

// members are the members of a JSON object.
type members map[string]json.RawMessage

// membersOf returns the members of an object; nil for any other value.
func membersOf(raw json.RawMessage) members {
	if !startsWith(raw, '{') {
		return nil
	}
	var m members
	if json.Unmarshal(raw, &m) != nil {
		return nil
	}
	return m
}

// listOf returns the items of an array; nil for any other value.
func listOf(raw json.RawMessage) []json.RawMessage {
	if !startsWith(raw, '[') {
		return nil
	}
	list := []json.RawMessage{}
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	return list
}

func startsWith(raw json.RawMessage, c byte) bool { return len(raw) > 0 && raw[0] == c }

// has reports whether a member is there and not null: clients print absent members as
// null.
func (m members) has(name string) bool {
	raw := m[name]
	return len(raw) > 0 && string(raw) != "null"
}

// only reports whether there is no member but these; a context is of the document.
func (m members) only(names ...string) bool {
	for name := range m {
		if name != "context" && !slices.Contains(names, name) {
			return false
		}
	}
	return true
}

// text returns a member that is a string, or whatever a careless server sends
// instead; "" if there is none.
func (m members) text(name string) string {
	if !m.has(name) {
		return ""
	}
	var s string
	if json.Unmarshal(m[name], &s) == nil {
		return s
	}
	return string(m[name])
}

// is reports whether a member is this string.
func (m members) is(name, value string) bool { return m.has(name) && m.text(name) == value }

// object returns the members of a member; nil if it is no object.
func (m members) object(name string) members { return membersOf(m[name]) }

// list returns the items of a member; nil if it is no array.
func (m members) list(name string) []json.RawMessage { return listOf(m[name]) }

// arguments returns the JSON of arguments: some formats want it in a string, and some
// servers send the object itself. A call without any has no members.
func arguments(raw json.RawMessage) []byte {
	if len(raw) == 0 || string(raw) == "null" {
		return []byte("{}")
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return []byte(text)
	}
	return raw
}

// calls returns the calls among items, which call reads: nil for an item that is none.
func calls(items []json.RawMessage, call func(members) *Call) []Call {
	var all []Call
	for _, raw := range items {
		item := membersOf(raw)
		if item == nil {
			continue
		}
		if c := call(item); c != nil {
			c.Raw, c.item = raw, item
			all = append(all, *c)
		}
	}
	return all
}
