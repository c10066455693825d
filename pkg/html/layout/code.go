package layout

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// Code removes what is not code from the blocks of code below root: line numbers, buttons,
// and texts that cannot be selected, such as prompts. Tables that put the numbers beside
// the code, or each line into a row, become pre elements. It must run before [Unwrap].
func Code(root *html.Node) {
	for _, t := range dom.All(root, atom.Table) {
		if t.Parent != nil && !dom.Inside(t, atom.Pre) {
			codeTable(t)
		}
	}
	for _, code := range dom.All(root, atom.Code) {
		if hasLines(code) && !dom.Inside(code, atom.Pre, atom.Td, atom.Th, atom.A, atom.Li) {
			block(code)
		}
	}
	for _, pre := range dom.All(root, atom.Pre) {
		if pre.Parent == nil || dom.Inside(pre, atom.Pre) {
			continue
		}
		removeBeside(pre, textBytes(pre))
		if s := numbersBefore(pre); s != nil {
			dom.Remove(s)
		}
	}
}

// hasLines reports whether an element of code is a block of more than one line.
func hasLines(code *html.Node) bool {
	if dom.First(code, atom.Br) != nil {
		return true
	}
	style := strings.ReplaceAll(strings.ToLower(dom.Attr(code, "style")), " ", "")
	return strings.Contains(style, "white-space:pre") && strings.Contains(strings.TrimSpace(dom.RawText(code)), "\n")
}

// block puts an element of code into a pre element, in the place of the paragraph that
// holds nothing else.
func block(code *html.Node) {
	pre := dom.Element(atom.Pre)
	place := code
	if p := code.Parent; dom.Is(p, atom.P) {
		if dom.OnlyChild(p) == code {
			place = p
		} else {
			dom.Rename(p, atom.Div) // no paragraph holds a block
		}
	}
	dom.Replace(place, pre)
	dom.Remove(code)
	pre.AppendChild(code)
}

// removeBeside removes what is not code from an element of code whose text has so many
// bytes. What cannot be selected stays if it is all of it; then whole is 0, so that
// no text is measured twice.
func removeBeside(n *html.Node, whole int) {
	for c := n.FirstChild; c != nil; {
		follows := c.NextSibling
		inner := whole
		if c.Type == html.ElementNode && whole > 0 && cannotBeSelected(c) && textBytes(c) >= whole {
			inner = 0
		}
		switch {
		case c.Type != html.ElementNode:
		case IsGutter(c), inner > 0 && cannotBeSelected(c):
			n.RemoveChild(c)
		default:
			removeBeside(c, inner)
		}
		c = follows
	}
}

// IsGutter reports whether an element in or around a block of code is not code but
// line numbers or a button.
func IsGutter(n *html.Node) bool {
	if dom.Is(n, atom.Button, atom.Script, atom.Style, atom.Svg, atom.Textarea) {
		return true
	}
	if n.Type != html.ElementNode || dom.Is(n, atom.Code) {
		return false
	}
	class := dom.Attr(n, "class")
	switch {
	case class == "" && !dom.Has(n, "data-line-number"):
		return false
	case dom.Has(n, "data-line-number"), slices.ContainsFunc(strings.Fields(class), isNumberClass):
		return wordless(n)
	}
	return slices.ContainsFunc(strings.Fields(class), isCopyClass) && dom.Length(dom.RawText(n)) < copyChars
}

// copyChars is the longest label of a button that copies code, in characters.
const copyChars = 40

// isNumberClass reports whether a class names the line numbers of code, in the words
// of the common highlighters.
func isNumberClass(class string) bool {
	class = strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(class), "-", ""), "_", "") // each element asks: nothing is built
	switch class {
	case "ln", "lnt", "gutter", "blobnum", "linesnum", "hljslnnumbers", "rougegutter":
		return true
	}
	return dom.ContainsAny(class, "lineno", "linenum", "linenr", "crayonnum", "guttercell")
}

func isCopyClass(class string) bool {
	class = strings.ToLower(class)
	for part := range strings.FieldsFuncSeq(class, func(r rune) bool { return r == '-' || r == '_' }) {
		switch part {
		case "copy", "copybtn", "copybutton", "clipboard", "copycode":
			return true
		}
	}
	return false
}

// wordless reports whether n holds no letters.
func wordless(n *html.Node) bool {
	for d := range n.Descendants() {
		if d.Type == html.TextNode && strings.ContainsFunc(d.Data, unicode.IsLetter) {
			return false
		}
	}
	return true
}

// cannotBeSelected reports whether the style or a common class of n keeps its text
// from being copied.
func cannotBeSelected(n *html.Node) bool {
	if dom.HasClass(n, "select-none", "user-select-none", "unselectable", "noselect", "no-select", "nonselectable", "non-selectable", "not-selectable") {
		return true
	}
	style := dom.Attr(n, "style")
	if style == "" {
		return false
	}
	for declaration := range strings.SplitSeq(strings.ToLower(style), ";") {
		key, value, _ := strings.Cut(declaration, ":")
		if strings.HasSuffix(strings.TrimSpace(key), "user-select") {
			if word, _, _ := strings.Cut(strings.TrimSpace(value), "!"); strings.TrimSpace(word) == "none" {
				return true
			}
		}
	}
	return false
}

// numbersBefore returns the element right before a block of code, or before what is
// around it alone, that holds nothing but its line numbers; nil for none.
func numbersBefore(pre *html.Node) *html.Node {
	for n := pre; n != nil && n.Parent != nil; n = n.Parent {
		before := n.PrevSibling
		for before != nil && dom.IsBlank(before) {
			before = before.PrevSibling
		}
		if before != nil {
			if before.Type == html.ElementNode && consecutive(before) == linesOf(pre) {
				return before
			}
			return nil
		}
		if dom.OnlyChild(n.Parent) != n || !dom.Is(n.Parent, atom.Div, atom.Td, atom.Figure, atom.Span) {
			return nil
		}
	}
	return nil
}

// consecutive returns how many numbers n holds, if they are two or more consecutive
// ones and there is nothing else; 0 else.
func consecutive(n *html.Node) int {
	last, count := 0, 0
	for d := range n.Descendants() {
		if d.Type != html.TextNode {
			continue
		}
		for w := range strings.FieldsSeq(d.Data) {
			i, err := strconv.Atoi(strings.TrimRight(w, ".:|"))
			if err != nil || count > 0 && i != last+1 {
				return 0
			}
			last = i
			count++
		}
	}
	if count < 2 {
		return 0
	}
	return count
}

// linesOf returns how many lines a block of code has.
func linesOf(pre *html.Node) int {
	lines, begun := 1, false
	for d := range pre.Descendants() {
		if d.Type != html.TextNode {
			continue
		}
		text := d.Data
		if !begun {
			text = strings.TrimLeft(text, "\n")
			begun = text != ""
		}
		lines += strings.Count(text, "\n")
	}
	if text := dom.RawText(pre); strings.HasSuffix(text, "\n") {
		lines -= len(text) - len(strings.TrimRight(text, "\n"))
	}
	return lines
}
