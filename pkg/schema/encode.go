package schema

import (
	"bytes"
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Marshal returns v as JSON: the bytes of encoding/json, but with <, > and & as
// they are, since a model reads them and no browser does. A value must not contain
// itself.
func Marshal(v any) ([]byte, error) {
	if long, ok := v.(Streamer); ok {
		var b bytes.Buffer
		err := long.WriteJSON(&b)
		return b.Bytes(), err
	}
	return appendValue(nil, reflect.ValueOf(v))
}

func appendValue(b []byte, v reflect.Value) ([]byte, error) {
	if !v.IsValid() {
		return append(b, "null"...), nil
	}
	p := planOf(v.Type())
	switch {
	case p.form == document:
		return v.Interface().(Document).appendTo(b)
	case p.form == raw && !v.IsNil():
		return appendRaw(b, v.Bytes())
	case p.addressed && v.CanAddr():
		return appendOwn(b, v.Addr().Interface())
	case p.form == own:
		return appendOwn(b, v.Interface())
	case p.form == foreign:
		return appendForeign(b, v)
	}
	switch v.Kind() {
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool()), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.AppendInt(b, v.Int(), 10), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return strconv.AppendUint(b, v.Uint(), 10), nil
	case reflect.String:
		return appendString(b, v.String()), nil
	case reflect.Struct:
		return appendStruct(b, v, p.members)
	case reflect.Array:
		return appendItems(b, v)
	}
	switch { // what is left may be nil
	case v.IsNil():
		return append(b, "null"...), nil
	case v.Kind() == reflect.Slice:
		return appendItems(b, v)
	case v.Kind() == reflect.Map:
		return appendMap(b, v)
	}
	return appendValue(b, v.Elem())
}

func appendStruct(b []byte, v reflect.Value, members []planned) (_ []byte, err error) {
	b = append(b, '{')
	begun := len(b)
	for i := range members {
		m := &members[i]
		value, ok := m.of(v)
		if !ok || m.omitEmpty && isEmpty(value) || m.omitZero && value.IsZero() {
			continue
		}
		if len(b) > begun {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), m.name...), '"', ':') // a name needs no escapes
		if b, err = appendValue(b, value); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

func appendItems(b []byte, v reflect.Value) (_ []byte, err error) {
	b = append(b, '[')
	for i := range v.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendValue(b, v.Index(i)); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

func appendMap(b []byte, v reflect.Value) (_ []byte, err error) {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(x, y reflect.Value) int { return strings.Compare(x.String(), y.String()) })
	b = append(b, '{')
	for i, key := range keys {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendString(b, key.String()), ':')
		if b, err = appendValue(b, v.MapIndex(key)); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// appendRaw appends JSON without its white space.
func appendRaw(b, text []byte) ([]byte, error) {
	compact := bytes.NewBuffer(b)
	err := json.Compact(compact, text)
	return compact.Bytes(), err
}

// appendOwn appends a value that encodes itself.
func appendOwn(b []byte, v any) ([]byte, error) {
	if m, ok := v.(json.Marshaler); ok {
		text, err := m.MarshalJSON()
		if err != nil {
			return nil, err
		}
		return appendRaw(b, text)
	}
	text, err := v.(encoding.TextMarshaler).MarshalText()
	return appendString(b, string(text)), err
}

// appendForeign appends what encoding/json makes of a value.
func appendForeign(b []byte, v reflect.Value) ([]byte, error) {
	if v.CanAddr() { // its parts may encode themselves by pointer
		v = v.Addr()
	}
	out := bytes.NewBuffer(b)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v.Interface())
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

func appendString(b []byte, s string) []byte {
	return append(appendText(append(b, '"'), s), '"')
}

// appendText escapes what JSON requires, and the two line separators of Unicode
// that are no valid string content in old JavaScript.
func appendText(b []byte, s string) []byte {
	kept := 0 // everything before it is written
	for i := 0; i < len(s); {
		c := s[i]
		if ' ' <= c && c < utf8.RuneSelf && c != '"' && c != '\\' {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if c >= utf8.RuneSelf && (r != utf8.RuneError || size > 1) && r != '\u2028' && r != '\u2029' {
			i += size
			continue
		}
		b = append(b, s[kept:i]...)
		i += size
		kept = i
		switch at := strings.IndexRune("\b\f\n\r\t\"\\", r); {
		case at >= 0:
			b = append(b, '\\', `bfnrt"\`[at])
		default:
			const hex = "0123456789abcdef"
			b = append(b, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
		}
	}
	return append(b, s[kept:]...)
}

// isEmpty reports whether omitempty leaves a value out.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}
