// Package parse makes trees and tags of HTML, as the WHATWG's standard of HTML
// has browsers read it (https://html.spec.whatwg.org/multipage/parsing.html),
// without scripts. It renders nothing and judges no content.
//
// Trees are of the nodes of golang.org/x/net/html and are those that the parser
// there makes. That parser is not used, because it fills maps of the named
// characters whenever a program starts that contains it.
package parse

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Limits bound what the tree of a page may take, whatever the page asks for. A
// limit of 0 is none.
type Limits struct {
	Nodes      int // elements, texts and comments of the tree; what comes after is not read
	Depth      int // elements open at once; tags of deeper ones are left out, not what is in them
	Marks      int // marks such as b that are open at once, and again in each block that follows
	Attributes int // attributes of all elements together; later ones are left out
}

// Limit is a set of limits.
type Limit uint8

// The limits that a page can reach.
const (
	Nodes Limit = 1 << iota
	Depth
	Marks
	Attributes
)

// Document reads a page as browsers do that run no scripts, so that what stands in
// noscript is part of the tree, and tells which limits it reached. The tree shares
// the memory of the text.
func Document(text string, most Limits) (doc *html.Node, reached Limit) {
	b := builder{z: tokenizer{text: newlines(text), bounded: most.Attributes > 0}, most: most}
	b.doc = b.node(html.DocumentNode, "")
	for b.reached&Nodes == 0 {
		b.z.cdata = len(b.stack) > 0 && b.top().traits&foreign != 0
		b.z.attributes = most.Attributes - b.attributes
		if !b.z.next() || b.z.tok.Kind == Unfinished {
			break
		}
		b.token()
	}
	b.z.tok = Token{Kind: end}
	for !b.step(&b.z.tok) {
	}
	for n, text := range b.long {
		n.Data = text.String()
	}
	return b.doc, b.reached
}

// newlines makes every end of a line a line feed (section 13.2.3.5).
func newlines(text string) string {
	if strings.IndexByte(text, '\r') < 0 {
		return text
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// builder makes a tree of tokens (section 13.2.6).
type builder struct {
	z   tokenizer
	doc *html.Node

	stack     []open       // of open elements, the root first
	active    []*html.Node // the list of active formatting elements; nil is a marker
	mode      mode
	original  mode   // to which the text mode returns
	templates []mode // the stack of template insertion modes
	head      *html.Node
	form      *html.Node

	quirks    bool
	noFrames  bool // the frameset-ok flag is not ok
	fostering bool
	skipLF    bool // a line feed that comes next is left out

	most       Limits
	reached    Limit
	nodes      int
	attributes int
	skipped    map[string]int // the elements left out that are not closed yet

	slab  []html.Node
	attrs []html.Attribute
	long  map[*html.Node]*strings.Builder // texts made of several pieces
	names [2]map[string]struct{}          // of the attributes of a root and a body that are repeated
}

// token works on the token at hand (section 13.2.6, tree construction dispatcher).
func (b *builder) token() {
	t := &b.z.tok
	if b.skipLF {
		b.skipLF = false
		if t.Kind == Text && strings.HasPrefix(t.Data, "\n") {
			if t.Data = t.Data[1:]; t.Data == "" {
				return
			}
		}
	}
	alien := b.foreignContent(t)
	if (t.Kind == StartTag || t.Kind == EndTag) && b.beyond(t, alien) {
		return
	}
	for {
		if alien && b.inForeign(t) || b.step(t) {
			return
		}
		alien = b.foreignContent(t)
	}
}

// foreignContent reports whether a token belongs to SVG or MathML.
func (b *builder) foreignContent(t *Token) bool {
	if len(b.stack) == 0 {
		return false
	}
	top := b.top()
	if top.traits&foreign == 0 {
		return false
	}
	start := t.Kind == StartTag
	switch {
	case top.traits&mathText != 0 && (t.Kind == Text || start && t.Atom != atom.Mglyph && t.Atom != atom.Malignmark),
		start && t.Atom == atom.Svg && top.node.Namespace == "math" && top.node.DataAtom == atom.AnnotationXml,
		top.traits&htmlPoint != 0 && (t.Kind == Text || start):
		return false
	}
	return true
}

// beyond reports whether the tag of an element is to be left out because of a
// limit.
func (b *builder) beyond(t *Token, alien bool) bool {
	if len(b.stack) < b.most.Depth {
		clear(b.skipped) // what they were in is closed, and so are they
	}
	if t.Kind == EndTag {
		if b.skipped[t.Data] == 0 {
			return false
		}
		b.skipped[t.Data]--
		return true
	}
	switch {
	case b.most.Depth > 0 && len(b.stack) >= b.most.Depth:
		if alien && t.SelfClosing || !alien && (isVoid(t.Atom) || isRaw(t.Atom)) {
			return false // these take no further elements in
		}
		if b.skipped == nil {
			b.skipped = map[string]int{}
		}
		b.skipped[t.Data]++
		b.reached |= Depth
		return true
	case b.most.Marks > 0 && !alien && isFormatting(t.Atom) && b.marks() >= b.most.Marks:
		b.reached |= Marks
		return true
	}
	return false
}
