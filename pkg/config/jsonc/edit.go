package jsonc

import (
	"bytes"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// Set returns the text with the member that path leads to set to a value. Every
// other byte stays, comments included, except for the comma and the line that a new
// member needs. Missing objects on the path are made; an empty text becomes an
// object. The error is bad_document if the text cannot be parsed or something on the
// path is no object.
func Set(data []byte, path []string, value *Node) ([]byte, error) {
	if len(path) == 0 {
		return nil, fault.New(fault.Internal, fault.T("there is no path to set"))
	}
	if len(bytes.TrimSpace(data)) == 0 {
		data = []byte("{\n}\n")
	}
	root, problems := Parse(data)
	if len(problems) > 0 {
		line, column := Position(data, problems[0].Offset)
		return nil, fault.New(fault.BadDocument, fault.T("line %d, column %d: %s", line, column, problems[0].Message))
	}
	n := root
	for i, name := range path {
		if n.Kind != Object {
			where := strings.Join(path[:i], ".")
			return nil, fault.New(fault.BadDocument, fault.T("%q is %s, not an object", where, n.Kind))
		}
		next := n.Get(name)
		if next == nil {
			return add(data, n, name, nest(path[i+1:], value)), nil
		}
		n = next
	}
	return slices.Concat(data[:n.Start], value.JSON(), data[n.End:]), nil
}

// Append returns the text with a value added to the end of an array, a member of the
// outermost object. Every other byte stays, as with Set.
func Append(data []byte, name string, value *Node) ([]byte, error) {
	root, _ := Parse(data)
	var list *Node
	if root != nil {
		list = root.Get(name)
	}
	if list == nil || list.Kind != Array || len(list.Items) == 0 {
		return Set(data, []string{name}, &Node{Kind: Array, Items: []*Node{value}})
	}
	last := list.Items[len(list.Items)-1]
	gap := data[last.End : list.End-1]
	if !separated(gap) {
		gap = slices.Concat([]byte(","), gap)
	}
	item := value.JSON()
	if bytes.ContainsRune(data[list.Start:list.End], '\n') {
		item = slices.Concat([]byte("\n"), margin(data, last.Start), item, []byte("\n"), margin(data, list.End-1))
		gap = bytes.TrimRight(gap, " \t\r\n")
	} else {
		item = slices.Concat([]byte(" "), item)
		gap = bytes.TrimRight(gap, " \t")
	}
	return slices.Concat(data[:last.End], gap, item, data[list.End-1:]), nil
}

// nest wraps a value in an object for each name.
func nest(names []string, value *Node) *Node {
	for _, name := range slices.Backward(names) {
		value = &Node{Kind: Object, Members: []Member{{Name: name, Value: value}}}
	}
	return value
}

// add returns the text with a member after those of an object.
func add(data []byte, object *Node, name string, value *Node) []byte {
	member := slices.Concat(quote(name), []byte(": "), value.JSON())
	closing := object.End - 1
	head, comma := data[:closing], ""
	if k := len(object.Members); k > 0 {
		last := object.Members[k-1].Value
		if !separated(data[last.End:closing]) {
			comma = ","
		}
		head = slices.Concat(data[:last.End], []byte(comma), data[last.End:closing])
		if !bytes.ContainsRune(data[object.Start:object.End], '\n') {
			head = append(bytes.TrimRight(head, " \t"), ' ')
			return slices.Concat(head, member, data[closing:])
		}
	}
	eol := []byte("\n")
	if bytes.Contains(data, []byte("\r\n")) {
		eol = []byte("\r\n")
	}
	outer := margin(data, object.Start)
	inner := slices.Concat(outer, []byte("  "))
	if len(object.Members) > 0 {
		inner = margin(data, object.Members[len(object.Members)-1].At)
	}
	return slices.Concat(bytes.TrimRight(head, " \t\r\n"), eol, inner, member, eol, outer, data[closing:])
}

// separated reports whether a comma follows white space and comments.
func separated(gap []byte) bool {
	p := &parser{data: gap}
	p.space()
	return p.peek() == ','
}

// margin returns the white space at the start of the line of an offset.
func margin(data []byte, offset int) []byte {
	line := data[bytes.LastIndexByte(data[:offset], '\n')+1 : offset]
	return line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
}
