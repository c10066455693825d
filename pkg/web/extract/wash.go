package extract

import (
	"strings"

	"golang.org/x/net/html"
)

// washed takes from the texts of a tree, those of attributes such as alt
// included, the characters that no reader sees and that can carry what no reader
// is meant to: tags, zero-width characters, overrides of the direction. It says
// how many there were.
func washed(root *html.Node) int {
	odd := 0
	clean := func(s *string) {
		text, count := wash(*s)
		*s = text
		odd += count
	}
	for n := range root.Descendants() {
		if n.Type == html.TextNode {
			clean(&n.Data)
		}
		for i := range n.Attr {
			switch a := &n.Attr[i]; a.Key {
			case "href", "src", "srcset", "cite", "poster", "action": // addresses, which are written with escapes
			default:
				clean(&a.Val)
			}
		}
	}
	return odd
}

// Odd counts the characters of a text that no reader sees and that can carry what
// no reader is meant to.
func Odd(text string) int {
	_, count := wash(text)
	return count
}

func wash(s string) (string, int) {
	count := 0
	clean := strings.Map(func(r rune) rune {
		switch {
		case r == '\u00ad': // a soft hyphen: where a word may be broken
			return -1
		case r == '\u200b', r == '\u2060', r == '\ufeff', r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069',
			r >= 0xe0000 && r <= 0xe007f, r >= 0x1 && r < ' ' && r != '\t' && r != '\n' && r != '\r' && r != '\f':
			count++
			return -1
		}
		return r
	}, s)
	return clean, count
}

// shortened removes what comes after so many bytes of text, and says whether
// that was anything.
func shortened(root *html.Node, most int) bool {
	left, cut := most, false
	var behind []*html.Node
	for n := range root.Descendants() {
		switch {
		case n.Type != html.TextNode:
		case left == 0:
			behind = append(behind, n)
		case len(n.Data) > left:
			n.Data = strings.ToValidUTF8(strings.Clone(n.Data[:left]), "")
			left, cut = 0, true
		default:
			left -= len(n.Data)
		}
	}
	for _, n := range behind {
		n.Parent.RemoveChild(n)
	}
	return cut || len(behind) > 0
}
