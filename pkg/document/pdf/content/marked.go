package content

import (
	"math"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/document/pdf/font"
	"github.com/helve-dev/helve/pkg/document/pdf/layout"
	"github.com/helve-dev/helve/pkg/document/pdf/object"
)

// mark is marked content that was begun: 14.6.
type mark struct {
	hides   bool   // it is optional content that is off
	replace bool   // its glyphs stand for text
	text    string // ActualText: 14.9.4
	from    int    // the first of its glyphs
}

// begin begins marked content.
func (r *run) begin(m *mark) {
	if len(r.marks) >= maxMarks {
		return
	}
	if m == nil {
		m = &mark{}
	}
	m.from = len(r.page.Glyphs)
	if m.hides {
		r.covered++
	}
	r.marks = append(r.marks, *m)
}

// end ends the marked content that was begun last.
func (r *run) end() {
	n := len(r.marks)
	if n == 0 {
		return
	}
	m := r.marks[n-1]
	r.marks = r.marks[:n-1]
	if m.hides {
		r.covered--
	}
	if m.replace && m.from < len(r.page.Glyphs) {
		r.page.Glyphs = append(r.page.Glyphs[:m.from], actual(r.page.Glyphs[m.from:], m.text)...)
	}
}

// mark reads the operands of BDC.
func (r *run) mark(operands []object.Value, resources object.Dict) *mark {
	if len(operands) < 2 {
		return nil
	}
	tag, _ := operands[len(operands)-2].(object.Name)
	properties := last(operands)
	if name, ok := properties.(object.Name); ok {
		properties = r.file.Dict(resources["Properties"])[name]
	}
	if tag == "OC" {
		return &mark{hides: r.off(properties)}
	}
	if text, ok := r.file.Dict(properties)["ActualText"]; ok {
		return &mark{replace: true, text: r.file.Text(text)}
	}
	return nil
}

// off reports whether optional content is not shown: 8.11.2. value is a group, or a
// membership dictionary.
func (r *run) off(value object.Value) bool {
	if ref, ok := value.(object.Ref); ok && r.hidden[ref] {
		return true
	}
	dict := r.file.Dict(value)
	if r.file.Name(dict["Type"]) != "OCMD" {
		return false
	}
	groups := object.Array{dict["OCGs"]}
	if list := r.file.Array(dict["OCGs"]); list != nil {
		groups = list
	}
	on, off := 0, 0
	for _, g := range groups {
		if ref, ok := g.(object.Ref); ok && r.hidden[ref] {
			off++
		} else if g != nil {
			on++
		}
	}
	switch r.file.Name(dict["P"]) {
	case "AllOn":
		return off > 0
	case "AnyOff":
		return off == 0 && on > 0
	case "AllOff":
		return on > 0
	}
	return on == 0 && off > 0
}

// actual returns the glyphs that stand for a text. Where they already say it, they stay as
// they are; else the first one says all of it.
func actual(glyphs []layout.Glyph, text string) []layout.Glyph {
	shown := make([]byte, 0, len(text))
	for i := range glyphs {
		shown = append(shown, glyphs[i].Text...)
	}
	text = font.Plain(text)
	if squeeze(string(shown)) == squeeze(text) {
		return glyphs
	}
	first := &glyphs[0]
	for i := range glyphs {
		g := &glyphs[i]
		// What stands on several lines, or says a whole sentence, is better left as it is seen.
		if g.Angle != first.Angle || math.Hypot(g.X-first.X, g.Y-first.Y) > 40*first.Size {
			return glyphs
		}
	}
	if strings.TrimSpace(text) == "" && strings.TrimSpace(string(shown)) != "" {
		return glyphs[:0]
	}
	one := *first
	end := one.X + one.Advance
	if one.Angle != 0 {
		for i := range glyphs[1:] {
			one.Advance += glyphs[1+i].Advance
		}
	} else {
		for i := range glyphs {
			one.X = min(one.X, glyphs[i].X)
			end = max(end, glyphs[i].X+glyphs[i].Advance)
		}
		one.Advance = end - one.X
	}
	if lead := strings.TrimLeft(text, " "); lead != text {
		space := one
		space.Text, space.Advance = " ", 0
		text = lead
		one.Text = strings.TrimRight(text, " ")
		return slices.Concat([]layout.Glyph{space, one}, trailing(one, text))
	}
	one.Text = strings.TrimRight(text, " ")
	if one.Text == "" {
		one.Text = " "
	}
	return append([]layout.Glyph{one}, trailing(one, text)...)
}

// trailing returns the space after a glyph if its text ends with one.
func trailing(g layout.Glyph, text string) []layout.Glyph {
	if strings.TrimSpace(text) == "" || !strings.HasSuffix(text, " ") {
		return nil
	}
	g.Text = " "
	if g.Angle == 0 {
		g.X += g.Advance
	}
	g.Advance = 0
	return []layout.Glyph{g}
}

func squeeze(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, " ", ""), "\u00ad", "")
}
