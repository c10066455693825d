package xmlscan

import (
	"bytes"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// maxNodes limits the elements of a tree.
const maxNodes = 2 << 20

// Tree is a document in memory, whose elements know where they stand in it: for changing
// some of its bytes and no others.
type Tree struct {
	Data  []byte // in UTF-8; offsets count from behind a byte order mark
	Root  *Node
	shift int
}

// Node is an element.
type Node struct {
	Name     string // with the usual prefix of its namespace
	Raw      string // as it is written
	Parent   *Node
	Children []*Node
	// Start and End are where the element begins and ends; Inner and Close where its
	// content does, which are equal for an empty element.
	Start, Inner, Close, End int
}

// Parse reads a document. One that is damaged in any way is a bad_document, and one in
// another encoding is unsupported_content.
func Parse(data []byte) (*Tree, error) {
	mark, err := Mark(data[:min(len(data), headBytes)])
	if err != nil {
		return nil, err
	}
	t := &Tree{Data: data[mark:], shift: int(mark)}
	s := New(bytes.NewReader(data))
	var open *Node
	for nodes := 0; ; {
		switch s.Next() {
		case EOF:
			if s.Mended() || t.Root == nil {
				return nil, damaged(fault.T("its tags do not match"))
			}
			return t, nil
		case Start:
			if nodes++; nodes > maxNodes || open == nil && t.Root != nil {
				return nil, damaged(fault.T("it has more than %d elements, or more than one root", maxNodes))
			}
			n := &Node{Name: s.Name(), Raw: s.Raw(), Parent: open, Inner: int(s.Offset())}
			n.Start, n.Close, n.End = n.Inner-s.Tag(), n.Inner, n.Inner
			if open == nil {
				t.Root = n
			} else {
				open.Children = append(open.Children, n)
			}
			open = n
		case End:
			if open == nil {
				return nil, damaged(fault.T("its tags do not match"))
			}
			if open.End = int(s.Offset()); open.End > open.Inner {
				open.Close = open.End - s.Tag()
			}
			open = open.Parent
		}
	}
}

// Spliced returns the document with changes.
func (t *Tree) Spliced(all []Splice) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(len(t.Data) + 1024)
	if t.shift > 0 {
		b.WriteString("\xef\xbb\xbf")
	}
	err := Spliced(&b, bytes.NewReader(t.Data), all)
	return b.Bytes(), err
}

// Bytes returns an element as it is written.
func (t *Tree) Bytes(n *Node) []byte { return t.Data[n.Start:n.End] }

// Tag returns the tag that begins an element.
func (t *Tree) Tag(n *Node) []byte { return t.Data[n.Start:n.Inner] }

// Content returns what stands between the tags of an element, as it is written.
func (t *Tree) Content(n *Node) []byte { return t.Data[n.Inner:n.Close] }

// Text returns the text of an element and of those in it.
func (t *Tree) Text(n *Node) string {
	s := New(bytes.NewReader(t.Bytes(n)))
	if s.Next() != Start {
		return ""
	}
	return string(s.All(len(t.Data)))
}

// Attr returns an attribute by its name without a prefix: one that has none or that of the
// element, otherwise any of that name.
func (t *Tree) Attr(n *Node, name string) (string, bool) {
	tag := t.Tag(n)
	for _, known := range [...]string{name, Qualified(name, n.Raw)} {
		if v, ok := attrOf(tag, func(found string) bool { return found == known }); ok {
			return v, true
		}
	}
	return attrOf(tag, func(found string) bool {
		return strings.HasSuffix(found, ":"+name) && !strings.HasPrefix(found, "xmlns")
	})
}

// attrOf returns the value of the first attribute that is wanted.
func attrOf(tag []byte, wanted func(name string) bool) (value string, ok bool) {
	_, rest := cutName(tag[1:])
	for len(rest) > 0 {
		rest = trimSpace(rest)
		var found []byte
		if found, rest = cutName(rest); len(found) == 0 {
			return "", false
		}
		rest = trimSpace(rest)
		if len(rest) == 0 || rest[0] != '=' {
			continue
		}
		if rest = trimSpace(rest[1:]); len(rest) == 0 {
			return "", false
		}
		i := bytes.IndexByte(rest[1:], rest[0])
		if rest[0] != '"' && rest[0] != '\'' || i < 0 {
			return "", false
		}
		if wanted(string(found)) {
			var s Scanner
			return string(s.unescape(rest[1 : 1+i])), true
		}
		rest = rest[i+2:]
	}
	return "", false
}

// Child returns the first child of a name; nil if there is none.
func (n *Node) Child(name string) *Node {
	if n != nil {
		for _, c := range n.Children {
			if c.Name == name {
				return c
			}
		}
	}
	return nil
}

// Walk calls visit with each element below one, in the order of their beginnings. What is
// within an element for which it returns false is left out.
func (n *Node) Walk(visit func(*Node) bool) {
	for _, c := range n.Children {
		if visit(c) {
			c.Walk(visit)
		}
	}
}
