package pdf

import (
	"github.com/helve-dev/helve/pkg/document/pdf/content"
	"github.com/helve-dev/helve/pkg/document/pdf/object"
)

// hidden returns the optional content groups that are off by default: 8.11.4.3.
func (d *Document) hidden() map[object.Ref]bool {
	properties := d.file.Dict(d.file.Dict(d.file.Trailer()["Root"])["OCProperties"])
	standard := d.file.Dict(properties["D"])
	hidden := map[object.Ref]bool{}
	mark := func(groups object.Value, off bool) {
		for _, g := range d.file.Array(groups) {
			if ref, ok := g.(object.Ref); ok {
				hidden[ref] = off
			}
		}
	}
	if d.file.Name(standard["BaseState"]) == "OFF" {
		mark(properties["OCGs"], true)
		mark(standard["ON"], false)
	}
	mark(standard["OFF"], true)
	return hidden
}

// Limits and flags of annotations: 12.5.3.
const (
	maxAnnotations = 5000 // of a page that are looked at
	flagHidden     = 1 << 1
	flagNoView     = 1 << 5
)

// annotations returns the forms of a page's annotations that show text of their own, such
// as the fields of forms that were filled in: 12.5.5.
func (d *Document) annotations(p *object.Page) []content.Form {
	var forms []content.Form
	for i, v := range d.file.Array(p.Dict["Annots"]) {
		if i >= maxAnnotations {
			break
		}
		a := d.file.Dict(v)
		switch d.file.Name(a["Subtype"]) {
		case "Widget", "FreeText", "Stamp":
		default:
			continue
		}
		if flags, _ := d.file.Int(a["F"]); flags&(flagHidden|flagNoView) != 0 {
			continue
		}
		value := d.file.Dict(a["AP"])["N"]
		if states := d.file.Dict(value); d.file.Stream(value) == nil && states != nil {
			value = states[d.file.Name(a["AS"])]
		}
		stream := d.file.Stream(value)
		if stream == nil {
			continue
		}
		ref, _ := value.(object.Ref)
		forms = append(forms, content.Form{Stream: stream, Ref: ref, Matrix: d.fit(stream, d.file.Rect(a["Rect"]))})
	}
	return forms
}

// fit returns the transformation of a form's box to a rectangle: algorithm 8 in 12.5.5. The
// matrix of the form itself comes before.
func (d *Document) fit(form *object.Stream, to object.Rect) content.Matrix {
	box := d.file.Rect(form.Dict["BBox"])
	m := content.MatrixOf(d.file, form.Dict["Matrix"])
	var from object.Rect
	for i, corner := range [][2]float64{{box.X0, box.Y0}, {box.X1, box.Y0}, {box.X0, box.Y1}, {box.X1, box.Y1}} {
		x, y := m.Point(corner[0], corner[1])
		if i == 0 {
			from = object.Rect{X0: x, Y0: y, X1: x, Y1: y}
		}
		from = object.Rect{X0: min(from.X0, x), Y0: min(from.Y0, y), X1: max(from.X1, x), Y1: max(from.Y1, y)}
	}
	if from.X1 <= from.X0 || from.Y1 <= from.Y0 {
		return content.Matrix{1, 0, 0, 1, to.X0, to.Y0}
	}
	a, b := (to.X1-to.X0)/(from.X1-from.X0), (to.Y1-to.Y0)/(from.Y1-from.Y0)
	return content.Matrix{a, 0, 0, b, to.X0 - from.X0*a, to.Y0 - from.Y0*b}
}
