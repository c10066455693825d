// Package formula turns the mathematics of a page into TeX between dollar signs:
// MathML, and what KaTeX, MathJax and MediaWiki write. TeX that stands in the text
// keeps its form. It neither checks nor typesets TeX.
package formula

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// Replace replaces the formulas below root by TeX, each once: pages carry the same
// formula as TeX, as MathML, drawn by style sheets and as an image. It must run
// before hidden parts are removed, as the readable form often is one.
func Replace(root *html.Node) {
	for _, s := range dom.All(root, atom.Script) {
		script(s)
	}
	for _, m := range dom.All(root, atom.Math) {
		if dom.Contains(root, m) {
			mathML(m)
		}
	}
	for _, n := range drawn(root) {
		if tex := firstAttr(n, "data-tex", "data-latex", "data-expr"); tex != "" && dom.Contains(root, n) {
			dom.Replace(n, node(tex, isDisplay(n)))
		}
	}
	for _, img := range dom.All(root, atom.Img) {
		if alt := dom.Attr(img, "alt"); !dom.Blank(alt) && dom.HasClass(img, "latex", "tex", "mwe-math-fallback-image-inline", "mwe-math-fallback-image-display") {
			dom.Replace(img, node(strings.Trim(alt, "$ "), dom.HasClass(img, "mwe-math-fallback-image-display")))
		}
	}
}

// node returns TeX between dollar signs.
func node(tex string, display bool) *html.Node {
	tex = dom.Collapse(tex)
	for _, style := range [...]string{`{\displaystyle `, `{\textstyle `} {
		if inner, ok := strings.CutPrefix(tex, style); ok && strings.HasSuffix(inner, "}") {
			tex = strings.TrimSpace(strings.TrimSuffix(inner, "}"))
		}
	}
	if display {
		return dom.Raw("$$" + tex + "$$")
	}
	return dom.Raw("$" + tex + "$")
}

// script replaces the TeX that MathJax 2 keeps in a script element, and removes what
// it has drawn right before it.
func script(s *html.Node) {
	kind := strings.ToLower(dom.Attr(s, "type"))
	if !strings.HasPrefix(kind, "math/tex") || s.FirstChild == nil {
		return
	}
	for p := s.PrevSibling; p != nil; p = s.PrevSibling {
		if !dom.IsBlank(p) && !(isDrawn(p) && isAbout(p, s.FirstChild.Data)) {
			break
		}
		dom.Remove(p)
	}
	dom.Replace(s, node(s.FirstChild.Data, strings.Contains(kind, "display")))
}

// mathML replaces MathML, and the elements around it that show the same formula.
func mathML(m *html.Node) {
	tex := annotation(m)
	if tex == "" {
		tex = strings.TrimSpace(dom.Attr(m, "alttext"))
	}
	place := m
	for a := range m.Ancestors() {
		if !isDrawn(a) || !isAbout(a, dom.RawText(m)) {
			break
		}
		place = a
		if tex == "" {
			tex = firstAttr(a, "data-tex", "data-latex", "data-expr")
		}
	}
	if tex == "" {
		tex = texOf(m)
	}
	if tex == "" || place.Parent == nil {
		return
	}
	dom.Replace(place, node(tex, dom.Attr(m, "display") == "block" || isDisplay(place)))
}

// annotation returns the TeX that a formula in MathML is annotated with.
func annotation(m *html.Node) string {
	for d := range m.Descendants() {
		if d.Type == html.ElementNode && d.Data == "annotation" && strings.Contains(strings.ToLower(dom.Attr(d, "encoding")), "tex") {
			return strings.TrimSpace(dom.RawText(d))
		}
	}
	return ""
}

// drawn returns the elements that formulas are drawn in.
func drawn(root *html.Node) []*html.Node {
	var all []*html.Node
	for d := range root.Descendants() {
		if isDrawn(d) {
			all = append(all, d)
		}
	}
	return all
}

// isDrawn reports whether an element is one in which KaTeX, MathJax, MediaWiki or
// LaTeXML put a formula.
func isDrawn(n *html.Node) bool {
	if n.Type != html.ElementNode || dom.Is(n, atom.Body, atom.Html) {
		return false
	}
	if n.Data == "mjx-container" || n.Data == "mjx-assistive-mml" {
		return true
	}
	for w := range strings.FieldsSeq(strings.ToLower(dom.Attr(n, "class"))) {
		switch w {
		case "katex", "katex-display", "katex-mathml", "mathjax", "mathjax_display", "mathjax_preview", "mathjax_svg", "mathjax_svg_display", "mathjax_chtml", "mjxc-display",
			"mathjax_mathml", "mjx_assistive_mathml", "mwe-math-element", "mwe-math-mathml-inline", "mwe-math-mathml-display", "ltx_math":
			return true
		}
	}
	return false
}

// isAbout reports whether a drawn element can be one formula, which has this text in
// another form, and is not a part of the page with several.
func isAbout(n *html.Node, text string) bool {
	const times, more = 4, 100 // how much longer it may be
	formulas, left := 0, times*len(text)+more
	for d := range n.Descendants() {
		switch {
		case d.Type == html.TextNode:
			left -= len(strings.TrimSpace(d.Data))
		case dom.Is(d, atom.Math), d.Type == html.ElementNode && d.Data == dom.RawName:
			formulas++
		}
		if formulas > 1 || left < 0 {
			return false
		}
	}
	return true
}

func isDisplay(n *html.Node) bool {
	return strings.Contains(strings.ToLower(dom.Attr(n, "class")), "display") || dom.Attr(n, "display") == "true"
}

func firstAttr(n *html.Node, keys ...string) string {
	for _, k := range keys {
		if v := strings.TrimSpace(dom.Attr(n, k)); v != "" {
			return v
		}
	}
	return ""
}
