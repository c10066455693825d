package lookalike

import (
	"context"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/document/numfmt"
	"github.com/helve-dev/helve/pkg/document/sheet"
)

// readSYLK reads a symbolic link file: records of a line, their fields after
// semicolons. C is a cell, F a format, P a number format, O options.
func (b *Book) readSYLK(ctx context.Context, raw []byte) error {
	all, err := decode(raw)
	if err != nil {
		return err
	}
	r := sylk{b: b, t: b.addTable("Sheet1"), formats: map[int]*numfmt.Format{}, columns: map[int]int{}}
	n := 0
	for line := range strings.Lines(all) {
		if n++; n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		line = strings.TrimRight(line, "\r\n")
		if line == "E" || b.full {
			break
		}
		r.record(line)
	}
	r.t.finish()
	return nil
}

// sylk is the state of a reader: a cell has the row and the column of the one before,
// unless it states its own.
type sylk struct {
	b           *Book
	t           *table
	row, column int // from 1
	codes       []string
	formats     map[int]*numfmt.Format
	columns     map[int]int // numbers of formats
	pending     int         // of the cell at row and column, 1 for the first; 0 for none
	at          [2]int      // the cell that pending is for
	count       int
}

// record reads one line.
func (r *sylk) record(line string) {
	kind, rest, _ := strings.Cut(line, ";")
	fields := sylkFields(rest)
	switch kind {
	case "P":
		for _, f := range fields {
			if strings.HasPrefix(f, "P") && len(r.codes) < 1<<12 {
				r.codes = append(r.codes, f[1:])
			}
		}
	case "O":
		for _, f := range fields {
			if f == "V4" {
				r.b.date1904 = true
			}
		}
	case "F":
		r.format(fields)
	case "C":
		r.cell(fields)
	}
}

// sylkFields splits fields at semicolons; two of them are one in a field.
func sylkFields(s string) []string {
	const two = "\x00"
	fields := strings.Split(strings.ReplaceAll(s, ";;", two), ";")
	for i, f := range fields {
		fields[i] = strings.ReplaceAll(f, two, ";")
	}
	return fields
}

// place reads a field that moves to a row or a column.
func (r *sylk) place(f string) {
	if len(f) < 2 {
		return
	}
	n, err := strconv.Atoi(f[1:])
	if err != nil || n < 1 {
		return
	}
	switch f[0] {
	case 'X':
		r.column = n
	case 'Y':
		r.row = n
	}
}

// format reads F: the number format of a column (;C) or of the cell that comes next.
func (r *sylk) format(fields []string) {
	number, column := 0, 0
	for _, f := range fields {
		r.place(f)
		switch {
		case strings.HasPrefix(f, "P"):
			if n, err := strconv.Atoi(f[1:]); err == nil && n >= 0 {
				number = n + 1
			}
		case strings.HasPrefix(f, "C"):
			column, _ = strconv.Atoi(f[1:]) // 0 if it is not a number
		}
	}
	switch {
	case number == 0:
	case column > 0 && len(r.columns) < sheet.MaxColumns:
		r.columns[column] = number
	default:
		r.pending, r.at = number, [2]int{r.row, r.column}
	}
}

// cell reads C: its value is in K, its formula in E.
func (r *sylk) cell(fields []string) {
	value, formula := "", ""
	for _, f := range fields {
		r.place(f)
		switch {
		case strings.HasPrefix(f, "K"):
			value = f[1:]
		case strings.HasPrefix(f, "E"):
			formula = toA1(f[1:], r.row-1, r.column-1)
		}
	}
	c := cell{column: int32(min(r.column, sheet.MaxColumns+1) - 1), formula: formula}
	switch number, err := strconv.ParseFloat(value, 64); {
	case len(value) >= 2 && value[0] == '"':
		c.content, c.text = sheet.Text, limited(strings.TrimSuffix(value[1:], `"`))
	case value == "TRUE":
		c.content, c.number = sheet.Boolean, 1
	case value == "FALSE":
		c.content = sheet.Boolean
	case strings.HasPrefix(value, "#"):
		c.content, c.text = sheet.Error, limited(value)
	case err == nil && number-number == 0: // neither infinite nor no number
		c.content, c.number = sheet.Number, number
		number := r.columns[r.column]
		if r.at == [2]int{r.row, r.column} && r.pending > 0 {
			number = r.pending
		}
		c.format = r.formatNumbered(number - 1)
	case value != "":
		c.content, c.text = sheet.Text, limited(value)
	}
	if r.b.room(&r.count) {
		r.t.add(r.row, c)
	}
}

// formatNumbered returns a number format; nil is General.
func (r *sylk) formatNumbered(i int) *numfmt.Format {
	if i < 0 || i >= len(r.codes) || strings.EqualFold(r.codes[i], "General") {
		return nil
	}
	if r.formats[i] == nil {
		r.formats[i] = numfmt.Parse(strings.ReplaceAll(r.codes[i], `\ `, " "))
	}
	return r.formats[i]
}
