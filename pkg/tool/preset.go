package tool

import (
	"encoding/json"
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// NewPreset returns the tool t under another name, with some arguments fixed and
// hidden from its schema. fixed is a JSON object; an empty doc is that of t. The
// fault is not_configured, for an argument that t does not have or a value that
// it does not take.
func NewPreset(t *Tool, name, doc string, fixed []byte) (*Tool, error) {
	full := t.Arguments()
	var given map[string]json.RawMessage
	if err := json.Unmarshal(fixed, &given); err != nil {
		return nil, badPreset(name, fault.T("bind must be an object")).Because(err)
	}
	var hidden []string
	for argument := range given {
		f, ok := full.Field(argument)
		if !ok {
			return nil, badPreset(name, fault.T("%s has no argument %q", t.Name, argument))
		}
		hidden = append(hidden, f.Name)
	}
	slices.Sort(hidden)
	bound := full.Only(hidden)
	if err := bound.Decode(fixed, t.NewArgs()); err != nil {
		return nil, badPreset(name, fault.As(err).Message).Because(err)
	}
	p := t.Spec
	p.Name, p.PresetOf, p.Presets, p.Examples, p.grouped = name, t.Name, nil, nil, false
	if doc != "" {
		p.Doc, p.DocZH = doc, ""
	}
	for _, name := range []*string{&p.DefaultArg, &p.Input, &p.Words} {
		if slices.Contains(hidden, *name) {
			*name = ""
		}
	}
	if p.DefaultArg == "" || slices.ContainsFunc(p.Further, func(name string) bool { return slices.Contains(hidden, name) }) {
		p.Further = nil
	}
	if slices.ContainsFunc(p.OneOf, func(name string) bool { return slices.Contains(hidden, name) }) {
		hidden, p.OneOf = append(hidden, p.OneOf...), nil // which one is settled
	}
	return &Tool{p, preset{t.actions, full.Without(hidden), bound, fixed}, t.own}, nil
}

// preset fixes some arguments.
type preset struct {
	actions
	given, bound *schema.Object // what a caller gives, and what is fixed
	fixed        []byte         // a JSON object
}

func (p preset) schema() *schema.Object { return p.given }

func (p preset) decode(t *Tool, input []byte, args any, r schema.Repair) ([]fault.Text, error) {
	repairs, err := p.actions.decode(t, input, args, r)
	if err == nil {
		err = p.bound.Decode(p.fixed, args)
	}
	return repairs, err
}

func badPreset(name string, why fault.Text) *fault.Error {
	return fault.New(fault.NotConfigured, fault.T("the bound tool %q: %s", name, why)).
		WithHint(fault.T("fix it in the configuration: helve config path"))
}
