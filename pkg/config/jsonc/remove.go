package jsonc

import (
	"bytes"
	"slices"
)

// Remove returns the text without the member that path leads to. Every other byte stays,
// comments included, except for the comma and the line that the member had. A text without
// the member is returned as it is.
func Remove(data []byte, path []string) []byte {
	root, problems := Parse(data)
	if len(path) == 0 || len(problems) > 0 {
		return data
	}
	object := root.Path(path[:len(path)-1]...)
	if object == nil || object.Kind != Object {
		return data
	}
	i := slices.IndexFunc(object.Members, func(m Member) bool { return m.Name == path[len(path)-1] })
	if i < 0 {
		return data
	}
	from, to := object.Members[i].At, object.Members[i].Value.End
	switch {
	case i+1 < len(object.Members):
		return slices.Concat(data[:from], data[object.Members[i+1].At:])
	case i > 0: // a comma behind the last member stays, as there was one
		return slices.Concat(data[:object.Members[i-1].Value.End], data[to:])
	}
	rest := data[to : object.End-1]
	if separated(rest) {
		rest = bytes.Replace(rest, []byte(","), nil, 1)
	}
	if len(bytes.TrimSpace(data[object.Start+1:from]))+len(bytes.TrimSpace(rest)) == 0 {
		from, rest = object.Start+1, nil
	}
	return slices.Concat(data[:from], rest, data[object.End-1:])
}
