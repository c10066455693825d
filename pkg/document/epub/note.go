package epub

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
	webmarkdown "github.com/helve-dev/helve/pkg/html/markdown"
)

// maxNotes limits the notes of a book that become notes of Markdown.
const maxNotes = 50_000

// definition is a note with its label.
type definition struct {
	label string
	node  *html.Node
}

// notes makes the references to notes of a chapter references of Markdown, and takes the
// notes that its own page has out of it (EPUB 3.3, "epub:type" noteref and footnote). Those
// of another page are taken out there, if that comes later.
func (b *book) notes(body *html.Node, part string) (found []definition) {
	byID := map[string]*html.Node{}
	var refs []*html.Node
	order := map[*html.Node]int{}
	for n := range body.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if id := dom.Attr(n, "id"); id != "" && byID[id] == nil {
			byID[id] = n
		}
		order[n] = len(order)
		if dom.Is(n, atom.A) {
			refs = append(refs, n)
		}
	}
	for _, a := range refs {
		href := dom.Attr(a, "href")
		to, id := part, fragment(href)
		if !strings.HasPrefix(href, "#") {
			to = b.address(part, href)
		}
		here := strings.EqualFold(to, part)
		if id == "" || external(href) || here && byID[id] == nil || len(b.labels) >= maxNotes {
			continue
		}
		// Before EPUB 3, a number in superscript leads to a note further down the page.
		if !is(a, "noteref") && (!here || !isRaised(a) || order[byID[id]] < order[a]) {
			continue
		}
		key := strings.ToLower(to) + "#" + id
		label := b.labels[key]
		if label == "" {
			label = strconv.Itoa(len(b.labels) + 1)
			b.labels[key] = label
		}
		place := a
		if dom.Is(a.Parent, atom.Sup) && dom.OnlyChild(a.Parent) == a {
			place = a.Parent
		}
		dom.Replace(place, dom.Raw("[^"+label+"]"))
	}
	for id, n := range byID {
		label := b.labels[strings.ToLower(part)+"#"+id]
		if label == "" {
			continue
		}
		for n.Parent != nil && n != body && !dom.IsBlock(n) { // the mark before the note
			n = n.Parent
		}
		if n == body || n.Parent == nil {
			continue
		}
		found = append(found, definition{label, n})
	}
	return b.takeOut(found)
}

// takeOut takes notes out of the page, and the lists and sections that were there for them
// alone. A note that holds another one stays.
func (b *book) takeOut(found []definition) (kept []definition) {
	slices.SortFunc(found, func(a, b definition) int {
		return cmp.Or(len(a.label)-len(b.label), strings.Compare(a.label, b.label))
	})
	holds := map[*html.Node]bool{}
	for _, f := range found {
		for a := range f.node.Ancestors() {
			holds[a] = true
		}
	}
	for _, f := range found {
		above := f.node.Parent
		if above == nil || holds[f.node] || dom.Heading(f.node) > 0 {
			continue
		}
		dom.Remove(f.node)
		kept = append(kept, f)
		for above.Parent != nil && !dom.Is(above, atom.Body) && empty(above) {
			up := above.Parent
			dom.Remove(above)
			above = up
		}
	}
	return kept
}

// empty reports whether there is nothing to see in n.
func empty(n *html.Node) bool {
	for d := range n.Descendants() {
		if d.Type == html.TextNode && !dom.IsBlank(d) || dom.Is(d, atom.Img, atom.Svg) {
			return false
		}
	}
	return true
}

// note writes a note, without its links back.
func (b *book) note(f definition, part string) {
	root := dom.Element(atom.Div)
	root.AppendChild(f.node)
	if dom.Is(f.node, atom.Li, atom.Tr, atom.Td, atom.Dd, atom.Dt) {
		dom.Rename(f.node, atom.Div)
	}
	for _, a := range dom.All(root, atom.A) {
		if is(a, "backlink") || is(a, "referrer") || !external(dom.Attr(a, "href")) && isMark(dom.Text(a)) {
			dom.Remove(a)
		}
	}
	b.prepare(root, part)
	webmarkdown.Normalize(root, nil)
	text, err := webmarkdown.Of(root)
	if err != nil {
		text = dom.Text(root)
	}
	b.w.Note(f.label, text)
}

// isRaised reports whether a link looks like a reference to a note.
func isRaised(a *html.Node) bool {
	text := dom.Text(a)
	return text != "" && isMark(text) &&
		(dom.Inside(a, atom.Sup) || dom.First(a, atom.Sup) != nil || dom.HasClass(a, "footnote-ref", "footnoteref", "noteref"))
}

// isMark reports whether a text is only the mark of a note: a number or a sign.
func isMark(text string) bool {
	return len(text) <= 12 && !strings.ContainsFunc(text, unicode.IsLetter)
}

// is reports whether an element has a meaning, by the vocabulary of EPUB or by its role.
func is(n *html.Node, meaning string) bool {
	return has(dom.Attr(n, "epub:type"), meaning) || has(dom.Attr(n, "role"), "doc-"+meaning)
}
