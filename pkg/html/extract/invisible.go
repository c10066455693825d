package extract

import (
	"strings"

	"golang.org/x/net/html"
)

// removeInvisible removes invisible characters from the texts of a tree, those of
// attributes such as alt included, and returns how many there were: tag
// characters, zero-width characters, overrides of the direction. They can carry
// instructions that no reader of the page sees.
func removeInvisible(root *html.Node) int {
	sum := 0
	clean := func(s *string) {
		text, count := StripInvisible(*s, true)
		*s = text
		sum += count
	}
	for n := range root.Descendants() {
		if n.Type == html.TextNode {
			clean(&n.Data)
		}
		for i := range n.Attr {
			switch a := &n.Attr[i]; a.Key {
			case "href", "src", "srcset", "cite", "poster", "action": // addresses are escaped when they are written
			default:
				clean(&a.Val)
			}
		}
	}
	return sum
}

// StripInvisible returns a text without the invisible characters that can hide
// instructions, and how many there were: those of format, and with controls also control
// characters that are no white space.
func StripInvisible(s string, controls bool) (clean string, count int) {
	clean = strings.Map(func(r rune) rune {
		switch {
		case r == '\u00ad': // a soft hyphen is harmless: it marks where a word may be broken
			return -1
		case r == '\u200b', r == '\u2060', r == '\ufeff', r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069',
			r >= 0xe0000 && r <= 0xe007f, controls && r >= 0x1 && r < ' ' && r != '\t' && r != '\n' && r != '\r' && r != '\f':
			count++
			return -1
		}
		return r
	}, s)
	return clean, count
}

// truncateText removes the text after the first most bytes, and reports whether
// there was any.
func truncateText(root *html.Node, most int) bool {
	left, cut := most, false
	var rest []*html.Node
	for n := range root.Descendants() {
		switch {
		case n.Type != html.TextNode:
		case left == 0:
			rest = append(rest, n)
		case len(n.Data) > left:
			n.Data = strings.ToValidUTF8(strings.Clone(n.Data[:left]), "")
			left, cut = 0, true
		default:
			left -= len(n.Data)
		}
	}
	for _, n := range rest {
		n.Parent.RemoveChild(n)
	}
	return cut || len(rest) > 0
}
