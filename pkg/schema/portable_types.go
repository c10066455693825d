package schema

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// typeOf makes the type of a value, and returns what a description must say beside it;
// that begins with a space.
func (p *porter) typeOf(v value, depth int) (t Type, said string) {
	written := v
	v, done := p.resolve(v)
	defer done()
	if one, ok := p.only(v); ok { // alternatives, of which all but one are null
		return p.typeOf(one, depth)
	}
	kinds := p.kindsOf(v, maxNesting)
	if len(kinds) == 1 {
		t.Kind = kinds[0]
	} else { // every caller can write a text
		t.Kind, t.loose = String, true
		if len(kinds) > 1 {
			t.Kind = kinds[0]
		}
	}
	if depth >= maxNesting && (t.Kind == Map || t.Kind == Array) || t.Kind == Map && p.full(depth+1) {
		return Type{Kind: Map, Object: &Object{kept: true, Open: true}, loose: t.loose || t.Kind == Array}, p.schemaText(written, v)
	}
	switch t.Kind {
	case String:
		t.Min, t.Max = boundOf(v, "minLength"), boundOf(v, "maxLength")
		t.Enum, said = p.words(v)
	case Integer, Number:
		t.Min, t.Max = boundOf(v, "minimum"), boundOf(v, "maximum")
		said = valuesOf(v) + keywords(v, "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
	case Boolean:
		said = valuesOf(v)
	case Array:
		t.Min, t.Max = boundOf(v, "minItems"), boundOf(v, "maxItems")
		items, ok := p.items(v)
		inner, about := p.typeOf(items, depth+1)
		if inner.Kind == Map && len(inner.Object.Fields) == 0 || inner.Kind == Array && depth+1 >= maxNesting {
			about = p.schemaText(items, items)
		}
		t.Items, said = &inner, about
		if !ok {
			t.Items.loose, said = true, p.schemaText(written, v)
		}
	case Map:
		t.Object = p.object(v, depth+1)
		if o := t.Object; len(o.Fields) == 0 && !o.closed || member(v, "patternProperties").kind == Map || branches(v) {
			said = p.schemaText(written, v)
		}
	}
	if t.Min != nil && t.Max != nil && *t.Min > *t.Max {
		t.Min, t.Max = nil, nil
	}
	if t.loose {
		t.Enum, t.Min, t.Max = nil, nil, nil
		t = t.widened()
		said = p.schemaText(written, v)
	}
	return t, said
}

// branches reports whether a schema has alternatives.
func branches(v value) bool {
	return member(v, "anyOf").kind == Array || member(v, "oneOf").kind == Array
}

// only returns the one alternative of a schema that is not null, with what is beside it.
func (p *porter) only(v value) (value, bool) {
	for _, word := range [...]string{"anyOf", "oneOf"} {
		if len(p.kindsOf(without(v, word), maxNesting)) > 0 {
			continue
		}
		var left []value
		for _, part := range member(v, word).items {
			if t := member(part, "type"); t.kind != String || t.text != "null" {
				left = append(left, part)
			}
		}
		if len(left) == 1 && left[0].kind == Map {
			return left[0], true
		}
	}
	return value{}, false
}

func without(v value, name string) value {
	kept := value{kind: v.kind}
	for i, n := range v.names {
		if n != name {
			kept.names, kept.items = append(kept.names, n), append(kept.items, v.items[i])
		}
	}
	return kept
}

// kindsOf returns the kinds of values that a schema allows beside null, as far as it
// says; none if it allows any, or nests deeper.
func (p *porter) kindsOf(v value, left int) (kinds []Kind) {
	v, done := p.resolve(v)
	defer done()
	if v.kind != Map || left < 0 {
		return nil
	}
	if t := member(v, "type"); t.kind != "" {
		for _, word := range types(t) {
			if k := Kind(word); k != "null" && slices.Contains([]Kind{String, Integer, Number, Boolean, Array, Map}, k) && !slices.Contains(kinds, k) {
				kinds = append(kinds, k)
			}
		}
		if slices.Contains(kinds, Number) { // it is an integer, too
			kinds = slices.DeleteFunc(kinds, func(k Kind) bool { return k == Integer })
		}
		return kinds
	}
	if values := allowed(v); len(values) > 0 {
		for _, one := range values {
			if k := one.kind; k != "" && !slices.Contains(kinds, k) {
				kinds = append(kinds, k)
			}
		}
		return kinds
	}
	for _, part := range member(v, "allOf").items {
		if kinds = p.kindsOf(part, left-1); len(kinds) > 0 {
			return kinds
		}
	}
	for _, word := range [...]string{"anyOf", "oneOf"} {
		for _, part := range member(v, word).items {
			if t := member(part, "type"); t.kind == String && t.text == "null" {
				continue
			}
			of := p.kindsOf(part, left-1)
			if len(of) == 0 {
				return nil
			}
			for _, k := range of {
				if !slices.Contains(kinds, k) {
					kinds = append(kinds, k)
				}
			}
		}
		if len(kinds) > 0 {
			return kinds
		}
	}
	return nil
}

// nullable reports whether a schema may allow null.
func (p *porter) nullable(v value, left int) bool {
	v, done := p.resolve(v)
	defer done()
	if v.kind != Map {
		return v.kind != Boolean || v.truth
	}
	if t := member(v, "type"); t.kind != "" && !slices.Contains(types(t), "null") {
		return false
	}
	if values := allowed(v); len(values) > 0 {
		return slices.ContainsFunc(values, func(one value) bool { return one.kind == "" })
	}
	if left < 0 {
		return true
	}
	for _, part := range member(v, "allOf").items {
		if !p.nullable(part, left-1) {
			return false
		}
	}
	for _, word := range [...]string{"anyOf", "oneOf"} {
		list := member(v, word)
		if list.kind == Array && !slices.ContainsFunc(list.items, func(part value) bool { return p.nullable(part, left-1) }) {
			return false
		}
	}
	return true
}

// allowed returns the values that a schema lists.
func allowed(v value) []value {
	if i := slices.Index(v.names, "const"); i >= 0 {
		return []value{v.items[i]}
	}
	return member(v, "enum").items
}

// words returns the strings that a schema allows, in alternatives also; none for any.
func (p *porter) words(v value) (words []string, said string) {
	said = keywords(v, "format", "pattern")
	values := allowed(v)
	for _, word := range [...]string{"anyOf", "oneOf"} {
		for _, part := range member(v, word).items {
			part, done := p.resolve(part)
			done()
			if t := member(part, "type"); t.kind == String && t.text == "null" {
				continue
			}
			listed := allowed(part)
			if len(listed) == 0 {
				return nil, said + p.schemaText(v, v)
			}
			values = append(slices.Clone(values), listed...)
		}
	}
	for _, one := range values {
		if one.kind == String && !slices.Contains(words, one.text) {
			words = append(words, one.text)
		}
	}
	if len(words) > maxEnum || slices.ContainsFunc(words, func(w string) bool { return Printable(w, maxDocs) != w }) {
		return nil, said + valuesOf(v)
	}
	return words, said
}

// items returns the schema of the items of an array; ok is false where it says less than
// is known of them.
func (p *porter) items(v value) (items value, ok bool) {
	if one := member(v, "items"); one.kind == Map && member(v, "prefixItems").kind != Array {
		return one, true
	}
	list := member(v, "prefixItems").items
	if one := member(v, "items"); one.kind == Array {
		list = one.items
	}
	if len(list) == 0 {
		return value{kind: Map}, true
	}
	for _, one := range list[1:] {
		if !one.equal(list[0]) {
			return value{kind: Map}, false
		}
	}
	return list[0], false
}

// widened returns a type for values of any kind that shows the same.
func (t Type) widened() Type {
	t.loose = true
	if t.Items != nil {
		items := t.Items.widened()
		t.Items = &items
	}
	return t
}

// same reports whether two types show and take the same.
func (t Type) same(other Type) bool {
	return t.Kind == other.Kind && slices.Equal(t.Enum, other.Enum) && t.loose == other.loose && t.Kind != Map && t.Kind != Array
}

// boundOf returns a bound of a length or a number; nil for none that makes sense.
func boundOf(v value, name string) *float64 {
	b := member(v, name)
	n, err := strconv.ParseFloat(b.text, 64)
	if b.kind != Number || err != nil || !strings.HasSuffix(name, "imum") && n < 0 {
		return nil
	}
	return &n
}

// keywords says some keywords in words.
func keywords(v value, names ...string) string {
	var b strings.Builder
	for _, name := range names {
		if one := member(v, name); one.kind != "" {
			b.WriteString(" " + strings.ToUpper(name[:1]) + name[1:] + ": " + quoteText(one) + ".")
		}
	}
	return b.String()
}

func quoteText(v value) string {
	if v.kind == String {
		return Printable(v.text, maxDocs)
	}
	return quote(v)
}

// valuesOf says which values a schema allows.
func valuesOf(v value) string {
	values := allowed(v)
	if len(values) == 0 {
		return ""
	}
	list := make([]string, len(values))
	for i, one := range values {
		list[i] = string(one.append(nil))
	}
	return " One of: " + Printable(strings.Join(list, ", "), maxQuoted) + "."
}

// schemaText quotes a schema: as it is written, or else what it refers to.
func (p *porter) schemaText(written, v value) string {
	if ref := member(written, "$ref"); ref.kind == String {
		if written = v; len(p.path) > 0 {
			if to, ok := p.lookup(ref.text); ok && to.kind == Map { // one that leads back says nothing itself
				written = to
			}
		}
	}
	written = without(without(without(written, "description"), "title"), "default")
	if len(written.names) == 0 {
		return " Any JSON value."
	}
	return " JSON Schema: " + quote(written)
}

// Printable returns a text of others without what a reader cannot see: control
// characters but line breaks and tabs, characters without width or that turn the
// direction of text, and bytes that are no text. It is cut to most characters.
func Printable(text string, most int) string {
	var b strings.Builder
	n := 0
	for i, r := range text {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(text[i:]); size == 1 {
				continue
			}
		}
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp) || !unicode.IsGraphic(r) && !unicode.IsSpace(r)) ||
			r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0000 && r <= 0xe0fff {
			continue
		}
		if n == most {
			return strings.TrimRight(b.String(), " \n\t") + "…"
		}
		n++
		b.WriteRune(r)
	}
	return strings.TrimSpace(b.String())
}
