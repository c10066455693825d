// Package xlsx reads spreadsheets of Office Open XML: .xlsx and .xlsm, strict and
// transitional, and .xlsb, as a sheet.Book.
//
// The format is SpreadsheetML, ECMA-376 part 1, clause 18, and for what came later
// [MS-XLSX]: https://learn.microsoft.com/openspecs/office_standards/ms-xlsx/
package xlsx

import (
	"context"
	"io"
	"strings"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/numfmt"
	"github.com/helve-dev/helve/pkg/document/ooxml"
	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/fault"
)

// Book is an open workbook.
type Book struct {
	pkg      *ooxml.Package
	ctx      context.Context // of the call at hand
	date1904 bool
	sheets   []entry
	names    []sheet.Name // the defined ones
	rels     ooxml.Relations

	styles  *styles        // read when a cell needs them
	strings *texts         // the same
	rich    *rich          // pictures in cells; the same
	people  *[]person      // authors of threaded comments; the same
	iso     *numfmt.Format // of dates without a format
	tail    tail           // of the sheet that was read last
	counted int64          // bytes of sheets that Survey has counted
	plain   bool           // no fast path: for tests

	tablesOf   map[int][]sheet.Table // by sheet
	drawingsOf map[int][]*drawing
	imageTypes map[string]string // by part
}

// entry is a sheet and the part that it is in.
type entry struct {
	sheet.Sheet
	part string
}

// Open opens a workbook. The faults are bad_document, encrypted_document and
// unsupported_content.
func Open(file io.ReaderAt, size int64) (*Book, error) {
	p, err := ooxml.Open(file, size)
	if err != nil {
		return nil, err
	}
	b := &Book{pkg: p, ctx: context.Background(), rels: p.Relations(p.Main())}
	b.tail.sheet = -1
	err = b.readWorkbook()
	if len(b.sheets) == 0 {
		b.guessSheets()
	}
	if len(b.sheets) > 0 {
		return b, nil
	}
	if err != nil {
		return nil, err
	}
	return nil, fault.New(fault.BadDocument, fault.T("the workbook has no sheets")).
		WithHint(fault.T("it may be incomplete: get the file again"))
}

// Info returns the metadata of the workbook.
func (b *Book) Info() document.Info {
	about, format := b.pkg.Properties(), "xlsx"
	switch {
	case b.binary():
		format = "xlsb"
	case strings.Contains(b.pkg.ContentType(b.pkg.Main()), "macroEnabled"):
		format = "xlsm"
	}
	return document.Info{Format: format, Title: about.Title, Author: about.Author}
}

// Date1904 says that day 0 is 1 January 1904.
func (b *Book) Date1904() bool { return b.date1904 }

// Sheets returns the sheets in their order.
func (b *Book) Sheets() []sheet.Sheet {
	all := make([]sheet.Sheet, len(b.sheets))
	for i, s := range b.sheets {
		all[i] = s.Sheet
	}
	return all
}

// Names returns the defined names and the tables of the workbook.
func (b *Book) Names(ctx context.Context) ([]sheet.Name, error) {
	b.ctx = ctx
	names := append([]sheet.Name(nil), b.names...)
	for i := range b.sheets {
		if err := ctx.Err(); err != nil {
			return names, err
		}
		for _, t := range b.tables(i) {
			if len(names) > maxNames {
				return names, nil
			}
			names = append(names, sheet.Name{Name: t.Name, Sheet: i, Table: &t})
		}
	}
	return names, nil
}

// damaged returns the error of a damaged workbook.
func damaged(why fault.Text) *fault.Error {
	return fault.New(fault.BadDocument, fault.T("the workbook is damaged: %s", why)).
		WithHint(fault.T("it may be incomplete: get the file again, or repair a copy with another program"))
}
