package extract

import (
	"maps"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// dedupe removes what a page holds twice, for screens of two sizes or for a
// pointer that comes near: if one of two neighbours says all that the other says,
// the other goes.
func dedupe(n *html.Node) {
	if dom.Is(n, atom.Pre, atom.Code, atom.Table, atom.Svg, atom.Math) {
		return
	}
	var before *html.Node
	var earlier *summary
	for c := n.FirstChild; c != nil; {
		follows := c.NextSibling
		switch {
		case c.Type == html.TextNode && !dom.Blank(c.Data):
			before, earlier = nil, nil
		case c.Type != html.ElementNode:
		case !dom.Is(c, atom.Div, atom.Section, atom.Article, atom.Span, atom.A):
			dedupe(c)
			before, earlier = nil, nil
		default:
			dedupe(c)
			if before == nil {
				before = c
				break
			}
			if earlier == nil {
				earlier = summaryOf(before)
			}
			own := summaryOf(c)
			if own.overlaps(earlier) && earlier.isWithin(own) {
				removeTexts(before)
			} else if own.overlaps(earlier) && own.isWithin(earlier) {
				removeTexts(c)
				break
			}
			before, earlier = c, own
		}
		c = follows
	}
}

// repeatedTitles removes a heading whose text and link are those of the heading
// before it: the title of a card that is also on its picture.
func repeatedTitles(body *html.Node) {
	var title, target string
	for _, h := range dom.All(body, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6) {
		href := ""
		if a := linkOf(h); a != nil {
			href = dom.Attr(a, "href")
		}
		text := beginning(h)
		if href != "" && text == title && href == target {
			dom.Replace(h, dom.NewText(" ")) // the heading separated the texts around it
			continue
		}
		title, target = text, href
	}
}

// beginningBytes is the length of the beginning that identifies a text.
const beginningBytes = 200

// beginning returns the beginning of the text of n. It is bounded because headings
// can lie in headings, and each would read all those below it.
func beginning(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type != html.TextNode {
			continue
		}
		for w := range strings.FieldsSeq(d.Data[:min(len(d.Data), beginningBytes)]) {
			b.WriteString(w + " ")
		}
		if b.Len() > beginningBytes {
			break
		}
	}
	return strings.TrimSuffix(b.String(), " ")
}

// linkOf returns the link that a heading holds or lies in, nil for none.
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

// summary holds the content of a small part of a page, to compare it with its neighbours.
type summary struct {
	texts    map[string]bool
	links    map[string]bool
	headings map[string]bool
	price    bool
}

// How large a part may be.
const (
	gistNodes    = 200
	summaryBytes = 4 << 10 // of text
)

func summaryOf(n *html.Node) *summary {
	s := &summary{texts: map[string]bool{}, links: map[string]bool{}, headings: map[string]bool{}}
	if href := dom.Attr(n, "href"); href != "" {
		s.links[href] = true
	}
	nodes, bytes := 0, 0
	for d := range n.Descendants() {
		if nodes++; nodes > gistNodes {
			return nil
		}
		switch {
		case d.Type == html.TextNode:
			if bytes += len(d.Data); bytes > summaryBytes {
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
			s.headings[beginning(d)] = true
		}
	}
	return s
}

// overlaps reports whether both have a link, a heading or a price in common, which
// no page shows twice to one reader.
func (s *summary) overlaps(o *summary) bool {
	if s == nil || o == nil || len(s.texts) == 0 || len(o.texts) == 0 {
		return false
	}
	return s.price && o.price || intersect(s.links, o.links) || intersect(s.headings, o.headings)
}

// isWithin reports whether o has all the texts and links of s.
func (s *summary) isWithin(o *summary) bool {
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

func intersect(a, b map[string]bool) bool {
	for k := range maps.Keys(a) {
		if b[k] {
			return true
		}
	}
	return false
}

// isPrice reports whether a text is an amount of money.
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

// removeTexts removes the texts of n, and n itself if it has no images.
func removeTexts(n *html.Node) {
	if dom.First(n, atom.Img, atom.Picture, atom.Video) == nil {
		dom.Remove(n)
		return
	}
	for _, t := range texts(n) {
		dom.Remove(t)
	}
}

// texts returns the text nodes below n.
func texts(n *html.Node) []*html.Node {
	var all []*html.Node
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			all = append(all, d)
		}
	}
	return all
}
