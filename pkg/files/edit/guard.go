package edit

import (
	"strings"
	"unicode"

	"github.com/helve-dev/helve/pkg/fault"
)

// applied reports whether the new text contains the old one and is already in the
// file around the place: then the edit would be made twice. Additions without a
// letter or digit may be meant to be repeated.
func (d *document) applied(h hit, p place) bool {
	if h.how != Exact {
		return false
	}
	i := strings.Index(h.new, h.old)
	if i < 0 {
		return false
	}
	before, after := h.new[:i], h.new[i+len(h.old):]
	return strings.ContainsFunc(before+after, wordRune) &&
		strings.HasSuffix(d.text[:p.start], before) && strings.HasPrefix(d.text[p.end:], after)
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// foundNew returns the line of the new text, if the file has it once and it is too
// long for a coincidence. It is used when the old text is not found.
func (d *document) foundNew(new string) (line int, ok bool) {
	trimmed := strings.Trim(new, "\n")
	i := strings.Index(d.text, trimmed)
	if !Telling(trimmed) || i < 0 || strings.Contains(d.text[i+1:], trimmed) {
		return 0, false
	}
	start, end := lineStart(d.text, i), lineEnd(d.text, i+len(trimmed))
	whole := trim(d.text[start:end]) == trim(trimmed)
	return d.line(i), solid(trimmed) >= 16 || whole
}

// similarListed limits the similar places that a result lists.
const similarListed = 20

// noteSimilar records the blocks that differ from the replaced one only in white
// space: the caller may have meant another.
func (d *document) noteSimilar(p place) {
	start, end := lineStart(d.text, p.start), lineEnd(d.text, max(p.start, p.end-1))
	found := d.text[p.start:p.end]
	if !Telling(found) || collapse(d.text[start:end]) != collapse(strings.Trim(found, "\n")) {
		return // not whole lines
	}
	b := newBlock(d.text[start:end], "")
	places, err := d.lines(b, stage{key: collapse})
	if err != nil {
		return
	}
	for _, s := range apart(places) {
		if (s.end < start || s.start > end) && len(d.similar) < similarListed {
			d.similar = append(d.similar, s.line)
		}
	}
}

// warnings returns what a caller should know about the edited text.
func warnings(src string, edits []Edit) []fault.Text {
	var all []fault.Text
	if generated(src) {
		all = append(all, fault.T("the file says it is generated; generating it again will undo this edit"))
	}
	for _, e := range edits {
		if line := conflictMarker(e.Old, e.New); line > 0 {
			all = append(all, fault.T("line %d of new_text is a conflict marker", line))
			break
		}
	}
	return all
}

// generated reports whether a text says in its first lines that a program wrote
// it: "Code generated ... DO NOT EDIT" or "@generated".
func generated(text string) bool {
	for range 40 {
		end := lineEnd(text, 0)
		l := text[:min(end, 1000)]
		if _, rest, ok := strings.Cut(l, "Code generated "); ok && strings.Contains(rest, "DO NOT EDIT") {
			return true
		}
		if _, rest, ok := strings.Cut(l, "@generated"); ok && (rest == "" || !wordRune(rune(rest[0]))) {
			return true
		}
		if end == len(text) {
			break
		}
		text = text[end+1:]
	}
	return false
}

// conflictMarker returns the first line of new, from 1, that is a conflict marker
// of version control. It returns 0 if there is none or old has one too.
func conflictMarker(old, new string) int {
	if line := marker(old); line > 0 {
		return 0
	}
	return marker(new)
}

func marker(text string) int {
	n := 0
	for l := range strings.Lines(text) {
		n++
		if strings.HasPrefix(l, "<<<<<<< ") || strings.HasPrefix(l, ">>>>>>> ") || strings.HasPrefix(l, "||||||| ") {
			return n
		}
	}
	return 0
}
