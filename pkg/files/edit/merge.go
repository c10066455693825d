package edit

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
)

// part is a line of the file or of what comes there.
type part struct {
	body string
	eol  string // "" for a last line that has none, or until it is known
}

// merge returns the replacement of a place. It is a three-way merge by lines: where
// the new text keeps a line of the old text, the file's bytes stay; where it does
// not, the new line is written in the file's way.
func (d *document) merge(h hit, p place) (r replacement, err *fault.Error) {
	end := p.end
	whole := h.term && h.whole()
	if whole && end < len(d.text) {
		end++
	}
	r = replacement{strategy: h.strategy, start: d.source(p.start), end: d.source(end)}
	if h.how == Exact && (d.plain() || !strings.Contains(h.new, "\n")) {
		r.text = h.new
	} else {
		var parts []part
		file := d.parts(p.start, end, whole)
		if parts, r.reindented, err = h.mergeParts(file, d); err != nil {
			return r, err
		}
		r.text = d.join(parts, file, end)
	}
	d.count(&r, p, end)
	return r, nil
}

// count sets which lines a replacement replaces and how many it makes of them. A
// line counts even if only a part of it is replaced, and so does the next line if
// the ending before it goes away.
func (d *document) count(r *replacement, p place, end int) {
	text := d.normal(r.text)
	made := strings.Count(text, "\n")
	// open says that the replacement does not end at the end of a line.
	open := !strings.HasSuffix(text, "\n")
	if r.text == "" {
		open = p.start > 0 && d.text[p.start-1] != '\n'
	}
	tail := end
	if open || d.text[end-1] != '\n' {
		tail = min(len(d.text), d.lineEnd(end)+1)
	}
	taken := strings.Count(d.text[p.start:end], "\n")
	if tail > end && d.text[tail-1] == '\n' { // the ending of the last line
		taken++
		made++
	}
	if d.text[tail-1] != '\n' {
		taken++
		if open || tail > end {
			made++
		}
	} else if open && tail == end {
		made++
	}
	r.old, r.lines = LineRange{p.line, p.line + taken - 1}, made
}

// whole reports whether the places of the hit are whole lines.
func (h hit) whole() bool {
	switch h.how {
	case Exact:
		return false
	case Unicode:
		return !h.inside
	}
	return true
}

// parts returns the lines of the view from start to end. With whole, no empty line
// follows the last line ending.
func (d *document) parts(start, end int, whole bool) []part {
	var parts []part
	for at := start; ; {
		e := lineEnd(d.text[:end], at)
		if e == end {
			if !whole || at < end {
				parts = append(parts, part{body: d.text[at:end]})
			}
			return parts
		}
		parts = append(parts, part{d.text[at:e], d.eol(e)})
		at = e + 1
	}
}

// mergeParts returns the lines that replace those of the file.
func (h hit) mergeParts(file []part, d *document) (parts []part, reindented bool, err *fault.Error) {
	o, n := h.o, h.n
	if !h.whole() {
		o, n = cut(h.old, false), cut(h.new, false)
	}
	f := make([]string, len(file))
	for i, p := range file {
		f[i] = p.body
	}
	changes := diff.Regions(mapped(o, rtrim), mapped(n, rtrim))
	var put func(j int, r diff.Region) (string, bool)
	switch h.how {
	case Indent, IndentLoose, Whitespace:
		t := newIndenter(o, f, n, widthOf(d.text))
		put = t.line
	default:
		put = func(j int, _ diff.Region) (string, bool) { return n[j], true }
	}
	if h.whole() && allTrailing(o) && !anyTrailing(f) {
		// White space at the end of every line is an accident of copying.
		n = mapped(n, rtrim)
		o = mapped(o, rtrim)
	}

	i, j := 0, 0
	keep := func(until int) {
		for ; i < until; i, j = i+1, j+1 {
			body := f[i]
			if n[j] != o[i] && (h.how == Exact || trim(n[j]) != "") {
				// The edit changes the white space at the end of this line.
				body = rtrim(body) + n[j][len(rtrim(n[j])):]
			}
			parts = append(parts, part{body, file[i].eol})
			reindented = reindented || trim(n[j]) != "" && lead(body) != lead(n[j])
		}
	}
	for _, r := range changes {
		keep(r.OldStart)
		if h.how == Unicode && r.OldEnd > r.OldStart && r.NewEnd > r.NewStart {
			merged := mergeRunes(strings.Join(o[r.OldStart:r.OldEnd], "\n"),
				strings.Join(f[r.OldStart:r.OldEnd], "\n"), strings.Join(n[r.NewStart:r.NewEnd], "\n"))
			for body := range strings.SplitSeq(merged, "\n") {
				parts = append(parts, part{body: body})
			}
			j = r.NewEnd
		}
		for ; j < r.NewEnd; j++ {
			body, ok := put(j, r)
			if !ok {
				return nil, false, indentUnknown(n[j])
			}
			parts = append(parts, part{body: body})
			reindented = reindented || trim(body) != "" && lead(body) != lead(n[j])
		}
		i = r.OldEnd
	}
	keep(len(o))
	return parts, reindented, nil
}

// allTrailing reports whether every line that is not blank ends in white space.
func allTrailing(lines []string) bool {
	for _, l := range lines {
		if rtrim(l) == l && l != "" {
			return false
		}
	}
	return true
}

func anyTrailing(lines []string) bool {
	for _, l := range lines {
		if rtrim(l) != l {
			return true
		}
	}
	return false
}

// join returns lines as text. A line without an ending gets that of the line before
// it. The last line ends as the last of the lines that it replaces, of which there is
// at least one.
func (d *document) join(parts, file []part, end int) string {
	before := ""
	for _, p := range file {
		if before == "" {
			before = p.eol
		}
	}
	if before == "" {
		before = d.nearby(end)
	}
	terminated := file[len(file)-1].eol != ""
	var b strings.Builder
	for i, p := range parts {
		b.WriteString(p.body)
		if i == len(parts)-1 && !terminated {
			break
		}
		if p.eol != "" {
			before = p.eol
		}
		b.WriteString(before)
	}
	return b.String()
}
