package schema

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/fault/similar"
)

// maxProblems limits the problems listed of one call's arguments.
const maxProblems = 50

// Problem is one problem of the arguments.
type Problem struct {
	Pointer string // JSON pointer (RFC 6901) to the value
	Message fault.Text
}

// Unknown reports whether the problem is that there is no argument of that name.
func (p Problem) Unknown() bool { return strings.HasPrefix(p.Message.String(), "unknown") }

// Problems are the details of an invalid_arguments error.
type Problems []Problem

// Worded marks the problems as listed in the message.
func (p Problems) Worded() {}

// In returns the problems in a language, to be written as JSON.
func (p Problems) In(lang fault.Lang) any {
	type problem struct {
		Pointer string `json:"pointer"`
		Message string `json:"message"`
	}
	out := make([]problem, len(p))
	for i, one := range p {
		out[i] = problem{one.Pointer, one.Message.In(lang)}
	}
	return struct {
		Problems []problem `json:"problems"`
	}{out}
}

// Err returns the error of arguments that were decoded and yet cannot be used.
func (p Problems) Err() *fault.Error {
	texts := make([]fault.Text, len(p))
	for i, one := range p {
		texts[i] = fault.T("%s: %s", one.Pointer, one.Message)
	}
	return fault.New(fault.InvalidArguments, fault.T("invalid arguments: %s", fault.Join(texts, "; "))).WithDetails(p)
}

// Invalid returns the error of an argument that was decoded and yet cannot be used.
func Invalid(pointer string, what fault.Text) *fault.Error {
	return Problems{{pointer, what}}.Err()
}

// invalid returns the error that lists the problems.
func (o *Object) invalid(problems Problems) error {
	faults := make([]fault.Text, len(problems))
	for i, p := range problems {
		faults[i] = p.Message
		if p.Pointer != "" {
			faults[i] = fault.T("%s: %s", p.Pointer, p.Message)
		}
	}
	known := make([]string, len(o.Fields))
	for i, f := range o.Fields {
		known[i] = f.Name
		if f.Required {
			known[i] += " (required)"
		}
	}
	e := fault.New(fault.InvalidArguments,
		fault.T("invalid arguments: %s", fault.Join(faults, "; "))).WithDetails(problems)
	if len(known) == 0 {
		return e.WithHint(fault.T("this tool takes no arguments: pass {}"))
	}
	return e.WithHint(fault.T("the arguments are: %s", strings.Join(known, ", ")))
}

// unknown is the problem of an argument that o does not have.
func unknown(name string, o *Object) fault.Text {
	if near := similar.Name(name, o.Names()); near != "" {
		return fault.T("unknown; did you mean %q?", near)
	}
	return fault.T("unknown")
}
