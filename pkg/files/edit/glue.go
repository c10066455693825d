package edit

import "strings"

// withBreaks takes a line break at either end of the old text out of an exact place if the
// new text lacks it. Otherwise its lines would be glued to their neighbours, which is
// seldom meant: only if hardly anything else changes, or the new text ends in a space.
func (d *document) withBreaks(h hit, p place) (hit, place) {
	if h.how != Exact || h.new == "" || solid(h.old) == 0 {
		return h, p
	}
	old := h.old
	if rest, ok := strings.CutSuffix(old, "\n"); ok && !strings.HasSuffix(h.new, "\n") && rtrim(h.new) == h.new && rtrim(rest) != h.new {
		old, p.end = rest, p.end-1
	}
	if rest, ok := strings.CutPrefix(old, "\n"); ok && !strings.HasPrefix(h.new, "\n") &&
		strings.TrimSpace(rest) != strings.TrimSpace(h.new) && p.start > 0 && d.text[p.start-1] != '\n' {
		old, p.start, p.line = rest, p.start+1, p.line+1
	}
	if old != h.old {
		h.block = newBlock(old, h.new)
	}
	return h, p
}
