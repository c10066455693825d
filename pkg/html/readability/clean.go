package readability

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// clean removes what is not part of the article.
func (r *run) clean(article *html.Node) {
	r.data = dataTables(article)
	r.conditionally(article, atom.Form, atom.Fieldset)
	for _, n := range dom.All(article, atom.Object, atom.Embed, atom.Footer, atom.Link, atom.Aside) {
		if !isVideo(n) {
			dom.Remove(n)
		}
	}
	for top := range article.ChildNodes() {
		r.unshare(top)
	}
	for _, n := range dom.All(article, atom.Iframe, atom.Input, atom.Textarea, atom.Select, atom.Button) {
		if !isVideo(n) {
			dom.Remove(n)
		}
	}
	for _, h := range dom.All(article, atom.H1, atom.H2) {
		if r.weight(h) < 0 {
			dom.Remove(h)
		}
	}
	r.conditionally(article, atom.Table)
	r.conditionally(article, atom.Ul, atom.Ol)
	r.conditionally(article, atom.Div)
	for _, p := range dom.All(article, atom.P) {
		if dom.First(p, atom.Img, atom.Embed, atom.Object, atom.Iframe, atom.Picture, atom.Video, atom.Audio, atom.Svg, atom.Math) == nil && measure(p).chars == 0 {
			dom.Remove(p)
		}
	}
	for _, br := range dom.All(article, atom.Br) {
		if dom.Is(behind(br), atom.P) {
			dom.Remove(br)
		}
	}
	for _, t := range dom.All(article, atom.Table) {
		unframe(t)
	}
}

// unshare removes small elements with links to share the article.
func (r *run) unshare(top *html.Node) {
	for n := next(top); n != nil && dom.Contains(top, n); {
		if n.Type == html.ElementNode && r.mark(n)&sharing != 0 && measure(n).chars < minArticle && !isProse(n) {
			n = drop(n)
			continue
		}
		n = next(n)
	}
}

// isProse reports whether n is a paragraph of prose, whatever its class is: a class
// such as "share" may be about shares of a company.
func isProse(n *html.Node) bool {
	s := measure(n)
	return n.DataAtom == atom.P && s.chars > 80 && s.density() < 0.25
}

// unframe replaces a table of one cell by the content of the cell.
func unframe(t *html.Node) {
	var cells []*html.Node
	for _, row := range dom.All(t, atom.Tr) {
		cells = append(cells, dom.Elements(row)...)
	}
	if len(cells) != 1 || !dom.Is(cells[0], atom.Td) {
		return
	}
	cell := cells[0]
	kind := atom.P
	for c := range cell.ChildNodes() {
		if !phrasing(c) {
			kind = atom.Div
		}
	}
	dom.Rename(cell, kind)
	dom.Replace(t, cell)
}

// conditionally removes the elements of these kinds that do not look like prose:
// they have too many links, images, fields or items for their text.
func (r *run) conditionally(article *html.Node, kinds ...atom.Atom) {
	if r.cleanConditionally {
		r.sift(article, kinds, false, false)
	}
}

// sift removes such elements from the leaves up, so that an element is judged by
// what is left of it, and returns what n then holds.
func (r *run) sift(n *html.Node, kinds []atom.Atom, kept, figure bool) sums {
	if n.Type == html.TextNode {
		return ofText(n.Data)
	}
	var s sums
	kept = kept || r.data[n] || n.DataAtom == atom.Code
	figure = figure || n.DataAtom == atom.Figure
	for c := n.LastChild; c != nil; {
		before := c.PrevSibling
		inner := r.sift(c, kinds, kept, figure)
		if !kept && dom.Is(c, kinds...) && !r.data[c] && !inner.data && r.suspect(c, inner, figure) {
			dom.Remove(c)
		} else {
			s.add(inner)
		}
		c = before
	}
	s.enter(n)
	s.data = s.data || r.data[n]
	return s
}

// suspect reports whether an element that holds s is probably not prose.
func (r *run) suspect(n *html.Node, s sums, figure bool) bool {
	weight := r.weight(n)
	if weight < 0 {
		return true
	}
	if s.commas >= 10 || s.video {
		return false
	}
	list := dom.Is(n, atom.Ul, atom.Ol) || s.chars > 0 && float64(s.lists)/float64(s.chars) > 0.9
	if !isSuspect(n, s, weight, list, figure) {
		return false
	}
	if !list {
		return true
	}
	// A list with one image in each item is a gallery.
	items := 0
	for _, c := range dom.Elements(n) {
		if len(dom.Elements(c)) > 1 {
			return true
		}
		if c.DataAtom == atom.Li {
			items++
		}
	}
	return s.img != items
}

// isSuspect applies the rules of the original to the counts.
func isSuspect(n *html.Node, s sums, weight float64, list, figure bool) bool {
	p := s.p
	items := s.li - 100
	if n.DataAtom == atom.Li {
		items--
	}
	density := s.density()
	chars := float64(max(s.chars, 1))
	switch {
	case isNotice(n, s):
		return true
	case !figure && s.img > 1 && float64(p)/float64(s.img) < 0.5:
		return true
	case !list && items > p:
		return true
	case s.input > p/3:
		return true
	case !list && !figure && float64(s.headings)/chars < 0.9 && s.chars < minParagraph && (s.img == 0 || s.img > 2) && density > 0:
		return true
	case !list && weight < 25 && density > 0.2:
		return true
	case weight >= 25 && density > 0.5:
		return true
	case s.embeds == 1 && s.chars < 75 || s.embeds > 1:
		return true
	case s.img == 0 && s.textish == 0:
		return true
	}
	return false
}

// isNotice reports whether n only says that something is an advertisement or is
// being loaded.
func isNotice(n *html.Node, s sums) bool {
	if s.chars == 0 || s.chars > 20 {
		return false
	}
	switch strings.TrimRight(strings.ToLower(dom.Text(n)), ".…") {
	case "ad", "advertising", "advertisement", "pub", "publicité", "werb", "werbung", "广告", "реклама", "anuncio",
		"loading", "正在加载", "загрузка", "chargement", "cargando":
		return true
	}
	return false
}

// dataTables returns the tables that hold data.
func dataTables(article *html.Node) map[*html.Node]bool {
	found := map[*html.Node]bool{}
	for _, t := range dom.All(article, atom.Table) {
		if IsData(t) {
			found[t] = true
		}
	}
	return found
}

// IsData reports whether a table holds data rather than the layout of the page.
func IsData(t *html.Node) bool {
	switch {
	case dom.Attr(t, "role") == "presentation", dom.Attr(t, "datatable") == "0":
		return false
	case dom.Attr(t, "summary") != "":
		return true
	}
	if c := dom.First(t, atom.Caption); c != nil && c.FirstChild != nil {
		return true
	}
	if dom.First(t, atom.Col, atom.Colgroup, atom.Tfoot, atom.Thead, atom.Th) != nil {
		return true
	}
	if dom.First(t, atom.Table) != nil {
		return false
	}
	rows, columns := 0, 0
	for _, row := range dom.All(t, atom.Tr) {
		rows += dom.Span(row, "rowspan", maxSpan)
		width := 0
		for _, cell := range dom.All(row, atom.Td) {
			width += dom.Span(cell, "colspan", maxSpan)
		}
		columns = max(columns, width)
	}
	switch {
	case rows == 1 || columns == 1:
		return false
	case rows >= 10 || columns > 4:
		return true
	}
	return rows*columns > 10
}

// maxSpan is the most rows or columns that a cell may stretch over.
const maxSpan = 1000
