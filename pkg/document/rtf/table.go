package rtf

import (
	"strings"
)

// maxColumns limits the cells kept of a row.
const maxColumns = 1024

// tableWord ends a cell or a row.
func (r *reader) tableWord(word string, _ int) bool {
	if r.st.to != body || r.st.flow != nil {
		switch word {
		case "cell", "row", "nestcell", "nestrow":
			if r.st.to == body {
				r.endParagraph()
			}
			return true
		}
		return word == "trowd"
	}
	switch word {
	case "trowd":
	case "cell":
		r.st.para.table = max(r.st.para.table, 1)
		r.endParagraph()
		if len(r.cells) < maxColumns {
			r.cells = append(r.cells, strings.Join(r.lines, "\n"))
			r.held += 16
		}
		r.lines = r.lines[:0]
	case "nestcell": // a table within a cell is lines of it
		r.st.para.table = max(r.st.para.table, 2)
		r.endParagraph()
		if n := len(r.lines); n > 0 {
			r.lines[n-1] += " |"
		}
	case "nestrow":
		if n := len(r.lines); n > 0 {
			r.lines[n-1] = strings.TrimSuffix(r.lines[n-1], " |")
		}
	case "row":
		if len(r.cells) > 0 {
			r.rows = append(r.rows, r.cells)
			r.cells = nil
		}
	default:
		return false
	}
	return true
}

// flushTable writes the table that ended.
func (r *reader) flushTable() {
	if len(r.cells) > 0 || len(r.lines) > 0 {
		r.cells = append(r.cells, strings.Join(r.lines, "\n"))
		r.rows = append(r.rows, r.cells)
	}
	if len(r.rows) > 0 {
		r.flushCode()
		r.w.Table(r.rows)
	}
	r.rows, r.cells, r.lines = nil, nil, r.lines[:0]
}
