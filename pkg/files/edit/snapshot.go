package edit

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
)

// snapshot is the text that the caller was served, while it differs from the
// current one.
type snapshot struct {
	text string
	// Whole lines that both texts begin and end with: current[:head] and
	// current[tail:].
	head, tail int
	seen       map[string]bool // lines that were looked for elsewhere
	budget     int             // bytes that may still be looked through
}

func newSnapshot(served, current string) *snapshot {
	s := &snapshot{text: served, seen: make(map[string]bool), budget: 1 << 30}
	head, tail := diff.CommonEnds(served, current)
	s.head = lineStart(current, head)
	s.tail = min(len(current), lineEnd(current, len(current)-tail)+1)
	if tail == len(current) && (tail == len(served) || served[len(served)-1-tail] == '\n') {
		s.tail = 0
	}
	return s
}

// fresh refuses a place whose lines are not among those that the caller was
// served. Lines that were found by a looser comparison must not have changed at
// all since, nor anything else in the text: the caller's idea of it is old.
func (d *document) fresh(h hit, p place) *fault.Error {
	s := d.snapshot
	if s == nil {
		return nil
	}
	if h.strategy == Exact {
		d.changed = true
		if p.end <= s.head || p.start >= s.tail {
			return nil
		}
	}
	start, end := lineStart(d.text, p.start), lineEnd(d.text, max(p.start, p.end-1))
	lines := d.text[start:end]
	if h.strategy == Exact && s.has(lines) {
		return nil
	}
	return d.stale(p.line, lines)
}

// has reports whether the snapshot has the lines. What would take too long to
// find out counts as no.
func (s *snapshot) has(lines string) bool {
	known, ok := s.seen[lines]
	if ok {
		return known
	}
	if s.budget -= len(s.text) + len(lines); s.budget < 0 {
		return false
	}
	known = hasLines(s.text, lines)
	s.seen[lines] = known
	return known
}

// Served reports whether lines of the current text, numbered from 1, are in the
// snapshot word for word, one after the other, wherever they stand there. Line
// endings do not count. It is false when there are no such lines.
func Served(snapshot, current string, lines LineRange) bool {
	s, c := newView(snapshot), newView(current)
	start, ok := c.offset(lines.Start)
	if !ok || lines.End < lines.Start {
		return false
	}
	end, ok := c.offset(lines.End)
	return ok && hasLines(s.text, c.text[start:lineEnd(c.text, end)])
}

// hasLines reports whether text has the lines, whole ones, one after the other.
func hasLines(text, lines string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], lines)
		if i < 0 {
			return false
		}
		i += at
		end := i + len(lines)
		if (i == 0 || text[i-1] == '\n') && (end == len(text) || text[end] == '\n') {
			return true
		}
		if i == len(text) {
			return false
		}
		at = i + 1
	}
}
