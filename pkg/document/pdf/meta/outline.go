// Package meta reads what a PDF file says about itself and its pages: title and author,
// bookmarks, links. It reads no text.
package meta

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/pdf/object"
)

// Limits of the outline and of what it refers to.
const (
	maxEntries = 10_000
	maxLevel   = 32
	maxTitle   = 500 // characters
	maxNames   = 100_000
)

// Outline returns the bookmarks of a file: ISO 32000-2, 12.3.3.
func Outline(f *object.File) []document.Entry {
	o := outliner{file: f, seen: make(map[int]bool)}
	o.items(f.Dict(root(f)["Outlines"])["First"], 1)
	return o.entries
}

// root returns the catalog.
func root(f *object.File) object.Dict { return f.Dict(f.Trailer()["Root"]) }

type outliner struct {
	file    *object.File
	seen    map[int]bool // items, by their numbers
	entries []document.Entry
	names   map[string]object.Value // destinations; nil until needed
}

// items adds an item and those after it, each with those below it.
func (o *outliner) items(v object.Value, level int) {
	for level <= maxLevel && len(o.entries) < maxEntries {
		ref, ok := v.(object.Ref)
		item := o.file.Dict(v)
		if !ok || item == nil || o.seen[ref.Num] {
			return
		}
		o.seen[ref.Num] = true
		o.entries = append(o.entries, document.Entry{Title: line(o.file.Text(item["Title"])), Level: level, Page: o.page(item)})
		o.items(item["First"], level+1)
		v = item["Next"]
	}
}

// page returns the number of the page that an item leads to, 0 if it leads elsewhere.
func (o *outliner) page(item object.Dict) int {
	to := item["Dest"]
	if to == nil {
		action := o.file.Dict(item["A"])
		if o.file.Name(action["S"]) != "GoTo" {
			return 0
		}
		to = action["D"]
	}
	return o.destination(to, 0)
}

// destination returns the page of a destination, which may be named: 12.3.2.
func (o *outliner) destination(v object.Value, depth int) int {
	if depth > 8 {
		return 0
	}
	switch to := o.file.Resolve(v).(type) {
	case object.Array:
		if len(to) == 0 {
			return 0
		}
		if n, ok := o.file.Int(to[0]); ok { // a page of this file by its index: not allowed, but found
			if n >= 0 && n < int64(o.file.PageCount()) {
				return int(n) + 1
			}
			return 0
		}
		return o.file.PageNumber(to[0])
	case object.Dict:
		return o.destination(to["D"], depth+1)
	case object.Name:
		return o.destination(o.named(string(to)), depth+1)
	case object.String:
		return o.destination(o.named(string(to)), depth+1)
	}
	return 0
}

// named returns a destination by its name: 12.3.2.4.
func (o *outliner) named(name string) object.Value {
	if o.names == nil {
		o.names = make(map[string]object.Value)
		for key, value := range o.file.Dict(root(o.file)["Dests"]) {
			o.names[string(key)] = value
		}
		tree(o.file, o.file.Dict(root(o.file)["Names"])["Dests"], "Names", func(key, value object.Value) bool {
			if s, ok := o.file.Resolve(key).(object.String); ok {
				o.names[string(s)] = value
			}
			return len(o.names) < maxNames
		})
	}
	return o.names[name]
}

// tree calls yield with each key and value of a name tree or a number tree, whose leaves
// have them under a key: 7.9.6, 7.9.7.
func tree(f *object.File, node object.Value, leaves object.Name, yield func(key, value object.Value) bool) {
	seen := make(map[int]bool)
	nodes := 0 // those without a number may be met again and again
	var walk func(v object.Value, depth int) bool
	walk = func(v object.Value, depth int) bool {
		if nodes++; nodes > maxNames {
			return false
		}
		if ref, ok := v.(object.Ref); ok {
			if seen[ref.Num] {
				return true
			}
			seen[ref.Num] = true
		}
		d := f.Dict(v)
		for pairs := f.Array(d[leaves]); len(pairs) >= 2; pairs = pairs[2:] {
			if !yield(pairs[0], pairs[1]) {
				return false
			}
		}
		if depth < maxLevel {
			for _, kid := range f.Array(d["Kids"]) {
				if !walk(kid, depth+1) {
					return false
				}
			}
		}
		return true
	}
	walk(node, 0)
}

// line makes one line of a text that a file says of itself: without what is not printed,
// and not too long.
func line(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r) || r == utf8.RuneError || r == '\ufeff':
			return -1
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) > maxTitle {
		s = string([]rune(s)[:maxTitle]) + "…"
	}
	return s
}
