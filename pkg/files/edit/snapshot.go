package edit

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
)

// snapshot is the text that the caller was shown last, if it differs from the
// current one.
type snapshot struct {
	text string
	// current[:head] and current[tail:] are the whole lines that both texts begin
	// and end with.
	head, tail int
	seen       map[string]bool // results of has
	budget     int             // bytes that may still be searched
}

func newSnapshot(shown, current string) *snapshot {
	s := &snapshot{text: shown, seen: make(map[string]bool), budget: 1 << 30}
	head, tail := diff.CommonEnds(shown, current)
	s.head = lineStart(current, head)
	s.tail = min(len(current), lineEnd(current, len(current)-tail)+1)
	if tail == len(current) && (tail == len(shown) || shown[len(shown)-1-tail] == '\n') {
		s.tail = 0
	}
	return s
}

// fresh refuses a place whose lines the caller was not shown as they are now. An
// exact match may be edited if its lines are in the snapshot, even if the file has
// changed elsewhere. A tolerant match needs an unchanged file.
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

// has reports whether the snapshot has the lines. It returns false if the answer
// would take too long.
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

// hasLines reports whether text has the lines as consecutive whole lines.
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
