package xlsx

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/document/ooxml"
	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// tail holds the elements of a sheet's part outside of its rows, most of them behind the
// rows, as far as they concern a window.
type tail struct {
	sheet   int // -1 before the first
	window  sheet.Range
	merged  []sheet.Range
	links   []sheet.Link
	columns []sheet.Span // hidden
	rows    []sheet.Span // hidden and without content
	used    sheet.Range  // what the part claims
	more    int
	unread  bool // it ends before what is behind the rows
}

// read reads an element of a sheet that is none of its rows.
func (t *tail) read(s *xmlscan.Scanner, rels ooxml.Relations) {
	switch s.Local() {
	case "dimension":
		if r, ok := sheet.ParseRange(s.String("ref")); ok {
			t.used = r
		}
	case "col":
		first, ok1 := s.Int("min")
		last, ok2 := s.Int("max")
		if s.Bool("hidden", false) && ok1 && ok2 && first > 0 && first <= last && last <= maxCol && len(t.columns) < sheet.MaxExtras {
			t.columns = appendSpan(t.columns, sheet.Span{First: first - 1, Last: last - 1})
		}
	case "mergeCell":
		r, ok := sheet.ParseRange(s.String("ref"))
		switch {
		case !ok || !r.Overlaps(t.window) || r.Top == r.Bottom && r.Left == r.Right:
		case len(t.merged) < sheet.MaxExtras:
			t.merged = append(t.merged, r)
		default:
			t.more++
		}
	case "hyperlink":
		r, ok := sheet.ParseRange(s.String("ref"))
		if !ok {
			return
		}
		target := ""
		if rel, found := rels.Get(s.String("r:id")); found {
			target = rel.Target
		}
		if place := s.String("location"); place != "" {
			target += "#" + place
		}
		t.addLink(sheet.Link{Range: r, Target: target})
	}
}

func (t *tail) addLink(l sheet.Link) {
	switch {
	case l.Target == "" || !l.Range.Overlaps(t.window):
	case len(t.links) < sheet.MaxExtras:
		t.links = append(t.links, l)
	default:
		t.more++
	}
}

// addFormulaLink notes the link of a cell with the formula HYPERLINK("address", …). An
// address that is reckoned is not known.
func (t *tail) addFormulaLink(formula []byte, at sheet.Address) {
	_, rest, _ := bytes.Cut(formula, []byte("HYPERLINK("))
	rest = bytes.TrimLeft(rest, " ")
	if len(rest) == 0 || rest[0] != '"' {
		return
	}
	var target strings.Builder
	for i := 1; i < len(rest); i++ {
		if rest[i] == '"' {
			if i++; i == len(rest) || rest[i] != '"' {
				if next := bytes.TrimLeft(rest[i:], " "); len(next) > 0 && (next[0] == ',' || next[0] == ')') {
					t.addLink(sheet.Link{Range: sheet.Range{Top: at.Row, Left: at.Column, Bottom: at.Row, Right: at.Column}, Target: target.String()})
				}
				return
			}
		}
		target.WriteByte(rest[i])
	}
}

func (t *tail) hideRow(row int) {
	if len(t.rows) < sheet.MaxExtras {
		t.rows = appendSpan(t.rows, sheet.Span{First: row, Last: row})
	}
}

// appendSpan appends a span, or makes the last one longer.
func appendSpan(all []sheet.Span, s sheet.Span) []sheet.Span {
	if n := len(all); n > 0 && all[n-1].Last+1 == s.First {
		all[n-1].Last = s.Last
		return all
	}
	return append(all, s)
}

// covers reports whether the tail has what there is of a window. far says that another
// reading would not come to what is behind the rows: then some of it is better than none.
func (t *tail) covers(index int, w sheet.Range, far bool) bool {
	return t.sheet == index && t.window.Union(w) == t.window && (t.more == 0 || t.window == w || far)
}

// order puts lists into the order of the rows.
func (t *tail) order() {
	slices.SortStableFunc(t.merged, compareRanges)
	slices.SortStableFunc(t.rows, func(a, b sheet.Span) int { return a.First - b.First })
	slices.SortStableFunc(t.links, func(a, b sheet.Link) int { return compareRanges(a.Range, b.Range) })
}

func compareRanges(a, b sheet.Range) int {
	return cmp.Or(cmp.Compare(a.Top, b.Top), cmp.Compare(a.Left, b.Left))
}
