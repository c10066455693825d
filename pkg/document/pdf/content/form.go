package content

import (
	"slices"

	"github.com/helve-dev/helve/pkg/document/pdf/object"
)

// do shows an external object: 8.8.
func (r *run) do(resources object.Dict, name object.Name) error {
	value := r.file.Dict(resources["XObject"])[name]
	stream, ok := r.file.Resolve(value).(*object.Stream)
	if !ok || stream == nil {
		return nil
	}
	if hidden, ok := stream.Dict["OC"]; ok && r.off(hidden) {
		return nil
	}
	switch r.file.Name(stream.Dict["Subtype"]) {
	case "Image":
		r.page.Images++
	case "Form":
		ref, _ := value.(object.Ref)
		saved := r.state
		err := r.form(stream, ref, resources)
		r.state = saved
		return err
	}
	return nil
}

// form runs a form: 8.10. One that shows itself, or is too deep in others, is left out.
func (r *run) form(stream *object.Stream, ref object.Ref, outer object.Dict) error {
	if len(r.open) >= maxForms || ref != (object.Ref{}) && slices.Contains(r.open, ref) {
		return nil
	}
	r.state.ctm = MatrixOf(r.file, stream.Dict["Matrix"]).Times(r.state.ctm)
	resources := r.file.Dict(stream.Dict["Resources"])
	if resources == nil {
		resources = outer
	}
	data, err := r.formData(stream, ref)
	if err != nil && len(data) == 0 {
		return nil // a form that cannot be decoded shows nothing
	}
	r.open = append(r.open, ref)
	states, unsaved, marks := r.saved, r.unsaved, r.marks
	r.saved, r.unsaved, r.marks = nil, 0, nil
	covered := r.covered
	err = r.stream(resources, data)
	r.open = r.open[:len(r.open)-1]
	r.saved, r.unsaved, r.marks, r.covered = states, unsaved, marks, covered
	return err
}

// formData returns a form's decoded content. That of small ones is kept, as pages share them.
func (r *run) formData(stream *object.Stream, ref object.Ref) ([]byte, error) {
	if data, ok := r.forms[ref]; ok && ref != (object.Ref{}) {
		return data, nil
	}
	data, _, err := r.file.Data(stream)
	if err == nil && r.kept+len(data) <= maxFormBytes {
		r.kept += len(data)
		r.forms[ref] = data
	}
	return data, err
}
