package jsonc

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Get returns the value of the last member of a name, or nil.
func (n *Node) Get(name string) *Node {
	if n == nil {
		return nil
	}
	for _, v := range slices.Backward(n.Members) {
		if v.Name == name {
			return v.Value
		}
	}
	return nil
}

// Path returns the value that a path of member names leads to, or nil.
func (n *Node) Path(names ...string) *Node {
	for _, name := range names {
		n = n.Get(name)
	}
	return n
}

// Offset returns the byte offset that a JSON pointer (RFC 6901) leads to: that of a
// member's name, of an item, or of the nearest node above if there is none.
func (n *Node) Offset(pointer string) int {
	at := n.Start
	for part := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		if pointer == "" {
			break
		}
		part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		switch n.Kind {
		case Object:
			next := n.Get(part)
			if next == nil {
				return at
			}
			for _, m := range n.Members {
				if m.Value == next {
					at = m.At
				}
			}
			n = next
		case Array:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(n.Items) {
				return at
			}
			n = n.Items[i]
			at = n.Start
		default:
			return at
		}
	}
	return at
}

// JSON returns the node as JSON without comments, its members in their order.
func (n *Node) JSON() []byte {
	var b bytes.Buffer
	n.write(&b)
	return b.Bytes()
}

func (n *Node) write(b *bytes.Buffer) {
	switch n.Kind {
	case Object:
		b.WriteByte('{')
		for i, m := range n.Members {
			if i > 0 {
				b.WriteByte(',')
			}
			b.Write(quote(m.Name))
			b.WriteByte(':')
			m.Value.write(b)
		}
		b.WriteByte('}')
	case Array:
		b.WriteByte('[')
		for i, item := range n.Items {
			if i > 0 {
				b.WriteByte(',')
			}
			item.write(b)
		}
		b.WriteByte(']')
	case String:
		b.Write(quote(n.Text))
	case Number:
		b.WriteString(n.Text)
	case Boolean:
		b.WriteString(strconv.FormatBool(n.Truth))
	default:
		b.WriteString("null")
	}
}

// quote returns s as a JSON string, with <, > and & as they are.
func quote(s string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil { // no string fails to encode
		return []byte(`""`)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
