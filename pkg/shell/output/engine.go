package output

import (
	"slices"
	"strconv"
	"strings"
)

// engine applies rules to the lines of one output.
type engine struct {
	all   []*rules
	end   End
	used  map[*rules]bool
	folds map[*rule]*folded
	seen  map[string]bool // shapes of spans of which one is enough, and lines of them
	// sought are the lines that are known not to end a span.
	sought map[*span]struct{ from, to int }
	parts  map[*rules]struct{ from, to int } // the lines that rules are for
	inside map[*span][]bool                  // the lines that are within a span
	tests  map[*rule]map[int]verdict         // by the lines that say whose what follows is
	// speaking are the rules by which the lines are of a test that passed; nil if they
	// are not.
	speaking *rules
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
	e.used, e.folds, e.seen = map[*rules]bool{}, map[*rule]*folded{}, map[string]bool{}
	e.sought = map[*span]struct{ from, to int }{}
	for _, r := range e.all {
		if r.unwrap != "" {
			lines = e.unwrap(r, lines)
		}
	}
	e.survey(lines)
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
			out[f.at].note = true
			out[f.at].text = strings.NewReplacer("{n}", strconv.Itoa(f.n), "{sum}", strconv.Itoa(f.sum)).Replace(one.text)
		}
	}
	return tidy(out)
}

// decide returns the rule for a line, nil if there is none, and how many lines it is
// for. Of the lines that no rule is for, those that a test printed that passed are left
// out, and of are the rules that say so.
func (e *engine) decide(lines []line, i int) (of *rules, one *rule, n int) {
	text := lines[i].text
	starts := false
	for _, r := range e.all {
		if part := e.parts[r]; i < part.from || i >= part.to {
			continue
		}
		for _, one := range r.list {
			if one.within != nil && !e.inside[one.within][i] || !one.holds(e.end) || !one.first.match(text) {
				continue
			}
			switch {
			case one.do == begun && e.tests[one][i] != unfinished:
			case one.do == log:
				starts = true
				if e.speaking = nil; e.tests[one][i] == passed {
					e.speaking = r
				}
			case one.do == begun, one.last == nil:
				if !starts {
					e.speaking = nil
				}
				return r, one, 1
			default:
				if n := e.span(&one.span, lines, i); n > 0 {
					e.speaking = nil
					return r, one, n
				}
			}
		}
	}
	if starts {
		return nil, nil, 1
	}
	return e.speaking, nil, 1
}

// span returns how many lines a span has that begins with a line; 0 if it is none, as
// it does not end.
func (e *engine) span(r *span, lines []line, i int) int {
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
	switch {
	case one == nil && (from == nil || blank(lines[0]) || Alarming(lines[0].text)):
		return e.stay(out, lines)
	case one == nil:
		e.used[from] = true
		return out
	case one.do == keep, one.do == begun:
		out = e.unlead(out)
		for _, l := range lines {
			out = append(out, line{text: l.text, kept: true})
		}
		return out
	case one.do == once:
		if !e.again(lines) {
			return e.stay(out, lines)
		}
	default:
		var rest int
		if out, rest = e.alarms(out, one, lines); rest == 0 {
			return out
		}
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
	return e.fold(out, one, lines)
}

// alarms adds those of the lines to the result that look like failures, and returns how
// many others there are.
func (e *engine) alarms(out []line, one *rule, lines []line) (_ []line, rest int) {
	for i, l := range lines {
		said := l.text
		switch {
		case !one.force:
		case i == 0:
			said = one.first.without(said)
		case one.ends == while, one.ends == to && i == len(lines)-1:
			said = one.last.without(said)
		}
		if Alarming(said) {
			out = e.stay(out, lines[i:i+1])
			continue
		}
		rest++
	}
	return out, rest
}

// again reports whether a span like this one was shown, and each of its failures to the
// letter.
func (e *engine) again(lines []line) bool {
	key := shape(lines, true)
	again := e.seen[key]
	for i, l := range lines {
		again = again && (!Alarming(l.text) || e.seen[shape(lines[i:i+1], false)])
	}
	if !again {
		e.seen[key] = true
		for i := range lines {
			e.seen[shape(lines[i:i+1], false)] = true
		}
	}
	return again
}

// fold counts lines for the rule that folds them.
func (e *engine) fold(out []line, one *rule, lines []line) []line {
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

// shape returns the text of lines without addresses, and if asked without numbers that
// do not stand for a line of a file.
func shape(lines []line, numbers bool) string {
	var b strings.Builder
	for _, l := range lines {
		text := l.text
		for i := 0; i < len(text); i++ {
			switch c := text[i]; {
			case c == '0' && i+1 < len(text) && text[i+1] == 'x':
				for i += 2; i < len(text) && (digit(text[i]) || text[i]|0x20 >= 'a' && text[i]|0x20 <= 'f'); i++ {
				}
				i--
			case numbers && digit(c) && i > 0 && text[i-1] == ' ':
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
