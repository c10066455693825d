package schema

import (
	"fmt"
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
)

// In returns o with its docs in a language, for the same struct: it decodes the
// same, and its JSON Schema says the same in that language. A field that has no
// doc in the language keeps the English one.
func (o *Object) In(lang fault.Lang) *Object {
	if lang != fault.Chinese {
		return o
	}
	return o.with(func(f *Field) {
		if doc, ok := fault.Translate(f.Doc, lang); ok {
			f.Doc, f.lang = doc, lang
		}
	})
}

// Full returns o with all arguments listed, for the same struct.
func (o *Object) Full() *Object {
	return o.with(func(f *Field) { f.Unlisted = false })
}

// with returns a copy of o with every field changed, also those of objects in it.
func (o *Object) with(change func(*Field)) *Object {
	changed := o.like(slices.Clone(o.Fields))
	for i := range changed.Fields {
		f := &changed.Fields[i]
		change(f)
		f.Type = f.Type.with(change)
	}
	return changed
}

func (t Type) with(change func(*Field)) Type {
	switch {
	case t.Items != nil:
		items := t.Items.with(change)
		t.Items = &items
	case t.Object != nil:
		t.Object = t.Object.with(change)
	}
	return t
}

// Description returns the doc followed by the bounds and the default, for a reader who
// sees no keywords.
func (f *Field) Description() string {
	return f.Doc + f.bounds().In(f.lang) + Initial(f.Default).In(f.lang)
}

// bounds words the range of a number; it is empty for anything else.
func (f *Field) bounds() fault.Text {
	if f.Type.Kind != Integer && f.Type.Kind != Number {
		return fault.Text{}
	}
	return Range(f.Type.Min, f.Type.Max, fault.Text{})
}

// Range words bounds, for the end of a description; a bound may be nil. The unit begins
// with a space. It is empty where there is no bound.
func Range(low, high *float64, unit fault.Text) fault.Text {
	switch {
	case low != nil && high != nil:
		return fault.T(" From %s to %s%s.", number(*low), number(*high), unit)
	case low != nil:
		return fault.T(" At least %s%s.", number(*low), unit)
	case high != nil:
		return fault.T(" At most %s%s.", number(*high), unit)
	}
	return fault.Text{}
}

// Initial words a default, for the end of a description; it is empty where there is
// none.
func Initial(value any) fault.Text {
	if value == nil {
		return fault.Text{}
	}
	if value == "." { // "Default: .." would be another directory
		return fault.T(" Default: the workspace root.")
	}
	return fault.T(" Default: %s.", fmt.Sprint(value))
}
