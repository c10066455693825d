package manifest

import (
	"github.com/helve-dev/helve/pkg/fault"
)

// Name is the kind of a problem.
type Name string

// The kinds of problems.
const (
	Unreadable       Name = "unreadable"        // the file cannot be read
	Syntax           Name = "syntax"            // not JSON
	BadField         Name = "bad_field"         // unknown, missing or of a wrong type or value
	EmptyName        Name = "empty_name"        //
	BadName          Name = "bad_name"          // not one that every provider takes
	EmptyDescription Name = "empty_description" //
	DuplicateName    Name = "duplicate_name"    // another custom tool has it
	ShadowsBuiltin   Name = "shadows_builtin"   // a built-in tool or one of its presets has it
	Unportable       Name = "unportable_schema" // not every provider takes it
	Undefined        Name = "required_property_not_defined"
	BadTemplate      Name = "bad_template"   // argv or stdin
	UnknownSwitch    Name = "unknown_switch" // in requires
	BadExample       Name = "bad_example"    // the tool does not take its arguments
)

// Problem is something that is wrong with a manifest.
type Problem struct {
	Name    Name
	File    string
	Line    int    // from 1
	Column  int    // from 1, in characters
	Pointer string // JSON pointer to the value
	Message fault.Text
}

// Problems are the details of the error of a manifest that cannot be used.
type Problems []Problem

// Worded marks the problems as listed in the message.
func (p Problems) Worded() {}

// In returns the problems in a language, to be written as JSON.
func (p Problems) In(lang fault.Lang) any {
	type problem struct {
		Name    Name   `json:"name"`
		File    string `json:"file"`
		Line    int    `json:"line"`
		Column  int    `json:"column"`
		Pointer string `json:"pointer"`
		Message string `json:"message"`
	}
	out := make([]problem, len(p))
	for i, one := range p {
		out[i] = problem{one.Name, one.File, one.Line, one.Column, one.Pointer, one.Message.In(lang)}
	}
	return struct {
		Problems []problem `json:"problems"`
	}{out}
}

// Err returns the error that lists the problems; nil if there are none.
func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	texts := make([]fault.Text, len(p))
	for i, one := range p {
		texts[i] = fault.T("%s:%d:%d: %s: %s", one.File, one.Line, one.Column, one.Name, one.Message)
	}
	return fault.New(fault.BadDocument, fault.T("the manifest cannot be used: %s", fault.Join(texts, "; "))).
		WithHint(fault.T("correct it; check it with helve tools validate")).
		WithDetails(p)
}
