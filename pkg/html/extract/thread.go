package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

const (
	fewestPosts = 3   // posts that make a thread
	postChars   = 20  // characters outside of links that a post has at least
	shareOfAll  = 0.5 // of the page's text outside of links, that the posts have at least
)

// isThread reports whether a body is a thread: blocks of one kind beside each other,
// each with who wrote it, when, and a text, that hold most of what the page says.
// Remarks under an article look the same, but the article holds more; the entries of
// a list have titles that lead elsewhere.
func isThread(body *html.Node) bool {
	most := 0
	var walk func(*html.Node) posting
	walk = func(n *html.Node) posting {
		if n.Type == html.TextNode {
			return posting{text: dom.Length(n.Data)}
		}
		if dom.Silent(n) || surrounds(n) && n.DataAtom != atom.Header {
			return posting{}
		}
		var p posting
		var rows map[row]rowSum
		for c := range n.ChildNodes() {
			inner := walk(c)
			p.add(inner)
			if c.Type == html.ElementNode && inner.isPost() {
				if rows == nil {
					rows = map[row]rowSum{}
				}
				r := rows[rowOf(c)]
				r.posts++
				r.text += inner.text
				rows[rowOf(c)] = r
			}
		}
		for _, r := range rows {
			if r.posts >= fewestPosts {
				most = max(most, r.text)
			}
		}
		p.enter(n)
		return p
	}
	all := walk(body).text
	return most > 0 && float64(most) >= shareOfAll*float64(all)
}

// row groups posts beside each other by their tag and first class; further classes often
// number the posts or mark the first.
type row struct {
	tag   atom.Atom
	class string
}

// rowSum counts the posts of a row and their characters.
type rowSum struct{ posts, text int }

func rowOf(n *html.Node) row {
	class := strings.TrimSpace(dom.Attr(n, "class"))
	class, _, _ = strings.Cut(class[:min(len(class), kindBytes)], " ")
	return row{n.DataAtom, class}
}

// posting holds the signs that a part of the page is a post.
type posting struct {
	text    int // characters outside of links
	author  bool
	date    bool
	title   bool // a heading that is a link, but not to the author
	link    bool
	heading bool
}

func (p *posting) add(o posting) {
	p.text += o.text
	p.author = p.author || o.author
	p.date = p.date || o.date
	p.title = p.title || o.title
	p.link = p.link || o.link
	p.heading = p.heading || o.heading
}

// isPost reports whether it has all that a post has.
func (p *posting) isPost() bool { return p.author && p.date && !p.title && p.text >= postChars }

// enter adds what n itself shows, once what is in it is known.
func (p *posting) enter(n *html.Node) {
	for _, key := range [...]string{"class", "itemprop", "rel", "datetime", "data-time", "data-timestamp", "data-author", "data-username"} {
		value := dom.Attr(n, key)
		if value == "" {
			continue
		}
		switch key {
		case "datetime", "data-time", "data-timestamp":
			p.date = true
		case "data-author", "data-username":
			p.author = true
		default:
			p.read(value)
		}
	}
	switch {
	case n.DataAtom == atom.A:
		p.text, p.link = 0, !strings.Contains(dom.Attr(n, "href"), "#") // else it leads to the post itself
		p.title = p.title || p.heading && !p.author
	case n.DataAtom == atom.Time:
		p.date = true
	case dom.Heading(n) > 1:
		p.heading = true
		p.title = p.title || p.link && !p.author // of a post, the author may be the heading
	}
}

// read reads the words of a class.
func (p *posting) read(words string) {
	for part := range strings.FieldsFuncSeq(strings.ToLower(words[:min(len(words), kindBytes)]), func(c rune) bool { return c < 'a' || c > 'z' }) {
		switch part {
		case "author", "user", "username", "poster", "member", "nick", "nickname", "userinfo", "byline":
			p.author = true
		case "date", "time", "timestamp", "posted", "datetime", "datepublished", "datecreated", "postdate", "ago":
			p.date = true
		}
	}
}
