package change

import (
	"context"
	"io"
	"strconv"

	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
	"github.com/helve-dev/helve/pkg/fault"
)

// appended returns the cells of rows that are put below the last one, with the styles of the
// cells above them.
func (c *changes) appended(index int, rows [][]any) ([]Cell, error) {
	w, err := c.walk(index, nil, true)
	if err != nil {
		return nil, err
	}
	c.first, c.donors = w.lastRow+1, map[int]int{}
	if c.first+len(rows)-1 > sheet.MaxRows {
		return nil, fault.New(fault.OutOfRange, fault.T("a sheet has at most %d rows", sheet.MaxRows)).WithHint(fault.T("append to another sheet"))
	}
	left := -1
	for _, row := range [...][]byte{w.firstBytes, w.lastBytes} {
		for _, k := range keptCells(row) {
			if k.content && (left < 0 || k.column < left) {
				left = k.column
			}
		}
	}
	left = max(left, 0)
	sums := false
	for _, k := range keptCells(w.lastBytes) {
		c.donors[k.column] = k.style
		sums = sums || k.formula
	}
	if sums {
		c.result.Warnings = append(c.result.Warnings, fault.T("row %d, below which rows were appended, has formulas: they do not count the new rows", w.lastRow))
	}
	var cells []Cell
	right := left
	for i, row := range rows {
		for k, v := range row {
			if left+k >= sheet.MaxColumns {
				return nil, fault.New(fault.OutOfRange, fault.T("a sheet has at most %d columns", sheet.MaxColumns)).WithHint(fault.T("append shorter rows"))
			}
			if v == nil {
				continue
			}
			right = max(right, left+k)
			cells = append(cells, Cell{Sheet: index, At: sheet.Address{Row: c.first + i, Column: left + k}, Value: v})
		}
	}
	if len(cells) == 0 {
		return nil, fault.New(fault.InvalidArguments, fault.T("append has no values")).WithHint(fault.T(`pass rows as lists: [["Ann", 12.5], ["Bob", 7]]`))
	}
	c.result.Inserted += len(rows)
	return cells, c.grow(index, w.lastRow, left, right, len(rows))
}

// grow makes a table longer that ends where rows are appended.
func (c *changes) grow(index, last, left, right, rows int) error {
	for _, part := range c.Related(index, "table") {
		t, err := c.readTree(part)
		if err != nil {
			return err
		}
		ref, _ := t.Attr(t.Root, "ref")
		r, ok := sheet.ParseRange(ref)
		if !ok || r.Bottom != last || r.Left > right || r.Right < left {
			continue
		}
		if totals, _ := t.Attr(t.Root, "totalsRowCount"); totals != "" && totals != "0" {
			return refused(fault.T("row %d has the totals of a table, which a row below them would not belong to", last),
				fault.T("insert a row above them with insert_rows, or with the program that the workbook belongs to"))
		}
		if left < r.Left || right > r.Right {
			continue
		}
		longer := r
		longer.Bottom += rows
		splices := []xmlscan.Splice{{Start: int64(t.Root.Start), End: int64(t.Root.Inner), New: setAttr(t.Tag(t.Root), "ref", longer.String())}}
		if f := t.Root.Child("x:autoFilter"); f != nil {
			splices = append(splices, xmlscan.Splice{Start: int64(f.Start), End: int64(f.Inner), New: setAttr(t.Tag(f), "ref", longer.String())})
		}
		data, err := t.Spliced(splices)
		if err != nil {
			return err
		}
		c.put(part, data)
	}
	return nil
}

// insertRows writes the workbook with empty rows in a sheet.
func (w *Workbook) insertRows(ctx context.Context, index int, rows sheet.Span, done *Result, out io.Writer) error {
	n := rows.Last - rows.First + 1
	done.Inserted += n
	done.Changed = append(done.Changed, w.rowsChanged(index, rows))
	done.Changed[len(done.Changed)-1].After = "inserted"
	return w.shift(ctx, index, rows.First, n, sheet.Span{}, out)
}

// deleteRows writes the workbook without some rows of a sheet.
func (w *Workbook) deleteRows(ctx context.Context, index int, rows sheet.Span, done *Result, out io.Writer) error {
	window := sheet.Range{Top: rows.First, Bottom: rows.Last, Right: sheet.MaxColumns - 1}
	err := w.Rows(ctx, index, sheet.Window{Range: window, Formulas: true}, func(r *sheet.Row) bool {
		for i := range r.Cells {
			at := sheet.Address{Row: r.Number, Column: r.Cells[i].Column}
			done.Changed = append(done.Changed, Changed{Ref: w.ref(index, at), Before: content(&r.Cells[i], w.Date1904()), Row: true, sheet: index, at: at})
		}
		return len(done.Changed) < maxCells
	})
	if err != nil {
		return err
	}
	if len(done.Changed) == 0 {
		done.Changed = append(done.Changed, w.rowsChanged(index, rows))
		done.Changed[0].Before = "deleted"
	}
	n := rows.Last - rows.First + 1
	done.Deleted += n
	return w.shift(ctx, index, rows.Last+1, -n, rows, out)
}

func (w *Workbook) rowsChanged(index int, rows sheet.Span) Changed {
	r := sheet.Range{Top: rows.First, Bottom: rows.Last, Right: sheet.MaxColumns - 1}
	return Changed{Ref: sheet.Quote(w.Sheets()[index].Name) + "!" + r.String(), Row: true, sheet: index, at: sheet.Address{Row: rows.First}}
}

// shift moves the rows from first on by some, and leaves out the deleted ones.
func (w *Workbook) shift(ctx context.Context, index, first, by int, deleted sheet.Span, out io.Writer) error {
	c := &changes{Workbook: w, ctx: ctx, parts: map[string]func(io.Writer) error{}}
	g, err := w.walk(index, nil, true)
	if err != nil {
		return err
	}
	if g.protected {
		return protected(w.Sheets()[index].Name)
	}
	if g.lastRow < first && deleted == (sheet.Span{}) {
		return fault.New(fault.NoChange, fault.T("the sheet has no rows from %d on that could move", first)).
			WithHint(fault.T("fill the rows with cells or append"))
	}
	if g.lastRow+by > sheet.MaxRows {
		return fault.New(fault.OutOfRange, fault.T("a sheet has at most %d rows", sheet.MaxRows)).WithHint(fault.T("insert fewer rows"))
	}
	from := first
	if deleted != (sheet.Span{}) {
		from = deleted.First
	}
	if err := c.unreached(index, from, deleted); err != nil {
		return err
	}
	part := w.Part(index)
	c.parts[part] = func(out io.Writer) error {
		in, err := w.Package().Open(part)
		if err != nil {
			return err
		}
		defer in.Close()
		return moved(out, in, first, by, deleted)
	}
	if err := c.moveChain(index, first, by, deleted); err != nil {
		return err
	}
	return c.write(out)
}

// moved copies the part of a sheet with its rows from first on moved by some.
func moved(out io.Writer, in io.Reader, first, by int, deleted sheet.Span) error {
	m := &mover{in: &replay{}, out: out, first: first, by: by, deleted: deleted}
	return m.run(xmlscan.New(io.TeeReader(in, m.in)))
}

// heldBytes limits the bytes of a part that are held before they are copied.
const heldBytes = 1 << 20

// replay holds what a scanner has read and is not copied yet.
type replay struct {
	b  []byte
	at int64 // of the first byte
}

func (r *replay) Write(p []byte) (int, error) {
	r.b = append(r.b, p...)
	return len(p), nil
}

// take returns the bytes up to an offset.
func (r *replay) take(to int64) []byte {
	n := int(to - r.at)
	out := r.b[:n]
	r.b, r.at = r.b[n:], to
	return out
}

// mover moves rows.
type mover struct {
	in      *replay
	out     io.Writer
	first   int
	by      int
	deleted sheet.Span
	failed  error
}

func (m *mover) write(b []byte) {
	if m.failed == nil {
		_, m.failed = m.out.Write(b)
	}
}

func (m *mover) run(s *xmlscan.Scanner) error {
	number, depth := 0, 0 // of the row; the depth of the cells' rows
	mark := int64(-1)
	for m.failed == nil {
		kind := s.Next()
		if s.Mended() && kind != xmlscan.EOF {
			return damaged()
		}
		if mark < 0 {
			var err error
			if mark, err = xmlscan.Mark(m.in.b[:min(len(m.in.b), 256)]); err != nil {
				return err
			}
		}
		if len(m.in.b) > heldBytes && kind == xmlscan.End {
			m.write(m.in.take(s.Offset() + mark))
		}
		switch {
		case kind == xmlscan.EOF:
			if s.Mended() {
				return damaged()
			}
			m.write(m.in.b)
			return m.failed
		case kind == xmlscan.Start && s.Local() == "sheetData":
			depth = s.Depth() + 1
		case kind == xmlscan.End && s.Local() == "sheetData":
			depth = 0
		case kind == xmlscan.Start && depth > 0 && s.Depth() == depth && s.Local() == "row":
			number++
			if n, ok := s.Int("r"); ok {
				number = n
			}
			begin := s.Offset() - int64(s.Tag()) + mark
			if number >= m.deleted.First && number <= m.deleted.Last {
				m.write(m.in.take(begin))
				s.Skip()
				m.in.take(s.Offset() + mark)
				continue
			}
			if number >= m.first {
				m.tag(s, "r", strconv.Itoa(number+m.by), begin, mark)
			}
		case kind == xmlscan.Start && depth > 0 && number >= m.first && s.Local() == "c":
			if a, ok := sheet.ParseAddress(s.String("r")); ok {
				a.Row += m.by
				m.tag(s, "r", a.String(), s.Offset()-int64(s.Tag())+mark, mark)
			}
		case kind == xmlscan.Start && depth > 0 && number >= m.first && s.Local() == "f":
			if r, ok := sheet.ParseRange(s.String("ref")); ok {
				r.Top += m.by
				r.Bottom += m.by
				m.tag(s, "ref", r.String(), s.Offset()-int64(s.Tag())+mark, mark)
			}
		}
	}
	return m.failed
}

// tag copies what is before a tag, and the tag with another value of an attribute.
func (m *mover) tag(s *xmlscan.Scanner, name, value string, begin, mark int64) {
	m.write(m.in.take(begin))
	tag := m.in.take(s.Offset() + mark)
	t := xmlscan.Tree{Data: tag}
	if _, ok := t.Attr(&xmlscan.Node{Raw: s.Raw(), Inner: len(tag)}, name); !ok {
		m.write(tag)
		return
	}
	m.write(setAttr(tag, name, value))
}

// moveChain moves the cells in the order of calculation.
func (c *changes) moveChain(index, first, by int, deleted sheet.Span) error {
	part := c.Relation("calcChain")
	if part == "" {
		return nil
	}
	t, err := c.readTree(part)
	if err != nil {
		return err
	}
	ids, err := c.sheetIDs()
	if err != nil {
		return err
	}
	current := ""
	var splices []xmlscan.Splice
	for _, n := range t.Root.Children {
		if v, ok := t.Attr(n, "i"); ok {
			current = v
		}
		ref, _ := t.Attr(n, "r")
		a, ok := sheet.ParseAddress(ref)
		if !ok || current != ids[index] {
			continue
		}
		switch {
		case a.Row >= deleted.First && a.Row <= deleted.Last:
			c.gone = append(c.gone, gone{index, a})
		case a.Row >= first:
			a.Row += by
			splices = append(splices, xmlscan.Splice{Start: int64(n.Start), End: int64(n.Inner), New: setAttr(t.Tag(n), "r", a.String())})
		}
	}
	if len(c.gone) > 0 {
		return c.dropChain(part) // programs make it again
	}
	if len(splices) == 0 {
		return nil
	}
	data, err := t.Spliced(splices)
	c.put(part, data)
	return err
}
