package object

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
)

// maxSections bounds how many updates of a file are followed.
const maxSections = 4096

// tailArea is the size of the end of a file in which startxref is searched for. Some
// files have a page of HTML after their end.
const tailArea = 64 << 10

// readTables reads the cross-reference tables and streams of a file, the newest first:
// 7.5.4, 7.5.8. It returns false where one is not what it should be.
func (f *File) readTables() bool {
	tail := f.source.window(max(0, f.source.size-tailArea), tailArea)
	i := bytes.LastIndex(tail, []byte("startxref"))
	if i < 0 {
		return false
	}
	l := Lexer{data: tail, pos: i + len("startxref"), refs: true}
	start, ok := l.natural()
	if !ok {
		return false
	}
	if !f.isTable(int64(start)+f.base) && f.isTable(int64(start)) {
		f.base = 0 // junk before the header was there when the offsets were counted
	}
	f.entries = make(map[int]entry)
	visited := make(map[int64]bool)
	for at, more := int64(start), true; more; {
		if visited[at] {
			break // a cycle
		}
		if len(visited) == maxSections {
			return false
		}
		visited[at] = true
		section := f.table(at + f.base)
		if section == nil {
			return false
		}
		if f.trailer == nil {
			f.trailer = section
		}
		previous, is := section["Prev"].(int64)
		at, more = previous, is
	}
	return f.trailer["Root"] != nil
}

// isTable reports whether a table or the object of a cross-reference stream is at an
// offset.
func (f *File) isTable(at int64) bool {
	l := Lexer{data: f.source.window(at, 64), refs: true}
	l.skipSpace()
	if bytes.HasPrefix(l.data[min(l.pos, len(l.data)):], []byte("xref")) {
		return true
	}
	_, ok := l.header()
	return ok
}

// table reads the section at an offset, and returns its trailer; nil if there is none.
func (f *File) table(at int64) Dict {
	l := Lexer{data: f.source.window(at, 64), refs: true}
	l.skipSpace()
	if !bytes.HasPrefix(l.data[min(l.pos, len(l.data)):], []byte("xref")) {
		return f.tableStream(at)
	}
	at += int64(l.pos) + int64(len("xref"))
	rows, at, ok := f.rows(at)
	if !ok {
		return nil
	}
	trailer := f.dictAt(at, maxObject)
	if trailer == nil {
		return nil
	}
	// A hybrid file hides objects from old readers by calling them free: 7.5.8.4. Its
	// stream comes first, then.
	if hidden, ok := trailer["XRefStm"].(int64); ok && f.tableStream(hidden+f.base) == nil {
		return nil
	}
	for _, r := range rows {
		f.add(r.num, r.entry)
	}
	return trailer
}

// add adds an entry unless a newer one is known.
func (f *File) add(num int, e entry) {
	if _, known := f.entries[num]; !known && len(f.entries) < maxObjects {
		f.entries[num] = e
	}
}

// row is an entry of a table.
type row struct {
	num int
	entry
}

// rows reads the subsections of a table, and returns the offset behind "trailer". The
// widths of columns are not relied on.
func (f *File) rows(at int64) ([]row, int64, bool) {
	t := tokens{in: bufio.NewReader(io.NewSectionReader(f.source.file, at, max(0, f.source.size-at)))}
	defer func() { f.work += t.read }()
	var rows []row
	for f.work+t.read <= f.mostWork() {
		word := t.next()
		if word == "trailer" {
			return rows, at + t.read, true
		}
		first, err1 := strconv.Atoi(word)
		count, err2 := strconv.Atoi(t.next())
		if err1 != nil || err2 != nil || first < 0 {
			return nil, 0, false
		}
		for i := range count {
			offset := t.next()
			if offset == "trailer" { // the count is wrong
				return rows, at + t.read, true
			}
			gen, kind := t.next(), t.next()
			n, err := strconv.ParseInt(offset, 10, 64)
			if err != nil || kind != "n" && kind != "f" || f.work+t.read > f.mostWork() {
				return nil, 0, false
			}
			if i == 0 && first == 1 && n == 0 && kind == "f" && gen == "65535" {
				first = 0 // this is the entry of object 0
			}
			r := row{num: first + i}
			if kind == "n" && n > 0 {
				r.entry = entry{kind: plain, offset: n + f.base}
			}
			if len(rows) < maxObjects && r.num < 1<<31 {
				rows = append(rows, r)
			}
		}
	}
	return nil, 0, false
}

// tokens reads words between white space.
type tokens struct {
	in   *bufio.Reader
	read int64
}

// next returns the next word, of at most 20 bytes; "" at the end. It reads no byte behind
// "trailer".
func (t *tokens) next() string {
	var word []byte
	for len(word) < 20 {
		c, err := t.in.ReadByte()
		if err != nil {
			break
		}
		t.read++
		if class(c) == space {
			if len(word) > 0 {
				break
			}
			continue
		}
		if word = append(word, c); string(word) == "trailer" {
			break
		}
	}
	return string(word)
}

// dictAt reads the dictionary at an offset, of at most so many bytes; nil if there is none.
func (f *File) dictAt(at, limit int64) Dict {
	for n := int64(firstWindow); !f.Exhausted(); n *= 8 {
		w := f.source.window(at, n)
		l := Lexer{data: w, refs: true, words: f.words}
		l.skipSpace()
		if l.peek(0) != '<' && l.pos < len(w) {
			return nil
		}
		value, _ := l.next(0)
		f.work += int64(l.pos)
		if l.pos+8 >= len(w) && at+int64(len(w)) < f.source.size && n < limit {
			continue
		}
		d, _ := value.(Dict)
		return d
	}
	return nil
}

// tableStream reads the cross-reference stream at an offset: 7.5.8.
func (f *File) tableStream(at int64) Dict {
	stream, _ := f.objectAt(at, maxObject).value.(*Stream)
	if stream == nil || stream.Dict["Type"] != Name("XRef") {
		return nil
	}
	data, _, _ := f.data(stream, maxPack) // what there is of a damaged one; if that is too little, objects are looked for
	if f.work += int64(len(data)); f.Exhausted() {
		return nil
	}
	widths, ok := stream.Dict["W"].(Array)
	if !ok || len(widths) < 3 {
		return nil
	}
	var w [3]int
	for i := range w {
		n, _ := widths[i].(int64)
		if n < 0 || n > 8 {
			return nil
		}
		w[i] = int(n)
	}
	length := w[0] + w[1] + w[2]
	if length == 0 {
		return nil
	}
	index, _ := stream.Dict["Index"].(Array)
	if len(index) == 0 {
		index = Array{int64(0), stream.Dict["Size"]}
	}
	for ; len(index) >= 2; index = index[2:] {
		first, _ := index[0].(int64)
		count, _ := index[1].(int64)
		for num := first; num-first < count && len(data) >= length; num++ {
			kind, second, third := uint64(plain), field(data[w[0]:][:w[1]]), field(data[w[0]+w[1]:][:w[2]])
			if w[0] > 0 {
				kind = field(data[:w[0]])
			}
			data = data[length:]
			if num < 0 || num >= 1<<31 || second >= 1<<40 || third >= 1<<31 {
				continue
			}
			switch entryKind(min(kind, 3)) {
			case free:
				f.add(int(num), entry{})
			case plain:
				if second == 0 {
					f.add(int(num), entry{})
				} else {
					f.add(int(num), entry{kind: plain, offset: int64(second) + f.base})
				}
			case packed:
				f.add(int(num), entry{kind: packed, offset: int64(second), index: int(third)})
			}
		}
	}
	return stream.Dict
}

// field returns a number whose high bytes come first.
func field(b []byte) uint64 {
	n := uint64(0)
	for _, c := range b {
		n = n<<8 | uint64(c)
	}
	return n
}
