package patch

import (
	"slices"
	"strings"
)

// maxWork bounds the search for the places of hunks, in lines compared.
const maxWork = 200_000_000

// target is the text that hunks are looked for in, split into lines.
type target struct {
	src    string
	path   string
	lines  []string // without their endings
	starts []int    // where lines begin in src, and where the last one ends
	work   int      // lines that may still be compared

	searches int
	present  map[string]struct{} // lines as spacedOnce gives them
	folds    bool                // some lines are not ASCII
	known    map[string][]region // by anchors
}

// newTarget splits src into lines. They end in "\n" or "\r\n", or in "\r" if there
// is no "\n" at all. With verbatim, a "\r" is an ordinary character.
func newTarget(src, path string, verbatim bool) *target {
	t := &target{src: src, path: path, work: maxWork}
	sep := "\n"
	if !verbatim && !strings.Contains(src, "\n") && strings.Contains(src, "\r") {
		sep = "\r"
	}
	n := strings.Count(src, sep) + 1
	t.lines, t.starts = make([]string, 0, n), make([]int, 0, n+1)
	for at := 0; at < len(src); {
		t.starts = append(t.starts, at)
		line, _, ended := strings.Cut(src[at:], sep)
		at += len(line)
		if ended {
			at++
			if sep == "\n" && !verbatim {
				line = strings.TrimSuffix(line, "\r")
			}
		}
		t.lines = append(t.lines, line)
	}
	t.starts = append(t.starts, len(src))
	return t
}

// eol returns how a line ends, "" for a last line without an ending.
func (t *target) eol(i int) string { return t.src[t.starts[i]+len(t.lines[i]) : t.starts[i+1]] }

// ended reports whether the last line has an ending. An empty text counts as ended.
func (t *target) ended() bool {
	n := len(t.lines)
	return n == 0 || t.eol(n-1) != ""
}

// nearby returns the ending of a new line before line i: that of the line before,
// else of the line that follows, else "\n".
func (t *target) nearby(i int) string {
	for _, k := range []int{i - 1, i} {
		if k >= 0 && k < len(t.lines) && t.eol(k) != "" {
			return t.eol(k)
		}
	}
	if len(t.lines) > 1 {
		return t.eol(0)
	}
	return "\n"
}

// blankFrom reports whether all lines from line i on are blank.
func (t *target) blankFrom(i int) bool {
	return !slices.ContainsFunc(t.lines[i:], func(l string) bool { return strings.TrimSpace(l) != "" })
}

// excerpt returns a range of lines, from 0 and half open, as they are in the file.
func (t *target) excerpt(from, to int) string {
	from, to = max(0, from), min(len(t.lines), to)
	if from >= to {
		return ""
	}
	return t.src[t.starts[from]:t.starts[to]]
}

// verbatim reports whether the patch itself says how lines end: some of its lines
// end in "\r" and others do not, or the text has no line endings, or the text has
// only "\r" and the patch has "\r" within lines. Blank lines without their mark do
// not count, as they have lost their ends.
func verbatim(src string, hunks []Hunk) bool {
	with, without, inside := false, false, false
	for _, h := range hunks {
		for _, l := range h.Lines {
			body, ended := strings.CutSuffix(l.Text, "\r")
			inside = inside || strings.Contains(body, "\r")
			if ended {
				with = true
			} else if !l.NoEOL && !(l.Bare && l.Text == "") {
				without = true
			}
		}
	}
	switch {
	case strings.Contains(src, "\n"):
		return with && without
	case strings.Contains(src, "\r"):
		return inside
	}
	return with
}
