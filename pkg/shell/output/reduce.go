package output

import (
	"encoding/json"
	"slices"
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
	return fault.T("%d lines without failures left out (%s); all %d bytes are in %s", r.Lines, r.By, total, file)
}

// Fitted is an output as a result shows it.
type Fitted struct {
	Text      string
	Reduced   *Reduced // nil if nothing was left out by rules
	Truncated bool     // more was left out for its length
}

// Fit reduces valid UTF-8 by the rules for its source and then cuts it to most bytes,
// and a few dozen more that say what is missing.
func Fit(text string, most int, s Source) Fitted {
	f := Fitted{Text: text}
	if len(text) < smallest && len(text) <= most {
		return f
	}
	lines, whole := split(text)
	f.Truncated = !whole
	if all := s.find(text); len(all) > 0 {
		e := &engine{all: all, end: s.End}
		short := e.reduce(lines)
		if size := size(short); size*100 <= len(text)*(100-worth) {
			lines = short
			f.Text = join(short)
			f.Reduced = &Reduced{By: e.by(), Lines: max(0, count(text)-len(short)), Bytes: len(text) - len(f.Text)}
		}
	}
	if len(f.Text) > most || !whole {
		f.Text, f.Truncated = cut(lines, most), true
	}
	return f
}

// line is a line of output without its newline.
type line struct {
	text string
	kept bool // by a rule
	lead bool // it says whose the next one is
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
			lines = append(lines, line{text: "[… " + strconv.Itoa(n-maxLines/4-maxLines*3/4) + " lines left out …]"})
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

// engine applies rules to the lines of one output.
type engine struct {
	all   []*rules
	end   End
	used  map[*rules]bool
	folds map[*rule]*folded
	seen  map[string]*rule // shapes of spans of which one is enough
	// sought are the lines that are known not to end a span of a rule.
	sought map[*rule]struct{ from, to int }
	// leading are the rules of a lead at the end of the result, which is not yet known
	// to stay; nil if there is none.
	leading *rules
}

// folded are the lines that a rule folds.
type folded struct {
	at   int // index in the result
	n    int
	sum  int    // of the numbers in the first group
	only string // the first, if it is a line
}

// by returns the names of the rules that did something.
func (e *engine) by() string {
	var names []string
	for _, r := range e.all {
		if e.used[r] && !slices.Contains(names, r.name) { // one of the person's may have the name of a built-in one
			names = append(names, r.name)
		}
	}
	if len(names) == 0 {
		return "repeats"
	}
	return strings.Join(names, ", ")
}

func (e *engine) reduce(lines []line) []line {
	e.used, e.folds, e.seen = map[*rules]bool{}, map[*rule]*folded{}, map[string]*rule{}
	e.sought = map[*rule]struct{ from, to int }{}
	for _, r := range e.all {
		if r.unwrap != "" {
			lines = e.unwrap(r, lines)
		}
	}
	var out []line
	for i := 0; i < len(lines); {
		from, one, n := e.decide(lines, i)
		out = e.apply(out, from, one, lines[i:i+n])
		i += n
	}
	for one, f := range e.folds {
		switch {
		case f.n == 0:
		case f.n == 1 && f.only != "":
			out[f.at].text = f.only
		default:
			out[f.at].text = strings.NewReplacer("{n}", strconv.Itoa(f.n), "{sum}", strconv.Itoa(f.sum)).Replace(one.text)
		}
	}
	return tidy(out)
}

// decide returns the rule for a line, nil if there is none, and how many lines it is
// for.
func (e *engine) decide(lines []line, i int) (*rules, *rule, int) {
	for _, r := range e.all {
		for _, one := range r.list {
			if !one.holds(e.end) || !one.first.match(lines[i].text) {
				continue
			}
			if one.last == nil {
				return r, one, 1
			}
			if n := e.span(one, lines, i); n > 0 {
				return r, one, n
			}
		}
	}
	return nil, nil, 1
}

// span returns how many lines a span has that begins with a line; 0 if it is none, as
// it does not end.
func (e *engine) span(r *rule, lines []line, i int) int {
	if r.ends == while {
		n := 1
		for i+n < len(lines) && r.last.match(lines[i+n].text) {
			n++
		}
		if n == 1 {
			return 0
		}
		return n
	}
	// Where no end is, is looked at once: many lines may begin a span that does not end.
	none := e.sought[r]
	j, limit := i+1, min(len(lines), i+longSpan)
	if none.from > j || j >= none.to {
		none.from = j
	} else {
		j = none.to
	}
	for j < limit && !r.last.match(lines[j].text) {
		j++
	}
	none.to = j
	e.sought[r] = none
	switch {
	case j >= limit:
		return 0
	case r.ends == until:
		return j - i
	}
	return j - i + 1
}

// apply adds lines to the result, or what a rule makes of them.
func (e *engine) apply(out []line, from *rules, one *rule, lines []line) []line {
	if one == nil {
		return e.stay(out, lines)
	}
	if one.do == keep {
		out = e.unlead(out)
		for _, l := range lines {
			out = append(out, line{text: l.text, kept: true})
		}
		return out
	}
	if one.do == once {
		key := shape(lines)
		if e.seen[key] == nil {
			e.seen[key] = one
			return e.stay(out, lines)
		}
	} else if !one.force && slices.ContainsFunc(lines, func(l line) bool { return Alarming(l.text) }) {
		for _, l := range lines {
			if Alarming(l.text) {
				out = e.stay(out, []line{l})
			}
		}
		return out
	}
	out = e.unlead(out)
	if one.do == lead {
		for _, l := range lines {
			out = append(out, line{text: l.text, lead: true})
		}
		e.leading = from
		return out
	}
	e.used[from] = true
	if one.do == drop {
		return out
	}
	f := e.folds[one]
	if f == nil {
		f = &folded{at: len(out)}
		if len(lines) == 1 && one.do == fold {
			f.only = lines[0].text
		}
		e.folds[one] = f
		out = append(out, line{})
	}
	f.n++
	if strings.Contains(one.text, "{sum}") {
		if m := one.first.re().FindStringSubmatch(lines[0].text); len(m) > 1 {
			n, _ := strconv.Atoi(m[1]) // no number counts nothing
			f.sum += n
		}
	}
	return out
}

// stay adds lines to the result. The lead above them stays with them.
func (e *engine) stay(out, lines []line) []line {
	if slices.ContainsFunc(lines, func(l line) bool { return !blank(l) }) {
		e.leading = nil
	}
	return append(out, lines...)
}

// unlead takes the lead at the end of the result back, as what follows is not its own.
func (e *engine) unlead(out []line) []line {
	if e.leading == nil {
		return out
	}
	e.used[e.leading], e.leading = true, nil
	end := len(out)
	for !out[end-1].lead { // empty lines
		end--
	}
	begin := end
	for begin > 0 && out[begin-1].lead {
		begin--
	}
	return append(out[:begin], out[end:]...)
}

func blank(l line) bool { return strings.TrimSpace(l.text) == "" }

// shape returns the text of lines without addresses, and without numbers that do not
// stand for a line of a file.
func shape(lines []line) string {
	var b strings.Builder
	for _, l := range lines {
		text := l.text
		for i := 0; i < len(text); i++ {
			switch c := text[i]; {
			case c == '0' && i+1 < len(text) && text[i+1] == 'x':
				for i += 2; i < len(text) && (digit(text[i]) || text[i]|0x20 >= 'a' && text[i]|0x20 <= 'f'); i++ {
				}
				i--
			case digit(c) && i > 0 && text[i-1] == ' ':
				for i++; i < len(text) && digit(text[i]); i++ {
				}
				i--
			default:
				b.WriteByte(c)
			}
		}
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
