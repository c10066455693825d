package picture

import "github.com/helve-dev/helve/pkg/document/pdf/object"

// Drawn is an image that a page draws, and the resources that it is drawn with.
type Drawn struct {
	Stream    *object.Stream
	Resources object.Dict
}

// maxForms limits the nesting of forms.
const maxForms = 12

// OnPage returns the images that a page draws, in the order of its content, each once and
// at most so many.
func OnPage(f *object.File, page *object.Page, most int) []Drawn {
	d := drawing{file: f, most: most, seen: make(map[object.Ref]bool)}
	content, _ := f.Contents(page) // what there is of a damaged one
	d.content(content, page.Resources, 0)
	return d.images
}

type drawing struct {
	file   *object.File
	most   int
	seen   map[object.Ref]bool // images and forms
	images []Drawn
}

// content adds the images of a content stream.
func (d *drawing) content(content []byte, resources object.Dict, depth int) {
	l := object.NewLexer(content)
	var last object.Value
	for len(d.images) < d.most {
		v, ok := l.Next()
		if !ok {
			return
		}
		switch v {
		case object.Operator("Do"):
			if name, ok := last.(object.Name); ok {
				d.external(d.file.Stream(d.file.Dict(resources["XObject"])[name]), resources, depth)
			}
		case object.Operator("EI"):
			if image, ok := last.(*object.Stream); ok {
				d.images = append(d.images, Drawn{image, resources})
			}
		}
		last = v
	}
}

// external adds an image, or those of a form: 8.8.
func (d *drawing) external(s *object.Stream, resources object.Dict, depth int) {
	if s == nil || d.seen[s.ID()] {
		return
	}
	d.seen[s.ID()] = true
	switch d.file.Name(s.Dict["Subtype"]) {
	case "Image":
		d.images = append(d.images, Drawn{s, resources})
	case "Form":
		if depth == maxForms {
			return
		}
		if own := d.file.Dict(s.Dict["Resources"]); own != nil {
			resources = own
		}
		content, _, _ := d.file.Data(s) // what there is of a damaged one
		d.content(content, resources, depth+1)
	}
}
