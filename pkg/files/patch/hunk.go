package patch

import (
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// parseHeader reads the line that begins a hunk: "@@ -1,2 +3,4 @@ func f()",
// "@@ func f()", "@@ @@" or "@@".
func parseHeader(r row) (Hunk, error) {
	h := Hunk{Line: r.no, OldLines: -1, NewLines: -1}
	text := strings.TrimPrefix(r.head(), "@@")
	if strings.HasPrefix(text, "@") {
		return h, r.expected(fault.T("a hunk of an ordinary diff, as a combined one has two old sides"))
	}
	numbers, section, closed := strings.Cut(text, "@@")
	if !closed {
		section = ""
	}
	var old, new [2]int
	fields := strings.Fields(numbers)
	if len(fields) >= 2 && parseRange(fields[0], '-', &old) && parseRange(fields[1], '+', &new) {
		h.Numbered, h.OldStart, h.OldLines, h.NewLines = true, old[0], old[1], new[1]
		if !closed {
			section = strings.Join(fields[2:], " ")
		}
	} else if !strings.HasPrefix(strings.TrimSpace(numbers), "-") {
		section = strings.TrimSpace(numbers) + section
	}
	if section = strings.TrimSpace(section); strings.Trim(section, ".… ") != "" {
		h.Anchors = []string{section}
	}
	return h, nil
}

// parseRange reads "-1,2" or "-1". The text is not empty.
func parseRange(s string, sign byte, to *[2]int) bool {
	if s[0] != sign {
		return false
	}
	start, count, more := strings.Cut(s[1:], ",")
	to[1] = 1
	var err1, err2 error
	to[0], err1 = strconv.Atoi(start)
	if more {
		to[1], err2 = strconv.Atoi(count)
	}
	const most = 1 << 30
	return err1 == nil && err2 == nil && to[0] >= 0 && to[0] < most && to[1] >= 0 && to[1] < most
}

// add reads one line of the hunk's body.
func (h *Hunk) add(r row) {
	text := r.text
	switch {
	case text == "" || text == "\r":
		h.Lines = append(h.Lines, Line{Op: Context, Text: text, Bare: true})
	case text[0] == ' ', text[0] == '-', text[0] == '+':
		h.Lines = append(h.Lines, Line{Op: Op(text[0]), Text: text[1:]})
	case strings.HasPrefix(text, `\ `):
		if n := len(h.Lines); n > 0 {
			h.Lines[n-1].NoEOL = true
		}
	default:
		h.Lines = append(h.Lines, Line{Op: Context, Text: text, Bare: true})
	}
}

// close removes lines that follow the body: blank lines, and unmarked lines beyond
// the number of lines that the header promises.
func (h *Hunk) close() {
	kept := len(h.Lines)
	for n := kept; n > 0; n-- {
		if old, new := count(h.Lines[:n]); old == h.OldLines && new == h.NewLines {
			kept = n
			break
		}
		if !h.Lines[n-1].Bare {
			break
		}
	}
	if old, new := count(h.Lines[:kept]); old != h.OldLines || new != h.NewLines {
		for kept > 0 && h.Lines[kept-1].Bare && strings.TrimSpace(h.Lines[kept-1].Text) == "" {
			kept--
		}
	}
	h.Lines = h.Lines[:kept]
}

// count returns how many lines there are before and after a change.
func count(lines []Line) (old, new int) {
	for _, l := range lines {
		if l.Op != Insert {
			old++
		}
		if l.Op != Remove {
			new++
		}
	}
	return old, new
}

// changes reports whether the hunk adds or removes lines.
func (h *Hunk) changes() bool {
	for _, l := range h.Lines {
		if l.Op != Context {
			return true
		}
	}
	return false
}

// hunkList collects the hunks of a file. A header without a body is an anchor of
// the next hunk.
type hunkList struct {
	hunks []Hunk
	open  bool // lines belong to the last hunk
}

func (l *hunkList) begin(h Hunk) {
	n := len(l.hunks)
	if l.open && len(l.hunks[n-1].Lines) == 0 && !(h.Numbered && l.hunks[n-1].Numbered) {
		last := l.hunks[n-1]
		h.Anchors = append(last.Anchors, h.Anchors...)
		if !h.Numbered && last.Numbered {
			h.Numbered, h.OldStart, h.OldLines, h.NewLines = true, last.OldStart, last.OldLines, last.NewLines
		}
		h.Line = last.Line
		l.hunks[n-1] = h
		return
	}
	l.end()
	l.hunks = append(l.hunks, h)
	l.open = true
}

func (l *hunkList) end() {
	if l.open {
		l.hunks[len(l.hunks)-1].close()
	}
	l.open = false
}

// current returns the hunk that is being read, or nil.
func (l *hunkList) current() *Hunk {
	if !l.open {
		return nil
	}
	return &l.hunks[len(l.hunks)-1]
}

// empty returns the first hunk without lines, or nil.
func (l *hunkList) empty() *Hunk {
	for i := range l.hunks {
		if len(l.hunks[i].Lines) == 0 {
			return &l.hunks[i]
		}
	}
	return nil
}
