package change

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
	"github.com/helve-dev/helve/pkg/fault"
)

// maxRowBytes is the longest row that is passed over at once.
const maxRowBytes = 8 << 20

// walk is one reading of the part of a sheet that finds where cells stand. Rows that are not
// wanted are passed over as bytes.
type walk struct {
	s      *xmlscan.Scanner
	wanted []Cell // of this sheet, in their order
	last   bool   // the last row with content is wanted, too

	data                  span   // sheetData: Start and End of its content, or of the tag if it is empty
	dataTag               []byte // that tag, if it is empty
	rowName               string // as it is written, such as "row"
	rows                  []*row // the wanted ones
	lastRow               int    // with content
	firstBytes, lastBytes []byte // the content of the first and of the last row with content

	formulas  bool
	arrays    []sheet.Range
	merged    []sheet.Range
	protected bool
	dimension *tagged
	shared    map[int]*share // whose master is changed
}

type span struct{ start, end int64 }

// tagged is a tag and where it begins.
type tagged struct {
	at  int64
	tag []byte
}

// row is a wanted row.
type row struct {
	number  int
	missing bool
	at      int64 // where it begins, or is to be put
	tag     []byte
	empty   bool // the tag is all there is
	close   int64
	cells   []*place // parallel to the wanted ones of the row
	first   int      // of the wanted
	name    string   // of its cells as they are written; "" if it has none
}

// place is a wanted cell in the part.
type place struct {
	span
	raw     []byte // all of it; nil if there is none
	tag     []byte
	style   int
	formula bool
	share   *share // whose master it is
}

// share is a shared formula.
type share struct {
	index   string
	at      sheet.Address
	ref     string
	formula string
	heir    *place // the first of the other cells that use it
	heirAt  sheet.Address
}

func (w *walk) run() error {
	for {
		switch w.s.Next() {
		case xmlscan.EOF:
			if w.s.Mended() {
				return damaged()
			}
			w.missing(sheet.MaxRows+1, w.data.end)
			return nil
		case xmlscan.Start:
			if err := w.element(); err != nil {
				return err
			}
		}
	}
}

// element reads an element of the sheet.
func (w *walk) element() error {
	switch w.s.Local() {
	case "sheetData":
		return w.sheetData()
	case "dimension":
		w.dimension = &tagged{w.s.Offset() - int64(w.s.Tag()), bytes.Clone(w.s.Written())}
	case "mergeCell":
		if r, ok := sheet.ParseRange(w.s.String("ref")); ok {
			w.merged = append(w.merged, r)
		}
	case "sheetProtection":
		w.protected = w.s.Bool("sheet", false)
	}
	return nil
}

// sheetData reads the rows.
func (w *walk) sheetData() error {
	name, depth := w.s.Raw(), w.s.Depth()
	w.rowName = xmlscan.Qualified("row", name)
	tag := bytes.Clone(w.s.Written())
	w.data = span{w.s.Offset(), w.s.Offset()}
	if tag[len(tag)-2] == '/' {
		w.dataTag, w.data.start = tag, w.s.Offset()-int64(len(tag))
	}
	number := 0
	for {
		switch w.s.Next() {
		case xmlscan.EOF:
			return damaged()
		case xmlscan.End:
			if w.s.Depth() < depth {
				if w.dataTag == nil {
					w.data.end = w.s.Offset() - int64(w.s.Tag())
				}
				return nil
			}
		case xmlscan.Start:
			if w.s.Local() != "row" {
				return damaged()
			}
			next := number + 1
			if n, ok := w.s.Int("r"); ok {
				next = n
			}
			if next <= number || next > sheet.MaxRows {
				return damaged()
			}
			number = next
			at := w.s.Offset() - int64(w.s.Tag())
			w.missing(number, at)
			if err := w.row(number, at); err != nil {
				return err
			}
		}
	}
}

// missing notes the wanted rows before a number, which the part does not have.
func (w *walk) missing(before int, at int64) {
	for first := w.taken(); first < len(w.wanted) && w.wanted[first].At.Row < before; first = w.taken() {
		r := &row{number: w.wanted[first].At.Row, missing: true, at: at, first: first}
		for i := first; i < len(w.wanted) && w.wanted[i].At.Row == r.number; i++ {
			r.cells = append(r.cells, &place{})
		}
		w.rows = append(w.rows, r)
	}
}

// taken returns how many of the wanted cells are in the rows that were found.
func (w *walk) taken() int {
	if n := len(w.rows); n > 0 {
		return w.rows[n-1].first + len(w.rows[n-1].cells)
	}
	return 0
}

// row reads the row that began.
func (w *walk) row(number int, at int64) error {
	first := w.taken()
	if first == len(w.wanted) || w.wanted[first].At.Row != number {
		if w.pass(number) {
			return nil
		}
		return w.cells(number, nil)
	}
	tag := bytes.Clone(w.s.Written())
	r := &row{number: number, at: at, tag: tag, empty: tag[len(tag)-2] == '/', close: w.s.Offset(), first: first}
	for i := first; i < len(w.wanted) && w.wanted[i].At.Row == number; i++ {
		r.cells = append(r.cells, nil)
	}
	w.rows = append(w.rows, r)
	return w.cells(number, r)
}

// pass passes over a row that is not wanted. It reports false if its cells must be read.
func (w *walk) pass(number int) bool {
	end := []byte("</" + w.s.Raw() + ">")
	for least := 1; least <= maxRowBytes; least *= 4 {
		b := w.s.Peek(least)
		i := bytes.Index(b, end)
		if i < 0 {
			if len(b) < least {
				return false
			}
			continue
		}
		b = b[:i]
		formulas := contains(b, w.begins("f"))
		if bytes.Contains(b, []byte("<!")) || formulas && w.needs(b) {
			return false
		}
		w.formulas = w.formulas || formulas
		if w.last && (formulas || contains(b, w.begins("v")) || contains(b, w.begins("is"))) {
			w.keepLast(number, b)
		}
		w.s.Discard(i)
		return true
	}
	return false
}

// begins returns how the tag of an element begins.
func (w *walk) begins(name string) []byte {
	return []byte("<" + strings.TrimSuffix(w.rowName, "row") + name)
}

// contains reports whether there is a tag that begins so, and not one with a longer name.
func contains(b, begin []byte) bool {
	for i := bytes.Index(b, begin); i >= 0; i = bytes.Index(b, begin) {
		if b = b[i+len(begin):]; len(b) > 0 && (b[0] == '>' || b[0] == ' ' || b[0] == '/' || b[0] == '\t' || b[0] == '\n' || b[0] == '\r') {
			return true
		}
	}
	return false
}

// needs reports whether formulas in a row matter: those of several cells.
func (w *walk) needs(row []byte) bool {
	if bytes.Contains(row, []byte(`array`)) || bytes.Contains(row, []byte(`dataTable`)) {
		return true
	}
	return len(w.shared) > 0 && bytes.Contains(row, []byte("si="))
}

// keepLast keeps a row with content: the first one, and the last one.
func (w *walk) keepLast(number int, row []byte) {
	if w.lastRow == 0 {
		w.firstBytes = bytes.Clone(row)
	}
	w.lastRow, w.lastBytes = number, append(w.lastBytes[:0], row...)
}

// kept is a cell of a row that was kept.
type kept struct {
	column, style    int
	content, formula bool
}

// keptCells returns the cells of a row that was kept.
func keptCells(row []byte) (all []kept) {
	s := xmlscan.New(bytes.NewReader(slices.Concat([]byte("<row>"), row, []byte("</row>"))))
	column := -1
	for kind := s.Next(); kind != xmlscan.EOF; kind = s.Next() {
		if kind != xmlscan.Start {
			continue
		}
		switch s.Local() {
		case "c":
			column++
			if a, ok := sheet.ParseAddress(s.String("r")); ok {
				column = a.Column
			}
			style, _ := s.Int("s")
			all = append(all, kept{column: column, style: style})
		case "f", "v", "is":
			if n := len(all); n > 0 {
				all[n-1].content = true
				all[n-1].formula = all[n-1].formula || s.Local() == "f"
			}
		}
	}
	return all
}

// cells reads the cells of a row, and finds the places of those that are wanted; r is nil if
// none are.
func (w *walk) cells(number int, r *row) error {
	depth, column := w.s.Depth(), -1
	content, all := false, []byte(nil)
	next := 0 // of the wanted ones
	for {
		switch w.s.Next() {
		case xmlscan.EOF:
			return damaged()
		case xmlscan.End:
			if w.s.Depth() >= depth {
				continue
			}
			if r != nil {
				if !r.empty {
					r.close = w.s.Offset() - int64(w.s.Tag())
				}
				for ; next < len(r.cells); next++ {
					r.cells[next] = &place{span: span{r.close, r.close}}
				}
			}
			if w.last && content {
				w.keepLast(number, all)
			}
			return nil
		case xmlscan.Start:
			if w.s.Local() != "c" {
				w.s.Skip()
				continue
			}
			column++
			if v, ok := w.s.Attr("r"); ok {
				a, ok := sheet.ParseAddress(string(v))
				if !ok || a.Row != number || a.Column < column {
					return damaged()
				}
				column = a.Column
			}
			at := w.s.Offset() - int64(w.s.Tag())
			var p *place
			if r != nil {
				r.name = w.s.Raw()
				for ; next < len(r.cells) && w.wanted[r.first+next].At.Column < column; next++ {
					r.cells[next] = &place{span: span{at, at}}
				}
				if next < len(r.cells) && w.wanted[r.first+next].At.Column == column {
					p = &place{}
					r.cells[next] = p
					next++
				}
			}
			tag := bytes.Clone(w.s.Written())
			has, raw, err := w.cell(sheet.Address{Row: number, Column: column}, p, at, tag)
			if err != nil {
				return err
			}
			if content = content || has; w.last {
				all = append(all, raw...)
			}
		}
	}
}

// maxCellBytes limits the bytes of a cell.
const maxCellBytes = 1 << 20

// cell reads the cell that began: p is not nil if it is wanted.
func (w *walk) cell(at sheet.Address, p *place, offset int64, tag []byte) (content bool, raw []byte, err error) {
	style, _ := w.s.Int("s")
	if tag[len(tag)-2] != '/' {
		end := []byte("</" + w.s.Raw() + ">")
		for least := 1; ; least *= 4 {
			b := w.s.Peek(least)
			if i := bytes.Index(b, end); i >= 0 {
				raw = append(bytes.Clone(tag), b[:i+len(end)]...)
				break
			}
			if len(b) < least || least > maxCellBytes {
				return false, nil, damaged()
			}
		}
	} else {
		raw = tag
	}
	if p != nil {
		*p = place{span: span{offset, 0}, raw: raw, tag: tag, style: style}
	}
	for depth := w.s.Depth(); ; {
		switch w.s.Next() {
		case xmlscan.EOF:
			return false, nil, damaged()
		case xmlscan.End:
			if w.s.Depth() < depth {
				if p != nil {
					if p.end = w.s.Offset(); p.end-p.start != int64(len(raw)) {
						return false, nil, damaged()
					}
				}
				return content, raw, nil
			}
		case xmlscan.Start:
			switch w.s.Local() {
			case "f":
				content, w.formulas = true, true
				w.ofFormula(at, p, offset, raw, tag)
			case "v", "is":
				content = true
			}
		}
	}
}

// ofFormula reads the formula of a cell.
func (w *walk) ofFormula(at sheet.Address, p *place, offset int64, raw, tag []byte) {
	kind, ref, index := w.s.String("t"), w.s.String("ref"), w.s.String("si")
	if kind == "array" || kind == "dataTable" {
		if r, ok := sheet.ParseRange(ref); ok {
			w.arrays = append(w.arrays, r)
		}
	}
	if p != nil {
		p.formula = true
	}
	if kind != "shared" {
		return
	}
	n, ok := w.s.Int("si")
	if !ok {
		return
	}
	known := w.shared[n]
	switch {
	case p != nil && known == nil && ref != "":
		if w.shared == nil {
			w.shared = map[int]*share{}
		}
		known = &share{index: index, at: at, ref: ref, formula: string(w.s.All(32 << 10))}
		w.shared[n], p.share = known, known
	case p == nil && known != nil && known.heir == nil:
		known.heir, known.heirAt = &place{span: span{offset, offset + int64(len(raw))}, raw: raw, tag: tag}, at
	}
}

func damaged() error {
	return fault.New(fault.BadDocument, fault.T("the sheet is damaged or written in an unusual way, so that it can be read, but not changed")).
		WithHint(fault.T("save a copy with the program that it belongs to, and change that"))
}

// discard reads what is left, so that a reader learns of errors.
func discard(r io.Reader) error {
	_, err := io.Copy(io.Discard, r)
	return err
}
