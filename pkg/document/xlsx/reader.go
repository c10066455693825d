package xlsx

import (
	"bytes"
	"slices"

	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
	"github.com/helve-dev/helve/pkg/fault"
)

// Limits of one reading of a sheet.
const (
	// maxRowText limits the inline text kept of one row. The rest of the row is shown
	// without text.
	maxRowText = 16 << 20
	// maxShared limits the bytes of shared formulas that are kept.
	maxShared = 16 << 20
	// tailBytes limits the bytes of unwanted rows that are read to reach the merged cells
	// and links behind them.
	tailBytes = 4 << 20
)

// reader reads the part of a sheet once (18.3.1.99).
type reader struct {
	b     *Book
	s     *xmlscan.Scanner
	src   *source
	size  int64 // what the part claims to have
	w     sheet.Window
	yield func(*sheet.Row) bool
	tail  *tail
	plain bool // no fast path
	keep  bool // the yielded rows stay in memory, in any order
	head  bool // only what is before the rows is wanted
	bare  bool // only where cells are is wanted

	row      sheet.Row
	open     bool // a row began
	loose    bool // it has no number, but that of its first cell
	last     int  // the number of the last row
	column   int  // of the last cell; -1 before the first
	wanted   bool // the row is in the window
	unsorted bool // its cells are not
	done     bool // there is nothing more to yield
	rest     bool // and rows are left, which are to be skipped
	late     int  // rows that came behind ones with greater numbers
	arena    []byte
	masters  map[int]master
	used     int // bytes of masters
	cell     raw
	hiddenBy bool // rows are hidden unless they say otherwise
}

// master is a formula that other cells share.
type master struct {
	at      sheet.Address
	formula string
}

// newReader opens the part of a sheet. What is found beside rows goes to t.
func (b *Book) newReader(index int, w sheet.Window, t *tail) (*reader, error) {
	part := b.sheets[index].part
	src, err := b.source(part)
	if err != nil {
		return nil, err
	}
	r := &reader{b: b, src: src, size: b.pkg.Size(part), w: w, tail: t, plain: b.plain}
	r.s = xmlscan.New(r.src)
	*t = tail{sheet: index, window: w.Range}
	return r, nil
}

// read reads the part, and what is behind the rows if that is not far.
func (r *reader) read() error {
	defer r.src.Close()
	r.b.resumeTexts()
	behind := false // the rows are
	rels := r.b.pkg.Relations(r.b.sheets[r.tail.sheet].part)
	for {
		if r.rest {
			r.rest = false
			if !r.skipRows() {
				r.tail.unread = true
				break
			}
		}
		kind := r.s.Next()
		if kind == xmlscan.EOF {
			break
		}
		if kind != xmlscan.Start {
			behind = behind || kind == xmlscan.End && r.s.Local() == "sheetData"
			continue
		}
		switch r.s.Local() {
		case "sheetData":
			if r.rest = r.done; r.head {
				return nil
			}
		case "row":
			if !r.done && !behind {
				r.readRow()
			}
		case "c": // its row is damaged
			if !r.done && !behind {
				if v, ok := r.s.Attr("r"); ok {
					if row, _, ok := addressOf(v); ok && row != r.row.Number {
						r.finish()
					}
				}
				r.readCell()
			}
		case "sheetFormatPr":
			r.hiddenBy = r.s.Bool("zeroHeight", false)
		case "extLst", "controls", "oleObjects", "conditionalFormatting", "dataValidations", "customSheetViews", "sheetProtection", "scenarios":
			r.s.Skip()
		default:
			r.tail.read(r.s, rels)
		}
	}
	r.finish()
	return r.reason()
}

// reason returns why the reading was not complete.
func (r *reader) reason() error {
	switch {
	case r.s.Err() != nil && !r.done:
		return r.s.Err()
	case r.late > 0:
		return damaged(fault.T("%d of the sheet's rows are out of order and not shown", r.late))
	}
	return r.b.strings.err()
}

// readRow reads the row that began, and those that follow it directly.
func (r *reader) readRow() {
	depth := r.s.Depth()
	r.start()
	fast := !r.plain && r.s.Raw() == "row"
	for !r.done {
		if fast && r.fast() {
			continue
		}
		switch r.s.Next() {
		case xmlscan.Start:
			switch r.s.Local() {
			case "c":
				r.readCell()
			case "row": // the one before was not closed
				r.start()
			default:
				r.s.Skip()
			}
		case xmlscan.End:
			if r.s.Depth() < depth {
				r.finish()
				return
			}
		case xmlscan.EOF:
			r.finish()
			return
		}
	}
}

// start begins the row that the last Start opened.
func (r *reader) start() {
	number := 0
	if n, ok := r.s.Int("r"); ok && n > 0 && n <= maxRow {
		number = n
	}
	hidden := r.s.Bool("hidden", r.hiddenBy)
	r.finish()
	if !r.done {
		r.begin(number, hidden)
	}
}

// begin begins a row. Its number is 0 if it does not say.
func (r *reader) begin(number int, hidden bool) {
	if r.loose = number == 0; r.loose {
		number = r.last + 1
	}
	r.open, r.column, r.unsorted = true, -1, false
	r.row = sheet.Row{Number: number, Hidden: hidden, Cells: r.row.Cells[:0]}
	if r.keep {
		r.row.Cells, r.arena = nil, nil
	}
	r.arena = r.arena[:0]
	r.place()
}

// place decides by its number whether the row that began is wanted.
func (r *reader) place() {
	n := r.row.Number
	r.wanted = n >= r.w.Top && n <= r.w.Bottom && r.yield != nil
	switch {
	case n > r.w.Bottom && !r.keep:
		r.done, r.rest = true, true
	case n <= r.last && r.last > 0 && !r.keep:
		r.wanted = false
		if n >= r.w.Top {
			r.late++
		}
	}
}

// finish ends a row, and yields it.
func (r *reader) finish() {
	if !r.open || r.done {
		return
	}
	r.open = false
	r.last = max(r.last, r.row.Number)
	switch {
	case !r.wanted:
	case len(r.row.Cells) == 0:
		if r.row.Hidden {
			r.tail.hideRow(r.row.Number)
		}
	default:
		if r.unsorted {
			r.row.Cells = sorted(r.row.Cells)
		}
		if !r.yield(&r.row) {
			r.done, r.rest = true, true
			r.tail.window.Bottom = r.row.Number
		}
	}
}

// sorted returns cells by their columns. Of several in one column the last one counts.
func sorted(cells []sheet.Cell) []sheet.Cell {
	slices.SortStableFunc(cells, func(a, b sheet.Cell) int { return a.Column - b.Column })
	n := 0
	for i := range cells {
		if i+1 < len(cells) && cells[i+1].Column == cells[i].Column {
			continue
		}
		cells[n] = cells[i]
		n++
	}
	return cells[:n]
}

// skipRows passes over the rows that are left. It reports false if they are many.
func (r *reader) skipRows() bool {
	const end = "sheetData"
	if r.size-r.src.n > tailBytes {
		return false
	}
	for skipped := 0; skipped <= tailBytes; {
		b := r.s.Peek(fastBytes)
		n := len(b) - len(end)
		if i := bytes.Index(b, []byte(end)); i >= 0 {
			if n = bytes.LastIndexByte(b[:i], '<'); n >= 0 {
				r.s.Discard(n)
				return true
			}
			n = i + 1
		}
		if n <= 0 {
			return true
		}
		r.s.Discard(n)
		skipped += n
	}
	return false
}
