// Package profile gives tools the definitions, words and results of another system, so that
// a program or a model that was written for that one works unchanged. A profile is a JSON
// file: data about names, arguments, texts and fields, which is read when it is named and
// bounded in every way. It runs nothing and allows nothing: behind each of its tools is one
// of ours, whose calls are confined and judged as ever.
//
// A text is a [Template]; what it is filled with is an [Expression].
package profile

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
)

// Envelope is the form of the data of a result.
type Envelope string

// The forms.
const (
	Text    Envelope = "text"    // the text, a string
	Data    Envelope = "data"    // an object of the fields
	Content Envelope = "content" // an object with the text as "content"
)

// Profile is the tools of another system.
type Profile struct {
	Name            string
	Source, Version string // of the system that it follows
	Envelope        Envelope
	// ErrorsAreResults says that the system answers a failed call as any other.
	ErrorsAreResults bool
	// Trailer says that texts end with what the system has no words for: warnings, and how
	// a change is undone.
	Trailer  bool
	Messages Messages
	Tools    []*Tool
}

// Tool is a tool of the other system.
type Tool struct {
	Name       string
	Doc, DocZH string
	Parameters []Parameter
	Project    bool // calls need a project to work in
	// By is the parameter whose value chooses among the cases; "" if there is only one.
	By    string
	Cases []*Case

	messages Messages // those of the profile included
	profile  *Profile
}

// Parameter is an argument that callers give.
type Parameter struct {
	Name string
	// Of is the argument of ours; "" is one of the same name, or one that its system calls
	// so, and "-" is none: the argument is taken, and does nothing.
	Of       string
	Schema   json.RawMessage // in the subset of schema.FromJSON
	Required bool
	Default  json.RawMessage // nil if there is none
	// Otherwise is our argument where a caller gives none, which no caller sees.
	Otherwise json.RawMessage
	Excludes  []string // parameters that cannot be given beside it
	// Denied are the values that are refused, with the reason of each.
	Denied []Denial
	// Endings are those of which a path has one; nil is any.
	Endings []string
	// Anchored says that globs with a star begin at the directory that is searched; ours
	// without a slash match at any depth.
	Anchored bool
}

// Denial is a pattern of values that a parameter does not take, in lower case. It narrows what
// callers can do, beside what policy says.
type Denial struct {
	Pattern *regexp.Regexp
	Reason  string
}

// Case is a tool of ours, with the words for its calls.
type Case struct {
	Value string // of [Tool.By]
	Of    string // the name of the tool
	Fixed map[string]json.RawMessage
	// Rename are arguments of ours by parameters, where they differ from those of the tool.
	Rename map[string]string
	Text   *Template // of a result; nil is the tool's own
	Fields []Field   // of the data of a result
	// Keep are the fields of our result that stay in the data, Drop those that do not; with
	// neither, only those of Fields are in it.
	Keep, Drop []string
	Sort       string // the member by which the lists in a result are ordered; "" is our order
	Messages   Messages
}

// Field is a field of a result.
type Field struct {
	Name  string
	Value *Expression
}

// Messages are the texts of failures, by their codes.
type Messages map[fault.Code]Words

// Words are a text in two languages, which are the same where a system has but one.
type Words struct{ En, Zh *Template }

func (w Words) in(lang fault.Lang) *Template {
	if lang == fault.Chinese {
		return w.Zh
	}
	return w.En
}

// over returns messages with others in place of those of the same code.
func (m Messages) over(others Messages) Messages {
	all := maps.Clone(others)
	if all == nil {
		all = Messages{}
	}
	maps.Copy(all, m)
	return all
}

// Find returns the tool of a name, nil if there is none.
func (p *Profile) Find(name string) *Tool {
	if i := slices.IndexFunc(p.Tools, func(t *Tool) bool { return t.Name == name }); i >= 0 {
		return p.Tools[i]
	}
	return nil
}

// Names returns the names of the tools.
func (p *Profile) Names() []string {
	names := make([]string, len(p.Tools))
	for i, t := range p.Tools {
		names[i] = t.Name
	}
	return names
}

// ParameterNames returns the names of the parameters.
func (t *Tool) ParameterNames() []string {
	names := make([]string, len(t.Parameters))
	for i, p := range t.Parameters {
		names[i] = p.Name
	}
	return names
}

// Definition returns what callers are shown of a parameter, as JSON; nil if there is none.
func (t *Tool) Definition(parameter string) json.RawMessage {
	i := slices.IndexFunc(t.Parameters, func(p Parameter) bool { return p.Name == parameter })
	if i < 0 {
		return nil
	}
	p := t.Parameters[i]
	return document(members(p.Schema).With("required", p.Required))
}
