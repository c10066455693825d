package output

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

const (
	// smallest is the size in bytes below which an output is left as it is.
	smallest = 1 << 10
	// worth is the part of an output, in percent, that must go for a reduction to be
	// worth the question what is missing.
	worth = 10
	// maxLines limits the lines that are looked at.
	maxLines = 100_000
	// longSpan limits the lines of a span.
	longSpan = 5000
)

// Reduced says what the rules left out.
type Reduced struct {
	By    string `json:"by"`    // names of the rules, separated by ", "
	Lines int    `json:"lines"` // that were left out
	Bytes int    `json:"bytes"`
}

// And sums up what was left out of two outputs of a command; either may be nil.
func (r *Reduced) And(o *Reduced) *Reduced {
	switch {
	case r == nil:
		return o
	case o == nil:
		return r
	}
	sum := &Reduced{By: r.By, Lines: r.Lines + o.Lines, Bytes: r.Bytes + o.Bytes}
	if o.By != r.By {
		sum.By += ", " + o.By
	}
	return sum
}

// Note says to the reader of a reduced output what is missing, and where all of it is.
func Note(r *Reduced, total int64, file string) fault.Text {
	return fault.T("%d lines left out (%s); all %d bytes are in %s", r.Lines, r.By, total, file)
}

// Fitted is an output as a result shows it.
type Fitted struct {
	Text      string
	Reduced   *Reduced // nil if nothing was left out by rules
	Truncated bool     // more was left out for its length
}

// Fit reduces valid UTF-8 by the rules for its source, folds lines that are alike if it
// is still long, and then cuts it to most bytes, and a few dozen more that say what is
// missing.
func Fit(text string, most int, s Source) Fitted {
	f := Fitted{Text: text}
	if len(text) < smallest && len(text) <= most {
		return f
	}
	lines, whole := split(text)
	f.Truncated = !whole
	short, by := lines, ""
	if all := s.find(text); len(all) > 0 {
		e := &engine{all: all, end: s.End}
		short = e.reduce(short)
		by = e.by()
	}
	if s.Runs && size(short) > smallest {
		if folded, left := alike(short, false); left > 0 {
			short, by = folded, joinNames(by, byShape)
		}
	}
	if size := size(short); size*100 <= len(text)*(100-worth) {
		lines = short
		f.Text = join(short)
		f.Reduced = &Reduced{By: by, Lines: max(0, count(text)-len(short)), Bytes: len(text) - len(f.Text)}
	}
	// What only shows files stays as far as there is room, unless most of it is alike, as
	// a log is, and text is not.
	if len(f.Text) > most && !s.Runs && !s.Raw && monotonous(lines) {
		if folded, left := between(lines, most/4, most/4); left > 0 {
			lines = folded
			f.Text, f.Truncated = join(lines), true
		}
	}
	if len(f.Text) > most || !whole {
		f.Text, f.Truncated = cut(lines, most), true
	}
	return f
}

// byShape is named in [Reduced.By] where lines that are alike were folded.
const byShape = "lines alike"

func joinNames(a, b string) string {
	if a == "" {
		return b
	}
	return a + ", " + b
}

// line is a line of output without its newline.
type line struct {
	text string
	kept bool // by a rule
	lead bool // it says whose the next one is
	note bool // it says what was left out

	number int // of the line in a text that is shown with numbers
}

// split returns the lines of a text. Of more than maxLines, which only a loop prints, it
// returns the first and the last, and says how many are missing between them.
func split(text string) (lines []line, all bool) {
	text = strings.TrimSuffix(text, "\n")
	n := strings.Count(text, "\n") + 1
	lines = make([]line, 0, min(n, maxLines+1))
	i := 0
	for piece := range strings.SplitSeq(text, "\n") {
		switch {
		case n <= maxLines, i < maxLines/4, i >= n-maxLines*3/4:
			lines = append(lines, line{text: piece})
		case i == maxLines/4:
			lines = append(lines, line{text: "[… " + strconv.Itoa(n-maxLines/4-maxLines*3/4) + " lines left out …]", note: true})
		}
		i++
	}
	return lines, n <= maxLines
}

func count(text string) int { return strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1 }

func size(lines []line) int {
	n := 0
	for _, l := range lines {
		n += len(l.text) + 1
	}
	return n
}

func join(lines []line) string {
	var b strings.Builder
	b.Grow(size(lines))
	for _, l := range lines {
		b.WriteString(l.text)
		b.WriteByte('\n')
	}
	return b.String()
}

// tidy folds lines that follow themselves, and keeps one of several empty lines.
func tidy(lines []line) []line {
	out := lines[:0]
	for i := 0; i < len(lines); {
		n := 1
		for i+n < len(lines) && lines[i+n].text == lines[i].text {
			n++
		}
		l := lines[i]
		again := "[… the same " + strconv.Itoa(n-1) + " more times …]"
		switch {
		case blank(l):
			if len(out) > 0 && i+n < len(lines) {
				out = append(out, line{})
			}
		case (n-1)*(len(l.text)+1) <= len(again):
			out = append(out, lines[i:i+n]...)
		default:
			out = append(out, l, line{text: again})
		}
		i += n
	}
	return out
}

// unwrap replaces lines that are JSON objects with the field that the rules name by the
// text in that field. An object without that field is left out if all lines are objects.
func (e *engine) unwrap(r *rules, lines []line) []line {
	var text strings.Builder
	objects := 0
	for _, l := range lines {
		var fields map[string]json.RawMessage
		if !strings.HasPrefix(l.text, "{") || json.Unmarshal([]byte(l.text), &fields) != nil {
			text.WriteString(l.text)
			text.WriteByte('\n')
			continue
		}
		objects++
		var value string
		if raw, ok := fields[r.unwrap]; ok && json.Unmarshal(raw, &value) == nil {
			text.WriteString(value)
		} else if Alarming(l.text) {
			text.WriteString(l.text)
			text.WriteByte('\n')
		}
	}
	if objects*2 < len(lines) { // not its format
		return lines
	}
	e.used[r] = true
	lines, _ = split(text.String()) // there are no more than before, or little more
	return lines
}
