package schema

import (
	"strconv"
)

// Scalar is a value of an argument that may be a text, a number, a boolean or null: the
// content of a cell. Its schema says that it is a text, as not every provider takes a type of
// alternatives.
type Scalar struct {
	Kind Kind   // String, Number or Boolean; "" of null
	Text string // of a String; the literal of a Number
	True bool
}

// MarshalJSON returns the value as it was given.
func (s Scalar) MarshalJSON() ([]byte, error) {
	switch s.Kind {
	case String:
		return appendString(nil, s.Text), nil
	case Number:
		return []byte(s.Text), nil
	case Boolean:
		return strconv.AppendBool(nil, s.True), nil
	}
	return []byte("null"), nil
}

// scalarOf returns a value as a scalar; ok is false if it is none.
func scalarOf(v value) (s Scalar, ok bool) {
	switch v.kind {
	case String, Number, "":
		return Scalar{Kind: v.kind, Text: v.text}, true
	case Boolean:
		return Scalar{Kind: Boolean, True: v.truth}, true
	}
	return s, false
}
