package sheet

import (
	"context"
	"encoding/binary"
	"strconv"
)

// block is a part of a sheet as it was read: its rows in a compact form, as only the last of
// them decides which columns the table has.
type block struct {
	part
	rows   []line
	chunks [][]byte
	first  []int32 // by column from Left: 1 + the index of the row that has it first, or 0
	width  int     // columns with content
	images []Picture
	hidden []Span // rows
	done   bool   // the part has no more rows
	full   bool   // there are more rows, which do not fit
	resume int    // the column that the last row goes on with, or 0 if it is whole
	err    error  // what ended the reading early
}

// line is a row of a block.
type line struct {
	number int32
	width  int32 // columns with content up to here
	length int32 // bytes of the row in its chunk
	lines  int32 // of the table up to here: rows, and runs of empty rows
	bytes  int64 // of the table up to here, except cells without content
}

// chunkSize is the size of the allocations for a block.
const chunkSize = 256 << 10

// pictureMark begins the text of a cell with a picture, before its index. No other text
// has it.
const pictureMark = 0

// pictureBytes estimates the bytes of a picture in a cell.
const pictureBytes = 80

// budget limits the lines and bytes of a part.
type budget struct{ lines, bytes int }

// reader fills a block.
type reader struct {
	block
	budget
	values   Values
	date1904 bool

	row, text, shown []byte // of the cell or row at hand
	added            []int  // columns that the row at hand has first
}

// read collects the rows of a part, from its top, while they fit into the budget. One row
// is always read; of one that alone is too much, as many cells as fit.
func read(ctx context.Context, book Book, p part, values Values, b budget) *block {
	k := &reader{block: block{part: p}, budget: b, values: values, date1904: book.Date1904()}
	w := Window{Range: p.Range, Formulas: values == Formulas}
	if b.lines < MaxRows {
		w.Limit = b.lines + 1
	}
	if p.Top > p.Bottom {
		k.done = true
		return &k.block
	}
	n := 0
	k.err = book.Rows(ctx, p.sheet, w, func(r *Row) bool {
		if n++; n%64 == 0 && ctx.Err() != nil {
			return false
		}
		if r.Number < p.Top || r.Number <= k.last() {
			return true
		}
		if r.Number > p.Bottom {
			return false
		}
		k.take(r)
		return !k.full
	})
	if k.err == nil {
		k.err = ctx.Err()
	}
	k.done = !k.full && k.err == nil
	return &k.block
}

// last returns the number of the last row with content, or the one before the first.
func (k *block) last() int {
	if n := len(k.rows); n > 0 {
		return int(k.rows[n-1].number)
	}
	return k.Top - 1
}

// take adds a row, if it has content and fits.
func (k *reader) take(r *Row) {
	next := line{number: int32(r.Number)}
	last := k.last()
	if n := len(k.rows); n > 0 {
		next.lines, next.bytes = k.rows[n-1].lines, k.rows[n-1].bytes
	}
	if r.Number > last+1 {
		next.lines++
		next.bytes += int64(emptyBytes)
	}
	next.lines++
	next.bytes += int64(digitsOf(r.Number) + len("|  |\n"))

	images := len(k.images)
	k.row, k.added = k.row[:0], k.added[:0]
	previous, resume, full := k.Left-1, 0, false
	for i := range r.Cells {
		c := &r.Cells[i]
		if c.Column <= previous {
			continue
		}
		if c.Column > k.Right || c.Column >= MaxColumns {
			break
		}
		size := k.cell(c)
		if size == 0 {
			continue
		}
		k.mark(c.Column)
		if size++; k.size(next)+int64(size) > int64(k.budget.bytes) && (len(k.rows) > 0 || len(k.row) > 0) {
			resume, full = c.Column, true
			k.unmark(c.Column)
			break
		}
		if c.Picture != nil {
			k.images = append(k.images, *c.Picture)
		}
		k.row = binary.AppendUvarint(k.row, uint64(c.Column-previous))
		k.row = binary.AppendUvarint(k.row, uint64(len(k.shown)))
		k.row = append(k.row, k.shown...)
		next.bytes += int64(size)
		previous = c.Column
	}
	switch {
	case len(k.rows) > 0 && (full || len(k.row) > 0 && int(next.lines) > k.budget.lines):
		for _, column := range k.added {
			k.first[column-k.Left] = 0
		}
		k.width -= len(k.added)
		k.images = k.images[:images]
		k.full = true
		return
	case r.Hidden:
		k.hide(r.Number)
	}
	if len(k.row) == 0 {
		return
	}
	next.width, next.length = int32(k.width), int32(len(k.row))
	k.keep(k.row)
	k.rows = append(k.rows, next)
	k.resume, k.full = resume, full
}

// emptyBytes estimates the bytes of a run of empty rows.
const emptyBytes = len("| 1000000–1000000 | *(1000000 empty rows)* |\n") + 2

// cell renders a cell to k.shown and returns the bytes that it takes, or 0 if it shows nothing.
func (k *reader) cell(c *Cell) int {
	if c.Picture != nil {
		k.shown = binary.AppendUvarint(append(k.shown[:0], pictureMark), uint64(len(k.images)))
		return pictureBytes
	}
	k.text = appendValue(k.text[:0], c, k.values, k.date1904)
	k.shown = appendCell(k.shown[:0], k.text)
	return len(k.shown)
}

// mark notes that the row at hand has the column.
func (k *reader) mark(column int) {
	at := column - k.Left
	if at >= len(k.first) {
		k.first = append(k.first, make([]int32, at+1-len(k.first))...)
	}
	if k.first[at] == 0 {
		k.first[at] = int32(len(k.rows)) + 1
		k.width++
		k.added = append(k.added, column)
	}
}

// unmark takes back the last mark, if it was the column's first.
func (k *reader) unmark(column int) {
	if n := len(k.added); n > 0 && k.added[n-1] == column {
		k.added = k.added[:n-1]
		k.first[column-k.Left] = 0
		k.width--
	}
}

// size returns the bytes of a table that ends with a row: the head, and for each cell
// without content two.
func (k *reader) size(l line) int64 {
	l.width = int32(k.width)
	return l.size()
}

func (l *line) size() int64 {
	return l.bytes + int64(l.width)*int64(2*int(l.lines)+headBytes)
}

// headBytes is the number of bytes that a column takes in the table's head.
const headBytes = len(" XFD |---|")

func (k *block) hide(row int) {
	if n := len(k.hidden); n > 0 && k.hidden[n-1].Last == row-1 {
		k.hidden[n-1].Last = row
		return
	}
	k.hidden = append(k.hidden, Span{row, row})
}

// keep stores an encoded row.
func (k *block) keep(row []byte) {
	n := len(k.chunks)
	if n == 0 || cap(k.chunks[n-1])-len(k.chunks[n-1]) < len(row) {
		size := chunkSize
		if n == 0 {
			size = chunkSize / 16
		}
		k.chunks = append(k.chunks, make([]byte, 0, max(size, len(row))))
		n++
	}
	k.chunks[n-1] = append(k.chunks[n-1], row...)
}

// cut keeps the first rows that fit into a budget. It reports whether at least one did:
// else the block is to be read again.
func (k *block) cut(b budget) bool {
	fits := func(l *line) bool {
		return int(l.lines) <= b.lines && l.size() <= int64(b.bytes)
	}
	keep := len(k.rows)
	for keep > 1 && !fits(&k.rows[keep-1]) {
		keep--
	}
	if keep > 0 && !fits(&k.rows[0]) {
		return false
	}
	if keep < len(k.rows) {
		k.rows = k.rows[:keep]
		k.done, k.full, k.resume = false, true, 0
		k.err = nil // it lies behind
		for i, first := range k.first {
			if int(first) > keep {
				k.first[i] = 0
			}
		}
		k.width = int(k.rows[keep-1].width)
		for n := len(k.hidden); n > 0 && k.hidden[n-1].Last > k.last(); n-- {
			if k.hidden[n-1].First <= k.last() {
				k.hidden[n-1].Last = k.last()
				break
			}
			k.hidden = k.hidden[:n-1]
		}
	}
	return true
}

// needs returns how much of a budget the block uses.
func (k *block) needs() budget {
	n := len(k.rows)
	if n == 0 {
		return budget{}
	}
	l := &k.rows[n-1]
	return budget{int(l.lines), int(min(l.size(), unlimited))}
}

// used returns the cells with content that were read.
func (k *block) used() Range {
	if len(k.rows) == 0 {
		return Range{}
	}
	r := Range{Top: int(k.rows[0].number), Bottom: k.last(), Left: -1}
	for i, first := range k.first {
		if first == 0 {
			continue
		}
		if r.Left < 0 {
			r.Left = k.Left + i
		}
		r.Right = k.Left + i
	}
	return r
}

func digitsOf(n int) int {
	var b [20]byte
	return len(strconv.AppendInt(b[:0], int64(n), 10))
}
