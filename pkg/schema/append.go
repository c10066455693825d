package schema

import (
	"io"
	"reflect"
)

// Streamer is a result that may be too long to be held as JSON: it writes itself
// a piece at a time.
type Streamer interface {
	// WriteJSON writes the JSON, and fails only as w does. It can be called again.
	WriteJSON(w io.Writer) error
	// MostJSON is a number of bytes that the JSON does not exceed.
	MostJSON() int
}

// Length is how many bytes of JSON a result writes.
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

// AppendString appends s as a JSON string, as [Marshal] writes it.
func AppendString(b []byte, s string) []byte { return appendString(b, s) }

// AppendText appends s as it stands between the quotes of a JSON string.
func AppendText(b []byte, s string) []byte { return appendText(b, s) }

// AppendMember appends the name of an object's member and its value, with a
// comma before them unless the object has just been opened.
func AppendMember(b []byte, name string, value any) ([]byte, error) {
	if n := len(b); n > 0 && b[n-1] != '{' {
		b = append(b, ',')
	}
	b = append(append(append(b, '"'), name...), `":`...)
	return appendValue(b, reflect.ValueOf(value))
}
