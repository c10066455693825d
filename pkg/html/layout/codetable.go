package layout

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// codeTable replaces a table by the code in it, if its rows have a cell with line
// numbers and a cell with code.
func codeTable(t *html.Node) {
	var lines []*html.Node // the cells with code
	counted := false
	for _, r := range rowsOf(t) {
		code, numbered := codeCell(r)
		if code == nil {
			return
		}
		counted = counted || numbered
		lines = append(lines, code)
	}
	if len(lines) == 0 || !counted {
		return
	}
	pre := dom.First(lines[0], atom.Pre)
	if len(lines) == 1 && pre != nil && textBytes(pre) < textBytes(lines[0]) {
		return // there is more in the cell than the code
	}
	if len(lines) > 1 || pre == nil {
		pre = dom.Element(atom.Pre)
		for _, l := range lines {
			for _, inner := range dom.All(l, atom.Pre) {
				dom.Unwrap(inner)
			}
			dom.Adopt(pre, l)
			if len(lines) > 1 {
				pre.AppendChild(dom.NewText("\n"))
			}
		}
	}
	if !dom.Has(pre, "class") && dom.Has(t, "class") { // it may name the language
		dom.SetAttr(pre, "class", dom.Attr(t, "class"))
	}
	dom.Replace(t, pre)
}

// textBytes returns how long the text below n is without white space around its parts.
func textBytes(n *html.Node) int {
	sum := 0
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			sum += len(strings.TrimSpace(d.Data))
		}
	}
	return sum
}

// rowsOf returns the rows of a table without those of tables in it.
func rowsOf(t *html.Node) []*html.Node {
	var rows []*html.Node
	for _, n := range dom.Elements(t) {
		switch n.DataAtom {
		case atom.Tr:
			rows = append(rows, n)
		case atom.Thead, atom.Tbody, atom.Tfoot:
			for _, r := range dom.Elements(n) {
				if r.DataAtom == atom.Tr {
					rows = append(rows, r)
				}
			}
		}
	}
	return rows
}

// codeCell returns the one cell of a row that holds code; nil for none. numbered
// reports that the others hold line numbers.
func codeCell(r *html.Node) (code *html.Node, numbered bool) {
	for _, c := range dom.Elements(r) {
		switch {
		case IsGutter(c), dom.First(c, atom.Pre) != nil && consecutive(c) > 1:
			numbered = true
		case code != nil:
			return nil, false
		case isCodeCell(c):
			code = c
		default:
			return nil, false
		}
	}
	return code, numbered
}

// isCodeCell reports whether a cell says that it holds code.
func isCodeCell(c *html.Node) bool {
	only := dom.OnlyChild(c)
	if dom.Is(only, atom.Pre, atom.Code) || dom.ContainsAny(dom.Mark(c), "code", "blob", "hljs", "highlight", "lines") {
		return true
	}
	return dom.Is(only, atom.Div, atom.Figure) && len(dom.All(only, atom.Pre)) == 1 && dom.Is(dom.OnlyChild(only), atom.Pre)
}
