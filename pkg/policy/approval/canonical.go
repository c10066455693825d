package approval

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"unicode/utf16"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// Canonical returns the canonical spelling of a JSON text, after RFC 8785: names
// sorted by their UTF-16 units, no white space, and one spelling of each number and
// string. Unlike there, an integer that a double cannot hold keeps its digits. A
// repeated name is an error, since readers differ on which value counts.
func Canonical(data []byte) ([]byte, error) {
	if err := schema.Check(data); err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	d.UseNumber()
	var b bytes.Buffer
	if err := appendValue(d, &b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func appendValue(d *json.Decoder, b *bytes.Buffer) error {
	token, err := d.Token()
	if err != nil {
		return fault.New(fault.InvalidArguments, fault.T("not one JSON value: %v", err))
	}
	switch t := token.(type) {
	case json.Delim:
		if t == '{' {
			return appendObject(d, b)
		}
		b.WriteByte('[')
		for i := 0; d.More(); i++ {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := appendValue(d, b); err != nil {
				return err
			}
		}
		b.WriteByte(']')
		return closing(d)
	case json.Number:
		return appendNumber(t.String(), b)
	}
	text, err := schema.Marshal(token)
	b.Write(text)
	return err
}

func appendObject(d *json.Decoder, b *bytes.Buffer) error {
	type member struct {
		units []uint16
		text  []byte
	}
	var members []member
	for d.More() {
		token, _ := d.Token() // nil where there is an error
		name, ok := token.(string)
		if !ok {
			return fault.New(fault.InvalidArguments, fault.T("expected a name of the object"))
		}
		text, err := schema.Marshal(name)
		if err != nil {
			return err
		}
		one := bytes.NewBuffer(append(text, ':'))
		if err := appendValue(d, one); err != nil {
			return err
		}
		members = append(members, member{utf16.Encode([]rune(name)), one.Bytes()})
	}
	slices.SortStableFunc(members, func(x, y member) int { return slices.Compare(x.units, y.units) })
	b.WriteByte('{')
	for i, m := range members {
		if i > 0 {
			if slices.Equal(m.units, members[i-1].units) {
				return fault.New(fault.InvalidArguments, fault.T("%q is given twice", string(utf16.Decode(m.units))))
			}
			b.WriteByte(',')
		}
		b.Write(m.text)
	}
	b.WriteByte('}')
	return closing(d)
}

// closing reads the closing bracket.
func closing(d *json.Decoder) error {
	_, err := d.Token()
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}

func appendNumber(literal string, b *bytes.Buffer) error {
	if n, err := strconv.ParseInt(literal, 10, 64); err == nil {
		b.WriteString(strconv.FormatInt(n, 10))
		return nil
	}
	f, err := strconv.ParseFloat(literal, 64)
	if err != nil {
		return fault.New(fault.InvalidArguments, fault.T("the number %s is too large", literal))
	}
	if f == 0 { // also what was written as -0.0
		f = 0
	}
	if isDigits(literal) {
		b.WriteString(literal) // larger than an int64, and exact as it is written
		return nil
	}
	text, err := json.Marshal(f)
	b.Write(text)
	return err
}

func isDigits(s string) bool {
	return len(bytes.Trim([]byte(s), "-0123456789")) == 0
}
