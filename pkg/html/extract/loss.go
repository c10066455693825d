package extract

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// loss is the account of the texts of a page that are missing from its content, whichever
// step left them out.
//
// The share alone does not show whether content was lost: a short article among menus
// rightly keeps a tenth of its page. Only text outside of links, menus, heads and feet of
// the site may have been content, without the parts that were recognised and left out:
// the remarks under an article, the quotes of a thread.
type loss struct {
	visible int // characters that the page shows
	hidden  int // characters that the page has and does not show

	texts   []said
	entries []entry
	frames  []int          // characters of each part that surrounds the content, 0 for a menu
	excused map[string]int // texts that were left out because their kind was recognised
	cut     int            // characters of quotes that were

	content tally
	lost    int // characters that may have been content, and are missing
}

// said is a text of the page.
type said struct {
	text         string
	chars        int
	entry, frame int // that it lies in, -1 for none
}

// entry is one of many parts of a page of a kind that has a name.
type entry struct {
	noun          noun
	kept, missing int // characters
}

// newLoss reads the body of a page before anything is left out. sent is the number of
// characters that it had before hidden text was removed.
func newLoss(body *html.Node, sent int) *loss {
	l := &loss{}
	r := reader{loss: l, nouns: map[string]noun{}}
	r.read(body, -1, -1)
	l.hidden = max(sent-l.visible, 0)
	return l
}

// reader reads the texts of a page.
type reader struct {
	*loss
	nouns map[string]noun // by class
	links int             // that what is read lies in
}

// read reads n, which lies in an entry and a frame, and returns its characters.
func (r *reader) read(n *html.Node, within, frame int) int {
	switch {
	case n.Type == html.TextNode:
		count := dom.Length(n.Data)
		r.visible += count
		if count > 0 && r.links == 0 {
			r.texts = append(r.texts, said{n.Data, count, within, frame})
		}
		return count
	case dom.Silent(n):
		return 0
	}
	outermost := frame < 0 && surrounds(n)
	if outermost {
		frame = len(r.frames)
		r.frames = append(r.frames, 0)
	}
	if named := r.nounOf(n); named != 0 {
		within = len(r.entries)
		r.entries = append(r.entries, entry{noun: named})
	}
	if n.DataAtom == atom.A {
		r.links++
		defer func() { r.links-- }()
	}
	sum := 0
	for c := range n.ChildNodes() {
		sum += r.read(c, within, frame)
	}
	if outermost && n.DataAtom != atom.Nav {
		r.frames[frame] = sum
	}
	return sum
}

// surrounds reports whether the tag or role of n says that it is a part that surrounds the
// content on every page of a site.
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

// excuse counts the texts that a pruner removed because it recognised their kind. Names
// that only say that a part surrounds the content do not count: they are wrong too often.
func (l *loss) excuse(p *pruner) {
	l.excused = map[string]int{}
	for _, r := range p.removed {
		if p.role(r.node)&p.out != 0 && !surrounds(r.node) {
			count(r.node, l.excused)
		}
	}
}

// count counts the texts of n.
func count(n *html.Node, texts map[string]int) {
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			texts[d.Data]++
		}
	}
}

// settle compares the page with its content.
func (l *loss) settle(content *html.Node) {
	l.content = measure(content, func(*html.Node, tally) {})
	has := make(map[string]int, len(l.texts))
	count(content, has)
	for _, framed := range [...]bool{false, true} { // what the content has is rather not of the menu
		for _, s := range l.texts {
			if s.frame >= 0 == framed {
				l.look(s, has)
			}
		}
	}
	l.lost = max(l.lost-l.cut, 0)
}

// look looks for a text among those that the content has.
func (l *loss) look(s said, has map[string]int) {
	at := &entry{}
	if s.entry >= 0 {
		at = &l.entries[s.entry]
	}
	switch {
	case has[s.text] > 0:
		has[s.text]--
		at.kept += s.chars
	case l.excused[s.text] > 0:
		l.excused[s.text]--
	case s.frame < 0 || float64(l.frames[s.frame]) >= shareTag*float64(l.visible):
		l.lost += s.chars
		at.missing += s.chars
	}
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
	if l.content.chars < littleContent {
		return l.lost+l.hidden > max(l.content.chars, minContent)
	}
	return l.lost > littleLost && float64(l.lost) > shareLost*float64(text)
}
