package schema

import (
	"fmt"
	"slices"
	"strings"

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
		if f.DocZH != "" {
			f.Doc, f.lang = f.DocZH, lang
		}
	})
}

// Full returns o with all arguments listed, for the same struct.
func (o *Object) Full() *Object {
	return o.with(func(f *Field) { f.Unlisted = false })
}

// with returns a copy of o with every field changed, also those of objects in it.
func (o *Object) with(change func(*Field)) *Object {
	changed := &Object{Fields: slices.Clone(o.Fields), goType: o.goType}
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
	return f.Doc + f.bounds().In(f.lang) + initial(f.Default).In(f.lang)
}

// Worded returns the schema of a property with its default in the description instead
// of a keyword, for the providers' forms that take none.
func Worded(property Document) Document {
	doc, ok := property.Get("description").(string)
	if !ok {
		return property.Without("default")
	}
	lang := fault.English
	if strings.HasSuffix(doc, "。") {
		lang = fault.Chinese
	}
	return property.Without("default").With("description", doc+initial(property.Get("default")).In(lang))
}

// bounds words the range of a number; it is empty for anything else.
func (f *Field) bounds() fault.Text {
	t := f.Type
	switch {
	case t.Kind != Integer && t.Kind != Number:
	case t.Min != nil && t.Max != nil:
		return fault.T(" From %s to %s.", "范围为 %s 到 %s。", number(*t.Min), number(*t.Max))
	case t.Min != nil:
		return fault.T(" At least %s.", "不小于 %s。", number(*t.Min))
	case t.Max != nil:
		return fault.T(" At most %s.", "不大于 %s。", number(*t.Max))
	}
	return fault.Text{}
}

// initial words a default; it is empty where there is none. All defaults that are "."
// are paths.
func initial(value any) fault.Text {
	if value == nil {
		return fault.Text{}
	}
	if value == "." { // "Default: .." would be another directory
		return fault.T(" Default: the workspace root.", "默认为工作区根目录。")
	}
	return fault.T(" Default: %s.", "默认为 %s。", fmt.Sprint(value))
}
