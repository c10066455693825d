package walk

import (
	"iter"
	"strings"
)

// Names is a packed list of entries of one directory, in order. The zero value
// is empty.
type Names struct {
	Prefix string // the directory's path from the root with a slash; "" for the root
	Len    int
	text   string // for each entry its type (a byte), its name and a NUL
}

// ignoredName marks the type of an entry that ignore rules exclude.
const ignoredName = 1 << 7

// NamesOf packs entries of one directory. It uses buffer as memory and returns it,
// grown if necessary.
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

// first returns the length of the first entry in text.
func first(text string) int { return 1 + strings.IndexByte(text[1:], 0) + 1 }

// First returns the first entries, at most that many.
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

// After returns the entries without the first, at most that many.
func (n Names) After(skip int) Names {
	if skip >= n.Len {
		return Names{}
	}
	end := 0
	for range skip {
		end += first(n.text[end:])
	}
	return Names{n.Prefix, n.Len - skip, n.text[end:]}
}

// All yields the names and types of the entries.
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

// cut splits off the first entry; there must be one.
func (n Names) cut() (name string, t Type, others Names) {
	end := first(n.text)
	return n.text[1 : end-1], Type(n.text[0] &^ ignoredName), Names{n.Prefix, n.Len - 1, n.text[end:]}
}

// Append appends the entries to a slice.
func (n Names) Append(to []Entry) []Entry {
	for text := n.text; text != ""; {
		end := first(text)
		to = append(to, Entry{prefix: n.Prefix, name: text[1:end], Type: Type(text[0] &^ ignoredName), Ignored: text[0]&ignoredName != 0})
		text = text[end:]
	}
	return to
}
