package layout

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// paragraphs appends the paragraphs of one column.
func (p *page) paragraphs(words []*word) {
	rows := join(words)
	leading := leading(rows)
	start := 0
	for i := 1; i <= len(rows); i++ {
		if i < len(rows) && !parts(&rows[i-1], &rows[i], leading) {
			continue
		}
		p.blocks = append(p.blocks, p.block(rows[start:i]))
		start = i
	}
}

// leading returns the usual distance between the lines of a column, in ems.
func leading(rows []row) float64 {
	var steps []float64
	for i := 1; i < len(rows); i++ {
		step := (rows[i-1].y - rows[i].y) / max(rows[i].size, 0.01)
		if step > 0.9 && step < 3 {
			steps = append(steps, step)
		}
	}
	if len(steps) == 0 {
		return 1.2
	}
	slices.Sort(steps)
	return min(steps[len(steps)/3], 2)
}

// parts reports whether a paragraph ends between two lines.
func parts(above, below *row, leading float64) bool {
	step := (above.y - below.y) / max(below.size, above.size, 0.01)
	a, b := above.cells(), below.cells()
	if step < tableStep && aligned(a, b) {
		return false
	}
	if len(a) == 1 && wide(a[0], b) || len(b) == 1 && wide(b[0], a) {
		return true // a table ends or begins
	}
	if step > leading*1.3+0.1 {
		return true
	}
	if ratio := above.size / max(below.size, 0.01); ratio > 1.12 || ratio < 0.89 {
		return true
	}
	return above.bold() != below.bold() && step > leading*0.9 || bulleted(below)
}

// tableStep is the largest distance between two rows of a table, in ems.
const tableStep = 3.5

// cell is a part of a row between wide gaps.
type cell struct{ x0, x1 float64 }

// cells returns the parts of a row.
func (r *row) cells() []cell {
	var cells []cell
	for i, w := range r.words {
		if n := len(cells); i > 0 && w.x0-cells[n-1].x1 <= cellGap*w.size {
			cells[n-1].x1 = max(cells[n-1].x1, w.x1)
			continue
		}
		cells = append(cells, cell{w.x0, w.x1})
	}
	return cells
}

// aligned reports whether two rows have several cells each, all of which that stand above
// others stand above one.
func aligned(above, below []cell) bool {
	both := 0
	for _, b := range below {
		n := 0
		for _, a := range above {
			if a.x0 < b.x1 && b.x0 < a.x1 {
				n++
			}
		}
		if n > 1 {
			return false
		}
		both += n
	}
	return both >= 2
}

// wide reports whether a line stands above or below several cells.
func wide(line cell, cells []cell) bool {
	return len(cells) > 1 && line.x0 < cells[0].x1 && line.x1 > cells[1].x0
}

// bold reports whether all of a line is.
func (r *row) bold() bool {
	for _, w := range r.words {
		if !w.bold {
			return false
		}
	}
	return true
}

// bulleted reports whether a line begins with a bullet.
func bulleted(r *row) bool {
	first := r.words[0]
	if first.opposite || len(first.glyphs) != 1 || len(r.words) < 2 {
		return false
	}
	return IsBullet(first.glyphs[0].Text)
}

// IsBullet reports whether a text is the mark before an item of a list.
func IsBullet(text string) bool {
	switch text {
	case "•", "‣", "◦", "▪", "▫", "●", "○", "■", "□", "◆", "➢", "➤":
		return true
	}
	return false
}

// block makes a paragraph of lines.
func (p *page) block(rows []row) Block {
	b := Block{Bold: true, Left: math.Inf(1), Top: rows[0].y}
	sizes := map[float64]int{}
	opposite := p.against(rows)
	lines := make([][]piece, len(rows))
	for i := range rows {
		r := &rows[i]
		lines[i] = r.pieces(opposite)
		b.Bold = b.Bold && r.bold()
		b.Left = min(b.Left, r.x0)
		for _, w := range r.words {
			size := math.Round(w.size*10) / 10
			sizes[size] += len(w.glyphs)
		}
	}
	mirror(lines)
	for _, pieces := range lines {
		b.Lines = append(b.Lines, spans(pieces))
	}
	most := 0
	for size, n := range sizes {
		if n > most || n == most && size > b.Size {
			b.Size, most = size, n
		}
	}
	b.Lines = dehyphenate(b.Lines)
	return b
}

// against reports whether a paragraph is written from right to left: most of its letters
// are, or some are and its page is.
func (p *page) against(rows []row) bool {
	left, right := 0, 0
	if !slices.ContainsFunc(rows, func(r row) bool { return slices.ContainsFunc(r.words, func(w *word) bool { return w.opposite }) }) {
		return false
	}
	for i := range rows {
		for _, w := range rows[i].words {
			for _, g := range w.glyphs {
				switch (piece{text: g.Text}).class() {
				case leftward:
					left++
				case rightward:
					right++
				}
			}
		}
	}
	return left > 0 && (left >= right || p.opposite && left*4 >= right)
}

// dehyphenate joins words that were divided at the ends of lines: at a soft hyphen, or at a
// hyphen that a small letter follows.
func dehyphenate(lines []Line) []Line {
	for i := range len(lines) - 1 {
		last := &lines[i][len(lines[i])-1]
		next := &lines[i+1][0]
		stem, ok := strings.CutSuffix(last.Text, "\u00ad")
		if !ok {
			if stem, ok = strings.CutSuffix(last.Text, "-"); !ok {
				stem, ok = strings.CutSuffix(last.Text, "\u2010")
			}
			before, _ := utf8.DecodeLastRuneInString(stem)
			after, _ := utf8.DecodeRuneInString(next.Text)
			ok = ok && (unicode.IsLower(after) && unicode.IsLower(before) || unicode.IsUpper(after) && capitals(stem))
		}
		if !ok {
			continue
		}
		head, rest, found := strings.Cut(next.Text, " ")
		last.Text = stem + head
		next.Text = strings.TrimLeft(rest, " ")
		if !found && len(lines[i+1]) > 1 {
			lines[i+1] = lines[i+1][1:]
			lines[i+1][0].Text = strings.TrimLeft(lines[i+1][0].Text, " ")
		}
	}
	kept := lines[:0]
	for _, line := range lines {
		text := strings.ReplaceAll(line.String(), "\u00ad", "")
		if strings.TrimSpace(text) == "" {
			continue
		}
		for i := range line {
			line[i].Text = strings.ReplaceAll(line[i].Text, "\u00ad", "")
		}
		kept = append(kept, line)
	}
	return kept
}

// capitals reports whether a text ends with two capitals.
func capitals(text string) bool {
	for range 2 {
		r, size := utf8.DecodeLastRuneInString(text)
		if !unicode.IsUpper(r) {
			return false
		}
		text = text[:len(text)-size]
	}
	return true
}
