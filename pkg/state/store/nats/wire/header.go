package wire

import (
	"strconv"
	"strings"
)

// Message is what a server sends to a subscription.
type Message struct {
	Subject string
	Header  Header
	Data    []byte
}

// Header is the status and the fields before the data of a message. Names are as they
// were sent, in their case.
type Header struct {
	Status int    // such as 404; 0 without one
	Text   string // after the status
	Fields []Field
}

// Field is one field of a header.
type Field struct{ Name, Value string }

const headerVersion = "NATS/1.0"

// Get returns the first value of a field; "" if there is none.
func (h Header) Get(name string) string {
	for _, f := range h.Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// Number returns a field as a number; 0 if it is none.
func (h Header) Number(name string) uint64 {
	n, err := strconv.ParseUint(h.Get(name), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// ParseHeader reads the header of a message as a store keeps it.
func ParseHeader(text string) (Header, error) {
	h, ok := parseHeader(text)
	if !ok {
		return Header{}, ErrProtocol
	}
	return h, nil
}

// parseHeader reads a header: a version with perhaps a status, then fields, then an
// empty line.
func parseHeader(text string) (h Header, ok bool) {
	if text == "" {
		return h, true
	}
	first, rest, ok := strings.Cut(text, "\r\n")
	status, ours := strings.CutPrefix(first, headerVersion)
	if !ok || !ours {
		return h, false
	}
	if status = strings.TrimSpace(status); status != "" {
		number, text, _ := strings.Cut(status, " ")
		n, err := strconv.ParseUint(number, 10, 16)
		if err != nil {
			return h, false
		}
		h.Status, h.Text = int(n), strings.TrimSpace(text)
	}
	for rest != "\r\n" && rest != "" {
		line, after, ok := strings.Cut(rest, "\r\n")
		name, value, colon := strings.Cut(line, ":")
		if !ok || !colon {
			return h, false
		}
		h.Fields = append(h.Fields, Field{name, strings.TrimSpace(value)})
		rest = after
	}
	return h, true
}

// appendPublish appends the bytes that publish a message. Neither subjects nor fields
// have line ends: they are our own.
func appendPublish(b []byte, subject, reply string, fields []Field, data []byte) []byte {
	head := 0
	if len(fields) > 0 {
		head = len(headerVersion) + 4
		for _, f := range fields {
			head += len(f.Name) + len(f.Value) + 4
		}
		b = append(b, "HPUB "...)
	} else {
		b = append(b, "PUB "...)
	}
	b = append(append(b, subject...), ' ')
	if reply != "" {
		b = append(append(b, reply...), ' ')
	}
	if head > 0 {
		b = append(strconv.AppendInt(b, int64(head), 10), ' ')
	}
	b = append(strconv.AppendInt(b, int64(head+len(data)), 10), "\r\n"...)
	if head > 0 {
		b = append(b, headerVersion+"\r\n"...)
		for _, f := range fields {
			b = append(append(append(append(b, f.Name...), ": "...), f.Value...), "\r\n"...)
		}
		b = append(b, "\r\n"...)
	}
	return append(append(b, data...), "\r\n"...)
}
