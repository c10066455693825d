package extract

import (
	"net/url"
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
	"github.com/helve-dev/helve/pkg/html/layout"
	"github.com/helve-dev/helve/pkg/html/metadata"
	"github.com/helve-dev/helve/pkg/html/readability"
)

// How the content of a page was found, see [Content.By].
const (
	ByReadability = "readability" // the article
	ByMain        = "main"        // the main part, without its surroundings
	ByData        = "data"        // texts that the page carries for its scripts to show
	ByArticle     = "article"     // the article that the page has as data, and shows less of
	Whole         = "full"        // all that is visible
)

// Content is the content of a page.
type Content struct {
	Node *html.Node // a tree of its own
	By   string     // how it was found
	Wall Wall       // the wall in front of the page
	Cut  bool       // the text is longer than [MaxText]
	Kept float64    // the share of the visible text that the content has, 0..1

	// Partial is set if so much text was left out that some of it may be content. Lost
	// counts that text, in characters, and Left the parts of it that have names.
	Partial bool
	Lost    int
	Left    []Left

	// Target is the address that a script of an almost empty page leads to, and Frames are
	// those of the pages in its frames, as they are written there.
	Target string
	Frames []string

	// Withheld is set if the page says that the rest of the content is for those who pay.
	Withheld bool

	Complaint Complaint // the page is an error page
	Invisible int       // how many invisible characters were removed
	Hidden    int       // how many characters of text were removed that a browser lays out and does not show
	Remarks   int       // how many characters of comments and reviews outside of links were left out
}

// MaxText limits the text of a page that is read, in bytes.
const MaxText = 3 << 20

// minContent is the least content, in characters, that needs no second look.
const minContent = 200

// Find finds the content of the page at an address, with what the page says about
// itself. It takes the document apart. If whole is set, all that is visible is
// content. If m does not tell the kind of the page, Find says there that it is a
// discussion where the page shows it.
func Find(doc *html.Node, m *metadata.Metadata, address *url.URL, whole bool) Content {
	s := signsOf(doc)
	data := dataTexts(doc, m)
	var c Content
	body := layout.Frames(doc)
	framed := body != nil
	if !framed {
		body = dom.Body(doc)
	}
	sent := chars(body)
	c.Hidden = prepare(body)
	lines := linesOf(body, nil)
	separateWords(body)
	c.Invisible = removeInvisible(body)
	c.Cut = truncateText(body, MaxText)
	if m.Kind == metadata.Unknown && isThread(body) {
		m.Kind = metadata.Discussion
	}
	if whole || framed {
		c.Node, c.By, c.Kept = body, Whole, 1
	} else {
		dedupe(body)
		repeatedTitles(body)
		l := newLoss(body, sent)
		c.Node, c.By, c.Remarks = main(body, m, address, l)
		l.settle(c.Node)
		c.Kept, c.Partial, c.Lost, c.Left = l.kept(), l.isPartial(c.Hidden), l.lost, l.left()
	}
	if !whole && c.By != ByData && (m.Kind == metadata.Article || m.Kind == metadata.Unknown) {
		if tree := fuller(c.Node, m.Texts); tree != nil {
			c.Node, c.By, c.Partial, c.Lost, c.Left = tree, ByArticle, false, 0, nil
			return c
		}
	}
	c.Withheld = chars(c.Node) < teaserChars && m.Kind != metadata.Discussion && m.Kind != metadata.Product && (m.Paid || slices.ContainsFunc(lines, isOffer))
	if chars(c.Node) < minContent {
		if tree := treeOf(data); chars(tree) > max(chars(c.Node), minContent) {
			removeInvisible(tree)
			c.Node, c.By, c.Kept, c.Partial, c.Lost, c.Left, c.Remarks = tree, ByData, 1, false, 0, nil, 0
		}
	}
	if framed || chars(c.Node) < minContent {
		c.Target, c.Frames = s.target, s.pages
	}
	if c.By == ByData {
		c.Wall = ScriptWall
		return c
	}
	c.Wall = s.wall(c.Node, address)
	c.Partial = c.Partial && c.Wall == NoWall
	if c.Wall == NoWall && m.Kind != metadata.Discussion && m.Kind != metadata.Product { // in both, people write about errors
		c.Complaint = complaintOf(s.title, c.Node)
	}
	return c
}

// main returns the content of a body without boilerplate, how it was found, and how many
// characters of remarks it left out. It takes the body apart, and adds the parts that it
// recognised and left out to l.
func main(body *html.Node, m *metadata.Metadata, address *url.URL, l *loss) (content *html.Node, by string, left int) {
	visible := chars(body)
	p := newPruner(unwanted(m.Kind), dom.Collapse(m.Title))
	p.prune(body)
	switch left := chars(body); {
	case left < minContent && visible < 2*minContent && 2*left < visible:
		p.removed.undo(nothing) // in so short a page boilerplate does no harm
		return body, Whole, 0
	case left < minContent && left*4 < visible, left*20 < visible:
		// What looked like boilerplate was the content.
		if m := dom.First(body, atom.Main); (m == nil || !p.restoreWithin(m)) && !p.restoreLargest() {
			p.removed.undo(nothing)
		}
	default:
		p.settle(body)
	}
	l.excuse(p)
	if m.Kind == metadata.Discussion {
		before := chars(body)
		shortenQuotes(body)
		l.cut = before - chars(body)
	}
	// A byline goes if the metadata have it.
	talk := m.Kind == metadata.Discussion
	o := readability.Options{Title: m.Title, Bylines: talk || m.Byline == "", Remarks: talk}
	if !talk { // the heads of posts say what the post is, not what is in it
		o.Entry = p.isOfEntry
	}
	article := newCandidate(readability.Article(body, o))
	rest := newCandidate(region(body, p.kinds))
	if article.node != nil && prefersArticle(article, rest, m.Kind, address.String()) {
		if (talk || m.Kind == metadata.Unknown) && article.tally.chars < rest.tally.chars {
			returnPosts(article.node, rest.node, talk)
		}
		return article.node, ByReadability, p.remarks()
	}
	return rest.node, ByMain, p.remarks()
}

// unwanted returns the parts that are not content in a page of that kind.
func unwanted(kind metadata.Kind) role {
	switch kind {
	case metadata.Discussion:
		return poster
	case metadata.Product:
		return remarks | reviews
	}
	return remarks
}
