package docx

import (
	"strings"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// Limits of tables.
const (
	maxColumns = 1024
	heldRows   = 500     // are written at once
	heldCells  = 1 << 20 // bytes of them
)

// table is the part of a table that is not written yet.
type table struct {
	rows    [][]string
	width   int  // of the whole table, as far as it is known
	bytes   int  // of the rows
	begun   bool // rows of it were written
	skipped bool // the row that is read is not shown
}

// table reads a w:tbl (17.4.38) and writes it, large ones in parts.
func (r *renderer) table(s *xmlscan.Scanner, f *flow) {
	f.items = f.items[:0]
	t := &table{}
	r.children(s, func(name string) { r.tableRow(s, name, t, f) })
	t.write(f.to)
}

func (r *renderer) tableRow(s *xmlscan.Scanner, name string, t *table, f *flow) {
	switch name {
	case "w:tblGrid":
		r.children(s, func(name string) {
			if name == "w:gridCol" {
				t.width = min(t.width+1, maxColumns)
			}
		})
	case "w:tr":
		if r.full(f) {
			return
		}
		if r.err = r.ctx.Err(); r.err != nil {
			r.stopped = true
			return
		}
		row := r.row(s, t)
		if t.skipped || len(row) == 0 {
			return
		}
		t.rows = append(t.rows, row)
		t.width = max(t.width, len(row))
		for _, text := range row {
			t.bytes += len(text)
		}
		if len(t.rows) >= heldRows || t.bytes > heldCells {
			t.write(f.to)
		}
	case "w:sdt", "w:sdtContent", "w:customXml", "w:ins", "w:del":
		r.children(s, func(name string) { r.tableRow(s, name, t, f) })
	case "mc:AlternateContent":
		r.alternatives(s, func(name string) { r.tableRow(s, name, t, f) })
	}
}

// write writes the rows that are held.
func (t *table) write(to blocks) {
	if len(t.rows) == 0 {
		return
	}
	if t.begun {
		to.MoreRows(t.width, t.rows)
	} else {
		for len(t.rows[0]) < t.width {
			t.rows[0] = append(t.rows[0], "")
		}
		to.Table(t.rows)
	}
	t.begun, t.rows, t.bytes = true, nil, 0
}

// row reads a w:tr (17.4.78). A cell that spans others is written once; the places that it
// covers are blank.
func (r *renderer) row(s *xmlscan.Scanner, t *table) (row []string) {
	t.skipped = false
	tag := "" // marks a row that was inserted or deleted
	skip := func(columns int, ok bool) {
		if ok {
			for range min(columns, maxColumns-len(row)) {
				row = append(row, "")
			}
		}
	}
	var visit func(name string)
	visit = func(name string) {
		switch name {
		case "w:trPr":
			r.children(s, func(name string) {
				switch name {
				case "w:gridBefore":
					skip(s.Int("w:val"))
				case "w:ins":
					t.skipped = t.skipped || !r.shows(inserted)
					tag = "ins"
				case "w:del":
					t.skipped = t.skipped || !r.shows(deleted)
					tag = "del"
				case "w:hidden":
					t.skipped = t.skipped || s.Bool("w:val", true)
				}
			})
		case "w:tc":
			if len(row) < maxColumns && !t.skipped {
				text, span, shown := r.cell(s)
				if shown {
					if tag != "" && r.q.Changes == document.All && text != "" && !strings.Contains(text, "<"+tag+">") {
						text = "<" + tag + ">" + text + "</" + tag + ">"
					}
					row = append(row, text)
					skip(span-1, true)
				}
			}
		case "w:sdt", "w:sdtContent", "w:customXml":
			r.children(s, visit)
		case "mc:AlternateContent":
			r.alternatives(s, visit)
		}
	}
	r.children(s, visit)
	return row
}

// cell reads a w:tc (17.4.65): its text, how many columns it spans, and whether there is
// such a cell when changes are made or not.
func (r *renderer) cell(s *xmlscan.Scanner) (text string, span int, shown bool) {
	span, shown = 1, true
	covered := false
	c := &cell{}
	f := &flow{to: c}
	r.children(s, func(name string) {
		if name != "w:tcPr" {
			if !covered && shown {
				r.block(s, name, f)
			}
			return
		}
		r.children(s, func(name string) {
			switch name {
			case "w:gridSpan":
				if n, ok := s.Int("w:val"); ok {
					span = max(1, min(n, maxColumns))
				}
			case "w:vMerge", "w:hMerge":
				v, _ := s.Attr("w:val")
				covered = covered || string(v) != "restart"
			case "w:cellIns":
				shown = r.shows(inserted)
			case "w:cellDel":
				shown = r.shows(deleted)
			}
		})
	})
	r.end(f)
	return string(c.b), span, shown
}
