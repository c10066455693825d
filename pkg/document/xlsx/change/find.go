package change

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/fault/similar"
	"github.com/helve-dev/helve/pkg/files/edit"
)

// Edit replaces a text that read shows: all of a cell or a part of one, or, as rows of a
// table in Markdown, several cells.
type Edit struct {
	Old, New   string
	All        bool
	Occurrence int // from 1; 0 is the only one
	Expected   int // how many there must be; more than 1 replaces all of them
}

// Match is a cell that has a text.
type Match struct {
	Ref  string `json:"ref"`
	Text string `json:"text"`

	sheet   int
	at      sheet.Address
	formula bool // the text is in its formula
	result  bool // the text is what its formula gives
	times   int  // how often the text is in it
}

// Failure is the details of an edit that fails.
type Failure struct {
	Matches    []Match `json:"matches,omitzero"`    // of an ambiguous text
	Total      int     `json:"total,omitzero"`      // how many there are
	Candidates []Match `json:"candidates,omitzero"` // cells that are like a text that is not found
}

// Limits of a search.
const (
	mostShown      = 10
	mostCandidates = 3
	mostCompared   = 20_000 // cells, for candidates
	leastAlike     = 0.5
)

// search is one edit that is looked for.
type search struct {
	Edit
	rows  []tableRow // of Old, if it is rows
	whole []Match
	part  []Match
	like  []likeness
}

type likeness struct {
	Match
	alike float64
}

// Find returns the changes of cells that edits mean: in one sheet, or in all if index is
// -1. Each is looked for in the workbook as it is.
func (w *Workbook) Find(ctx context.Context, index int, edits []Edit) ([]Cell, error) {
	all := make([]*search, len(edits))
	for i, e := range edits {
		all[i] = &search{Edit: e, rows: tableRows(e.Old)}
	}
	compared := 0
	for i, s := range w.Sheets() {
		if index >= 0 && index != i || s.Kind != sheet.Worksheet {
			continue
		}
		err := w.Rows(ctx, i, sheet.Window{Range: sheet.All(), Formulas: true}, func(r *sheet.Row) bool {
			for k := range r.Cells {
				c := &r.Cells[k]
				for _, s := range all {
					if len(s.rows) == 0 {
						s.look(w, i, r.Number, c, compared < mostCompared)
					}
				}
				compared++
			}
			for _, s := range all {
				if len(s.rows) > 0 {
					s.lookInRow(w, i, r)
				}
			}
			return true
		})
		if err != nil {
			return nil, err
		}
	}
	var cells []Cell
	for _, s := range all {
		more, err := s.cells(w)
		if err != nil {
			return nil, err
		}
		cells = append(cells, more...)
	}
	return cells, nil
}

// look looks for a text in a cell.
func (s *search) look(w *Workbook, index, row int, c *sheet.Cell, compare bool) {
	old := strings.TrimSpace(s.Old)
	shown := c.Shown(sheet.Auto, w.Date1904())
	m := Match{sheet: index, at: sheet.Address{Row: row, Column: c.Column}}
	if c.Content == sheet.Empty {
		shown = ""
	}
	if len(c.Formula) > 0 {
		m.result = true
		if formula := "=" + string(c.Formula); formula == old || strings.Contains(formula, old) && len(old) > 1 {
			f := m
			f.Text, f.formula, f.result, f.times = formula, true, false, strings.Count(formula, old)
			s.add(w, f, formula == old)
			return
		}
	}
	if shown == "" {
		return
	}
	m.Text = shown
	trimmed := strings.TrimSpace(shown)
	switch {
	case trimmed == old || sheet.InCell(shown) == old || c.Content == sheet.Number && len(shown) < 64 && strings.TrimSpace(c.Shown(sheet.Display, w.Date1904())) == old:
		s.add(w, m, true)
	case strings.Contains(shown, s.Old):
		m.times = strings.Count(shown, s.Old)
		s.add(w, m, false)
	case compare && c.Content == sheet.Text && len(shown) < 500 && len(old) < 500:
		if a := alike(old, trimmed); a >= leastAlike {
			s.like = append(s.like, likeness{m, a})
			if len(s.like) > 100*mostCandidates {
				s.best()
			}
		}
	}
}

// alike returns how alike two texts are, from 0 to 1: words by their letters, longer texts by
// their words.
func alike(a, b string) float64 {
	const word = 32
	if len(a) > word || len(b) > word {
		return edit.Alike(a, b)
	}
	longest := max(len(a), len(b), 1)
	d, ok := similar.Within(strings.ToLower(a), strings.ToLower(b), longest/2)
	if !ok {
		return 0
	}
	return 1 - float64(d)/float64(longest)
}

// add notes a match.
func (s *search) add(w *Workbook, m Match, whole bool) {
	to := &s.part
	if whole {
		to, m.times = &s.whole, 1
	}
	if len(*to) <= maxCells {
		m.Ref = w.ref(m.sheet, m.at)
		*to = append(*to, m)
	}
}

// best keeps the cells that are most alike.
func (s *search) best() {
	slices.SortStableFunc(s.like, func(a, b likeness) int { return cmp.Compare(b.alike, a.alike) })
	s.like = s.like[:min(len(s.like), mostCandidates)]
}

// cells returns the changes that a search means.
func (s *search) cells(w *Workbook) ([]Cell, error) {
	if len(s.rows) > 0 {
		return s.rowCells(w)
	}
	if strings.TrimSpace(s.Old) == "" {
		return nil, fault.New(fault.InvalidArguments, fault.T("old_text is empty, and a workbook has many empty cells")).
			WithHint(cellsHint())
	}
	if s.Old == s.New {
		return nil, fault.New(fault.NoChange, fault.T("old_text and new_text are the same")).WithHint(fault.T("nothing is left to do"))
	}
	found, whole := s.whole, true
	if len(found) == 0 {
		found, whole = s.part, false
	}
	total := 0
	for _, m := range found {
		total += m.times
	}
	switch {
	case total == 0:
		return nil, s.missing(w)
	case s.Occurrence > 0:
		n := s.Occurrence
		if n > total || !whole && slices.ContainsFunc(found, func(m Match) bool { return m.times > 1 }) {
			return nil, s.ambiguous(found, total)
		}
		found = found[n-1 : n]
	case s.Expected > 1 && s.Expected != total, !s.All && s.Expected <= 1 && total > 1:
		return nil, s.ambiguous(found, total)
	}
	var cells []Cell
	for _, m := range found {
		c := Cell{Sheet: m.sheet, At: m.at, seen: true}
		next := s.New
		if !whole {
			next = strings.ReplaceAll(m.Text, s.Old, s.New)
			if m.formula {
				next = strings.ReplaceAll(m.Text, strings.TrimSpace(s.Old), s.New)
			}
		}
		switch {
		case m.result:
			return nil, fault.New(fault.UnsupportedContent, fault.T("%s shows %q because a formula gives it", m.Ref, m.Text)).
				WithHint(fault.T("pass the formula as old_text, as read shows it with values=formula; or cells to put a value in its place"))
		case m.formula && strings.HasPrefix(strings.TrimSpace(next), "="):
			c.Formula = strings.TrimPrefix(strings.TrimSpace(next), "=")
		case next == "":
		default:
			c.Value = next
		}
		cells = append(cells, c)
	}
	return cells, nil
}

func cellsHint() fault.Text {
	return fault.T(`to name the cell itself pass cells [{"ref":"Sheet1!B2","value":…}], or formula instead of value; for rows append, insert_rows or delete_rows`)
}

func (s *search) ambiguous(found []Match, total int) error {
	return fault.New(fault.TextAmbiguous, fault.T("old_text is in %d places: %s", total, listed(found))).
		WithHint(fault.Join([]fault.Text{fault.T("give all of a cell's text, sheet, occurrence, or replace_all=true"), cellsHint()}, "; ")).
		WithDetails(Failure{Matches: found[:min(len(found), mostShown)], Total: total})
}

func (s *search) missing(w *Workbook) error {
	s.best()
	e := fault.New(fault.TextNotFound, fault.T("no cell has old_text"))
	var like []Match
	for _, l := range s.like {
		l.Ref = w.ref(l.sheet, l.at)
		like = append(like, l.Match)
	}
	if len(like) > 0 {
		e = fault.New(fault.TextNotFound, fault.T("no cell has old_text; alike are %s", listed(like)))
	}
	return e.WithHint(fault.Join([]fault.Text{fault.T("copy the text of one cell from what read shows"), cellsHint()}, "; ")).
		WithDetails(Failure{Candidates: like})
}

// listed lists cells for a message.
func listed(all []Match) string {
	var b strings.Builder
	for i, m := range all {
		if i > 0 {
			b.WriteString(", ")
		}
		if i == mostShown {
			b.WriteString("…")
			break
		}
		b.WriteString(m.Ref + " " + strconv.Quote(clip(m.Text)))
	}
	return b.String()
}

func clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// tableRow is a row of a sheet as read shows it.
type tableRow struct {
	number int
	cells  []string // in Markdown

	sheet int
	found []sheet.Cell // the cells of the sheet, by place in cells
	times int
}

// tableRows reads rows of a table as read shows them; none if a text is something else.
func tableRows(text string) (rows []tableRow) {
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") || !strings.HasSuffix(line, "|") || len(line) < 2 {
			return nil
		}
		cells := splitRow(line)
		if strings.HasPrefix(cells[0], "---") || cells[0] == "" {
			continue
		}
		n, err := strconv.Atoi(cells[0])
		if err != nil || len(cells) < 2 {
			return nil
		}
		rows = append(rows, tableRow{number: n, cells: cells[1:]})
	}
	return rows
}

// splitRow returns the cells of a row in Markdown.
func splitRow(line string) (cells []string) {
	line = strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|")
	start := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '|':
			cells = append(cells, strings.TrimSpace(line[start:i]))
			start = i + 1
		}
	}
	return append(cells, strings.TrimSpace(line[min(start, len(line)):]))
}

// lookInRow compares the rows of a search with a row of a sheet.
func (s *search) lookInRow(w *Workbook, index int, r *sheet.Row) {
	for i := range s.rows {
		t := &s.rows[i]
		if t.number != r.Number {
			continue
		}
		var found []sheet.Cell
		at := 0
		for _, text := range t.cells {
			if text == "" {
				found = append(found, sheet.Cell{Column: -1})
				continue
			}
			for at < len(r.Cells) && !shows(&r.Cells[at], text, w.Date1904()) {
				at++
			}
			if at == len(r.Cells) {
				break
			}
			c := r.Cells[at]
			c.Text, c.Formula = bytes.Clone(c.Text), bytes.Clone(c.Formula)
			found = append(found, c)
			at++
		}
		if len(found) == len(t.cells) {
			t.sheet, t.found = index, found
			t.times++
		}
	}
}

// shows reports whether read shows a cell so.
func shows(c *sheet.Cell, text string, date1904 bool) bool {
	return c.Content != sheet.Empty && sheet.InCell(c.Shown(sheet.Auto, date1904)) == text || len(c.Formula) > 0 && sheet.InCell("="+string(c.Formula)) == text
}

// rowCells returns the changes that rows mean.
func (s *search) rowCells(w *Workbook) ([]Cell, error) {
	next := tableRows(s.New)
	if len(next) != len(s.rows) {
		return nil, rowsDiffer()
	}
	var cells []Cell
	for i, t := range s.rows {
		n := next[i]
		switch {
		case n.number != t.number || len(n.cells) != len(t.cells):
			return nil, rowsDiffer()
		case t.times == 0:
			return nil, fault.New(fault.TextNotFound, fault.T("row %d does not have the cells of old_text", t.number)).
				WithHint(fault.Join([]fault.Text{fault.T("read the row again"), cellsHint()}, "; "))
		case t.times > 1:
			return nil, fault.New(fault.TextAmbiguous, fault.T("row %d of %d sheets has the cells of old_text", t.number, t.times)).
				WithHint(fault.T("give sheet"))
		}
		for k, text := range n.cells {
			c := t.found[k]
			if text == t.cells[k] {
				continue
			}
			change := Cell{Sheet: t.sheet, At: sheet.Address{Row: t.number, Column: c.Column}, seen: true}
			formula := len(c.Formula) > 0
			text = strings.NewReplacer(`\|`, "|", "<br>", "\n", `\\`, `\`).Replace(text)
			switch {
			case c.Column < 0:
				return nil, fault.New(fault.InvalidArguments, fault.T("row %d: an empty cell cannot be filled by a row of text, which does not say its column", t.number)).
					WithHint(cellsHint())
			case formula && strings.HasPrefix(text, "="):
				change.Formula = strings.TrimPrefix(text, "=")
			case formula:
				return nil, fault.New(fault.UnsupportedContent, fault.T("%s shows %q because a formula gives it", w.ref(t.sheet, change.At), t.cells[k])).
					WithHint(cellsHint())
			case text != "":
				change.Value = text
			}
			cells = append(cells, change)
		}
	}
	if len(cells) == 0 {
		return nil, fault.New(fault.NoChange, fault.T("old_text and new_text have the same cells")).WithHint(fault.T("nothing is left to do"))
	}
	return cells, nil
}

func rowsDiffer() error {
	return fault.New(fault.InvalidArguments, fault.T("new_text does not have the same rows and cells as old_text")).
		WithHint(fault.T("to add or remove rows pass append, insert_rows or delete_rows"))
}
