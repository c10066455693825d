package dom

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Text returns the text that n shows, with each run of white space as one space and
// none at the ends. A space separates blocks.
func Text(n *html.Node) string {
	var b strings.Builder
	space := false
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		switch n.Type {
		case html.TextNode:
			for _, r := range n.Data {
				if unicode.IsSpace(r) {
					space = true
					continue
				}
				if space && b.Len() > 0 {
					b.WriteByte(' ')
				}
				space = false
				b.WriteRune(r)
			}
			return
		case html.ElementNode:
			if Silent(n) {
				return
			}
			space = space || IsBlock(n) || n.DataAtom == atom.Br
		}
		for c := range n.ChildNodes() {
			walk(c)
		}
		space = space || IsBlock(n)
	}
	walk(n)
	return b.String()
}

// RawText returns the text below n as the source has it, white space included.
func RawText(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// Blank reports whether s is white space only.
func Blank(s string) bool { return strings.TrimSpace(s) == "" }

// IsBlank reports whether n is a text that is white space only.
func IsBlank(n *html.Node) bool { return n.Type == html.TextNode && Blank(n.Data) }

// Collapse returns s with each run of white space as one space, and none at the
// ends.
func Collapse(s string) string { return strings.Join(strings.Fields(s), " ") }

// ContainsAny reports whether s contains one of these texts.
func ContainsAny(s string, texts ...string) bool {
	return slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(s, t) })
}

// Length returns how many characters Collapse(s) has.
func Length(s string) int {
	n, space := 0, false
	for _, r := range s {
		if unicode.IsSpace(r) {
			space = true
			continue
		}
		if space && n > 0 {
			n++
		}
		space = false
		n++
	}
	return n
}

// Silent reports whether n is an element whose content is never shown.
func Silent(n *html.Node) bool {
	return Is(n, atom.Script, atom.Style, atom.Template, atom.Head, atom.Noframes)
}

// IsBlock reports whether n is an element that begins a new line.
func IsBlock(n *html.Node) bool {
	if n.Type != html.ElementNode {
		return false
	}
	switch n.DataAtom {
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Center, atom.Dd, atom.Details,
		atom.Dialog, atom.Dir, atom.Div, atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer,
		atom.Form, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Header, atom.Hgroup, atom.Hr, atom.Html,
		atom.Li, atom.Main, atom.Menu, atom.Nav, atom.Ol, atom.P, atom.Pre, atom.Section, atom.Summary, atom.Table,
		atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr, atom.Ul, atom.Caption, atom.Option, atom.Legend:
		return true
	}
	return false
}

// HoldsBlock reports whether there is a block in n.
func HoldsBlock(n *html.Node) bool {
	for d := range n.Descendants() {
		if IsBlock(d) {
			return true
		}
	}
	return false
}

// Heading returns the level of a heading, 1 to 6; 0 for any other node.
func Heading(n *html.Node) int {
	switch {
	case n.Type != html.ElementNode:
		return 0
	case len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && n.Data[1] <= '6':
		return int(n.Data[1] - '0')
	}
	return 0
}
