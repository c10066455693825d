package xlsx

import (
	"bytes"
	"context"
	"io"
	"math"

	"github.com/helve-dev/helve/pkg/document/numfmt"
	"github.com/helve-dev/helve/pkg/document/ooxml"
	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// Package returns the package that the workbook is.
func (b *Book) Package() *ooxml.Package { return b.pkg }

// Binary reports whether the workbook is an .xlsb.
func (b *Book) Binary() bool { return b.binary() }

// Part returns the name of the part that a sheet is in.
func (b *Book) Part(index int) string { return b.sheets[index].part }

// Related returns the names of the parts of a type that a sheet refers to.
func (b *Book) Related(index int, kind string) []string { return b.related(index, kind) }

// Relation returns the name of the part of a type that the workbook refers to; "" if it has
// none.
func (b *Book) Relation(kind string) string {
	if r, ok := b.rels.Of(kind); ok && !r.External && b.pkg.Has(r.Target) {
		return r.Target
	}
	return ""
}

// Format returns the number format of a style of cells; nil is General.
func (b *Book) Format(style int) *numfmt.Format { return b.format(style) }

// Parsed yields rows that stand in memory as they would in the part of a sheet.
func (b *Book) Parsed(ctx context.Context, index int, rows []byte, yield func(*sheet.Row) bool) error {
	b.ctx = ctx
	src := &source{ReadCloser: io.NopCloser(bytes.NewReader(rows)), ctx: ctx, most: math.MaxInt64}
	var t tail
	r := &reader{b: b, src: src, size: int64(len(rows)), w: sheet.Window{Range: sheet.All(), Formulas: true}, tail: &t, yield: yield}
	r.s = xmlscan.New(src)
	t = tail{sheet: index}
	return r.read()
}

// Shift returns a formula as it stands in a cell so many rows and columns away.
func Shift(formula string, rows, cols int) string { return shift(formula, rows, cols) }

// ParseDate returns the serial number of a date or time that is written as ISO 8601 does.
func ParseDate(value string, date1904 bool) (float64, bool) {
	return parseDate([]byte(value), date1904)
}
