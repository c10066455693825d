package sheet

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/fault"
)

// Query selects the parts of a book to show. The zero value selects all of it.
type Query struct {
	// Sheet is the name or the number of a sheet; "" is all of them, or the first one
	// where Range names no other.
	Sheet string
	// Range lists the ranges to show: cells "B2:F40", columns "B:D", rows "5:20", each after the
	// name of a sheet and "!" or without; defined names, tables and their columns "Table[Column]".
	Range  string
	Values Values // "" is Auto
	// Offset is the first row to show; Limit is the most rows to show, over all sheets,
	// where a run of empty rows counts as one; 0 is no limit.
	Offset, Limit int
	// MaxBytes bounds the Markdown, except a first cell that alone is longer; 0 is no limit.
	MaxBytes int
	// Image, if it is not nil, is called for each image that is shown; see
	// [document.Request].
	Image func(document.Image) (path string)
	// Warn, if not nil, is called with warnings.
	Warn func(fault.Text)
}

// Page is a part of a book as Markdown.
type Page struct {
	Markdown string
	Shown    []Shown
	// NextOffset is the offset that the same query goes on with, where it is of one sheet.
	NextOffset int
	// NextRange is the range that a query, the same but for its sheet, range and offset, goes on with. At most one of
	// both is set; none where all was shown.
	NextRange string
}

// Shown is a part of a sheet that a page shows.
type Shown struct {
	Sheet string `json:"sheet"`
	Range string `json:"range,omitzero"` // "" if it has no content
	// Rows and Columns reach to the last ones of the sheet with content. Exact says that the
	// rows were counted; else the file claims them.
	Rows    int  `json:"rows"`
	Columns int  `json:"columns"`
	Exact   bool `json:"exact"`
}

const (
	// unlimited stands for a limit of 0.
	unlimited = math.MaxInt32
	// leastShare is the least that a sheet gets of the bytes: where there are more
	// sheets than that allows, the rest is left to the next page.
	leastShare = 512
	// mostShown limits the parts of a page: each may go on with two ranges of its own,
	// which mostParts has room for.
	mostShown = 128
	// notesShare is the part of a sheet's bytes that is kept for what follows its table.
	notesShare = 8
	// heldBytes bounds what is read at once of several sheets.
	heldBytes = 64 << 20
)

// Show returns a page of a book as Markdown: for each part a table with the letters of
// the columns and the numbers of the rows, and what belongs to its cells below. Pages are cut
// between rows, and only in a row that alone is too long between its cells. With an error
// of the file the page has what could be read, of the other sheets too.
func Show(ctx context.Context, book Book, q Query) (*Page, error) {
	parts, err := resolve(ctx, book, q.Sheet, q.Range)
	if err != nil {
		return nil, err
	}
	if q.Values == "" {
		q.Values = Auto
	}
	single := len(parts) == 1
	v := &view{ctx: ctx, book: book, query: q, sheets: book.Sheets(), request: document.Request{Image: q.Image, Warn: q.Warn}}
	for i := range parts {
		parts[i].Top = max(parts[i].Top, q.Offset)
	}
	total := budget{unlimited, unlimited}
	if q.Limit > 0 {
		total.lines = q.Limit
	}
	if q.MaxBytes > 0 {
		total.bytes = q.MaxBytes
	}
	now := max(1, min(len(parts), mostShown, total.bytes/leastShare, total.lines))
	if parts[0].continues() {
		now = 1
	}
	blocks := v.read(parts[:now], total)
	page := &Page{}
	var rest []string
	for i, k := range blocks {
		v.show(page, k, max(total.bytes-v.out.Len(), 0)/(len(blocks)-i))
		if err == nil {
			err = k.err
		}
		rest = append(rest, v.rest(k)...)
	}
	page.Markdown = v.out.String()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	rest = append(rest, v.references(parts[now:])...)
	switch k := blocks[0]; {
	case single && len(k.rows) == 0 && q.Offset > 1 && err == nil:
		return nil, v.beyond(page, q.Offset)
	case single && len(rest) > 0 && k.resume == 0 && q.Range == "":
		page.NextOffset = k.last() + 1
	default:
		page.NextRange = strings.Join(rest, ",")
	}
	return page, err
}

// view is a page in the making.
type view struct {
	ctx     context.Context
	book    Book
	query   Query
	sheets  []Sheet
	request document.Request
	out     strings.Builder
}

// read reads the parts and gives each its share of the budget: an equal one, and what small
// parts leave goes to the others.
func (v *view) read(parts []part, total budget) []*block {
	most := total
	if n := len(parts); n > 1 {
		most.bytes = min(most.bytes, max(heldBytes/n, leastShare))
	}
	forNotes := func(bytes int) int { return bytes - min(bytes/notesShare, 4<<10) }
	most.bytes = forNotes(most.bytes)
	blocks := make([]*block, 0, len(parts))
	lines, bytes := make([]int, 0, len(parts)), make([]int, 0, len(parts))
	for _, p := range parts {
		k := read(v.ctx, v.book, p, v.query.Values, most)
		blocks = append(blocks, k)
		needs := k.needs()
		if !k.done && k.err == nil {
			needs = budget{unlimited, unlimited}
		}
		lines, bytes = append(lines, needs.lines), append(bytes, needs.bytes)
		if v.ctx.Err() != nil {
			break
		}
	}
	if len(blocks) == 1 {
		return blocks
	}
	shareLines, shareBytes := level(lines, total.lines), level(bytes, forNotes(total.bytes)-len(parts)*headingBytes)
	for i, k := range blocks {
		share := budget{shareLines, shareBytes}
		if !k.cut(share) {
			blocks[i] = read(v.ctx, v.book, k.part, v.query.Values, share)
		}
	}
	return blocks
}

// headingBytes estimates the bytes of a sheet's heading.
const headingBytes = 80

// level returns the largest share of a total that each need may use up to, so that
// all together use no more than the total.
func level(needs []int, total int) int {
	low, high := 0, total
	for low < high {
		share := low + (high-low+1)/2
		var sum int64
		for _, n := range needs {
			sum += int64(min(n, share))
		}
		if sum <= int64(total) {
			low = share
		} else {
			high = share - 1
		}
	}
	return max(low, 1)
}

// continues reports whether the part is the rest of a row that was too long for a page:
// it gets a page of its own.
func (p *part) continues() bool {
	return p.Top == p.Bottom && p.Left > 0 && p.Right == MaxColumns-1
}

// rest returns the ranges that a block leaves for the next page.
func (v *view) rest(k *block) []string {
	if k.done || k.err != nil && !k.full {
		return nil
	}
	var rest []string
	p := k.part
	if k.resume > 0 {
		row := p
		row.Top, row.Bottom, row.Left = k.last(), k.last(), k.resume
		rest = append(rest, v.reference(row))
	}
	if p.Top = k.last() + 1; p.Top <= p.Bottom {
		rest = append(rest, v.reference(p))
	}
	return rest
}

// reference returns a part as an argument range names it.
func (v *view) reference(p part) string {
	return quote(v.sheets[p.sheet].Name) + "!" + p.argument()
}

// argument returns a range as it stands behind the name of its sheet: "" is all of it.
func (r Range) argument() string {
	switch {
	case r == All():
		return ""
	case r.Top > 1 && r.Bottom == MaxRows && r.Left == 0 && r.Right == MaxColumns-1, r.Bottom < MaxRows:
		return r.String()
	}
	return r.cells()
}

// references returns parts as an argument range names them. Sheets that follow one another are
// named by the first and the last: there may be more of them than a list has room for.
func (v *view) references(parts []part) (all []string) {
	for len(parts) > 0 {
		p, n := parts[0], 1
		for n < len(parts) && parts[n] == (part{p.sheet + n, p.Range}) {
			n++
		}
		switch first, last := v.sheets[p.sheet].Name, v.sheets[p.sheet+n-1].Name; {
		case p.Top > p.Bottom: // all of it is before the offset
		case n > 2 && !strings.Contains(first+last, ":"):
			all = append(all, quote(first+":"+last)+"!"+p.argument())
		default:
			n = 1
			all = append(all, v.reference(p))
		}
		parts = parts[n:]
	}
	return all
}

// beyond is the fault for an offset after the last row.
func (v *view) beyond(page *Page, offset int) error {
	s := page.Shown[0]
	return fault.New(fault.OutOfRange, fault.T("there are no rows from %d on: sheet %q ends with row %d", offset, s.Sheet, s.Rows)).
		WithHint(fault.T("give a smaller offset"))
}

// show writes a block: its heading, table and notes.
func (v *view) show(page *Page, k *block, bytes int) {
	survey, err := v.book.Survey(v.ctx, k.sheet)
	if err != nil && k.err == nil {
		k.err = err
	}
	used := k.used()
	complete := k.done && k.Bottom == MaxRows
	whole := complete && k.Top == 1 && k.Left == 0 && k.Right == MaxColumns-1
	all := used
	if !whole {
		all = survey.Used.Union(used)
	}
	if complete && len(k.rows) > 0 {
		all.Bottom = used.Bottom
	}
	shown := k.shown(used, all)
	name := v.sheets[k.sheet].Name
	page.Shown = append(page.Shown, Shown{
		Sheet: name, Range: shown.String(), Rows: all.Bottom, Columns: all.Right + min(all.Bottom, 1),
		Exact: complete && len(k.rows) > 0 || whole || survey.Exact,
	})
	if v.out.Len() > 0 {
		v.out.WriteByte('\n')
	}
	start := v.out.Len()
	v.heading(k, all, shown)
	if len(k.rows) > 0 {
		k.table(&v.out, func(p *Picture) string { return v.picture(k.sheet, p) })
	} else if v.sheets[k.sheet].Kind != Chartsheet && k.err == nil {
		v.out.WriteString("*(no cells with content)*\n")
	}
	if k.err != nil && !k.full {
		v.out.WriteString("*(the rest of the sheet cannot be read)*\n")
	}
	v.notes(k, bytes-(v.out.Len()-start))
}

// shown returns the cells of the part that the page shows: those of its rows, in the columns
// that were asked for.
func (k *block) shown(used, all Range) Range {
	if len(k.rows) == 0 {
		return Range{}
	}
	r := Range{k.Top, k.Left, k.last(), k.Right}
	if k.done {
		r.Bottom = k.Bottom
	}
	r.Bottom = min(r.Bottom, max(all.Bottom, used.Bottom))
	if k.Right == MaxColumns-1 {
		r.Right = max(all.Right, used.Right)
	}
	return r
}

// heading writes the sheet's number, name and state, the cells it has and those shown.
func (v *view) heading(k *block, all, shown Range) {
	s := v.sheets[k.sheet]
	var about []string
	if s.State != Visible && s.State != "" {
		about = append(about, string(s.State))
	}
	if s.Kind != Worksheet && s.Kind != "" {
		about = append(about, string(s.Kind)+" sheet")
	}
	if all != (Range{}) {
		about = append(about, all.cells())
	}
	switch {
	case shown == Range{} && k.Range != All():
		about = append(about, k.String()+" shown")
	case shown == Range{}:
	case k.resume > 0:
		about = append(about, fmt.Sprintf("row %d up to column %s shown", k.last(), ColumnName(k.resume-1)))
	case k.Left > 0 || k.Right < MaxColumns-1 || k.Bottom < MaxRows:
		about = append(about, shown.cells()+" shown")
	case k.Top > 1 || !k.done:
		about = append(about, fmt.Sprintf("rows %d–%d shown", shown.Top, shown.Bottom))
	}
	v.out.WriteString("## Sheet " + strconv.Itoa(k.sheet+1) + "/" + strconv.Itoa(len(v.sheets)) + " " + quoteName(s.Name))
	if len(about) > 0 {
		v.out.WriteString(" (" + strings.Join(about, ", ") + ")")
	}
	v.out.WriteByte('\n')
}

// cells returns a range's address by its corners, also where it has whole rows.
func (r Range) cells() string {
	first, last := Address{r.Top, r.Left}.String(), Address{r.Bottom, r.Right}.String()
	if first == last {
		return first
	}
	return first + ":" + last
}

// quoteName puts a sheet's name in quotes, on one line.
func quoteName(name string) string {
	return `"` + string(appendCell(nil, []byte(name))) + `"`
}

// picture shows a picture in place.
func (v *view) picture(sheet int, p *Picture) string {
	image := document.Image{MIME: p.MIME, Alt: p.Alt, Link: p.Link, Anchor: v.sheets[sheet].Name + "!" + p.Cell.String()}
	if v.query.Image != nil && p.Data != nil {
		data, err := p.Data(v.ctx)
		if err != nil {
			v.request.Warning(fault.T("the image at %s cannot be read: %v", image.Anchor, fault.As(err).Message))
			return "[image]"
		}
		image.Data = data
	}
	if image.Data == nil && image.Link == "" || v.query.Image == nil {
		return "[image]"
	}
	return v.request.Show(image)
}
