package extract

import (
	"maps"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/web/dom"
)

// dedupe removes what a page says twice for screens of two sizes, or before and
// after a pointer comes near: of two neighbours of which one says all that the
// other does, the other.
func dedupe(n *html.Node) {
	if dom.Is(n, atom.Pre, atom.Code, atom.Table, atom.Svg, atom.Math) {
		return
	}
	var before *html.Node
	var said *saying
	for c := n.FirstChild; c != nil; {
		follows := c.NextSibling
		switch {
		case c.Type == html.TextNode && !dom.Blank(c.Data):
			before, said = nil, nil
		case c.Type != html.ElementNode:
		case !dom.Is(c, atom.Div, atom.Section, atom.Article, atom.Span, atom.A):
			dedupe(c)
			before, said = nil, nil
		default:
			dedupe(c)
			if before == nil {
				before = c
				break
			}
			if said == nil {
				said = sayingOf(before)
			}
			says := sayingOf(c)
			switch {
			case !says.repeats(said):
				before, said = c, says
			case said.within(says):
				mute(before)
				before, said = c, says
			case says.within(said):
				mute(c)
			default:
				before, said = c, says
			}
		}
		c = follows
	}
}

// repeatedTitles removes the headings that name and lead to the same as the
// heading right before them: the title of a card that is also on its picture.
func repeatedTitles(body *html.Node) {
	var title, target string
	for _, h := range dom.All(body, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6) {
		href := ""
		if a := linkOf(h); a != nil {
			href = dom.Attr(a, "href")
		}
		text := brief(h)
		if href != "" && text == title && href == target {
			dom.Replace(h, dom.NewText(" ")) // which kept apart what stands around it
			continue
		}
		title, target = text, href
	}
}

// briefBytes is from where on a heading is long enough to be told from others.
const briefBytes = 200

// brief is the beginning of the text of n, so that headings that lie in headings
// are not read again and again.
func brief(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type != html.TextNode {
			continue
		}
		for w := range strings.FieldsSeq(d.Data[:min(len(d.Data), briefBytes)]) {
			b.WriteString(w + " ")
		}
		if b.Len() > briefBytes {
			break
		}
	}
	return strings.TrimSuffix(b.String(), " ")
}

// linkOf is the link that a heading is or lies in.
func linkOf(h *html.Node) *html.Node {
	if a := dom.First(h, atom.A); a != nil {
		return a
	}
	for a := range h.Ancestors() {
		if dom.Is(a, atom.A) {
			return a
		}
	}
	return nil
}

// saying is what a small part of a page says.
type saying struct {
	texts    map[string]bool
	links    map[string]bool
	headings map[string]bool
	price    bool
}

// How large a part may be to be compared.
const (
	sayingNodes = 200
	sayingBytes = 4 << 10 // of text
)

func sayingOf(n *html.Node) *saying {
	s := &saying{texts: map[string]bool{}, links: map[string]bool{}, headings: map[string]bool{}}
	if href := dom.Attr(n, "href"); href != "" {
		s.links[href] = true
	}
	nodes, bytes := 0, 0
	for d := range n.Descendants() {
		if nodes++; nodes > sayingNodes {
			return nil
		}
		switch {
		case d.Type == html.TextNode:
			if bytes += len(d.Data); bytes > sayingBytes {
				return nil
			}
			if text := dom.Collapse(d.Data); text != "" {
				s.texts[text] = true
				s.price = s.price || isPrice(text)
			}
		case dom.Is(d, atom.A) && dom.Has(d, "href"):
			s.links[dom.Attr(d, "href")] = true
		case dom.Is(d, atom.Pre, atom.Table):
			return nil
		case dom.Heading(d) > 0:
			s.headings[brief(d)] = true
		}
	}
	return s
}

// repeats reports whether the two share what nobody says twice to one reader: a
// link, a heading or a price.
func (s *saying) repeats(o *saying) bool {
	if s == nil || o == nil || len(s.texts) == 0 || len(o.texts) == 0 {
		return false
	}
	return s.price && o.price || common(s.links, o.links) || common(s.headings, o.headings)
}

// within reports whether o says all that s does, and leads where s leads.
func (s *saying) within(o *saying) bool {
	for text := range s.texts {
		if !o.texts[text] {
			return false
		}
	}
	for link := range s.links {
		if !o.links[link] {
			return false
		}
	}
	return true
}

func common(a, b map[string]bool) bool {
	for k := range maps.Keys(a) {
		if b[k] {
			return true
		}
	}
	return false
}

// isPrice reports whether a text is an amount of money and no more.
func isPrice(text string) bool {
	digits, sign := 0, false
	for _, r := range text {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.Is(unicode.Sc, r):
			sign = true
		case unicode.IsLetter(r) && len(text) > 16:
			return false
		}
	}
	return digits > 0 && sign
}

// mute takes the texts out of n and leaves its images.
func mute(n *html.Node) {
	if dom.First(n, atom.Img, atom.Picture, atom.Video) == nil {
		dom.Remove(n)
		return
	}
	for _, t := range texts(n) {
		dom.Remove(t)
	}
}

// apart sets a space between elements of a line that run into each other: a label
// and its number, two links. Style sheets set them apart, and are not read.
func apart(n *html.Node) {
	if dom.Is(n, atom.Pre, atom.Code, atom.Math, atom.Svg, atom.Ruby) {
		return
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode {
			continue
		}
		apart(c)
		if s := c.NextSibling; isPhrase(c) && s != nil && isPhrase(s) && clash(c, s) {
			n.InsertBefore(dom.NewText(" "), s)
		}
	}
}

func isPhrase(n *html.Node) bool {
	return dom.Is(n, atom.A, atom.Span, atom.Label, atom.Time, atom.Button, atom.Small)
}

// clash reports whether nobody writes what would become of the two as one word.
func clash(a, b *html.Node) bool {
	left, right := edge(a, true), edge(b, false)
	if left == 0 || right == 0 {
		return false
	}
	both := dom.Is(a, atom.A, atom.Label) && dom.Is(b, atom.A, atom.Label)
	switch {
	case !unicode.IsLetter(left) && !unicode.IsDigit(left), !unicode.IsLetter(right) && !unicode.IsDigit(right):
		return false
	case both, a.DataAtom != b.DataAtom:
		return true
	}
	return unicode.IsLower(left) && unicode.IsUpper(right)
}

// edge is the last or the first character of n; 0 if there is none.
func edge(n *html.Node, last bool) rune {
	for n != nil && n.Type == html.ElementNode {
		if last {
			n = n.LastChild
		} else {
			n = n.FirstChild
		}
	}
	if n == nil || n.Type != html.TextNode {
		return 0
	}
	var found rune
	for _, r := range n.Data {
		found = r
		if !last {
			break
		}
	}
	return found
}

// texts lists the texts below n.
func texts(n *html.Node) []*html.Node {
	var all []*html.Node
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			all = append(all, d)
		}
	}
	return all
}
