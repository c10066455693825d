package readability

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// paragraphs removes what cannot be part of an article, and returns what may be a
// paragraph of one, in document order.
func (r *run) paragraphs(body *html.Node) []*html.Node {
	var list []*html.Node
	bylined, titled := r.Bylines, false
	for n := body; n != nil; {
		if n.Type != html.ElementNode {
			n = next(n)
			continue
		}
		mark := r.mark(n)
		if n != body && (r.out(n, mark) || !bylined && isByline(n, mark) || !titled && r.isTitle(n)) {
			bylined = bylined || isByline(n, mark)
			titled = titled || r.isTitle(n)
			n = drop(n)
			continue
		}
		switch n.DataAtom {
		case atom.Div, atom.Section, atom.Header, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			if n != body && empty(n) {
				n = drop(n)
				continue
			}
		}
		switch n.DataAtom {
		case atom.Section, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.P, atom.Td, atom.Pre:
			list = append(list, n)
		case atom.Div:
			gather(n)
			if p := only(n); p != nil && p.DataAtom == atom.P && !hasText(n) && measure(n).density() < 0.25 {
				dom.Replace(n, p)
				n = p
				list = append(list, n)
			} else if !holdsBlock(n) {
				dom.Rename(n, atom.P)
				list = append(list, n)
			}
		}
		n = next(n)
	}
	return list
}

// out reports whether n cannot be part of an article.
func (r *run) out(n *html.Node, mark verdict) bool {
	if dom.Attr(n, "role") == "dialog" && dom.Attr(n, "aria-modal") == "true" {
		return true
	}
	if !r.stripUnlikely {
		return false
	}
	if (mark&unlikely != 0 || mark&placed != 0 && !r.isOfEntry(n)) && mark&maybe == 0 && n.DataAtom != atom.A && !dom.Inside(n, atom.Table, atom.Code, atom.Pre) {
		return true
	}
	switch dom.Attr(n, "role") {
	case "menu", "menubar", "complementary", "navigation", "alert", "alertdialog", "dialog":
		return true
	}
	return false
}

// isOfEntry reports whether n is known to be one of many, such as the head of each card.
func (r *run) isOfEntry(n *html.Node) bool { return r.Entry != nil && r.Entry(n) }

// isByline reports whether n names the author.
func isByline(n *html.Node, mark verdict) bool {
	if dom.Attr(n, "rel") != "author" && !strings.Contains(dom.Attr(n, "itemprop"), "author") && mark&author == 0 {
		return false
	}
	length := dom.Length(dom.Text(n))
	return length > 0 && length < 100
}

// isTitle reports whether n is a heading with about the words of the title.
func (r *run) isTitle(n *html.Node) bool {
	level := dom.Heading(n)
	return (level == 1 || level == 2) && r.Title != "" && similarity(r.Title, dom.Text(n)) > 0.75
}

// similarity returns the share of b, in characters, that is words of a.
func similarity(a, b string) float64 {
	words := strings.FieldsFunc(strings.ToLower(a), notWord)
	all, fresh := 0, 0
	for w := range strings.FieldsFuncSeq(strings.ToLower(b), notWord) {
		all += len(w) + 1
		if !slices.Contains(words, w) {
			fresh += len(w) + 1
		}
	}
	if len(words) == 0 || all == 0 {
		return 0
	}
	return 1 - float64(fresh)/float64(all)
}

func notWord(r rune) bool {
	return r != '_' && (r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' || r > 'z' && r < 0x80)
}

// candidates lets every paragraph score for its ancestors, and returns the elements
// with the best scores, best first.
func (r *run) candidates(paragraphs []*html.Node) []*html.Node {
	for _, p := range paragraphs {
		if p.Parent == nil {
			continue
		}
		s := measure(p)
		if s.chars < minParagraph {
			continue
		}
		score := float64(2 + s.commas + min(s.chars/100, 3))
		level := 0
		for a := range p.Ancestors() {
			if level == scoreAncestor || a.Type != html.ElementNode || a.Parent == nil || a.Parent.Type != html.ElementNode {
				break
			}
			r.initial(a)
			switch level {
			case 0:
				r.scores[a] += score
			case 1:
				r.scores[a] += score / 2
			default:
				r.scores[a] += score / float64(level*3)
			}
			level++
		}
	}
	for _, n := range r.scored {
		r.scores[n] *= 1 - measure(n).density()
	}
	ranked := slices.Clone(r.scored)
	slices.SortStableFunc(ranked, func(a, b *html.Node) int {
		switch d := r.scores[b] - r.scores[a]; {
		case d > 0:
			return 1
		case d < 0:
			return -1
		}
		return 0
	})
	return ranked[:min(len(ranked), candidates)]
}

// initial gives n the score for its tag, class and id, unless it has a score.
func (r *run) initial(n *html.Node) {
	if _, ok := r.scores[n]; ok {
		return
	}
	s := r.weight(n)
	switch n.DataAtom {
	case atom.Div:
		s += 5
	case atom.Pre, atom.Td, atom.Blockquote:
		s += 3
	case atom.Address, atom.Ol, atom.Ul, atom.Dl, atom.Dd, atom.Dt, atom.Li, atom.Form:
		s -= 3
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Th:
		s -= 5
	}
	r.scores[n] = s
	r.scored = append(r.scored, n)
}

// siblings returns the best candidate together with those siblings that are likely
// part of the same article.
func (r *run) siblings(top *html.Node) *html.Node {
	article := dom.Element(atom.Div)
	least := max(10, r.scores[top]*0.2)
	class := dom.Attr(top, "class")
	for _, s := range dom.Elements(top.Parent) {
		if s != top && !r.joins(s, class, r.scores[top], least) {
			continue
		}
		switch s.DataAtom {
		case atom.Div, atom.Article, atom.Section, atom.P, atom.Ol, atom.Ul:
		default:
			dom.Rename(s, atom.Div)
		}
		dom.Remove(s)
		article.AppendChild(s)
	}
	return article
}

// joins reports whether the sibling s of the best candidate is part of the article.
func (r *run) joins(s *html.Node, class string, top, least float64) bool {
	score, scored := r.scores[s]
	if class != "" && dom.Attr(s, "class") == class {
		score += top * 0.2
	}
	if scored && score >= least {
		return true
	}
	if s.DataAtom != atom.P {
		return false
	}
	m := measure(s)
	if m.chars > 80 {
		return m.density() < 0.25
	}
	text := dom.Text(s)
	return m.chars > 0 && m.density() == 0 && (strings.HasSuffix(text, ".") || strings.Contains(text, ". "))
}
