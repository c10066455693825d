package read

import (
	"context"
	"errors"
	"strings"

	"github.com/helve-dev/helve/pkg/document/open"
	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/kind"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/files/tokens"
	"github.com/helve-dev/helve/pkg/files/zipped"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
)

// Sheet is a sheet of a spreadsheet: what is in it, in an outline, or how much of it is
// shown.
type Sheet struct {
	sheet.SheetOutline
	Range string `json:"range,omitzero"` // the cells that are shown
	Rows  int    `json:"rows,omitzero"`
	// Columns and Rows reach to the last with content. Exact says that they were counted.
	Columns int   `json:"columns,omitzero"`
	Exact   *bool `json:"exact,omitempty"`
}

// asCells reports whether a call asks for the cells of a text such as CSV. Otherwise that
// is shown as it is.
func asCells(a *Args, k kind.Kind) bool {
	if k.Class != kind.Text || !open.Reads(k.MIME) {
		return false
	}
	_, cells := sheet.ParseRange(a.Range)
	_, lines := text.LastLine(a.Range)
	return a.Sheet != "" || a.Values != "" && a.Values != string(sheet.Auto) || cells && !lines
}

// book shows a spreadsheet.
func (r *Result) book(ctx context.Context, call *tool.Call, d open.Document, a Args) error {
	if err := checkUses(&a, r.MIME, usesOf(d)); err != nil {
		return err
	}
	if err := checkRows(&a); err != nil {
		return err
	}
	r.Document.Info = d.Book.Info()
	if a.Outline {
		return r.contentsOf(ctx, call, d.Book)
	}
	q := sheet.Query{Sheet: a.Sheet, Range: a.Range, Values: sheet.Values(a.Values), Offset: a.Offset, Limit: a.Limit, Warn: call.Warn}
	g := newGallery(call, a.Images, nil)
	defer g.close()
	q.Image = g.adder()
	var page *sheet.Page
	err := tokens.Fit(a.MaxBytes, a.MaxTokens, func(most int) (_ string, err error) {
		g.reset()
		if q.MaxBytes = most; page != nil {
			q.Warn = nil // it has said so
		}
		page, err = open.Show(ctx, d.Book, q)
		if page == nil {
			return "", err
		}
		return page.Markdown, err
	})
	switch {
	case err != nil && (page == nil || page.Markdown == "" || ctx.Err() != nil):
		return fault.System(err, a.Path)
	case err != nil:
		call.Warn(fault.T("%s; this is what could be read", fault.As(err).Message))
	}
	if w, ok := d.Book.(sheet.Warner); ok {
		for _, t := range w.Warnings() {
			call.Warn(t)
		}
	}
	r.Document.Info = d.Book.Info()
	r.fillRows(d.Book, page)
	r.Truncated = r.Truncated || errors.Is(err, zipped.ErrLimit)
	r.Media = g.hang(page.Markdown, 0, 0)
	return nil
}

// fillRows puts a page of a spreadsheet into the result: lines are rows.
func (r *Result) fillRows(b sheet.Book, page *sheet.Page) {
	r.Content = &Content{Encoding: "utf-8", EOL: "lf", FinalNewline: true, Indent: text.Indent{Style: "none"}, Content: page.Markdown}
	r.Truncated, r.NextOffset, r.NextRange = page.NextOffset > 0 || page.NextRange != "", page.NextOffset, page.NextRange
	r.Language = "Markdown"
	shown := map[string]sheet.Shown{}
	for _, s := range page.Shown {
		if before := shown[s.Sheet].Range; before != "" {
			s.Range = strings.TrimSuffix(before+","+s.Range, ",")
		}
		shown[s.Sheet] = s
	}
	for _, s := range b.Sheets() {
		one := Sheet{SheetOutline: sheet.SheetOutline{Name: s.Name}}
		if s.State != sheet.Visible {
			one.State = s.State
		}
		if s.Kind != sheet.Worksheet {
			one.Kind = s.Kind
		}
		if of, ok := shown[s.Name]; ok {
			one.Range, one.Rows, one.Columns, one.Exact = of.Range, of.Rows, of.Columns, &of.Exact
		}
		r.Document.Sheets = append(r.Document.Sheets, one)
	}
	if len(page.Shown) != 1 {
		return
	}
	s := page.Shown[0]
	r.Document.Shown = &Shown{Sheet: s.Sheet, Range: s.Range}
	r.Document.Total = &Total{Rows: s.Rows, Columns: s.Columns, Exact: s.Exact}
	if cells, ok := sheet.ParseRange(s.Range); ok {
		r.StartLine, r.EndLine = cells.Top, cells.Bottom
	}
	if s.Exact {
		r.TotalLines = &s.Rows
	}
}

// contentsOf lists the sheets of a spreadsheet and what is in them.
func (r *Result) contentsOf(ctx context.Context, call *tool.Call, b sheet.Book) error {
	o, err := open.Sheets(ctx, b)
	switch {
	case err != nil && (o == nil || ctx.Err() != nil):
		return err
	case err != nil:
		call.Warn(fault.T("%s; this is what could be read", fault.As(err).Message))
	}
	for _, s := range o.Sheets {
		r.Document.Sheets = append(r.Document.Sheets, Sheet{SheetOutline: s})
	}
	r.Document.Names, r.Document.MoreSheets, r.Document.MoreNames = o.Names, o.MoreSheets, o.MoreNames
	r.Truncated = o.MoreSheets+o.MoreNames > 0
	r.listed = o.Lines()
	return nil
}

// checkRows refuses what the rows of a sheet do not have.
func checkRows(a *Args) error {
	switch {
	case a.Symbol != "":
		return schema.Invalid("/symbol", fault.T("a spreadsheet has no headings")).
			WithHint(fault.T("name cells with range; outline=true lists sheets, tables and names"))
	case a.Offset < 0:
		return schema.Invalid("/offset", fault.T("rows of a spreadsheet are counted from the first")).
			WithHint(fault.T("outline=true shows how many rows there are; then pass offset, or a range such as '900:1000'"))
	case a.Outline && a.Range != "":
		return schema.Invalid("/outline", fault.T("an outline is of the whole document")).
			WithHint(fault.T("pass either outline or range"))
	}
	return nil
}
