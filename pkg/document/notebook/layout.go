package notebook

import (
	"encoding/json"
	"strings"
)

// node is a value of a JSON text with its place there.
type node struct {
	kind       byte // {, [ or ", or 0 for others
	start, end int  // bytes of the text
	keys       []string
	items      []*node // of a list; of an object, the values of keys
}

// layout returns the places of all values of a JSON text.
func layout(src string) (*node, bool) {
	if !json.Valid([]byte(src)) {
		return nil, false
	}
	d := json.NewDecoder(strings.NewReader(src))
	d.UseNumber()
	n, err := (&placer{src, d}).value()
	return n, err == nil
}

type placer struct {
	src string
	d   *json.Decoder
}

// value reads the next value. The text is valid.
func (p *placer) value() (*node, error) {
	at := int(p.d.InputOffset())
	n := &node{start: at + len(p.src[at:]) - len(strings.TrimLeft(p.src[at:], " \t\r\n,:"))}
	token, err := p.d.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'), json.Delim('['):
		n.kind = p.src[n.start]
		for p.d.More() {
			if n.kind == '{' {
				key, err := p.d.Token()
				if err != nil {
					return nil, err
				}
				n.keys = append(n.keys, key.(string))
			}
			item, err := p.value()
			if err != nil {
				return nil, err
			}
			n.items = append(n.items, item)
		}
		if _, err = p.d.Token(); err != nil {
			return nil, err
		}
	default:
		if _, ok := token.(string); ok {
			n.kind = '"'
		}
	}
	n.end = int(p.d.InputOffset())
	return n, nil
}

// member returns the value of a key of an object; of a key that stands there twice, the
// last one, as all parsers do. It is nil if there is none.
func (n *node) member(key string) *node {
	if n == nil || n.kind != '{' {
		return nil
	}
	var found *node
	for i, k := range n.keys {
		if k == key {
			found = n.items[i]
		}
	}
	return found
}

// list returns the items of a list, or nothing.
func (n *node) list() []*node {
	if n == nil || n.kind != '[' {
		return nil
	}
	return n.items
}

// in returns the text of the value.
func (n *node) in(src string) string { return src[n.start:n.end] }

// words returns a value that is a string.
func (n *node) words(src string) (s string, ok bool) {
	if n == nil || n.kind != '"' {
		return "", false
	}
	return s, json.Unmarshal([]byte(n.in(src)), &s) == nil
}
