package schema

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/helve-dev/helve/pkg/fault"
)

// In returns o with its docs in a language, for the same struct: it decodes the
// same, and its JSON Schema says the same in that language. A field that has no
// doc in the language keeps the English one.
func (o *Object) In(lang fault.Lang) *Object {
	if lang != fault.Chinese {
		return o
	}
	translated := &Object{Fields: slices.Clone(o.Fields), goType: o.goType}
	for i := range translated.Fields {
		f := &translated.Fields[i]
		if f.DocZH != "" {
			f.Doc, f.lang = f.DocZH, lang
		}
		f.Type = f.Type.in(lang)
	}
	return translated
}

func (t Type) in(lang fault.Lang) Type {
	switch {
	case t.Items != nil:
		items := t.Items.in(lang)
		t.Items = &items
	case t.Object != nil:
		t.Object = t.Object.In(lang)
	}
	return t
}

// Description returns the doc followed by the bounds and the default, because some
// providers drop those keywords before the model sees them.
func (f *Field) Description() string {
	return f.Doc + f.bounds().In(f.lang) + f.initial().In(f.lang)
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

// initial words the default; it is empty where there is none.
func (f *Field) initial() fault.Text {
	if f.Default == nil {
		return fault.Text{}
	}
	value := fmt.Sprint(f.Default)
	if !strings.ContainsFunc(value, unicode.IsLetter) && !strings.ContainsFunc(value, unicode.IsDigit) {
		value = "'" + value + "'" // "Default .." would be another directory
	}
	return fault.T(" Default %s.", "默认为 %s。", value)
}
