package readability

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// sums counts what an element holds, with all that is below it.
type sums struct {
	chars                     int     // characters, runs of white space as one
	links                     float64 // characters in links; those within the page count less
	commas                    int
	headings                  int // characters in headings
	lists                     int // characters in lists
	textish                   int // characters in elements that usually hold prose
	p, img, li, input, embeds int
	video                     bool // an embedded video from a known host
	data                      bool // a table of data
	code                      bool
}

// density returns the share of the text that is in links.
func (s sums) density() float64 {
	if s.chars == 0 {
		return 0
	}
	return s.links / float64(s.chars)
}

func (s *sums) add(c sums) {
	s.chars += c.chars
	s.links += c.links
	s.commas += c.commas
	s.headings += c.headings
	s.lists += c.lists
	s.textish += c.textish
	s.p += c.p
	s.img += c.img
	s.li += c.li
	s.input += c.input
	s.embeds += c.embeds
	s.video = s.video || c.video
	s.data = s.data || c.data
	s.code = s.code || c.code
}

// measure counts what n holds.
func measure(n *html.Node) sums {
	if n == nil {
		return sums{}
	}
	if n.Type == html.TextNode {
		return ofText(n.Data)
	}
	var s sums
	for c := range n.ChildNodes() {
		s.add(measure(c))
	}
	s.enter(n)
	return s
}

// ofText counts a text. A space at its beginning counts and one at its end does
// not, so that the sum over neighbours is the length of them all.
func ofText(text string) sums {
	var s sums
	space := false
	for _, r := range text {
		if unicode.IsSpace(r) {
			space = true
			continue
		}
		if space {
			s.chars++
			space = false
		}
		s.chars++
		switch r {
		case ',', '\u060c', '\ufe50', '\ufe10', '\ufe11', '\u2e41', '\u2e34', '\u2e32', '\uff0c':
			s.commas++
		}
	}
	return s
}

// enter counts n itself, once what is in it has been counted.
func (s *sums) enter(n *html.Node) {
	switch n.DataAtom {
	case atom.A:
		weight := 1.0
		if href := dom.Attr(n, "href"); len(href) > 1 && href[0] == '#' {
			weight = 0.3
		}
		s.links += float64(s.chars) * weight
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		s.headings = s.chars
	case atom.Ul, atom.Ol:
		s.lists = s.chars
	case atom.P:
		s.p++
	case atom.Img:
		s.img++
	case atom.Input:
		s.input++
	case atom.Code, atom.Pre:
		s.code = true
	case atom.Object, atom.Embed, atom.Iframe:
		s.embeds++
		s.video = s.video || isVideo(n)
	case atom.Li:
		s.li++
	}
	switch n.DataAtom {
	case atom.Span, atom.Li, atom.Td, atom.Blockquote, atom.Dl, atom.Div, atom.Img, atom.Ol, atom.P, atom.Pre, atom.Table, atom.Ul:
		s.textish = s.chars
	}
}

// isVideo reports whether n embeds a video from a known host.
func isVideo(n *html.Node) bool {
	for _, a := range n.Attr {
		if dom.ContainsAny(strings.ToLower(a.Val),
			"//www.youtube.com", "//youtube.com", "youtube-nocookie.com", "//player.vimeo.com", "dailymotion.com", "//v.qq.com",
			"//archive.org", "//upload.wikimedia.org", "//player.twitch.tv", "bilibili.com") {
			return true
		}
	}
	return false
}
