package xls

import (
	"context"

	"github.com/helve-dev/helve/pkg/document/sheet"
)

// Limits of a sheet. A cell takes at least 6 bytes of the file.
const (
	sheetRows    = 1 << 16
	sheetColumns = 256
	maxIndexed   = 1 << 22 // cells of a sheet whose rows are in no order
	maxMerged    = 1 << 18
	maxPlaces    = 1 << 16 // notes, links, objects, formulas of several cells: of each
)

// survey is the result of one pass over the records of a sheet.
type survey struct {
	used   sheet.Range
	hidden [sheetRows / 64]uint64 // rows
	// columns are the hidden ones.
	columns []sheet.Span
	merged  [][4]uint16 // first and last row, first and last column, from 0
	notes   []int64     // where records begin, here and below
	links   []int64
	texts   map[int]int64 // TXO by the object's number
	objects []object
	drawing []segment
	charts  []int64 // substreams

	// index holds the offsets of the cells, if the file does not have them in the order
	// of rows.
	index []place
	// several holds the offsets of shared formulas, by the cell that the others refer to.
	several map[cellKey]int64
	// calculated says that formulas have values: some programs write none, which looks
	// like an empty text.
	calculated bool
	formulas   bool
}

// place is the offset of the record of a cell.
type place struct {
	row, column uint16
	at          int64
}

type cellKey struct{ row, column uint16 }

// object is an object of a drawing: its number, its type, and the offset of its chart's
// substream.
type object struct {
	id, kind int
	chart    int64 // 0 if it is none
}

// objectChart is the type of a chart among objects (MS-XLS 2.5.143).
const objectChart = 0x05

// A segment is data of a record in the stream.
type segment struct {
	at   int64
	size int
}

func (v *survey) rowHidden(row int) bool {
	return row < sheetRows && v.hidden[row/64]&(1<<(row%64)) != 0
}

// survey returns the survey of a sheet, made once.
func (b *Book) survey(ctx context.Context, index int) (*survey, error) {
	w := b.sheets[index]
	if w.survey != nil {
		return w.survey, nil
	}
	v := &survey{texts: map[int]int64{}, several: map[cellKey]int64{}}
	s := b.scan(w.at)
	if !s.next() || !isBOF(s.id) {
		if s.err != nil {
			return nil, s.err
		}
		b.damaged = true
		w.survey = v
		return v, nil
	}
	if err := v.scan(ctx, b, s); err != nil {
		return nil, err
	}
	b.damaged = b.damaged || s.cut
	w.survey = v
	return v, nil
}

// scan goes through the records of a substream, whose BOF was read.
func (v *survey) scan(ctx context.Context, b *Book, s *scanner) error {
	if len(s.data) >= 4 && le16(s.data[2:]) == bofChart {
		v.charts = append(v.charts, s.at-4)
		return s.err
	}
	p := pass{v: v, b: b, s: s, object: -1, sorted: true}
	depth := 1
	for n := 0; depth > 0 && s.next(); n++ {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		switch {
		case isBOF(s.id):
			if depth++; depth == 2 && len(s.data) >= 4 && le16(s.data[2:]) == bofChart {
				p.chart()
			}
		case s.id == recEOF:
			depth--
		case depth == 1:
			p.record()
		}
	}
	if p.sorted {
		v.index = nil
	} else {
		sortPlaces(v.index)
	}
	return s.err
}

// pass is the state of a pass over a sheet.
type pass struct {
	v       *survey
	b       *Book
	s       *scanner
	last    int // row of the cell before
	formula cellKey
	object  int // number of the object before, which a text belongs to; or -1
	sorted  bool
	drawing bool // the record before was a drawing: CONTINUE goes on with it
}

// chart notes a chart in the sheet: it belongs to the object before.
func (p *pass) chart() {
	if len(p.v.charts) >= maxPlaces {
		return
	}
	p.v.charts = append(p.v.charts, p.s.at-4)
	if n := len(p.v.objects); n > 0 && p.v.objects[n-1].kind == objectChart && p.v.objects[n-1].chart == 0 {
		p.v.objects[n-1].chart = p.s.at - 4
	}
}

// record notes one record.
func (p *pass) record() {
	v, s, d := p.v, p.s, p.s.data
	wasDrawing := p.drawing
	p.drawing = false
	switch s.id {
	case recRow, recRow2:
		p.row(d)
	case recColInfo:
		if len(d) >= 10 && d[8]&1 != 0 && le16(d) <= le16(d[2:]) && len(v.columns) < maxPlaces {
			v.columns = append(v.columns, sheet.Span{First: le16(d), Last: min(le16(d[2:]), sheetColumns-1)})
		}
	case recMergeCells:
		for k := 2; k+8 <= len(d) && len(v.merged) < maxMerged; k += 8 {
			v.merged = append(v.merged, [4]uint16{uint16(le16(d[k:])), uint16(le16(d[k+2:])), uint16(le16(d[k+4:])), uint16(le16(d[k+6:]))})
		}
	case recNote:
		v.notes = appendPlace(v.notes, s.at-4)
	case recHLink:
		v.links = appendPlace(v.links, s.at-4)
	case recOBJ:
		p.object = -1
		if len(d) >= 8 && le16(d) == 0x15 && len(v.objects) < maxPlaces { // ftCmo
			p.object = le16(d[6:])
			v.objects = append(v.objects, object{id: p.object, kind: le16(d[4:])})
		}
		p.drawing = true // some drawings go on after an object
	case recTXO:
		if p.object >= 0 && len(v.texts) < maxPlaces {
			v.texts[p.object] = s.at - 4
		}
		p.skipText()
		p.drawing = true
	case recDrawing:
		v.drawing = append(v.drawing, segment{s.at, len(d)})
		p.drawing = true
	case recContinue:
		if p.drawing = wasDrawing; wasDrawing {
			v.drawing = append(v.drawing, segment{s.at, len(d)})
		}
	case recSharedFmla, recSharedOld, recArray, recArray2:
		if len(v.several) < maxPlaces {
			v.several[p.formula] = s.at - 4
		}
	default:
		p.cell()
	}
}

func appendPlace(list []int64, at int64) []int64 {
	if len(list) >= maxPlaces {
		return list
	}
	return append(list, at)
}

// row notes whether a row is hidden.
func (p *pass) row(d []byte) {
	if len(d) < 16 {
		return
	}
	if row := le16(d); p.b.version >= 3 && d[12]&0x20 != 0 {
		p.v.hidden[row/64] |= 1 << (row % 64)
	}
}

// skipText skips what continues TXO: the characters and their formatting.
func (p *pass) skipText() {
	d := p.s.data
	if len(d) < 14 {
		return
	}
	chars, runs := le16(d[10:]), le16(d[12:])
	for chars > 0 && p.s.peek() == recContinue && p.s.next() {
		switch n := len(p.s.data) - 1; {
		case n <= 0:
			return
		case p.s.data[0]&flagWide != 0:
			chars -= n / 2
		default:
			chars -= n
		}
	}
	for runs > 0 && p.s.peek() == recContinue && p.s.next() && len(p.s.data) > 0 {
		runs -= len(p.s.data)
	}
}

// cell notes where a cell with content is.
func (p *pass) cell() {
	row, first, last, ok := p.b.cellsOf(p.s.id, p.s.data)
	if !ok {
		return
	}
	v := p.v
	v.used = v.used.Union(sheet.Range{Top: row + 1, Left: first, Bottom: row + 1, Right: last})
	if row < p.last {
		p.sorted = false
	}
	p.last = row
	if len(v.index) < maxIndexed {
		v.index = append(v.index, place{uint16(row), uint16(first), p.s.at - 4})
	}
	if isFormula(p.s.id) {
		p.formula = cellKey{uint16(row), uint16(first)}
		v.formulas = true
		if value := p.b.formulaValue(p.s.data); len(value) == 8 && !(value[0] == 3 && le16(value[6:]) == 0xFFFF) {
			v.calculated = true
		}
	}
}

// Survey implements [sheet.Book].
func (b *Book) Survey(ctx context.Context, index int) (sheet.Survey, error) {
	v, err := b.survey(ctx, index)
	if err != nil {
		return sheet.Survey{}, err
	}
	shapes, err := b.shapes(v)
	if err != nil {
		return sheet.Survey{}, err
	}
	images := 0
	for _, s := range shapes {
		if s.blip > 0 {
			images++
		}
	}
	return sheet.Survey{Used: v.used, Exact: true, Images: images, Charts: len(v.charts)}, nil
}
