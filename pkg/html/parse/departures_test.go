package parse

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// departs returns why the tree of x/net/html departs from the standard, "" if it
// does not.
func departs(text string, want *html.Node) string {
	lower := strings.ToLower(text)
	has := func(atoms ...atom.Atom) bool {
		for n := range want.Descendants() {
			if slices.Contains(atoms, n.DataAtom) {
				return true
			}
		}
		return false
	}
	switch {
	case strings.Contains(text, "</>"):
		return "it makes an empty comment of </>"
	case regexp.MustCompile(`<!doctype[^>]*[^>\x01-%'-\x7f]`).MatchString(lower):
		return "it decodes references in doctypes, leaves NUL in them, and lowers the case of other letters than those of ASCII"
	case regexp.MustCompile(`<!doctype[^>]*['"]\s*[^\s>'"][^>'"]*(>|$)`).MatchString(lower):
		return "anything behind the identifiers of its doctypes means quirks"
	case regexp.MustCompile(`(?s)<!\[cdata\[.*&`).MatchString(lower):
		return "it decodes references in CDATA sections"
	case strings.Contains(lower, "<search"):
		return "search is not among its special elements"
	case has(atom.Frameset, atom.Template, atom.Colgroup) && regexp.MustCompile(`<(title|textarea|style|script|xmp|iframe|noembed|noframes|noscript|plaintext)`).MatchString(lower):
		return "it takes the content of elements that framesets and groups of columns leave out for raw text"
	case has(atom.Caption) && strings.Contains(lower, "<th"):
		return "th does not end its captions"
	case split(want):
		return "white space that text follows in a noscript in a head goes behind it"
	case adjacent(want):
		return "it does not join texts that a template takes from a table"
	case nested(want):
		return "its adoption agency leaves marks on the stack that are four elements or more above the block"
	case masked(want):
		return "it takes elements of SVG and MathML for those of HTML that have their names"
	case has(atom.Template) && has(atom.Tbody, atom.Thead, atom.Tfoot, atom.Tr, atom.Colgroup):
		return "it opens formatting elements again for white space in a template that is part of a table"
	case strings.Contains(lower, "<script") && regexp.MustCompile(`(?s)<!--.*<[^a-z/]`).MatchString(lower):
		return "in comments in scripts, < before what is no letter ends the comment"
	case regexp.MustCompile(`(?s)</(body|html).*<!doctype`).MatchString(lower):
		return "a doctype behind the body leads back into it"
	case strings.Contains(lower, "<template") && has(atom.Svg, atom.Math):
		return "it leaves out templates in SVG and MathML"
	case regexp.MustCompile(`<(pre|listing)\b[^>]*>[\r\n\x00]*<`).MatchString(lower):
		return "it leaves a line feed out behind pre if only tags without effect are between"
	}
	return ""
}

// adjacent reports whether there are texts next to each other.
func adjacent(doc *html.Node) bool {
	for n := range doc.Descendants() {
		if n.Type == html.TextNode && n.NextSibling != nil && n.NextSibling.Type == html.TextNode {
			return true
		}
	}
	return false
}

// masked reports whether elements of SVG or MathML have names to which rules of HTML
// apply.
func masked(doc *html.Node) bool {
	for n := range doc.Descendants() {
		if n.Namespace != "" && of(&html.Node{Type: html.ElementNode, DataAtom: n.DataAtom})&^special != 0 {
			return true
		}
	}
	return false
}

// split reports whether there is text after a noscript element in a head.
func split(doc *html.Node) bool {
	for n := range doc.Descendants() {
		if n.DataAtom == atom.Noscript && n.Parent.DataAtom == atom.Head && n.NextSibling != nil && n.NextSibling.Type == html.TextNode {
			return true
		}
	}
	return false
}

// nested reports whether two formatting elements are nested around four elements.
func nested(doc *html.Node) bool {
	marks := func(n *html.Node) bool {
		return n.Namespace == "" && (isFormatting(n.DataAtom) || n.DataAtom == atom.A || n.DataAtom == atom.Nobr)
	}
	for n := range doc.Descendants() {
		above, outer := 0, 0
		for p := n; p != nil && p.Type == html.ElementNode; p = p.Parent {
			if above++; above > 3 && marks(p) {
				outer++
			}
		}
		if outer > 1 {
			return true
		}
	}
	return false
}
