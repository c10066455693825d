package tool

import (
	"encoding/json"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// Form is the way in which another system has a tool: its name and arguments, and its words
// for the outcome of a call.
type Form struct {
	Name       string
	Doc, DocZH string
	Parameters *schema.Object // made by [schema.Declared]
	DefaultArg string         // the parameter that may be given without its name; "" is none
	// Arguments returns our arguments for those that a caller gives, which are checked.
	Arguments func(*schema.Kept) ([]byte, error)
	// Names are the parameters by our arguments, where they differ, for faults of these.
	Names map[string]string
	// Says answers a call.
	Says func(Told) *Said
}

// Told is the outcome of a call of a tool in another form.
type Told struct {
	Root     string          // of the workspace; "" if it cannot be opened
	Input    []byte          // the arguments as they came
	Result   json.RawMessage // ours; nil with a failure
	Text     func(fault.Lang) string
	Err      *fault.Error
	Warnings []fault.Text
}

// Said is the answer to a call of a tool in another form.
type Said struct {
	Text     func(fault.Lang) string
	Data     func(fault.Lang) json.RawMessage
	AsResult bool // a failure is answered like a result
}

// In returns t in another form. To rules, approvals and the log it is still t.
func (t *Tool) In(f Form) *Tool {
	s := t.Spec
	s.published, s.grouped = f.Name, false
	s.Doc, s.DocZH, s.DefaultArg = f.Doc, f.DocZH, f.DefaultArg
	s.Presets, s.Examples, s.Further, s.OneOf, s.Input, s.Words = nil, nil, nil, nil, "", ""
	return &Tool{s, formed{t.actions, t, f}, t.Own()}
}

// Formed reports whether a tool is in another form.
func (t *Tool) Formed() bool {
	_, is := t.actions.(formed)
	return is
}

// Says answers a call of a tool in another form; nil for one in ours.
func (t *Tool) Says(told Told) *Said {
	if f, ok := t.actions.(formed); ok {
		return f.form.Says(told)
	}
	return nil
}

// formed takes the arguments of another form.
type formed struct {
	actions
	ours *Tool
	form Form
}

func (f formed) schema() *schema.Object { return f.form.Parameters }

func (f formed) decode(_ *Tool, input []byte, args any, r schema.Repair) ([]fault.Text, error) {
	given := &schema.Kept{}
	repairs, err := f.form.Parameters.DecodeRepaired(input, given, schema.Repair{Writes: r.Writes})
	if err != nil {
		return nil, err
	}
	own, err := f.form.Arguments(given)
	if err != nil {
		return nil, err
	}
	// How ours were read is nothing to a caller who wrote others.
	_, err = f.actions.decode(f.ours, own, args, schema.Repair{Writes: r.Writes})
	return repairs, inNames(err, f.form.Names)
}
