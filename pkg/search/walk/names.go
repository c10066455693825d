package walk

import (
	"iter"
	"strings"
)

// Names are entries of one directory, in order and in little memory: a path is
// put together only when it is asked for. The zero value holds none.
type Names struct {
	Prefix string // the directory's path from the root with a slash; "" of the root
	Len    int
	text   string // of each entry its type, its name and a NUL
}

// ignoredName marks the type of an entry that ignore rules exclude.
const ignoredName = 1 << 7

// NamesOf packs entries of one directory. The buffer is memory to use.
func NamesOf(prefix string, entries []Entry, buffer []byte) (Names, []byte) {
	if len(entries) == 0 {
		return Names{}, buffer
	}
	buffer = buffer[:0]
	for _, e := range entries {
		kind := byte(e.Type)
		if e.Ignored {
			kind |= ignoredName
		}
		buffer = append(append(buffer, kind), e.name...)
	}
	return Names{prefix, len(entries), string(buffer)}, buffer
}

// first is how long the first entry of a text is.
func first(text string) int { return 1 + strings.IndexByte(text[1:], 0) + 1 }

// First are the first few entries.
func (n Names) First(most int) Names {
	if most >= n.Len {
		return n
	}
	end := 0
	for range most {
		end += first(n.text[end:])
	}
	return Names{n.Prefix, most, n.text[:end]}
}

// All gives the names and types of the entries.
func (n Names) All() iter.Seq2[string, Type] {
	return func(yield func(string, Type) bool) {
		for n.Len > 0 {
			var name string
			var t Type
			if name, t, n = n.cut(); !yield(name, t) {
				return
			}
		}
	}
}

// cut takes the first entry from the others; there must be one.
func (n Names) cut() (name string, t Type, others Names) {
	end := first(n.text)
	return n.text[1 : end-1], Type(n.text[0] &^ ignoredName), Names{n.Prefix, n.Len - 1, n.text[end:]}
}

// Append appends the entries.
func (n Names) Append(to []Entry) []Entry {
	for text := n.text; text != ""; {
		end := first(text)
		to = append(to, Entry{prefix: n.Prefix, name: text[1:end], Type: Type(text[0] &^ ignoredName), Ignored: text[0]&ignoredName != 0})
		text = text[end:]
	}
	return to
}
