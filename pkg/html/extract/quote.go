package extract

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

const (
	quoteLetters = 40       // letters that a quote must repeat to be shortened
	quoteKept    = 80       // characters that stay: enough to tell which post is answered
	quoteMost    = 300      // quotes that are looked at
	quoteRead    = 32 << 10 // bytes of a quote that are read
	quoteWithin  = 1 << 20  // bytes of the letters above that are compared
)

// shortenQuotes cuts the quotes in a thread that repeat a post above them down to
// their beginnings.
func shortenQuotes(body *html.Node) {
	var above strings.Builder
	quotes := 0
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			if above.Len() < quoteWithin {
				above.WriteString(letters(n.Data))
			}
			return
		}
		if isQuote(n) && quotes < quoteMost {
			quotes++
			if said := quoted(n); len(said) >= quoteLetters && strings.Contains(above.String(), said) {
				shorten(n)
				return
			}
		}
		for c := range n.ChildNodes() {
			walk(c)
		}
	}
	walk(body)
}

func isQuote(n *html.Node) bool {
	if dom.Is(n, atom.Blockquote) || dom.Attr(n, "component") == "post/parent" { // of NodeBB
		return true
	}
	return dom.Is(n, atom.Div, atom.Aside) &&
		dom.HasClass(n, "quote", "quote_container", "bbcode_quote", "bbcodequote", "quotecontent", "quotebox", "codebox-quote", "post-quote")
}

// quoted returns the letters of the longest paragraph of a quote, which is neither
// the name of its author nor a label of the forum.
func quoted(n *html.Node) string {
	longest, read := "", 0
	for d := range n.Descendants() {
		if d.Type != html.TextNode {
			continue
		}
		if read += len(d.Data); read > quoteRead {
			break
		}
		if l := letters(d.Data); len(l) > len(longest) {
			longest = l
		}
	}
	return longest
}

// shorten cuts the text of n down to its beginning.
func shorten(n *html.Node) {
	left := quoteKept
	for _, d := range texts(n) {
		switch length := dom.Length(d.Data); {
		case left == 0:
			dom.Remove(d)
		case length > left:
			d.Data = firstWords(d.Data, left) + "…"
			left = 0
		default:
			left -= length
		}
	}
}

// firstWords returns the first words of a text, about most characters of them.
func firstWords(s string, most int) string {
	var b strings.Builder
	sum := 0
	for w := range strings.FieldsSeq(s) {
		length := len([]rune(w)) + 1
		if sum > 0 && sum+length > most {
			break
		}
		if sum > 0 {
			b.WriteByte(' ')
		}
		if sum == 0 && length > most {
			w = string([]rune(w)[:most])
		}
		b.WriteString(w)
		sum += length
	}
	return b.String()
}

// letters returns the letters and digits of a text, in lower case.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
