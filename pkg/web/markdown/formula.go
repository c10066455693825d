package markdown

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/web/dom"
)

// formulas replaces mathematics by TeX, which most pages carry with it.
func formulas(root *html.Node) {
	for _, m := range dom.All(root, atom.Math) {
		tex := annotation(m)
		if tex == "" {
			tex = dom.Attr(m, "alttext")
		}
		if tex == "" {
			continue
		}
		place := m
		for a := range m.Ancestors() { // wrappers that hold the same formula drawn by style sheets
			if dom.ContainsAny(dom.Mark(a), "katex", "mwe-math-element", "mathjax", "ltx_math") {
				place = a
				continue
			}
			break
		}
		block := dom.Attr(m, "display") == "block" || strings.Contains(dom.Mark(place), "display")
		dom.Replace(place, formula(tex, block))
	}
}

// annotation returns the TeX that a formula in MathML is annotated with.
func annotation(m *html.Node) string {
	for d := range m.Descendants() {
		if d.Type == html.ElementNode && d.Data == "annotation" && strings.Contains(dom.Attr(d, "encoding"), "tex") {
			return strings.TrimSpace(dom.RawText(d))
		}
	}
	return ""
}

// formula returns TeX between dollar signs.
func formula(tex string, block bool) *html.Node {
	tex = dom.Collapse(tex)
	if inner, ok := strings.CutPrefix(tex, "{\\displaystyle "); ok {
		tex = strings.TrimSuffix(inner, "}")
	}
	if block {
		return dom.Raw("$$" + tex + "$$")
	}
	return dom.Raw("$" + tex + "$")
}
