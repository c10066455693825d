package markdown

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/web/dom"
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
	dom.Replace(frame(pre), clean)
}

// frame returns the table in which a highlighter puts line numbers beside the code;
// pre itself if there is none.
func frame(pre *html.Node) *html.Node {
	for a := range pre.Ancestors() {
		if a.DataAtom != atom.Table {
			continue
		}
		if strings.Contains(dom.Mark(a), "highlight") || strings.Contains(dom.Mark(a), "code") || dom.First(a, atom.Th) == nil && numbers(a, pre) {
			return a
		}
		break
	}
	return pre
}

// numbers reports whether a table holds only numbers besides pre.
func numbers(table, pre *html.Node) bool {
	for d := range table.Descendants() {
		if d.Type == html.TextNode && !dom.Contains(pre, d) && strings.Trim(d.Data, "0123456789 \t\r\n") != "" {
			return false
		}
	}
	return true
}

// codeText writes the code below n: a line for each line element and each line
// break, without line numbers and buttons.
func codeText(b *strings.Builder, n *html.Node) {
	for c := range n.ChildNodes() {
		switch {
		case c.Type == html.TextNode:
			b.WriteString(c.Data)
		case c.Type != html.ElementNode, isGutter(c):
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

// isGutter reports whether an element is beside the code: line numbers or buttons.
func isGutter(n *html.Node) bool {
	if dom.Is(n, atom.Button, atom.Script, atom.Style, atom.Svg, atom.Textarea) {
		return true
	}
	return !dom.Is(n, atom.Code) && dom.HasClass(n,
		"gutter", "linenos", "lineno", "linenodiv", "line-number", "line-numbers", "linenumber", "line-numbers-rows", "ln", "lnt", "blob-num",
		"copy", "copy-btn", "copybtn", "copy-button", "copy-code", "clipboard", "hljs-ln-numbers", "code-copy")
}
