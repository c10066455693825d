package extract

import (
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// separateWords puts a space between elements of a line that would run into one
// word, such as a label and its number. Browsers separate them by style sheets,
// which are not read.
func separateWords(n *html.Node) {
	if dom.Is(n, atom.Pre, atom.Code, atom.Math, atom.Svg, atom.Ruby) {
		return
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode {
			continue
		}
		separateWords(c)
		if s := c.NextSibling; isPhrase(c) && s != nil && isPhrase(s) && needSpace(c, s) {
			n.InsertBefore(dom.NewText(" "), s)
		}
	}
}

func isPhrase(n *html.Node) bool {
	return dom.Is(n, atom.A, atom.Span, atom.Label, atom.Time, atom.Button, atom.Small)
}

// needSpace reports whether a and b cannot be meant as one word.
func needSpace(a, b *html.Node) bool {
	left, right := edgeRune(a, true), edgeRune(b, false)
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

// edgeRune returns the last or the first character of n; 0 if it has none.
func edgeRune(n *html.Node, last bool) rune {
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
