package markdown

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
	"github.com/helve-dev/helve/pkg/html/layout"
)

// Limits of tables. Pages with larger ones are broken or hostile.
const (
	maxSpan  = 50      // rows or columns that a cell stretches over
	maxCells = 20_000  // cells of a table whose stretched cells are repeated
	maxGrid  = 300_000 // rows times columns: each row is filled up to the longest
)

// tables turns each table into one that Markdown can express, with one line in each
// cell, or into blocks if it only lays out the page.
func tables(root *html.Node) {
	layout.Unwrap(root)
	all := dom.All(root, atom.Table)
	for _, t := range slices.Backward(all) { // the inner ones first
		switch {
		case t.Parent == nil:
		case !fits(t):
			blocks(t)
		case dom.Inside(t, atom.Td, atom.Th):
			nested(t)
		default:
			dataTable(t)
		}
	}
}

// fits reports whether Markdown can express a table: it is neither too large nor a
// single column.
func fits(t *html.Node) bool {
	rows := dom.All(t, atom.Tr)
	widest := 0
	for _, r := range rows {
		width := 0
		for _, c := range dom.Elements(r) {
			if dom.Is(c, atom.Td, atom.Th) {
				width++
			}
		}
		widest = max(widest, width)
	}
	return widest >= 2 && len(rows)*widest <= maxGrid
}

// blocks turns a table and its cells into blocks.
func blocks(t *html.Node) {
	for _, n := range dom.All(t, atom.Caption, atom.Thead, atom.Tbody, atom.Tfoot, atom.Tr, atom.Td, atom.Th) {
		dom.Rename(n, atom.Div)
		n.Attr = nil
	}
	for _, n := range dom.All(t, atom.Colgroup, atom.Col) {
		dom.Remove(n)
	}
	dom.Rename(t, atom.Div)
}

// nested turns a table in a cell into one line, with its links.
func nested(t *html.Node) {
	span := dom.Element(atom.Span)
	for _, r := range dom.All(t, atom.Tr) {
		begun := false
		for _, c := range dom.Elements(r) {
			if dom.Text(c) == "" && dom.First(c, atom.Img) == nil {
				continue
			}
			switch {
			case begun:
				span.AppendChild(dom.NewText(", "))
			case span.FirstChild != nil:
				span.AppendChild(dom.NewText("; "))
			}
			begun = true
			dom.Adopt(span, c)
		}
	}
	span.InsertBefore(dom.NewText(" "), span.FirstChild)
	span.AppendChild(dom.NewText(" "))
	dom.Replace(t, span)
}

// dataTable puts the caption before the table, bounds the spans of cells, and puts
// the content of each cell on one line.
func dataTable(t *html.Node) {
	if c := dom.First(t, atom.Caption); c != nil {
		dom.Remove(c)
		if dom.Text(c) != "" && t.Parent != nil {
			t.Parent.InsertBefore(c, t)
			strong(c)
		}
	}
	cells := dom.All(t, atom.Td, atom.Th)
	sum, rows, columns := 0, 0, 0
	for _, r := range dom.All(t, atom.Tr) {
		width, height := 0, 1
		for _, c := range dom.Elements(r) {
			width += dom.Span(c, "colspan", maxSpan)
			height = max(height, dom.Span(c, "rowspan", maxSpan))
			sum += dom.Span(c, "colspan", maxSpan) * dom.Span(c, "rowspan", maxSpan)
		}
		rows, columns = rows+height, max(columns, width)
	}
	for _, c := range cells {
		for _, key := range [...]string{"colspan", "rowspan"} {
			n := dom.Span(c, key, maxSpan)
			if sum > maxCells || rows*columns > maxGrid {
				n = 1
			}
			if n > 1 || dom.Has(c, key) {
				dom.SetAttr(c, key, strconv.Itoa(n))
			}
		}
		line(c)
	}
	// Markdown has no tables in these.
	for a := range t.Ancestors() {
		if dom.Is(a, atom.A, atom.Strong, atom.B, atom.Em, atom.I, atom.Del, atom.S, atom.Strike) {
			dom.Rename(a, atom.Div)
		}
	}
	if t.Parent != nil && dom.Attr(t, "role") == "presentation" {
		dom.SetAttr(t, "role", "table")
	}
}

// line puts the content of a cell on one line.
func line(cell *html.Node) {
	for _, l := range dom.All(cell, atom.Ul, atom.Ol, atom.Dl) {
		items := dom.Elements(l)
		for i, item := range items {
			if i < len(items)-1 {
				item.AppendChild(dom.NewText("; "))
			}
		}
	}
	for _, pre := range dom.All(cell, atom.Pre) {
		code := dom.Element(atom.Code)
		code.AppendChild(dom.NewText(dom.Collapse(dom.RawText(pre))))
		dom.Replace(pre, code)
	}
	for _, code := range dom.All(cell, atom.Code) {
		for d := range code.Descendants() {
			if d.Type == html.TextNode {
				d.Data = strings.ReplaceAll(d.Data, "|", `\|`) // else it ends the cell, in code, too
			}
		}
	}
	for _, br := range dom.All(cell, atom.Br, atom.Hr) {
		sep := " / "
		if br.NextSibling == nil || br.PrevSibling == nil || dom.Text(cell) == "" {
			sep = " "
		}
		dom.Replace(br, dom.NewText(sep))
	}
	for _, n := range dom.All(cell, atom.P, atom.Div, atom.Ul, atom.Ol, atom.Li, atom.Dl, atom.Dt, atom.Dd, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6,
		atom.Blockquote, atom.Section, atom.Article, atom.Header, atom.Footer, atom.Figure, atom.Figcaption, atom.Details, atom.Summary, atom.Center, atom.Address) {
		if n.PrevSibling != nil {
			n.Parent.InsertBefore(dom.NewText(" "), n)
		}
		if n.NextSibling != nil {
			n.Parent.InsertBefore(dom.NewText(" "), n.NextSibling)
		}
		dom.Unwrap(n)
	}
	// Line breaks in the source are not line breaks of the table.
	for d := range cell.Descendants() {
		if d.Type == html.TextNode && strings.ContainsAny(d.Data, "\n\r\u2028") {
			d.Data = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\u2028", " ").Replace(d.Data)
		}
	}
}
