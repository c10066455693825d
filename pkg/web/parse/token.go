package parse

import (
	"iter"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Kind is what a token is.
type Kind uint8

// The kinds of tokens.
const (
	Text Kind = iota + 1
	StartTag
	EndTag
	Comment
	Doctype
	Unfinished // a tag that the text ends in; not part of a page
	end        // of the text
)

// Token is a piece of a text in HTML.
type Token struct {
	Kind Kind
	Atom atom.Atom        // of a tag; 0 if its name is of no meaning
	Data string           // a text or comment, decoded; a name of a tag or doctype in lower case
	Raw  string           // as it was written, but for the ends of lines
	Attr []html.Attribute // of a start tag or doctype; valid up to the next token
	// SelfClosing is whether the tag ends with a slash, which only means something
	// in SVG and MathML.
	SelfClosing bool

	force bool // the force-quirks flag of a doctype
}

// mostAttributes is how many attributes of a tag Tokens tells.
const mostAttributes = 1000

// Tokens cuts a text into tokens, without making a tree of them: elements whose
// content is text, such as script and title, are told by their names alone.
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
