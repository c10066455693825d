package diff

import (
	"fmt"
	"strings"
)

const (
	// context is the number of unchanged lines shown around a change.
	context = 3
	// noteRoom reserves bytes for the note that the diff was truncated.
	noteRoom = 128
	// noNewline follows the last line of a file that does not end in "\n".
	noNewline = "\n\\ No newline at end of file\n"
)

// hunk is a run of changes that are shown together, with the unchanged lines
// around and between them.
type hunk struct {
	changes    []change
	start, end int // bytes of the old text that it shows
	line       int // lines of the old text before it
	lines      int // lines of the old text in it
	delta      int // by how much it lengthens the text, in lines
}

// hunks groups changes so that no two hunks touch.
func hunks(old string, changes []change) []hunk {
	var all []hunk
	for i := 0; i < len(changes); {
		first := changes[i]
		h := hunk{start: first.start, line: first.line}
		for n := 0; n < context && h.start > 0; n++ {
			h.start = lineStart(old, h.start-1)
			h.line--
		}
		from := i
		var after int // lines shown after the last change
		for {
			c := changes[i]
			h.delta += c.ins - c.dels
			i++
			h.end, after = c.end, 0
			for after < context && h.end < len(old) {
				h.end = lineEnd(old, h.end)
				after++
			}
			if i == len(changes) || changes[i].line-(c.line+c.dels) > 2*context {
				h.lines = c.line + c.dels + after - h.line
				break
			}
		}
		h.changes = changes[from:i]
		all = append(all, h)
	}
	return all
}

// printer writes a diff until its limit is reached.
type printer struct {
	text  strings.Builder
	lines int
	most  Limit
	full  bool // something did not fit: nothing more is written
}

// line writes one line of a hunk, unless the limit is reached.
func (p *printer) line(kind byte, content string) {
	if p.full {
		return
	}
	size, lines := 1+len(content), 1
	if openEnded(content) {
		size, lines = size+len(noNewline), 2
	}
	if !p.most.allows(p.text.Len()+size+noteRoom, p.lines+lines+1) {
		p.full = true
		return
	}
	p.text.WriteByte(kind)
	p.text.WriteString(content)
	if openEnded(content) {
		p.text.WriteString(noNewline)
	}
	p.lines += lines
}

// each writes every line of s.
func (p *printer) each(kind byte, s string) {
	for s != "" && !p.full {
		end := lineEnd(s, 0)
		p.line(kind, s[:end])
		s = s[end:]
	}
}

// hunk writes a hunk. delta is the number of lines that the hunks before it add.
func (p *printer) hunk(old string, h hunk, delta int) {
	header := fmt.Sprintf("@@ -%s +%s @@\n", lineRange(h.line, h.lines), lineRange(h.line+delta, h.lines+h.delta))
	p.text.WriteString(header)
	p.lines++
	at := h.start
	for _, c := range h.changes {
		p.each(' ', old[at:c.start])
		p.each('-', old[c.start:c.end])
		p.each('+', c.text)
		at = c.end
	}
	p.each(' ', old[at:h.end])
}

// lineRange returns one side of a hunk's header. A side without lines names the
// line before it.
func lineRange(before, count int) string {
	switch count {
	case 0:
		return fmt.Sprintf("%d,0", before)
	case 1:
		return fmt.Sprint(before + 1)
	}
	return fmt.Sprintf("%d,%d", before+1, count)
}

// format writes the changes of one file.
func format(f File, old string, changes []change, most Limit) Diff {
	var d Diff
	for _, c := range changes {
		d.Added += c.ins
		d.Removed += c.dels
	}
	p := printer{most: most}
	p.text.WriteString(f.header(old, changes, d))
	p.lines = strings.Count(p.text.String(), "\n")

	all := hunks(old, changes)
	ends := make([]int, 0, len(all)) // of those in the text
	first := p.text.Len()
	delta := 0
	for i, h := range all {
		size, lines := p.text.Len(), p.lines
		p.hunk(old, h, delta)
		delta += h.delta
		if !p.full {
			ends = append(ends, p.text.Len())
			continue
		}
		d.Truncated = true
		if i == 0 {
			ends = append(ends, p.text.Len())
		} else {
			// Show complete hunks only, so that what is shown can be applied.
			shown := p.text.String()[:size]
			p.text.Reset()
			p.text.WriteString(shown)
			p.lines = lines
		}
		p.text.WriteString(noteHunks(i, len(all), d))
		break
	}
	d.Text = p.text.String()
	d.Hunks = cut(d.Text, first, ends, all)
	return d
}

// cut returns the hunks in a text, which end at these bytes.
func cut(text string, at int, ends []int, all []hunk) []Hunk {
	parts := make([]Hunk, len(ends))
	delta := 0
	for i, end := range ends {
		h := all[i]
		start := h.line + delta + 1
		delta += h.delta
		parts[i] = Hunk{Start: start, End: start + h.lines + h.delta - 1, Text: text[at:end]}
		at = end
	}
	return parts
}

// noteHunks returns the last line of a truncated diff. It begins with a character
// that no line of a diff begins with, so that a program either skips it or
// refuses a hunk that ends too early.
func noteHunks(shown, all int, d Diff) string {
	if shown == 0 {
		return fmt.Sprintf("# [diff truncated inside hunk 1 of %d; +%d -%d lines in all]\n", all, d.Added, d.Removed)
	}
	return fmt.Sprintf("# [diff truncated: %d of %d hunks shown; +%d -%d lines in all]\n", shown, all, d.Added, d.Removed)
}

// noteFiles returns the last line of a diff that lacks the diffs of some files.
func noteFiles(left int, d Diff) string {
	return fmt.Sprintf("# [diff truncated: %d more files not shown; +%d -%d lines in all]\n", left, d.Added, d.Removed)
}
