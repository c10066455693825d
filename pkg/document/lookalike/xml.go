package lookalike

import (
	"bytes"
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/document/numfmt"
	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// maxStyles limits the styles that are kept.
const maxStyles = 1 << 14

// xmlReader reads the XML of Excel 2003 (SpreadsheetML; the schema is urn:schemas-
// microsoft-com:office:spreadsheet).
type xmlReader struct {
	b     *Book
	s     *xmlscan.Scanner
	count int

	styles  map[string]*numfmt.Format
	style   string // that is being read
	t       *table
	row     int // from 1
	column  int // of the last cell, from 0
	columns int // the last one that was described, from 0
	formats map[int]*numfmt.Format
	rowForm *numfmt.Format
}

// readXML reads a workbook. What is before damage is good.
func (b *Book) readXML(ctx context.Context, raw []byte) error {
	r := &xmlReader{b: b, s: xmlscan.New(bytes.NewReader(raw)), styles: map[string]*numfmt.Format{}}
	for n := 0; !b.full; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		kind := r.s.Next()
		if kind == xmlscan.EOF {
			break
		}
		if kind == xmlscan.Start {
			r.element()
		}
	}
	for _, t := range b.tables {
		t.finish()
	}
	if len(b.tables) == 0 {
		return r.s.Err()
	}
	return nil
}

// value returns an attribute by its name without a prefix: programs differ in those.
func (r *xmlReader) value(name string) string {
	found := ""
	for full, v := range r.s.Attrs {
		if _, local, ok := strings.Cut(full, ":"); ok && local == name || full == name {
			found = string(v)
			break
		}
	}
	return found
}

func (r *xmlReader) number(name string) int {
	n, err := strconv.Atoi(strings.TrimSpace(r.value(name)))
	if err != nil {
		return 0
	}
	return n
}

// element reads what an element begins.
func (r *xmlReader) element() {
	switch r.s.Local() {
	case "Title":
		if r.b.info.Title == "" && r.t == nil {
			r.b.info.Title = string(r.s.All(1 << 10))
		}
	case "Author":
		if r.b.info.Author == "" && r.t == nil {
			r.b.info.Author = string(r.s.All(1 << 10))
		}
	case "Date1904":
		r.b.date1904 = true
	case "Style":
		r.style = r.value("ID")
		if parent := r.value("Parent"); parent != "" {
			r.keep(r.styles[parent])
		}
	case "NumberFormat":
		if code := namedFormat(r.value("Format")); r.t == nil && code != "" && code != "General" {
			r.keep(numfmt.Parse(code))
		}
	case "NamedRange":
		r.name()
	case "Worksheet":
		if t := r.b.addTable(r.value("Name")); t != nil {
			r.t, r.row, r.column, r.columns = t, 0, -1, -1
			r.formats = map[int]*numfmt.Format{}
		}
	case "Visible":
		if r.t != nil {
			switch string(r.s.All(64)) {
			case "SheetHidden":
				r.t.state = sheet.Hidden
			case "SheetVeryHidden":
				r.t.state = sheet.VeryHidden
			}
		}
	case "Column":
		r.columnElement()
	case "Row":
		r.rowElement()
	case "Cell":
		if r.t != nil {
			r.cell()
		}
	}
}

func (r *xmlReader) keep(f *numfmt.Format) {
	if len(r.styles) < maxStyles {
		r.styles[r.style] = f
	}
}

// name reads a defined name.
func (r *xmlReader) name() {
	name, refers := r.value("Name"), strings.TrimPrefix(r.value("RefersTo"), "=")
	if name == "" || refers == "" || len(r.b.names) >= maxStyles {
		return
	}
	n := sheet.Name{Name: name, Sheet: -1, Refers: toA1(refers, 0, 0), Hidden: r.value("Hidden") == "1"}
	if r.t != nil {
		n.Sheet = len(r.b.tables) - 1
	}
	r.b.names = append(r.b.names, n)
}

// columnElement reads a column's description: it may stand for several.
func (r *xmlReader) columnElement() {
	if r.t == nil {
		return
	}
	r.columns++
	if n := r.number("Index"); n > 0 {
		r.columns = n - 1
	}
	first := r.columns
	r.columns = min(first+max(0, min(r.number("Span"), sheet.MaxColumns)), sheet.MaxColumns-1)
	if r.value("Hidden") == "1" && first <= r.columns && len(r.t.columns) < maxExtras {
		r.t.columns = append(r.t.columns, sheet.Span{First: first, Last: r.columns})
	}
	if f := r.styles[r.value("StyleID")]; f != nil && r.columns-first < 256 {
		for c := first; c <= r.columns && len(r.formats) < sheet.MaxColumns; c++ {
			r.formats[c] = f
		}
	}
}

// rowElement begins a row: it may stand for several empty ones.
func (r *xmlReader) rowElement() {
	if r.t == nil {
		return
	}
	r.row++
	if n := r.number("Index"); n > 0 && n <= sheet.MaxRows {
		r.row = n
	}
	r.column = -1
	r.rowForm = r.styles[r.value("StyleID")]
	first := r.row
	if n := r.number("Span"); n > 0 {
		r.row = min(r.row+n, sheet.MaxRows)
	}
	if r.value("Hidden") == "1" && len(r.t.hidden) < maxExtras {
		r.t.hidden = append(r.t.hidden, sheet.Span{First: first, Last: r.row})
	}
}

// cell reads a cell up to its end.
func (r *xmlReader) cell() {
	r.column++
	if n := r.number("Index"); n > 0 {
		r.column = n - 1
	}
	if r.column >= sheet.MaxColumns || r.row < 1 {
		r.s.Skip()
		return
	}
	at := sheet.Range{Top: r.row, Left: r.column, Bottom: r.row, Right: r.column}
	c := cell{column: int32(r.column)}
	if style := r.value("StyleID"); style != "" {
		c.format = r.styles[style]
	} else if c.format = r.rowForm; c.format == nil {
		c.format = r.formats[r.column]
	}
	if f := r.value("Formula"); f != "" {
		c.formula = limited(toA1(strings.TrimPrefix(f, "="), r.row-1, r.column))
	}
	if target := r.value("HRef"); target != "" && len(r.t.links) < maxExtras {
		r.t.links = append(r.t.links, sheet.Link{Range: at, Target: target})
	}
	across, down := max(0, min(r.number("MergeAcross"), sheet.MaxColumns)), max(0, min(r.number("MergeDown"), sheet.MaxRows))
	if across+down > 0 && len(r.t.merged) < maxExtras {
		at.Right, at.Bottom = min(at.Right+across, sheet.MaxColumns-1), min(at.Bottom+down, sheet.MaxRows)
		r.t.merged = append(r.t.merged, at)
	}
	r.content(&c)
	if r.b.room(&r.count) {
		r.t.add(r.row, c)
	}
	r.column += across
}

// content reads the value of a cell and its comment.
func (r *xmlReader) content(c *cell) {
	depth := r.s.Depth()
	for {
		switch r.s.Next() {
		case xmlscan.EOF:
			return
		case xmlscan.End:
			if r.s.Depth() < depth {
				return
			}
		case xmlscan.Start:
			switch r.s.Local() {
			case "Data":
				kind := r.value("Type")
				r.data(c, kind, string(r.s.All(sheet.MaxText)))
			case "Comment":
				note := sheet.Comment{Cell: sheet.Address{Row: r.row, Column: r.column}, Author: r.value("Author")}
				note.Text = strings.TrimSpace(string(r.s.All(sheet.MaxText)))
				if len(r.t.notes) < maxExtras {
					r.t.notes = append(r.t.notes, note)
				}
			}
		}
	}
}

// data sets a cell's value.
func (r *xmlReader) data(c *cell, kind, value string) {
	switch kind {
	case "Number":
		if n, err := strconv.ParseFloat(strings.TrimSpace(value), 64); err == nil && n-n == 0 {
			c.content, c.number = sheet.Number, n
			return
		}
	case "DateTime":
		if n, ok := r.serial(strings.TrimSpace(value)); ok {
			c.content, c.number = sheet.Number, n
			if c.format == nil {
				c.format = numfmt.Parse("yyyy-mm-dd hh:mm:ss")
			}
			return
		}
	case "Boolean":
		c.content = sheet.Boolean
		if strings.TrimSpace(value) == "1" {
			c.number = 1
		}
		return
	case "Error":
		c.content, c.text = sheet.Error, value
		return
	}
	if value != "" {
		c.content, c.text = sheet.Text, value
	}
}

// serial returns a date as the number of its day.
func (r *xmlReader) serial(value string) (float64, bool) {
	t, err := time.Parse("2006-01-02T15:04:05.999", value)
	if err != nil {
		if t, err = time.Parse("2006-01-02", value); err != nil {
			return 0, false
		}
	}
	zero := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	if r.b.date1904 {
		zero = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	days := float64(t.Unix()-zero.Unix())/86400 + float64(t.Nanosecond())/1e9/86400
	if !r.b.date1904 && days < 61 {
		days-- // Excel has a 29 February 1900
	}
	return days, true
}

// namedFormat returns the code of a format that has a name.
func namedFormat(name string) string {
	switch name {
	case "General Number":
		return "General"
	case "General Date":
		return "m/d/yyyy h:mm"
	case "Long Date":
		return "dddd, mmmm dd, yyyy"
	case "Medium Date":
		return "d-mmm-yy"
	case "Short Date":
		return "m/d/yyyy"
	case "Long Time":
		return "h:mm:ss AM/PM"
	case "Medium Time":
		return "h:mm AM/PM"
	case "Short Time":
		return "h:mm"
	case "Currency":
		return `"$"#,##0.00_);[Red]\("$"#,##0.00\)`
	case "Euro Currency":
		return `[$€-2]\ #,##0.00_);[Red]\([$€-2]\ #,##0.00\)`
	case "Fixed":
		return "0.00"
	case "Standard":
		return "#,##0.00"
	case "Percent":
		return "0.00%"
	case "Scientific":
		return "0.00E+00"
	case "Yes/No":
		return `"Yes";"Yes";"No"`
	case "True/False":
		return `"True";"True";"False"`
	case "On/Off":
		return `"On";"On";"Off"`
	}
	return name
}
