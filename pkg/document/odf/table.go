package odf

import (
	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

const (
	// maxColumns and maxCells bound a table of a text: one element can stand for any
	// number of columns and rows.
	maxColumns = 1024
	maxCells   = 500_000
)

// tableReader collects the rows of a table.
type tableReader struct {
	r     *reader
	rows  [][]string
	cells int
}

// table reads the table that just began. A cell that spans several has its text in the
// first; the others are empty.
func (r *reader) table(p place) {
	t := &tableReader{r: r}
	code := r.codeLines
	r.codeLines = nil
	t.group()
	r.codeLines = code
	for n := len(t.rows); n > 0 && len(t.rows[n-1]) == 1 && t.rows[n-1][0] == ""; n-- {
		t.rows = t.rows[:n-1]
	}
	if len(t.rows) == 1 && len(t.rows[0]) == 1 {
		// One cell is a frame around text.
		p.write(r, block{what: paragraphBlock, text: t.rows[0][0]})
		return
	}
	if len(t.rows) > 0 {
		p.write(r, block{what: tableBlock, rows: t.rows})
	}
}

// group reads the rows within the element that just began.
func (t *tableReader) group() {
	s := t.r.s
	for depth := s.Depth(); !t.r.done(); {
		switch s.Next() {
		case xmlscan.EOF:
			return
		case xmlscan.End:
			if s.Depth() < depth {
				return
			}
		case xmlscan.Start:
			switch s.Name() {
			case "table:table-row":
				t.row()
			case "table:table-header-rows", "table:table-rows", "table:table-row-group":
				t.group()
			case "text:change", "text:change-start", "text:change-end":
				t.r.changeMark(place{sink: &collected{}, flat: true}, nil)
			default:
				s.Skip()
			}
		}
	}
}

func (t *tableReader) row() {
	s, r := t.r.s, t.r
	times := repeated(s, "table:number-rows-repeated")
	var row []string
	blank := 0 // empty cells that are added if another one follows
	for depth := s.Depth(); !r.done(); {
		k := s.Next()
		if k == xmlscan.EOF || k == xmlscan.End && s.Depth() < depth {
			break
		}
		if k != xmlscan.Start {
			continue
		}
		n := repeated(s, "table:number-columns-repeated")
		text := ""
		switch s.Name() {
		case "table:table-cell":
			var in collected
			r.blocks(place{sink: &in, flat: true})
			text = in.lines("\n")
		case "table:covered-table-cell":
			s.Skip()
		default:
			s.Skip()
			continue
		}
		if text == "" {
			blank += min(n, maxColumns)
			continue
		}
		for ; blank > 0 && len(row) < maxColumns; blank-- {
			row = append(row, "")
		}
		blank = 0
		for range n {
			if len(row) >= maxColumns {
				break
			}
			row = append(row, text)
			r.held += len(text)
		}
	}
	if row == nil {
		times = 1 // many rows of nothing say no more than one
		if blank == 0 {
			return
		}
		row = []string{""}
	}
	for range times {
		if t.cells += len(row); t.cells > maxCells || r.done() {
			return
		}
		t.rows = append(t.rows, row)
		for _, text := range row {
			r.held += len(text)
		}
	}
}

// repeated returns how often the element that just began stands.
func repeated(s *xmlscan.Scanner, attribute string) int {
	n, ok := s.Int(attribute)
	if !ok || n < 1 {
		return 1
	}
	return n
}
