package markdown

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
	"github.com/helve-dev/helve/pkg/html/layout"
)

// block reduces a pre element to its code and the name of its language, whatever a
// highlighter has added.
func block(pre *html.Node) {
	language := languageOf(pre)
	var b strings.Builder
	codeText(&b, pre)
	text := strings.Trim(strings.ReplaceAll(b.String(), "\r\n", "\n"), "\n")
	text = strings.ReplaceAll(text, "\u00a0", " ")
	if dom.Blank(text) {
		dom.Remove(pre)
		return
	}
	code := dom.Element(atom.Code)
	if language != "" {
		code.Attr = []html.Attribute{{Key: "class", Val: "language-" + language}}
	}
	code.AppendChild(dom.NewText(text))
	clean := dom.Element(atom.Pre)
	clean.AppendChild(code)
	dom.Replace(pre, clean)
}

// codeText writes the code below n: a line for each line element and each line
// break, without line numbers and buttons.
func codeText(b *strings.Builder, n *html.Node) {
	for c := range n.ChildNodes() {
		switch {
		case c.Type == html.TextNode:
			b.WriteString(c.Data)
		case c.Type != html.ElementNode, layout.IsGutter(c):
		case c.DataAtom == atom.Br:
			b.WriteByte('\n')
		default:
			line := isLine(c)
			if line {
				newLine(b)
			}
			at := b.Len()
			codeText(b, c)
			if line && (b.Len() == at || !strings.HasSuffix(b.String()[at:], "\n")) && c.NextSibling != nil {
				b.WriteByte('\n')
			}
		}
	}
}

// newLine ends the line if it has begun.
func newLine(b *strings.Builder) {
	if s := b.String(); s != "" && s[len(s)-1] != '\n' {
		b.WriteByte('\n')
	}
}

// isLine reports whether an element of code is a line that has no line break of its
// own, as most lines that are spans have.
func isLine(n *html.Node) bool {
	if dom.Is(n, atom.Div, atom.P, atom.Li, atom.Tr) {
		return true
	}
	next := n.NextSibling
	return dom.HasClass(n, "line", "code-line", "view-line", "token-line") &&
		next != nil && !(next.Type == html.TextNode && strings.HasPrefix(next.Data, "\n")) && !strings.HasSuffix(dom.RawText(n), "\n")
}
