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
	p := *t
	p.Name, p.PresetOf, p.Presets, p.Examples = name, t.Name, nil, nil
	if doc != "" {
		p.Doc, p.DocZH = doc, ""
	}
	if slices.Contains(hidden, p.DefaultArg) {
		p.DefaultArg = ""
	}
	if p.DefaultArg == "" || slices.ContainsFunc(p.Further, func(name string) bool { return slices.Contains(hidden, name) }) {
		p.Further = nil
	}
	if slices.Contains(hidden, p.Input) {
		p.Input = ""
	}
	if slices.Contains(hidden, p.Words) {
		p.Words = ""
	}
	if slices.ContainsFunc(p.OneOf, func(name string) bool { return slices.Contains(hidden, name) }) {
		hidden, p.OneOf = append(hidden, p.OneOf...), nil // which one is settled
	}
	visible := full.Without(hidden)
	p.schema = func() *schema.Object { return visible }
	p.decode = decoder(p.schema)
	p.fix = func(args any) error { return bound.Decode(fixed, args) }
	return &p, nil
}

func badPreset(name string, why fault.Text) *fault.Error {
	return fault.New(fault.NotConfigured, fault.T("the bound tool %q: %s", name, why)).
		WithHint(fault.T("fix it in the configuration: helve config path"))
}
