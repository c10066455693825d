package schema

import "reflect"

// Appender is a result that writes itself as JSON, as encoding/json would but
// without looking at each of many parts by reflection.
type Appender interface {
	// AppendJSON appends the JSON to b.
	AppendJSON(b []byte) ([]byte, error)
}

// AppendString appends s as a JSON string, as [Marshal] writes it.
func AppendString(b []byte, s string) []byte { return appendString(b, s) }

// AppendMember appends the name of an object's member and its value, with a
// comma before them unless the object has just been opened.
func AppendMember(b []byte, name string, value any) ([]byte, error) {
	if n := len(b); n > 0 && b[n-1] != '{' {
		b = append(b, ',')
	}
	b = append(append(append(b, '"'), name...), `":`...)
	if own, ok := value.(Appender); ok {
		return own.AppendJSON(b)
	}
	return appendValue(b, reflect.ValueOf(value))
}
