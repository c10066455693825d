package journal

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// The index is a file beside the journal with what is looked for in it: a row for each
// entry, and the sums of a scan. So a change reads only what was appended since, and undo
// and history decode only the entries that they are about.
//
// It is about the beginning of the journal, up to a line after which no intent was open.
// It is never believed against the journal: it has a checksum of itself, and one of the
// journal's last bytes before that place, which hold an ID. Without an index, or with one
// that is damaged or of an earlier journal, the whole journal is read.
//
// The first line is the header, see [index.encode]. A row is the kind of its entry, "+" if
// it renews a version (see renewed) or else "-", its ID, the place and length of its record
// in the journal (base 36), the IDs of what an undo took back, and its paths: each after a
// tab, as a Go string.

const (
	indexName = "journal.index"
	// maxHeader limits the header, in bytes.
	maxHeader = 512
	// maxIndex limits the index, in bytes: there is none of a journal that needs more.
	maxIndex = 64 << 20
	// markBytes is the length of the end of the journal that the index has a checksum of.
	markBytes = 1 << 10
)

// Kinds of rows. An entry that came to nothing has none.
const (
	rowChange   = 'c'
	rowUndo     = 'u'
	rowConflict = 'x'
)

// index is the index of a journal, decoded.
type index struct {
	sums
	end  int64 // bytes of the journal that it is about
	mark uint32
	last string // the highest ID; "-" without rows
	rows []byte
}

// encode writes the index: version, end, mark, last, the sums, and the checksums of the
// rows and of the header; then the rows.
func (x *index) encode() []byte {
	sum := crc32.ChecksumIEEE(x.rows)
	out := fmt.Appendf(nil, "1 %d %08x %s %d %d %d %d %d %d %08x", x.end, x.mark, x.last, x.entries, x.bytes, x.kept,
		x.base.entries, x.base.bytes, x.base.kept, sum)
	out = fmt.Appendf(out, " %08x\n", crc32.ChecksumIEEE(out))
	return append(out, x.rows...)
}

// decodeHeader reads the first line, without the rows, of which it returns the checksum.
func decodeHeader(line string) (x index, rows uint32, ok bool) {
	text, sum, ok := cutLast(line, " ")
	if !ok || sum != fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(text))) {
		return index{}, 0, false
	}
	_, err := fmt.Sscanf(text, "1 %d %x %s %d %d %d %d %d %d %x", &x.end, &x.mark, &x.last, &x.entries, &x.bytes, &x.kept,
		&x.base.entries, &x.base.bytes, &x.base.kept, &rows)
	return x, rows, err == nil
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// markOf returns the checksum of the end of the first bytes of a journal.
func markOf(journal io.ReaderAt, end int64) (uint32, error) {
	last := make([]byte, min(end, markBytes))
	_, err := journal.ReadAt(last, end-int64(len(last)))
	return crc32.ChecksumIEEE(last), err
}

// header returns the index of a journal without its rows, and its first line; "" if there
// is none.
func (j *Journal) header(journal io.ReaderAt) (x index, rows uint32, line string) {
	f, err := j.dir.OpenFile(indexName)
	if err != nil {
		return index{}, 0, ""
	}
	defer f.Close()
	start := make([]byte, maxHeader)
	n, _ := f.ReadAt(start, 0) // a short index ends before
	line, _, ok := strings.Cut(string(start[:n]), "\n")
	if ok {
		x, rows, ok = decodeHeader(line)
	}
	if !ok || !x.isOf(journal) {
		return index{}, 0, ""
	}
	return x, rows, line
}

// index returns the index of a journal; what is not ok is about nothing. It is read once
// for all looks until another takes its place.
func (j *Journal) index(journal io.ReaderAt) (x index, ok bool) {
	x, sum, line := j.header(journal)
	if line == "" {
		return index{}, false
	}
	j.rows.Lock()
	defer j.rows.Unlock()
	if j.rows.header == line {
		x.rows = j.rows.text
		return x, true
	}
	f, err := j.dir.OpenFile(indexName)
	if err != nil {
		return index{}, false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() <= int64(len(line)) || info.Size() > maxIndex {
		return index{}, false
	}
	data := make([]byte, info.Size())
	if _, err := io.ReadFull(f, data); err != nil || string(data[:len(line)]) != line {
		return index{}, false // another took its place at this moment
	}
	rows := data[len(line)+1:]
	if crc32.ChecksumIEEE(rows) != sum {
		return index{}, false
	}
	x.rows = rows
	j.rows.header, j.rows.text = line, rows
	return x, true
}

// readRows are the rows that were read last.
type readRows struct {
	sync.Mutex
	header string
	text   []byte
}

func (x *index) isOf(journal io.ReaderAt) bool {
	mark, err := markOf(journal, x.end)
	return err == nil && mark == x.mark
}

// row returns the row of an entry, nil if there is none.
func (x *index) row(id string) row {
	if len(id) != idLen {
		return nil
	}
	for from := 0; ; {
		i := bytes.Index(x.rows[from:], []byte(id+" "))
		if i < 0 {
			return nil
		}
		i += from
		if from = i + len(id); i >= 2 && (i == 2 || x.rows[i-3] == '\n') {
			line, _, _ := bytes.Cut(x.rows[i-2:], []byte("\n"))
			return row(line)
		}
	}
}

// row is a line of the index, without its newline.
type row []byte

// appendRow adds the row of a decoded entry.
func appendRow(rows []byte, e *entry) []byte {
	kind := byte(rowChange)
	switch {
	case e.end == conflict:
		kind = rowConflict
	case len(e.Undoes) > 0:
		kind = rowUndo
	}
	renews := byte('-')
	for _, s := range e.Steps {
		if s.Again != 0 {
			renews = '+'
		}
	}
	rows = append(rows, kind, renews)
	rows = append(rows, e.ID...)
	rows = strconv.AppendInt(append(rows, ' '), e.at, 36)
	rows = strconv.AppendInt(append(rows, ' '), e.length, 36)
	for _, id := range e.Undoes {
		rows = append(append(rows, ' '), id...)
	}
	for _, s := range e.Steps {
		for _, p := range s.names() {
			rows = strconv.AppendQuote(append(rows, '\t'), p)
		}
	}
	return append(rows, '\n')
}

func (r row) kind() byte   { return r[0] }
func (r row) renews() bool { return r[1] == '+' }
func (r row) id() string   { return string(r[2 : 2+idLen]) }

// entry returns the entry of a row, which is not decoded yet.
func (r row) entry() *entry {
	head, _, _ := bytes.Cut(r[2+idLen:], []byte("\t"))
	fields := strings.Fields(string(head))
	e := &entry{record: record{ID: r.id()}, end: commit}
	if r.kind() == rowConflict {
		e.end = conflict
	}
	if len(fields) < 2 {
		return e // no index has such a row
	}
	e.at, _ = strconv.ParseInt(fields[0], 36, 64)
	e.length, _ = strconv.ParseInt(fields[1], 36, 64)
	e.Undoes = fields[2:]
	return e
}

// sought is a path as rows have it, and the beginning of those below it.
type sought struct {
	all          bool // the workspace
	exact, below []byte
}

func seek(path string) sought {
	quoted := strconv.AppendQuote([]byte("\t"), path)
	return sought{all: path == "", exact: quoted, below: append(slices.Clip(quoted[:len(quoted)-1]), '/')}
}

// in reports whether the entry of a row touches the path or something below it.
func (s sought) in(r row) bool {
	return s.all || bytes.Contains(r, s.exact) || bytes.Contains(r, s.below)
}

// decode fills an entry of the index from the journal.
func (e *entry) decode(journal *os.File) error {
	if e.length == 0 {
		return nil
	}
	line := make([]byte, e.length)
	if _, err := journal.ReadAt(line, e.at); err != nil {
		return err
	}
	r, err := parse(line)
	if err == nil && r.ID != e.ID {
		err = fmt.Errorf("%s is not at %d", e.ID, e.at)
	}
	if err != nil {
		return err
	}
	e.record, e.length = r, 0
	return nil
}
