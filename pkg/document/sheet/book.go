// Package sheet is the grid that every spreadsheet is shown as: addresses, ranges, windows,
// and the Markdown that shows them. The formats implement [Book]; this package knows none
// of them.
package sheet

import (
	"context"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/numfmt"
	"github.com/helve-dev/helve/pkg/fault"
)

// The largest grid there is: Excel's since 2007.
const (
	MaxRows    = 1 << 20
	MaxColumns = 1 << 14
)

// MaxText limits the bytes of a cell's text that a reader keeps. A cell can hold 32,767
// UTF-16 code units, of at most three bytes each. [Show] shows 2,000 characters.
const MaxText = 3 * 32767

// MaxExtras limits each kind of [Extras] that a reader collects; it counts the others.
const MaxExtras = 1000

// Book is an open spreadsheet. Sheets are named by their index in [Book.Sheets], from 0. It
// is used by one goroutine.
type Book interface {
	// Info returns the metadata, without reading the sheets.
	Info() document.Info
	// Date1904 says that day 0 is 1 January 1904.
	Date1904() bool
	// Sheets returns the sheets in their order.
	Sheets() []Sheet
	// Names returns the defined names and the tables of the workbook.
	Names(ctx context.Context) ([]Name, error)
	// Survey describes a sheet without its rows.
	Survey(ctx context.Context, sheet int) (Survey, error)
	// Rows yields the rows of the window that have content, from the top, until yield
	// returns false. A row without cells may be yielded or left out; so may cells
	// outside of the window. An error comes after the rows that could be read.
	Rows(ctx context.Context, sheet int, w Window, yield func(*Row) bool) error
	// Extras returns the extras of the cells in a window. It is called after the sheet's
	// Rows, and may return those that Rows came across.
	Extras(ctx context.Context, sheet int, w Window) (*Extras, error)
}

// Warner is a book with warnings, such as that its file is damaged. It is called after
// the wanted parts were read.
type Warner interface {
	Warnings() []fault.Text
}

// Sheet is a sheet as the workbook lists it.
type Sheet struct {
	Name  string
	State State
	Kind  Kind
}

// State says whether people see a sheet.
type State string

// The states of a sheet.
const (
	Visible    State = "visible"
	Hidden     State = "hidden"
	VeryHidden State = "very hidden" // only a program can show it
)

// Kind is a kind of sheet.
type Kind string

// The kinds of sheets.
const (
	Worksheet  Kind = "worksheet"
	Chartsheet Kind = "chart"
	Macrosheet Kind = "macro"
	Dialog     Kind = "dialog"
)

// Survey describes a sheet without its rows.
type Survey struct {
	Used   Range // where its cells are; zero where the file does not say
	Exact  bool  // Used was counted; else the file claims it
	Tables []Table
	Images int
	Charts int
}

// Name is a name that a range can be read by.
type Name struct {
	Name   string
	Sheet  int    // index of the sheet that it is known in, or -1: in all
	Refers string // the formula, without =: "Sales!$A$1:$B$9"
	Hidden bool   // by the program that made it: not listed, but resolved
	Table  *Table // of a table's name: then Refers is not needed, and Sheet is the table's
}

// Table is a named range with a row of headings.
type Table struct {
	Name    string
	Range   Range    // with its headings and totals
	Columns []string // headings; may be nil
	Headers int      // rows of headings: 0 or 1
	Totals  int      // rows of totals: 0 or 1
}

// Range is a rectangle of cells. Rows count from 1, columns from 0; the ends are in it. The
// zero value is no range.
type Range struct{ Top, Left, Bottom, Right int }

// Window is the part of a sheet that is wanted.
type Window struct {
	Range
	// Limit is the most rows with content that will be taken; 0 is no limit. It is a hint
	// for readers: yield decides.
	Limit int
	// Formulas says that formulas are wanted, not only those without a value.
	Formulas bool
}

// Row is a row of a sheet. It and all in it are the reader's, and valid until yield
// returns: a reader uses them again for the next row.
type Row struct {
	Number int // from 1, greater than that of the row before
	Hidden bool
	Cells  []Cell // those with content, by rising column
}

// Content is the type of a cell's value.
type Content uint8

// The contents of cells.
const (
	Empty   Content = iota // nothing: or a formula without a value, or a picture
	Number                 // Cell.Number
	Text                   // Cell.Text
	Boolean                // Cell.Number, 0 or 1
	Error                  // Cell.Text, such as #DIV/0!
)

// Cell is a cell with content.
type Cell struct {
	Column  int // from 0
	Content Content
	Number  float64
	Text    []byte
	Format  *numfmt.Format // nil is General
	// Formula is the formula without =, if the window asks for formulas or the cell has
	// no value.
	Formula []byte
	// Display is the displayed text that the file has for a cell whose format does not
	// define it.
	Display []byte
	// Picture is a picture in the cell, shown instead of its value.
	Picture *Picture
}

// Extras holds the properties of a sheet outside of its cells' values. Each list is in
// the order of the rows.
type Extras struct {
	Merged        []Range
	HiddenRows    []Span // besides those that rows mark themselves
	HiddenColumns []Span // columns from 0
	Comments      []Comment
	Links         []Link
	Tables        []Table
	Pictures      []Picture
	Charts        []Chart
	// More counts the extras that were not collected.
	More int
	// Unread says that a part of the sheet was not looked at, as it lies behind many rows
	// that are not shown.
	Unread bool
}

// Span is a run of rows or columns; both ends are in it.
type Span struct{ First, Last int }

// Address is a cell's place: row from 1, column from 0.
type Address struct{ Row, Column int }

// Comment is a note on a cell, or an answer to the one before it.
type Comment struct {
	Cell   Address
	Author string
	Text   string
	Reply  bool
	Done   bool // the thread is resolved
}

// Link is a hyperlink of cells.
type Link struct {
	Range  Range
	Target string // an address, or #Sheet1!A1
}

// Picture is an image at or in a cell.
type Picture struct {
	Cell Address
	Alt  string
	MIME string
	Link string // where it is, if it is not in the file
	// Data returns its bytes; nil for one that is not in the file.
	Data func(ctx context.Context) ([]byte, error)
}

// Chart is a chart as its data.
type Chart struct {
	Cell  Address
	Title string
	Type  string     // "bar", "line", …
	Rows  [][]string // the first has the names of the series, each other one a category and its values
}
