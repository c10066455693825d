package layout

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// The bounds beyond which a table does not hold data.
const (
	manyBlocks = 4   // blocks that a cell of data has at most
	shareLong  = 3   // one cell in so many may hold more, in a table that says that it is data
	proseChars = 300 // characters from which on a cell is a text to read
	shareGrid  = 0.6 // rows with two cells or more, of all that are not empty
	sureRows   = 3   // rows of a table whose attributes are those of layout
)

// isData reports whether a table holds data.
func isData(t *html.Node, rows []row) bool {
	switch dom.Attr(t, "role") {
	case "presentation", "none":
		return false
	}
	if dom.Attr(t, "datatable") == "0" {
		return false
	}
	cells, long, packed, prose, chars := 0, 0, 0, 0, 0
	full, grid, widest := 0, 0, 0
	for i := range rows {
		r := &rows[i]
		if r.node.DataAtom != atom.Tr {
			continue
		}
		for j := range r.cells {
			c := &r.cells[j]
			cells++
			chars += c.chars
			if c.blocks > manyBlocks || c.tables > 0 {
				long++
				packed += c.chars
			}
			if c.chars > proseChars {
				prose += c.chars
			}
		}
		if r.full > 0 {
			full++
		}
		if r.full > 1 {
			grid++
		}
		widest = max(widest, r.full)
	}
	switch {
	case widest < 2:
		return false
	case saysData(t, rows):
		return long*shareLong <= cells && (long < 2 || packed*2 < chars)
	case long > 0, full < 2, float64(grid) < shareGrid*float64(full), prose*2 > chars:
		return false
	case saysLayout(t):
		return full >= sureRows && grid == full
	}
	return true
}

// saysData reports whether a table is marked as one of data: it has a caption, cells
// that are headers of others, a visible border, or a role or class that says so.
func saysData(t *html.Node, rows []row) bool {
	switch dom.Attr(t, "role") {
	case "table", "grid", "treegrid":
		return true
	}
	if n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(dom.Attr(t, "border")), "px")); err == nil && n > 0 {
		return true
	}
	if s := strings.ToLower(dom.Attr(t, "summary")); !dom.Blank(s) && !dom.ContainsAny(s, "layout", "presentation", "format", "design") {
		return true
	}
	if dom.HasClass(t, "wikitable", "infobox", "sortable", "datatable", "docutils", "tablesorter") {
		return true
	}
	heads, plain := 0, 0
	for i := range rows {
		r := &rows[i]
		if r.node.DataAtom == atom.Caption && r.full > 0 {
			return true
		}
		for j := range r.cells {
			c := &r.cells[j]
			switch {
			case dom.Has(c.node, "scope"), dom.Has(c.node, "headers"):
				return true
			case c.empty():
			case c.node.DataAtom == atom.Th, dom.Is(r.node.Parent, atom.Thead):
				heads++
			default:
				plain++
			}
		}
	}
	if heads > 0 && plain > 0 {
		return true
	}
	return !saysLayout(t) && dom.First(t, atom.Colgroup, atom.Col) != nil
}

// saysLayout reports whether a table has the attributes by which pages without style
// sheets, and mails, are laid out: a width and no space between the cells.
func saysLayout(t *html.Node) bool {
	zero := func(key string) bool { return strings.TrimSpace(dom.Attr(t, key)) == "0" }
	return zero("cellpadding") && zero("cellspacing") || zero("border") && (zero("cellpadding") || zero("cellspacing") || dom.Has(t, "width"))
}
