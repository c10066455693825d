package parse

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Limits bound the tree of a page. A limit of 0 is none.
type Limits struct {
	Nodes      int // nodes of the tree; the rest of the page is not read
	Depth      int // open elements; deeper ones lose their tags, but not their content
	Marks      int // open formatting elements such as b, which each following block may open again
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

// Document parses a page as a browser without scripts does, so that the content
// of noscript elements is part of the tree. It also returns which limits the page
// reached. The tree shares the memory of the text.
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

// newlines turns every line break into a line feed (section 13.2.3.5).
func newlines(text string) string {
	if strings.IndexByte(text, '\r') < 0 {
		return text
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// builder builds a tree from tokens (section 13.2.6).
type builder struct {
	z   tokenizer
	doc *html.Node

	stack     []open       // open elements, the root first
	active    []*html.Node // list of active formatting elements; nil is a marker
	mode      mode
	original  mode   // the mode that follows the text mode
	templates []mode // stack of template insertion modes
	head      *html.Node
	form      *html.Node

	quirks    bool
	noFrames  bool // the frameset-ok flag is off
	fostering bool
	skipLF    bool // a line feed at the beginning of the next text is dropped

	most       Limits
	reached    Limit
	nodes      int
	attributes int
	skipped    map[string]int // elements whose tags were left out and that are still open

	slab  []html.Node
	attrs []html.Attribute
	long  map[*html.Node]*strings.Builder // texts of several pieces
	names [2]map[string]struct{}          // attributes of the root and of the body, if their tags are repeated
}

// token processes the current token (section 13.2.6, tree construction dispatcher).
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

// foreignContent reports whether a token is processed by the rules of SVG and MathML.
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

// beyond reports whether a tag is left out because of a limit.
func (b *builder) beyond(t *Token, alien bool) bool {
	if len(b.stack) < b.most.Depth {
		clear(b.skipped) // the element around them is closed, so they are, too
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
			return false // these contain no elements
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
