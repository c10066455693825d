package model

import (
	"bytes"
	"encoding/json"
	"slices"
)

// object is a JSON object whose members keep their order and their bytes.
type object []member

type member struct {
	name  string
	value json.RawMessage
}

// readObject reads a text that is one object, nil if it is none.
func readObject(text []byte) object {
	d := json.NewDecoder(bytes.NewReader(text))
	if begin, err := d.Token(); err != nil || begin != json.Delim('{') || !json.Valid(text) {
		return nil
	}
	o := object{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return nil
		}
		o = append(o, member{name.(string), value})
	}
	return o
}

// get returns the value of the last member of a name; nil if there is none, or it is null.
func (o object) get(name string) json.RawMessage {
	for _, m := range slices.Backward(o) {
		if m.name == name {
			if string(m.value) == "null" {
				return nil
			}
			return m.value
		}
	}
	return nil
}

// has reports whether there is a member of a name, null or not.
func (o object) has(name string) bool {
	return slices.ContainsFunc(o, func(m member) bool { return m.name == name })
}

// text returns the string of a member, "" if it is none.
func (o object) text(name string) string {
	s, _ := readString(o.get(name))
	return s
}

// with returns a copy with a value in the place of the member, or at the end.
func (o object) with(name string, value json.RawMessage) object {
	n := slices.Clone(o)
	for i := range n {
		if n[i].name == name {
			n[i].value = value
			return n
		}
	}
	return append(n, member{name, value})
}

// without returns a copy without some members.
func (o object) without(drop func(member) bool) object {
	return slices.DeleteFunc(slices.Clone(o), drop)
}

// equal reports whether two objects have the same members, byte by byte.
func (o object) equal(p object) bool {
	return slices.EqualFunc(o, p, func(a, b member) bool { return a.name == b.name && bytes.Equal(a.value, b.value) })
}

// MarshalJSON writes the members as they are.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(encode(m.name))
		b.WriteByte(':')
		b.Write(m.value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// readList reads a text that is an array, nil if it is none.
func readList(text json.RawMessage) []json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(text, &list) != nil {
		return nil
	}
	return list
}

// readString reads a text that is a string.
func readString(text json.RawMessage) (string, bool) {
	var s *string
	if len(text) == 0 || json.Unmarshal(text, &s) != nil || s == nil {
		return "", false
	}
	return *s, true
}

// encode returns the JSON of what can be encoded, with <, > and & as they are.
func encode(v any) json.RawMessage {
	text, err := tryEncode(v)
	if err != nil {
		panic(err) // only what was decoded, and texts, are encoded here
	}
	return text
}

func tryEncode(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
