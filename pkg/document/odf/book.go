package odf

import (
	"context"
	"io"
	"strings"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
	"github.com/helve-dev/helve/pkg/fault"
)

const (
	// maxSheets and maxBookNames bound what a spreadsheet lists.
	maxSheets    = 10_000
	maxBookNames = 100_000
	// surveyBytes limits the unpacked content that is read for a survey.
	surveyBytes = 8 << 20
)

// Book is an open spreadsheet.
type Book struct {
	parts  *container
	format string
	sheets []sheet.Sheet
	names  []sheet.Name
	err    error // of the list
	cells  *cellStyles
	extras *sheet.Extras // those that the last Rows came across
}

var _ sheet.Book = (*Book)(nil)

// OpenBook opens a spreadsheet. The faults are bad_document, encrypted_document if the
// password is missing or wrong, and unsupported_content if it is none.
func OpenBook(file io.ReaderAt, size int64, password string) (*Book, error) {
	parts, err := openContainer(file, size)
	if err != nil {
		return nil, err
	}
	b := &Book{parts: parts, format: parts.format(), extras: &sheet.Extras{}}
	if !strings.HasSuffix(b.format, "ods") {
		return nil, unknownKind(parts.mimetype)
	}
	if b.parts, err = parts.unlocked(password); err != nil {
		return nil, err
	}
	b.list()
	return b, b.err
}

// Info returns the title and the author.
func (b *Book) Info() document.Info {
	info := document.Info{Format: b.format}
	info.Title, info.Author = b.parts.properties()
	return info
}

// Date1904 is false: dates are written as dates.
func (b *Book) Date1904() bool { return false }

// Sheets returns the sheets in their order.
func (b *Book) Sheets() []sheet.Sheet { return b.sheets }

// Names returns the named ranges and the database ranges.
func (b *Book) Names(context.Context) ([]sheet.Name, error) { return b.names, nil }

// list reads all but the rows.
func (b *Book) list() {
	b.cells = newCellStyles()
	if !b.parts.flat {
		if r, err := b.parts.open("styles.xml"); err == nil {
			b.cells.readAll(xmlscan.New(r))
			_ = r.Close() // nothing was written to it
		}
	}
	r, err := b.parts.open("content.xml")
	if err != nil {
		b.err = err
		return
	}
	defer r.Close()
	s := xmlscan.New(&rowless{src: r})
	for k := s.Next(); k != xmlscan.EOF; k = s.Next() {
		if k != xmlscan.Start {
			continue
		}
		switch s.Name() {
		case "office:styles", "office:automatic-styles":
			b.cells.read(s)
		case "office:spreadsheet":
			b.readSheets(s)
		case "office:meta", "office:settings", "office:scripts", "office:master-styles", "office:font-face-decls":
			s.Skip()
		}
	}
	if err := s.Err(); err != nil && len(b.sheets) == 0 {
		b.err = err
	} else if len(b.sheets) == 0 {
		b.err = damaged(fault.T("it has no sheets"))
	}
}

// readSheets reads what the spreadsheet that just began lists.
func (b *Book) readSheets(s *xmlscan.Scanner) {
	for depth := s.Depth(); ; {
		k := s.Next()
		if k == xmlscan.EOF || k == xmlscan.End && s.Depth() < depth {
			return
		}
		if k != xmlscan.Start {
			continue
		}
		switch s.Name() {
		case "table:table":
			b.readSheet(s)
		case "table:named-expressions":
			b.readNames(s, -1)
		case "table:database-ranges", "table:content-validations", "table:label-ranges", "table:data-pilot-tables":
			if s.Name() != "table:database-ranges" {
				s.Skip()
				continue
			}
			b.readRanges(s)
		default:
			s.Skip()
		}
	}
}

// readSheet reads the sheet that just began, without its rows.
func (b *Book) readSheet(s *xmlscan.Scanner) {
	one := sheet.Sheet{Name: s.String("table:name"), State: sheet.Visible, Kind: sheet.Worksheet}
	if b.cells.hiddenSheet(s.String("table:style-name")) {
		one.State = sheet.Hidden
	}
	at := len(b.sheets)
	if at < maxSheets {
		b.sheets = append(b.sheets, one)
	}
	for depth := s.Depth(); ; {
		k := s.Next()
		if k == xmlscan.EOF || k == xmlscan.End && s.Depth() < depth {
			return
		}
		if k == xmlscan.Start && s.Name() == "table:named-expressions" {
			b.readNames(s, at)
		} else if k == xmlscan.Start {
			s.Skip()
		}
	}
}

// readNames reads the names that are known in a sheet, or in all.
func (b *Book) readNames(s *xmlscan.Scanner, in int) {
	for depth := s.Depth(); ; {
		k := s.Next()
		if k == xmlscan.EOF || k == xmlscan.End && s.Depth() < depth {
			return
		}
		if k != xmlscan.Start || len(b.names) >= maxBookNames {
			continue
		}
		n := sheet.Name{Name: s.String("table:name"), Sheet: in}
		switch s.Name() {
		case "table:named-range":
			n.Refers = reference(s.String("table:cell-range-address"))
		case "table:named-expression":
			n.Refers = readable([]byte(s.String("table:expression")))
		}
		if n.Name != "" && n.Refers != "" {
			b.names = append(b.names, n)
		}
	}
}

// readRanges reads the database ranges: tables by a name.
func (b *Book) readRanges(s *xmlscan.Scanner) {
	for depth := s.Depth(); ; {
		k := s.Next()
		if k == xmlscan.EOF || k == xmlscan.End && s.Depth() < depth {
			return
		}
		if k != xmlscan.Start || s.Name() != "table:database-range" || len(b.names) >= maxBookNames {
			continue
		}
		name, headers := s.String("table:name"), s.String("table:contains-header") != "false"
		in, cells, found := strings.Cut(reference(s.String("table:target-range-address")), "!")
		r, ok := sheet.ParseRange(strings.ReplaceAll(cells, "$", ""))
		at := b.sheetNamed(in)
		if !found || !ok || at < 0 || name == "" || strings.HasPrefix(name, "__Anonymous") {
			continue
		}
		t := &sheet.Table{Name: name, Range: r}
		if headers {
			t.Headers = 1
		}
		b.names = append(b.names, sheet.Name{Name: name, Sheet: at, Table: t})
	}
}

func (b *Book) sheetNamed(quoted string) int {
	name := quoted
	if n := len(name); n > 1 && name[0] == '\'' && name[n-1] == '\'' {
		name = strings.ReplaceAll(name[1:n-1], "''", "'")
	}
	for i := range b.sheets {
		if b.sheets[i].Name == name {
			return i
		}
	}
	return -1
}

// Survey counts what is in a sheet, if the file is small; else it knows the tables alone.
func (b *Book) Survey(ctx context.Context, at int) (sheet.Survey, error) {
	v := sheet.Survey{}
	for i := range b.names {
		if n := &b.names[i]; n.Table != nil && n.Sheet == at {
			v.Tables = append(v.Tables, *n.Table)
		}
	}
	if b.parts.contentSize() > surveyBytes {
		return v, nil
	}
	used := sheet.Range{}
	err := b.Rows(ctx, at, sheet.Window{Range: sheet.All()}, func(r *sheet.Row) bool {
		if len(r.Cells) == 0 {
			return true
		}
		row := sheet.Range{Top: r.Number, Bottom: r.Number, Left: r.Cells[0].Column, Right: r.Cells[len(r.Cells)-1].Column}
		if used == (sheet.Range{}) {
			used = row
		} else {
			used = used.Union(row)
		}
		return true
	})
	v.Used, v.Exact = used, err == nil
	v.Images, v.Charts = len(b.extras.Pictures), len(b.extras.Charts)
	return v, err
}

// contentSize returns how large the content is, as far as the file says.
func (c *container) contentSize() int64 {
	if c.flat {
		return c.size
	}
	return c.zip.Size("content.xml")
}

// Extras implements [sheet.Book]. It returns the extras that the last call of Rows came across.
func (b *Book) Extras(_ context.Context, at int, w sheet.Window) (*sheet.Extras, error) {
	x := &sheet.Extras{More: b.extras.More}
	for _, r := range b.extras.Merged {
		if r.Overlaps(w.Range) {
			x.Merged = append(x.Merged, r)
		}
	}
	for _, s := range b.extras.HiddenRows {
		if s.First <= w.Bottom && s.Last >= w.Top {
			x.HiddenRows = append(x.HiddenRows, sheet.Span{First: max(s.First, w.Top), Last: min(s.Last, w.Bottom)})
		}
	}
	for _, s := range b.extras.HiddenColumns {
		if s.First <= w.Right && s.Last >= w.Left {
			x.HiddenColumns = append(x.HiddenColumns, s)
		}
	}
	for _, c := range b.extras.Comments {
		if w.Contains(c.Cell) {
			x.Comments = append(x.Comments, c)
		}
	}
	for _, l := range b.extras.Links {
		if l.Range.Overlaps(w.Range) {
			x.Links = append(x.Links, l)
		}
	}
	for _, p := range b.extras.Pictures {
		if w.Contains(p.Cell) {
			x.Pictures = append(x.Pictures, p)
		}
	}
	for _, c := range b.extras.Charts {
		if w.Contains(c.Cell) {
			x.Charts = append(x.Charts, c)
		}
	}
	for i := range b.names {
		if n := &b.names[i]; n.Table != nil && n.Sheet == at && n.Table.Range.Overlaps(w.Range) {
			x.Tables = append(x.Tables, *n.Table)
		}
	}
	return x, nil
}
