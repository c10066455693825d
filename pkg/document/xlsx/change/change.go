// Package change changes cells and rows of workbooks, .xlsx and .xlsm, in place: what is not
// concerned keeps its bytes. It calculates nothing; where a value that a formula gave may no
// longer hold, the workbook is marked so that programs calculate it when they open it.
//
// A change that would need more than is understood is refused and says why: of an array
// formula's part, of a merged cell's hidden part, of rows that something else refers to.
package change

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"slices"

	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/document/xlsx"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/zipped"
)

// Workbook is a workbook that can be changed.
type Workbook struct {
	*xlsx.Book
	file io.ReaderAt
	size int64
}

// Cell is a change of one cell.
type Cell struct {
	Sheet   int // from 0
	At      sheet.Address
	Value   any    // nil, bool, float64 or string; of a string the cell's format decides what it is
	Formula string // without "="; instead of Value
	Format  string // a number format such as 0.00; "" keeps the cell's own
	Keep    bool   // only the format changes

	seen bool // Value is in the form in which read shows it
}

// Request lists changes. Rows are deleted first, then inserted; cells and appended rows are
// of the sheet that this gives.
type Request struct {
	Cells          []Cell
	Sheet          int // of what follows
	Append         [][]any
	Insert, Delete sheet.Span // of rows; zero is none
}

// Changed is a cell before and after a change, as read shows it.
type Changed struct {
	Ref           string // with the sheet: "Sales!B2"
	Before, After string
	Row           bool // its row was inserted or deleted

	sheet int
	at    sheet.Address
}

// Result describes a change.
type Result struct {
	Changed           []Changed
	Inserted, Deleted int // rows
	// Recalculate says that values which formulas gave may no longer hold.
	Recalculate bool
	Warnings    []fault.Text
}

// Refs returns the addresses of the changed cells.
func (r *Result) Refs() []string {
	refs := make([]string, len(r.Changed))
	for i, c := range r.Changed {
		refs[i] = c.Ref
	}
	return refs
}

// maxCells limits the cells of one change.
const maxCells = 100_000

// Open opens a workbook to be changed. One that is signed, protected, damaged or binary is
// refused.
func Open(file io.ReaderAt, size int64) (*Workbook, error) {
	book, err := xlsx.Open(file, size)
	if err != nil {
		return nil, err
	}
	if book.Binary() {
		return nil, fault.New(fault.UnsupportedContent, fault.T("a binary workbook (.xlsb) can be read, but not changed")).
			WithHint(fault.T("save it as .xlsx, and change that"))
	}
	if err := book.Package().Changeable(); err != nil {
		return nil, err
	}
	return &Workbook{book, file, size}, nil
}

// Apply writes the changed workbook.
func (w *Workbook) Apply(ctx context.Context, r Request, out io.Writer) (*Result, error) {
	var before Result
	for _, step := range [...]struct {
		rows sheet.Span
		do   func(*Workbook, context.Context, int, sheet.Span, *Result, io.Writer) error
	}{{r.Delete, (*Workbook).deleteRows}, {r.Insert, (*Workbook).insertRows}} {
		if step.rows == (sheet.Span{}) {
			continue
		}
		last := len(r.Cells)+len(r.Append) == 0 && (step.rows == r.Insert || r.Insert == sheet.Span{})
		if last {
			return &before, step.do(w, ctx, r.Sheet, step.rows, &before, out)
		}
		var b bytes.Buffer
		if err := step.do(w, ctx, r.Sheet, step.rows, &before, &b); err != nil {
			return nil, err
		}
		next, err := Open(bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil {
			return nil, err
		}
		w = next
	}
	c := &changes{Workbook: w, ctx: ctx, parts: map[string]func(io.Writer) error{}, result: before}
	return &c.result, c.apply(r, out)
}

// apply changes cells and appends rows.
func (c *changes) apply(r Request, out io.Writer) error {
	cells := slices.Clone(r.Cells)
	if len(r.Append) > 0 {
		more, err := c.appended(r.Sheet, r.Append)
		if err != nil {
			return err
		}
		cells = append(cells, more...)
	}
	if len(cells) > maxCells {
		return fault.New(fault.TooLarge, fault.T("%d cells are more than one call changes, which is %d", len(cells), maxCells)).
			WithHint(fault.T("change them in several calls"))
	}
	slices.SortStableFunc(cells, func(a, b Cell) int {
		return cmp.Or(cmp.Compare(a.Sheet, b.Sheet), cmp.Compare(a.At.Row, b.At.Row), cmp.Compare(a.At.Column, b.At.Column))
	})
	for i := range cells {
		if i > 0 && cells[i].Sheet == cells[i-1].Sheet && cells[i].At == cells[i-1].At {
			return fault.New(fault.Overlap, fault.T("%s is changed twice", c.ref(cells[i].Sheet, cells[i].At))).
				WithHint(fault.T("give each cell once"))
		}
	}
	for len(cells) > 0 {
		n := 1
		for n < len(cells) && cells[n].Sheet == cells[0].Sheet {
			n++
		}
		if err := c.sheet(cells[:n]); err != nil {
			return err
		}
		cells = cells[n:]
	}
	if !slices.ContainsFunc(c.result.Changed, func(x Changed) bool { return x.Before != x.After || x.Row }) && !c.reformatted {
		return fault.New(fault.NoChange, fault.T("the cells are already like that")).WithHint(fault.T("nothing is left to do"))
	}
	if err := c.finish(); err != nil {
		return err
	}
	return c.write(out)
}

// Compare returns the cells of a change that are otherwise in this version of the workbook.
func (w *Workbook) Compare(ctx context.Context, done *Result) (other []string, same bool) {
	for _, c := range done.Changed {
		if c.sheet >= len(w.Sheets()) {
			return []string{c.Ref}, false
		}
		text := ""
		window := sheet.Range{Top: c.at.Row, Bottom: c.at.Row, Left: c.at.Column, Right: c.at.Column}
		err := w.Rows(ctx, c.sheet, sheet.Window{Range: window, Formulas: true}, func(r *sheet.Row) bool {
			for i := range r.Cells {
				if r.Number == c.at.Row && r.Cells[i].Column == c.at.Column {
					text = content(&r.Cells[i], w.Date1904())
				}
			}
			return true
		})
		if err != nil || text != c.Before {
			other = append(other, c.Ref)
		}
		if len(other) > 10 {
			break
		}
	}
	return other, len(other) == 0
}

// changes are the parts of a workbook that change.
type changes struct {
	*Workbook
	ctx     context.Context
	parts   map[string]func(io.Writer) error
	result  Result
	texts   *newTexts
	styles  *newStyles
	stale   bool            // a cell that formulas may use has changed
	formula bool            // there are formulas in a sheet that was walked
	walked  map[string]bool // parts of sheets that were
	gone    []gone          // cells that are no longer formulas
	donors  map[int]int     // styles of the cells of appended rows, by column
	first   int             // of the appended rows; 0 if there are none

	reformatted bool
}

// gone is a cell that is no longer a formula.
type gone struct {
	sheet int
	at    sheet.Address
}

// write writes the package.
func (c *changes) write(out io.Writer) error {
	var parts []zipped.NewPart
	for name, write := range c.parts {
		parts = append(parts, zipped.NewPart{Name: name, Write: write})
	}
	slices.SortFunc(parts, func(a, b zipped.NewPart) int { return cmp.Compare(a.Name, b.Name) })
	return zipped.Rewrite(out, c.file, c.size, parts)
}

// put notes the new content of a part.
func (c *changes) put(name string, content []byte) {
	c.parts[name] = func(w io.Writer) error {
		_, err := io.Copy(w, bytes.NewReader(content))
		return err
	}
}

// ref returns the address of a cell with its sheet.
func (w *Workbook) ref(index int, at sheet.Address) string {
	return sheet.Quote(w.Sheets()[index].Name) + "!" + at.String()
}

// Ref returns the address of a cell with its sheet.
func (w *Workbook) Ref(index int, at sheet.Address) string { return w.ref(index, at) }

// refused returns the fault of a change that is not made.
func refused(why, hint fault.Text) error {
	return fault.New(fault.UnsupportedContent, why).WithHint(hint)
}
