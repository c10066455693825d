package parse

import (
	"iter"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Kind is the kind of a token.
type Kind uint8

// The kinds of tokens.
const (
	Text Kind = iota + 1
	StartTag
	EndTag
	Comment
	Doctype
	Unfinished // a tag in which the text ends; not part of a page
	end        // of the text
)

// Token is a piece of HTML.
type Token struct {
	Kind Kind
	Atom atom.Atom        // of a tag; 0 for an unknown name
	Data string           // decoded text or comment; name of a tag or doctype in lower case
	Raw  string           // as written, except for line breaks
	Attr []html.Attribute // of a start tag or doctype; valid up to the next token
	// SelfClosing reports that the tag ends with a slash, which has a meaning only in
	// SVG and MathML.
	SelfClosing bool

	force bool // the force-quirks flag of a doctype
}

// mostAttributes limits the attributes of a tag that [Tokens] returns.
const mostAttributes = 1000

// Tokens splits a text into tokens without building a tree. It recognises elements
// whose content is text, such as script and title, by their names alone.
func Tokens(text string) iter.Seq[*Token] {
	return func(yield func(*Token) bool) {
		z := tokenizer{text: newlines(text), bounded: true, attributes: mostAttributes}
		for z.next() {
			if !yield(&z.tok) {
				return
			}
			if z.tok.Kind == StartTag {
				z.read(z.tok.Atom)
			}
		}
	}
}
