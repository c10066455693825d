// Package object reads the objects that a PDF file consists of: ISO 32000-2, chapter 7.
// It opens files that nobody has checked. Where the tables of a file are wrong, it looks
// for the objects themselves. It knows nothing of pages and text.
package object

// Value is an object: nil, bool, int64, float64, [Name], [String], [Array], [Dict],
// [*Stream] or [Ref]. What a [Lexer] returns may be an [Operator] too.
type Value any

// Name is a name without its solidus, with #xx decoded.
type Name string

// String is a string as its bytes. [File.Text] reads the text in one.
type String []byte

// Array is an array. Its elements may be references.
type Array []Value

// Dict is a dictionary. Its values may be references.
type Dict map[Name]Value

// Ref refers to an indirect object.
type Ref struct{ Num, Gen int }

// Operator is a word that is no object: an operator of a content stream, or a keyword of a
// file.
type Operator string

// Stream is a stream: its dictionary, and where its bytes are. [File.Data] decodes it.
type Stream struct {
	Dict Dict

	id      Ref    // decides the key; zero for an inline image
	offset  int64  // of its first byte in the file
	inline  []byte // the bytes themselves, for an inline image
	encoded bool   // the bytes are encrypted unless the filters say otherwise
}

// ID returns the reference that the stream was read by, which no other stream of the file
// has. It is zero for an inline image.
func (s *Stream) ID() Ref { return s.id }
