package schema

import (
	"io"
	"reflect"
)

// Streamer is a result whose JSON may be too long to be held in memory. It writes
// itself piece by piece.
type Streamer interface {
	// WriteJSON writes the JSON. Its errors are those of w. It can be called again.
	WriteJSON(w io.Writer) error
	// MostJSON returns a number of bytes that the JSON does not exceed.
	MostJSON() int
}

// Length returns the number of bytes that a result writes.
func Length(s Streamer) (int, error) {
	var n length
	err := s.WriteJSON(&n)
	return int(n), err
}

type length int

func (n *length) Write(p []byte) (int, error) {
	*n += length(len(p))
	return len(p), nil
}

// AppendText appends s, escaped as between the quotes of a JSON string.
func AppendText(b []byte, s string) []byte { return appendText(b, s) }

// AppendMember appends the name and the value of an object's member, after a comma
// unless b ends with the object's opening brace.
func AppendMember(b []byte, name string, value any) ([]byte, error) {
	if n := len(b); n > 0 && b[n-1] != '{' {
		b = append(b, ',')
	}
	b = append(append(append(b, '"'), name...), `":`...)
	return appendValue(b, reflect.ValueOf(value))
}
