package extract

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// loss measures the text of a page that is missing from its content.
//
// The share alone does not show whether content was lost: a short article among menus
// rightly keeps a tenth of its page. Only text outside of links, menus, heads and feet of
// the site may have been content, without the parts that were recognised and left out:
// the remarks under an article, the quotes of a thread.
type loss struct {
	visible    int // characters that the page shows
	hidden     int // characters that the page has and does not show
	own        int // visible characters outside of links and frames of the site
	recognised int // of these, those left out because their kind was recognised

	content tally
}

// newLoss measures the body of a page before anything is left out. sent is the number of
// characters that it had before hidden text was removed.
func newLoss(body *html.Node, sent int) *loss {
	var frames []frame
	all := measure(body, func(n *html.Node, t tally) {
		if !surrounds(n) {
			return
		}
		// Only the outermost count. Those within come before it.
		for len(frames) > 0 && dom.Contains(n, frames[len(frames)-1].node) {
			frames = frames[:len(frames)-1]
		}
		frames = append(frames, frame{n, t})
	})
	l := &loss{visible: all.chars, hidden: max(sent-all.chars, 0), own: all.chars - all.links}
	for _, f := range frames {
		if f.node.DataAtom == atom.Nav || float64(f.tally.chars) < shareTag*float64(all.chars) {
			l.own -= f.tally.chars - f.tally.links
		}
	}
	return l
}

// frame is a part that surrounds the content on every page of a site.
type frame struct {
	node  *html.Node
	tally tally
}

// surrounds reports whether the tag or role of n says that it is such a part.
func surrounds(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Nav, atom.Footer, atom.Header, atom.Aside, atom.Form:
		return true
	}
	switch dom.Attr(n, "role") {
	case "navigation", "banner", "contentinfo", "complementary", "search", "dialog":
		return true
	}
	return false
}

// meant counts the text that a pruner removed because it recognised its kind. Names that
// only say that a part surrounds the content do not count: they are wrong too often.
func (l *loss) meant(p *pruner) {
	for _, r := range p.removed {
		if p.role(r.node)&p.out != 0 && !surrounds(r.node) {
			t := p.tallies[r.node]
			l.recognised += t.chars - t.links
		}
	}
}

// left measures the content.
func (l *loss) left(content *html.Node) {
	l.content = measure(content, func(*html.Node, tally) {})
}

// kept returns the share of the visible text that the content has, at most 1.
func (l *loss) kept() float64 {
	if l.visible <= 0 {
		return 1
	}
	return min(float64(l.content.chars)/float64(l.visible), 1)
}

// The bounds were tuned on labelled pages; see scripts/bench web.
const (
	littleContent = 450 // characters of a short content
	littleLost    = 600 // characters that may be left out beside a longer one
	shareLost     = 0.5 // of the text of the content
	nearlyAll     = 0.9 // of the page, from which on nothing was left out
)

// isPartial reports whether text that was left out may be content: with hidden text it is
// longer than a short content, or alone longer than half of a longer one. unseen counts
// the characters that were invisible in their places; if the content has fewer, a script
// may show them as the content.
func (l *loss) isPartial(unseen int) bool {
	if unseen > max(l.content.chars, minContent) {
		return true
	}
	if l.kept() > nearlyAll {
		return false
	}
	text := l.content.chars - l.content.links
	lost := max(l.own-l.recognised-text, 0)
	if l.content.chars < littleContent {
		return lost+l.hidden > max(l.content.chars, minContent)
	}
	return lost > littleLost && float64(lost) > shareLost*float64(text)
}
