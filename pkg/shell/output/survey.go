package output

import (
	"slices"
	"strings"
)

// verdict says whether a test passed.
type verdict int

const (
	unfinished verdict = iota
	passed
	failed
)

// survey looks at all lines for what rules must know beforehand: for which lines they
// are, and how tests end.
func (e *engine) survey(lines []line) {
	e.parts = map[*rules]struct{ from, to int }{}
	e.inside, e.tests = map[*span][]bool{}, map[*rule]map[int]verdict{}
	for _, r := range e.all {
		e.parts[r] = struct{ from, to int }{0, len(lines)}
		if len(r.signs) > 0 {
			e.parts[r] = r.part(lines)
		}
		for _, one := range r.list {
			if s := one.within; s != nil && e.inside[s] == nil {
				e.inside[s] = e.spans(s, lines)
			}
			if one.do == begun || one.do == log {
				e.tests[one] = one.verdicts(lines)
			}
		}
	}
}

// part returns the lines from the first with a sign to the last.
func (r *rules) part(lines []line) (part struct{ from, to int }) {
	for i, l := range lines {
		if slices.ContainsFunc(r.signs, func(sign string) bool { return strings.Contains(l.text, sign) }) ||
			slices.ContainsFunc(r.bounds, func(p *pattern) bool { return p.match(l.text) }) {
			if part.to == 0 {
				part.from = i
			}
			part.to = i + 1
		}
	}
	return part
}

// spans returns which lines are in a span.
func (e *engine) spans(s *span, lines []line) []bool {
	in := make([]bool, len(lines))
	for i := 0; i < len(lines); {
		n := 0
		if s.first.match(lines[i].text) {
			n = e.span(s, lines, i)
		}
		for j := range n {
			in[i+j] = true
		}
		i += max(1, n)
	}
	return in
}

// verdicts returns how the tests ended that lines of the first pattern name: what the
// next line of the second says, unless the test of that name begins anew before it.
func (r *rule) verdicts(lines []line) map[int]verdict {
	all, ends := map[int]verdict{}, map[string]verdict{}
	for i := len(lines) - 1; i >= 0; i-- {
		text := lines[i].text
		if name, good, ok := r.last.named(text, "passed"); ok {
			ends[name] = failed
			if good {
				ends[name] = passed
			}
		} else if name, begins, ok := r.first.named(text, "begin"); ok {
			all[i] = ends[name]
			if begins {
				delete(ends, name)
			}
		}
	}
	return all
}

// named returns the text of the group "name" in a line that matches, and whether the
// group flag is in it, as it is if the pattern has none.
func (p *pattern) named(line, flag string) (name string, set, ok bool) {
	if !p.match(line) {
		return "", false, false
	}
	m := p.re().FindStringSubmatch(line)
	if i := p.re().SubexpIndex("name"); i > 0 {
		name = m[i]
	}
	i := p.re().SubexpIndex(flag)
	return name, i < 0 || m[i] != "", name != ""
}
