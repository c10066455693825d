package edit

import (
	"slices"
	"sort"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// view is a text with "\n" for every line ending, and the way back to the bytes it
// came from. A text without carriage returns is its own view.
type view struct {
	src  string
	text string
	crlf []int32 // offsets in text of the "\n" that are "\r\n" in src
	cr   bool    // lines end at "\r": src has no "\n" at all
	lone []int32 // offsets in text of the "\n" that are a "\r" in src; see withLone
}

func newView(src string) view {
	v := view{src: src, text: src}
	if strings.IndexByte(src, '\r') < 0 {
		return v
	}
	if strings.IndexByte(src, '\n') < 0 {
		v.cr = true
		v.text = strings.ReplaceAll(src, "\r", "\n")
		return v
	}
	n := strings.Count(src, "\r\n")
	if n == 0 {
		return v
	}
	v.crlf = make([]int32, 0, n)
	var b strings.Builder
	b.Grow(len(src) - n)
	for rest := src; ; {
		i := strings.Index(rest, "\r\n")
		if i < 0 {
			b.WriteString(rest)
			break
		}
		b.WriteString(rest[:i])
		v.crlf = append(v.crlf, int32(b.Len()))
		b.WriteByte('\n')
		rest = rest[i+2:]
	}
	v.text = b.String()
	return v
}

// source returns the offset in src of an offset in text. For a "\r\n" it returns the
// offset of the "\r".
func (v view) source(at int) int {
	before := sort.Search(len(v.crlf), func(i int) bool { return int(v.crlf[i]) >= at })
	return at + before
}

// normal returns a caller's text with the line endings of the view.
func (v view) normal(s string) string {
	if strings.IndexByte(s, '\r') < 0 {
		return s
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	if v.cr || v.lone != nil {
		s = strings.ReplaceAll(s, "\r", "\n")
	}
	return s
}

// eol returns the line ending in src of the "\n" at an offset of text.
func (v view) eol(at int) string {
	if v.cr {
		return "\r"
	}
	if _, ok := slices.BinarySearch(v.crlf, int32(at)); ok {
		return "\r\n"
	}
	if _, ok := slices.BinarySearch(v.lone, int32(at)); ok {
		return "\r"
	}
	return "\n"
}

// plain reports whether every "\n" of the view is a "\n" of src.
func (v view) plain() bool { return !v.cr && len(v.crlf) == 0 && len(v.lone) == 0 }

// withLone returns the view in which a "\r" among other endings ends a line, too,
// instead of being a character of one. ok is false if there is none. Offsets are the
// same in both.
func (v view) withLone() (w view, ok bool) {
	if v.cr || strings.IndexByte(v.text, '\r') < 0 {
		return v, false
	}
	w = v
	for i := range len(v.text) {
		if v.text[i] == '\r' {
			w.lone = append(w.lone, int32(i))
		}
	}
	w.text = strings.ReplaceAll(v.text, "\r", "\n")
	return w, true
}

// resolveLone resolves an edit of a text in which a "\r" ends a line. ok is false if
// there is no place in it, or no certain one.
func (d *document) resolveLone(e Edit) (all []replacement, ok bool) {
	v, ok := d.withLone()
	if !ok {
		return nil, false
	}
	inner := *d
	inner.view, inner.lineFrom, inner.lineTo, inner.similar = v, 0, 0, nil
	all, err := inner.resolve(e)
	if err != nil {
		return nil, false
	}
	d.notes = inner.notes
	for i := range all {
		r := &all[i]
		r.strategy = LoneCR
		// Results count lines as read does.
		start, end := d.offsetOf(r.start), d.offsetOf(r.end)
		d.count(r, place{start: start, end: end, line: d.line(start)}, end)
	}
	return all, true
}

// offsetOf returns the offset in text of an offset in src.
func (v view) offsetOf(source int) int { return source - strings.Count(v.src[:source], "\r\n") }

// nearby returns the ending of a new line at an offset that replaces no line: that
// of the line it is in, else of the line before.
func (d *document) nearby(at int) string {
	v := d.view
	if v.plain() {
		return "\n"
	}
	if end := d.lineEnd(at); end < len(v.text) {
		return v.eol(end)
	}
	// A view that is not plain has a line ending, and none follows.
	return v.eol(strings.LastIndexByte(v.text[:at], '\n'))
}

// line returns the number, from 1, of the line around an offset of text.
func (v view) line(at int) int { return 1 + strings.Count(v.text[:at], "\n") }

// offset returns where a line, from 1, begins. ok is false if there is none.
func (v view) offset(line int) (at int, ok bool) {
	for ; line > 1; line-- {
		i := strings.IndexByte(v.text[at:], '\n')
		if i < 0 {
			return 0, false
		}
		at += i + 1
	}
	return at, line == 1 && at < len(v.text)
}

// lineStart returns where the line around an offset begins.
func lineStart(text string, at int) int { return strings.LastIndexByte(text[:at], '\n') + 1 }

// lineEnd returns where the line around an offset ends, before its "\n".
func lineEnd(text string, at int) int {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(text)
}

// lineEnd is [lineEnd] for the view. It remembers the last line, as many places may be on
// one long line.
func (d *document) lineEnd(at int) int {
	if at < d.lineFrom || at > d.lineTo || d.lineTo == 0 {
		d.lineFrom, d.lineTo = at, lineEnd(d.text, at)
	}
	return d.lineTo
}

// Text returns the range for a message, such as "lines 4-7".
func (r LineRange) Text() fault.Text {
	if r.Start >= r.End {
		return fault.T("line %d", r.Start)
	}
	return fault.T("lines %d-%d", r.Start, r.End)
}
