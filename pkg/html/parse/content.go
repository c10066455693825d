package parse

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// content is a tokenizer mode for the content of an element.
type content uint8

const (
	markup    content = iota // with elements
	escapable                // RCDATA: text with character references
	literal                  // RAWTEXT: text as it is
	script
	plaintext
)

// read sets how the content of the element just opened is read.
func (z *tokenizer) read(element atom.Atom) {
	switch element {
	case atom.Title, atom.Textarea:
		z.content = escapable
	case atom.Style, atom.Xmp, atom.Iframe, atom.Noembed, atom.Noframes:
		z.content = literal
	case atom.Script:
		z.content = script
	case atom.Plaintext:
		z.content = plaintext
	default:
		return
	}
	z.element = element.String()
}

// raw reads the content of such an element up to its end tag. It returns false if
// the content is empty.
func (z *tokenizer) raw() bool {
	text := z.text[z.at:]
	length := len(text)
	switch z.content {
	case script:
		length = scriptEnd(text)
	case escapable, literal:
		length = textEnd(text, z.element)
	}
	data := replaceNUL(text[:length])
	if z.content == escapable {
		data = unescape(data)
	}
	z.content = markup
	if length == 0 {
		return false
	}
	z.tok = Token{Kind: Text, Data: data, Raw: text[:length]}
	z.at += length
	return true
}

// textEnd returns the offset of the end tag of an element (sections 13.2.5.9 to
// 13.2.5.14).
func textEnd(text, element string) int {
	for i := 0; ; i += 2 {
		next := strings.Index(text[i:], "</")
		if next < 0 {
			return len(text)
		}
		if i += next; named(text[i+2:], element) {
			return i
		}
	}
}

// named reports whether the name of the tag that text begins with is element.
func named(text, element string) bool {
	if len(text) <= len(element) || !hasPrefixFold(text, element) {
		return false
	}
	c := text[len(element)]
	return space(c) || c == '/' || c == '>'
}

// scriptEnd returns the offset of the end tag of a script. In a comment, a script
// element in the script is part of it (sections 13.2.5.4, 13.2.5.15 to 13.2.5.31).
func scriptEnd(text string) int {
	const (
		plain   = iota
		escaped // in a comment
		twice   // in a script in a comment
	)
	state := plain
	for i := 0; ; i++ {
		stops := "<"
		if state != plain {
			stops = "<-"
		}
		next := strings.IndexAny(text[i:], stops)
		if next < 0 {
			return len(text)
		}
		i += next
		rest := text[i:]
		switch {
		case state == plain && strings.HasPrefix(rest, "<!--"):
			state = escaped
			i++ // <!--> is a whole comment
		case state != plain && strings.HasPrefix(rest, "-->"):
			state = plain
		case state == escaped && rest[0] == '<' && named(rest[1:], "script"):
			state = twice
		case rest[0] == '<' && len(rest) > 1 && rest[1] == '/' && named(rest[2:], "script"):
			if state != twice {
				return i
			}
			state = escaped
		}
	}
}
