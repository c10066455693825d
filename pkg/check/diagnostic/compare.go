package diagnostic

import (
	"maps"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/files/diff"
)

// Change maps the lines of a file from before a change to after it. From is its name before,
// if that was another one.
type Change struct {
	File    string        `json:"file"`
	From    string        `json:"from,omitempty"`
	Regions []diff.Region `json:"regions"`
}

// ChangeOf returns the change of the text of a file.
func ChangeOf(file, from, before, now string) Change {
	return Change{file, from, diff.RegionsOfLines(before, now)}
}

// moves maps the lines of a file through a change.
type moves struct{ regions []diff.Region }

// now returns where a line of before is, both from 1. If it has changed, it is not kept, and
// region is the index of its region.
func (m moves) now(line int) (now, region int, kept bool) {
	shift := 0
	for i, r := range m.regions {
		switch {
		case line-1 < r.OldStart:
			return line + shift, 0, true
		case line-1 < r.OldEnd:
			return 0, i, false
		}
		shift = r.NewEnd - r.OldEnd
	}
	return line + shift, 0, true
}

// changed returns the region that a line of the present is in; -1 if it has not changed.
func (m moves) changed(line int) int {
	return slices.IndexFunc(m.regions, func(r diff.Region) bool { return line-1 >= r.NewStart && line-1 < r.NewEnd })
}

// Comparison says which diagnostics a change added and took away.
type Comparison struct {
	New   []Diagnostic // errors first
	Fixed int
	// Gone are those of the fixed ones whose lines have not changed, where these are now. A new
	// error, such as one of syntax, may only keep the checker from them.
	Gone []Diagnostic
}

type key struct{ file, source, message string }

// keyOf identifies a diagnostic wherever it is: numbers of lines in its message do not count.
func keyOf(d Diagnostic) key {
	return key{d.File, d.Source, withoutLines(d.Message)}
}

// withoutLines replaces what looks like the number of a line.
func withoutLines(message string) string {
	var b strings.Builder
	for i := 0; i < len(message); {
		end := i
		for end < len(message) && message[end] >= '0' && message[end] <= '9' {
			end++
		}
		if end == i {
			b.WriteByte(message[i])
			i++
			continue
		}
		before := strings.ToLower(message[:i])
		if strings.HasSuffix(before, ":") || strings.HasSuffix(before, "line ") || strings.HasSuffix(before, "lines ") {
			b.WriteByte('#')
		} else {
			b.WriteString(message[i:end])
		}
		i = end
	}
	return b.String()
}

// Compare compares the diagnostics before changes with those after them. A diagnostic is an
// old one if the same was there before on the line that its line was then, or in lines that were
// changed together; or on a line that has not changed, as checkers point at more than one place.
func Compare(before, after []Diagnostic, changes []Change) Comparison {
	mapped := map[string]moves{}
	renamed := map[string]string{}
	for _, c := range changes {
		mapped[c.File] = moves{c.Regions}
		if c.From != "" {
			renamed[c.From] = c.File
		}
	}
	old := map[key][]Diagnostic{}
	for _, d := range before {
		if to, ok := renamed[d.File]; ok {
			d.File = to
		}
		old[keyOf(d)] = append(old[keyOf(d)], d)
	}
	left := after
	for _, same := range [...]func(m moves, was, is Diagnostic) bool{atPlace, inRegion, untouched} {
		var rest []Diagnostic
		for _, d := range left {
			k := keyOf(d)
			i := slices.IndexFunc(old[k], func(was Diagnostic) bool { return same(mapped[d.File], was, d) })
			if i < 0 {
				rest = append(rest, d)
				continue
			}
			old[k] = slices.Delete(old[k], i, i+1)
		}
		left = rest
	}
	c := Comparison{New: left}
	for _, gone := range old {
		c.Fixed += len(gone)
		for _, d := range gone {
			if line, _, kept := mapped[d.File].now(d.Line); kept {
				d.Line = line
				c.Gone = append(c.Gone, d)
			}
		}
	}
	Sort(c.New)
	return c
}

// atPlace reports whether a diagnostic is where an old one was.
func atPlace(m moves, was, is Diagnostic) bool {
	line, _, kept := m.now(was.Line)
	return kept && line == is.Line || was.Line == is.Line && is.Line == 0
}

// inRegion reports whether a diagnostic is in the lines that took the place of those of an
// old one.
func inRegion(m moves, was, is Diagnostic) bool {
	_, region, kept := m.now(was.Line)
	return !kept && m.changed(is.Line) == region
}

// untouched reports whether a diagnostic is in no line that changed.
func untouched(m moves, _, is Diagnostic) bool { return m.changed(is.Line) < 0 }

// Touched returns those of diagnostics that are on lines which changes wrote.
func Touched(all []Diagnostic, changes []Change) (on []Diagnostic) {
	for _, c := range changes {
		m := moves{c.Regions}
		for _, d := range all {
			if d.File == c.File && m.changed(d.Line) >= 0 {
				on = append(on, d)
			}
		}
	}
	Sort(on)
	return on
}

// Sort puts errors first, and leaves the order of the checker else.
func Sort(all []Diagnostic) {
	slices.SortStableFunc(all, func(a, b Diagnostic) int {
		switch {
		case a.Warning == b.Warning:
			return 0
		case a.Warning:
			return 1
		}
		return -1
	})
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
