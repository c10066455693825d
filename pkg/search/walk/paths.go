package walk

import (
	"encoding/binary"
	"iter"
	"strings"
	"sync/atomic"
)

// Paths is a packed list of many entries, grouped by directory. Of a directory's
// path it stores only what differs from the path before it (front coding, as in
// locate(1)).
type Paths struct {
	Len   int
	Bytes int // the sum of the lengths of the paths, plus a byte or two for each
	parts []part
	open  strings.Builder // the text of the last part, while it grows
	last  string          // the prefix that was added last; "" at the start of a part
}

// part is a piece of the list that can be read on its own. For each directory it
// holds: how many bytes it shares with the prefix before it, how many further
// bytes its prefix has, those bytes, the number of names, the length of their
// text, and that text as in [Names].
type part struct {
	text string
	n    int // entries
}

// partBytes is the size of a part, in bytes, unless one directory takes more.
const partBytes = 16 << 10

// Add appends the entries of one directory.
func (p *Paths) Add(n Names) {
	if n.Len == 0 {
		return
	}
	p.Len += n.Len
	p.Bytes += n.Len*len(n.Prefix) + len(n.text)
	need := len(n.Prefix) + len(n.text) + 4*binary.MaxVarintLen64
	if p.open.Cap()-p.open.Len() < need {
		p.Seal()
		p.open.Grow(max(need, partBytes))
		p.parts = append(p.parts, part{})
	}
	same := 0
	for same < min(len(p.last), len(n.Prefix)) && p.last[same] == n.Prefix[same] {
		same++
	}
	p.number(same)
	p.number(len(n.Prefix) - same)
	p.open.WriteString(n.Prefix[same:])
	p.number(n.Len)
	p.number(len(n.text))
	p.open.WriteString(n.text)
	p.last = n.Prefix
	p.parts[len(p.parts)-1].n += n.Len
}

func (p *Paths) number(n int) {
	var b [binary.MaxVarintLen64]byte
	p.open.Write(b[:binary.PutUvarint(b[:], uint64(n))])
}

// Seal ends the last part. The list can be read only after that.
func (p *Paths) Seal() {
	if p.open.Len() > 0 {
		p.parts[len(p.parts)-1].text = p.open.String()
		p.open.Reset()
		p.last = ""
	}
}

// All yields the entries in the order in which they were added, those of one
// directory at a time.
func (p *Paths) All() iter.Seq[Names] { return all(p.parts) }

func all(parts []part) iter.Seq[Names] {
	return func(yield func(Names) bool) {
		r := reader{parts: parts}
		for n, ok := r.next(); ok; n, ok = r.next() {
			if !yield(n) {
				return
			}
		}
	}
}

// reader reads parts one directory after the other.
type reader struct {
	parts  []part // not yet begun
	text   string // the rest of the current part
	prefix []byte
}

// next returns the entries of the next directory; ok is false at the end.
func (r *reader) next() (n Names, ok bool) {
	for r.text == "" {
		if len(r.parts) == 0 {
			return Names{}, false
		}
		r.text, r.parts, r.prefix = r.parts[0].text, r.parts[1:], r.prefix[:0]
	}
	same := r.number()
	r.prefix = append(r.prefix[:same], r.take(r.number())...)
	n.Prefix, n.Len = string(r.prefix), r.number()
	n.text = r.take(r.number())
	return n, true
}

func (r *reader) take(n int) string {
	taken := r.text[:n]
	r.text = r.text[n:]
	return taken
}

func (r *reader) number() int {
	n, size := uvarint(r.text)
	r.take(size)
	return n
}

// uvarint is binary.Uvarint for a string.
func uvarint(s string) (n, size int) {
	for s[size] >= 0x80 {
		n |= int(s[size]&0x7f) << (7 * size)
		size++
	}
	return n | int(s[size])<<(7*size), size + 1
}

// StatPaths describes the entries of a list, like [Root.StatAll].
func (r Root) StatPaths(p *Paths) []Info {
	infos := make([]Info, p.Len)
	into := make([][]Info, len(p.parts))
	rest := infos
	for i, part := range p.parts {
		into[i], rest = rest[:part.n], rest[part.n:]
	}
	var taken atomic.Int64
	var workers Group
	for range min(Workers(), len(into)) {
		workers.Go(func() {
			var entries []Entry
			for i := taken.Add(1) - 1; i < int64(len(into)); i = taken.Add(1) - 1 {
				rest := into[i]
				for n := range all(p.parts[i:][:1]) {
					entries = n.Append(entries[:0])
					r.stat(entries, rest[:n.Len])
					rest = rest[n.Len:]
				}
			}
		}, func() {})
	}
	workers.Wait()
	return infos
}
