package extract

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/web/dom"
)

// The bounds of what is done about quotes: what repeats so many letters is one,
// so much of it tells which post is answered, and no more are looked at.
const (
	quoteLetters = 40
	quoteKept    = 80 // characters
	quoteMost    = 300
	quoteRead    = 32 << 10 // bytes
	quoteWithin  = 1 << 20  // letters, in bytes
)

// shortenQuotes leaves of the quotes in a thread that repeat what stands above
// them no more than their beginnings.
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

// quoted are the letters of the longest paragraph of a quote: not of who is
// quoted, and not of what the program puts around it.
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

// shorten leaves the beginning of the text of n.
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

// firstWords is the beginning of a text, of about so many characters.
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

// letters is a text without white space and signs.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
