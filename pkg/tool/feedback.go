package tool

import (
	"context"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/tool/screen"
)

// Diagnostic is a fault that a checker found.
type Diagnostic struct {
	File    string `json:"file"`
	Line    int    `json:"line"` // from 1; 0 is the file as a whole
	Message string `json:"message"`
	Source  string `json:"source"` // the checker
}

// Diagnostics are the faults of the files that a call changed.
type Diagnostics struct {
	New    []Diagnostic `json:"new"`           // those that the change added, errors first
	More   int          `json:"more,omitzero"` // further new ones
	Fixed  int          `json:"fixed"`
	Before int          `json:"before"`
}

// Feedback is the part of a result that formatters and checkers add.
type Feedback struct {
	Formatted   bool
	Diagnostics *Diagnostics
	Baseline    string // NoBaseline where the faults before the change are not known
	Pending     string // the id of a check that goes on
}

// NoBaseline says that the faults before a change are not known: results then list those on
// changed lines alone.
const NoBaseline = "none"

// Responder formats and checks the files that calls change, as the person's settings say.
type Responder interface {
	// Format returns the bytes that a file, a path relative to the root without links, gets
	// in place of raw; ok is false if these stay.
	Format(ctx context.Context, call *Call, real string, raw []byte) (formatted []byte, ok bool)
	// Watch is called before files change; after is called with what became of them. It is
	// nil where no checker is about one of the files.
	Watch(ctx context.Context, call *Call, reals []string) (after func(context.Context, []journal.Changed) Feedback)
	// Settle checks what calls of a turn have changed, if none of them did.
	Settle(ctx context.Context) []fault.Text
	// Arrived returns the outcome of checks that went on after their calls.
	Arrived(ctx context.Context, call *Call) []fault.Text
}

type furtherKey struct{}

// WithFurther returns a context for a call that others of the same turn follow which also
// change files: the last one of them has the files checked.
func WithFurther(ctx context.Context) context.Context {
	return context.WithValue(ctx, furtherKey{}, true)
}

// Further reports whether ctx is one of [WithFurther].
func Further(ctx context.Context) bool { return ctx.Value(furtherKey{}) != nil }

// Text renders what formatters and checkers added to a result; "" if that is nothing.
func (f Feedback) Text(v screen.View) string {
	var b strings.Builder
	say := func(t fault.Text) { b.WriteString(v.Say(t) + "\n") }
	if f.Formatted {
		say(fault.T("formatted"))
	}
	if d := f.Diagnostics; d != nil {
		for _, one := range d.New {
			b.WriteString(one.String() + "\n")
		}
		if d.More > 0 {
			say(fault.T("%d more new diagnostics", d.More))
		}
		if d.Fixed > 0 {
			say(fault.T("fixed %d of %d diagnostics", d.Fixed, d.Before))
		}
	}
	if f.Pending != "" {
		say(fault.T("the check %s goes on; the next call brings its outcome", f.Pending))
	}
	return b.String()
}

// String returns the diagnostic as compilers print them.
func (d Diagnostic) String() string {
	return d.File + ":" + strconv.Itoa(d.Line) + ": " + d.Message + " (" + d.Source + ")"
}
