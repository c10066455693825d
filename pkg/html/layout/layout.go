// Package layout distinguishes the tables that lay out a page from the tables of data,
// and replaces the former by blocks and lists in reading order. It neither drops content
// nor writes Markdown.
package layout

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// facts counts the content of a part of a page.
type facts struct {
	chars  int // characters
	links  int
	blocks int // paragraphs, divisions, headings and code
	tables int // tables with more than one cell, also those that have been unwrapped
	media  bool
}

func (f *facts) add(o facts) {
	f.chars += o.chars
	f.links += o.links
	f.blocks += o.blocks
	f.tables += o.tables
	f.media = f.media || o.media
}

// empty reports whether there is nothing to see.
func (f *facts) empty() bool { return f.chars == 0 && !f.media }

// cell is a cell of a table, or other content of a row.
type cell struct {
	facts
	node *html.Node
}

// row is a row of a table, or other content of the table.
type row struct {
	node  *html.Node
	cells []cell
	full  int // cells that are not empty
	chars int
}

// Unwrap replaces each table below root that only lays out the page, the inner ones
// first. It looks at each node once, so that the time does not grow with the depth
// of the tables. Tables in code and in formulas stay.
func Unwrap(root *html.Node) {
	for c := root.FirstChild; c != nil; {
		follows := c.NextSibling
		unwrap(c)
		c = follows
	}
}

func unwrap(n *html.Node) facts {
	var f facts
	switch {
	case n.Type == html.TextNode:
		f.chars = dom.Length(n.Data)
		return f
	case n.Type != html.ElementNode, dom.Silent(n):
		return f
	case n.DataAtom == atom.Pre, n.DataAtom == atom.Math:
		return facts{chars: dom.Length(dom.RawText(n)), blocks: 1}
	case n.DataAtom == atom.Table:
		return table(n)
	}
	for c := n.FirstChild; c != nil; {
		follows := c.NextSibling
		f.add(unwrap(c))
		c = follows
	}
	switch n.DataAtom {
	case atom.A:
		if f.chars > 0 {
			f.links++
		}
	case atom.P, atom.Div, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		if !f.empty() {
			f.blocks++
		}
	case atom.Img:
		f.media = !dom.Blank(dom.Attr(n, "alt")) || dom.Inside(n, atom.Figure)
	case atom.Video, atom.Audio, atom.Iframe:
		f.media = true
	}
	return f
}

// table collects the rows of a table whose cells hold only tables of data any more,
// and unwraps the table if it is none.
func table(t *html.Node) facts {
	var rows []row
	var whole facts
	for _, n := range dom.Elements(t) {
		switch n.DataAtom {
		case atom.Thead, atom.Tbody, atom.Tfoot:
			for _, tr := range dom.Elements(n) {
				rows = append(rows, rowOf(tr, &whole))
			}
		case atom.Colgroup, atom.Col:
		default:
			rows = append(rows, rowOf(n, &whole))
		}
	}
	full := 0
	for i := range rows {
		full += rows[i].full
	}
	if full > 1 {
		whole.tables++
	}
	if !isData(t, rows) {
		replace(t, rows)
	}
	return whole
}

// rowOf reads a row. What is no row counts as one with a single cell.
func rowOf(n *html.Node, sum *facts) row {
	r := row{node: n}
	parts := []*html.Node{n}
	if n.DataAtom == atom.Tr {
		parts = dom.Elements(n)
	}
	for _, c := range parts {
		f := unwrap(c)
		if !f.empty() {
			r.full++
		}
		r.chars += f.chars
		r.cells = append(r.cells, cell{f, c})
		sum.add(f)
	}
	return r
}
