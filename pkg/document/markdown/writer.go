// Package markdown writes documents as Markdown: GitHub's, with $…$ for formulas. It owns
// escaping, the blank lines between blocks, and where a window ends. A format hands it
// blocks in reading order and stops when it is full.
//
// Texts that its methods take are inline Markdown: what [Inline] and [Escape] make.
package markdown

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxBytes is the longest text of a document.
const MaxBytes = 64 << 20

// Window is the part of a document that is wanted. The zero value is all of it.
type Window struct {
	// Lines is the number of lines from the beginning after which the rest is not needed.
	Lines int
	// From is the first line that is wanted, counted from 1, and Bytes how much from there
	// on is enough; 0 is no limit.
	From, Bytes int
}

// Writer collects a document up to the end of a window. What is before the window is
// written too: lines are counted from the beginning.
type Writer struct {
	window  Window
	b       []byte
	lines   int
	from    int   // where the window begins in b, once lines has reached it
	ends    []int // the lines that blocks, rows and items end with
	last    kind
	indents []int // widths of the markers of the open items
	full    bool
}

// kind is the kind of the last block: two items have no blank line between them.
type kind uint8

const (
	nothing kind = iota
	block
	item
	note
	row // a further one of a table
)

// NewWriter returns an empty writer.
func NewWriter(w Window) *Writer {
	if w.From <= 1 {
		w.From = 1
	}
	n := &Writer{window: w, from: -1}
	if w.From == 1 {
		n.from = 0
	}
	return n
}

// Full reports whether the window is complete: what is written now is dropped.
func (w *Writer) Full() bool { return w.full }

// Lines returns how many lines were written.
func (w *Writer) Lines() int { return w.lines }

// Bytes returns what was written.
func (w *Writer) Bytes() []byte { return w.b }

// End returns the line that a page of the lines first to last ends with at the latest, so
// that no block is cut in two. A block that is longer than the page is cut.
func (w *Writer) End(first, last int) int {
	if last >= w.lines && !w.full {
		return last
	}
	i, found := slices.BinarySearch(w.ends, last)
	if !found {
		i--
	}
	if i < 0 || w.ends[i] < first {
		return last
	}
	return w.ends[i]
}

// put writes a block of lines. rows says that it may be cut between any two of them, but
// for the first few, which belong together.
func (w *Writer) put(text string, k kind, head int) {
	if w.full {
		return
	}
	text = strings.TrimRight(text, "\n")
	if text == "" {
		return
	}
	if w.last != nothing && k != row && (k == block || k != w.last) {
		w.b = append(w.b, '\n')
		w.lines++
	}
	w.last = k
	if k != item {
		w.indents = w.indents[:0]
	}
	at := len(w.b)
	if w.from < 0 && w.lines >= w.window.From-1 {
		w.from = at
	}
	w.b = append(w.b, clean(text)...)
	w.b = append(w.b, '\n')
	n := 0
	for i := at; i < len(w.b); i++ {
		if w.b[i] != '\n' {
			continue
		}
		n++
		if head > 0 && n > head && i+1 < len(w.b) {
			w.ends = append(w.ends, w.lines+n)
		}
		if w.from < 0 && w.lines+n >= w.window.From-1 {
			w.from = i + 1
		}
	}
	w.lines += n
	w.ends = append(w.ends, w.lines)
	w.full = len(w.b) > MaxBytes ||
		w.window.Lines > 0 && w.lines > w.window.Lines ||
		w.window.Bytes > 0 && w.from >= 0 && len(w.b)-w.from > w.window.Bytes
}

// clean drops what no text has: NUL and other control characters, and bytes that are not
// UTF-8.
func clean(text string) string {
	odd := func(r rune) bool {
		return r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r == '\ufffe' || r == '\uffff'
	}
	if utf8.ValidString(text) && strings.IndexFunc(text, odd) < 0 {
		return text
	}
	return strings.Map(func(r rune) rune {
		if odd(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
}

// Heading writes a heading of level 1 to 6.
func (w *Writer) Heading(level int, text string) {
	text = strings.TrimSpace(oneLine(text))
	if text != "" {
		w.put(strings.Repeat("#", max(1, min(level, 6)))+" "+escapeEnd(text), block, 0)
	}
}

// Paragraph writes a paragraph.
func (w *Writer) Paragraph(text string) {
	w.put(escapeStarts(strings.TrimSpace(text)), block, 0)
}

// Block writes lines as they are: a block that is not cut.
func (w *Writer) Block(text string) { w.put(text, block, 0) }

// Quote writes a quotation.
func (w *Writer) Quote(text string) {
	w.put(prefixed(escapeStarts(strings.TrimSpace(text)), "> "), block, 0)
}

// Rule writes a thematic break.
func (w *Writer) Rule() { w.put("---", block, 0) }

// Item writes an item of a list. Its depth is 0 for one that is in no other. The marker is
// "-" or what stands before the item: "2.", "a)", "IV."; markers that are not Markdown's
// stand in the text after a dash.
func (w *Writer) Item(depth int, marker, text string) {
	lead := marker
	if !isMarker(marker) {
		if lead = "-"; marker != "" {
			text = Escape(marker) + " " + text
		}
	}
	depth = max(0, min(depth, len(w.indents), 16))
	w.indents = append(w.indents[:depth], len(lead)+1)
	indent := strings.Repeat(" ", sum(w.indents[:depth]))
	text = escapeStarts(strings.TrimSpace(text))
	w.put(indent+lead+" "+hanging(text, indent+strings.Repeat(" ", len(lead)+1)), item, 0)
}

// Within writes a further paragraph of the last item of a depth.
func (w *Writer) Within(depth int, text string) {
	if len(w.indents) == 0 {
		w.Paragraph(text)
		return
	}
	depth = max(0, min(depth, len(w.indents)-1))
	indent := strings.Repeat(" ", sum(w.indents[:depth+1]))
	if text = strings.TrimSpace(text); text != "" {
		w.last = note // a blank line comes first
		w.put(indent+hanging(escapeStarts(text), indent), item, 0)
	}
}

// Note writes a footnote: [^label]: text.
func (w *Writer) Note(label, text string) {
	w.put("[^"+label+"]: "+hanging(strings.TrimSpace(text), "    "), note, 0)
}

// Code writes a block of code.
func (w *Writer) Code(language, text string) {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	w.put(fence+language+"\n"+strings.TrimRight(text, "\n")+"\n"+fence, block, 0)
}

// maxPadded is up to how many cells short rows of a table are filled up. A table of one
// very long row and many short ones is not: readers of Markdown add what is missing.
const maxPadded = 1_000_000

// Table writes a table whose first row is its head. Cells are inline Markdown; of several
// lines each ends with "<br>". A table is cut between rows.
func (w *Writer) Table(rows [][]string) {
	width := 0
	for _, r := range rows {
		width = max(width, len(r))
	}
	if width == 0 {
		return
	}
	var b strings.Builder
	writeRow(&b, rows[0], width)
	b.WriteString("|" + strings.Repeat(" --- |", width) + "\n")
	padded := width
	if len(rows) > maxPadded/width {
		padded = 1
	}
	for _, r := range rows[1:] {
		writeRow(&b, r, max(padded, len(r)))
	}
	w.put(b.String(), block, 2)
}

// MoreRows writes further rows of the table that was written last, which has so many
// columns. What a row has beyond them is dropped.
func (w *Writer) MoreRows(width int, rows [][]string) {
	var b strings.Builder
	for _, r := range rows {
		writeRow(&b, r, width)
	}
	w.put(b.String(), row, 1)
}

func writeRow(b *strings.Builder, cells []string, width int) {
	b.WriteByte('|')
	for c := range width {
		text := ""
		if c < len(cells) {
			text = cell(cells[c])
		}
		if text != "" {
			b.WriteString(" " + text)
		}
		b.WriteString(" |")
	}
	b.WriteByte('\n')
}

// cell returns inline Markdown as it stands in a table.
func cell(text string) string {
	text = strings.TrimSpace(text)
	if !strings.ContainsAny(text, "|\n\r") {
		return text
	}
	var b strings.Builder
	for i, line := range strings.Split(strings.ReplaceAll(text, "\r", ""), "\n") {
		if i > 0 {
			b.WriteString("<br>")
		}
		line = strings.TrimSpace(strings.TrimSuffix(strings.TrimRight(line, " "), `\`))
		escaped := false
		for j := range len(line) {
			if line[j] == '|' && !escaped {
				b.WriteByte('\\')
			}
			escaped = line[j] == '\\' && !escaped
			b.WriteByte(line[j])
		}
	}
	return b.String()
}

func oneLine(text string) string {
	if !strings.Contains(text, "\n") {
		return text
	}
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(strings.TrimSuffix(strings.TrimRight(lines[i], " "), `\`))
	}
	return strings.Join(lines, " ")
}

// hanging indents all lines but the first, and those that are empty.
func hanging(text, indent string) string {
	if !strings.Contains(text, "\n") {
		return text
	}
	text = strings.ReplaceAll(text, "\n", "\n"+indent)
	return strings.ReplaceAll(text, "\n"+indent+"\n", "\n\n")
}

func prefixed(text, prefix string) string {
	return prefix + strings.ReplaceAll(text, "\n", "\n"+prefix)
}

func sum(widths []int) (n int) {
	for _, w := range widths {
		n += w
	}
	return n
}

// isMarker reports whether a marker is one of Markdown's: "-", "2." or "2)".
func isMarker(m string) bool {
	if m == "-" {
		return true
	}
	digits := strings.TrimRight(m, ".)")
	return len(digits)+1 == len(m) && len(digits) > 0 && len(digits) <= 9 && strings.Trim(digits, "0123456789") == ""
}
