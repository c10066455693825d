package edit

import (
	"math"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
)

// maxCandidates limits the places offered for a text that is not found.
const maxCandidates = 3

// Candidate is a place that a text which was not found may mean.
type Candidate struct {
	ID     string   `json:"id"` // for Edit.Accept
	Start  int      `json:"start"`
	End    int      `json:"end"`
	Score  float64  `json:"score"` // 0 to 1
	Text   string   `json:"text"`  // the file's text, as many whole lines as fit; it ends in a line break if both texts of the edit do
	Diff   string   `json:"diff"`  // from the caller's old text to the file's
	Causes []string `json:"causes"`
}

// The causes why a text was not found.
const (
	causeIndent    = "indentation"
	causeTrailing  = "trailing_whitespace"
	causeSpacing   = "spacing"
	causeUnicode   = "typography"
	causeCase      = "case"
	causeDifferent = "different_text"
	causeEscaped   = "escapes"
	causeMissing   = "lines_not_in_file"
	causeExtra     = "lines_not_in_old_text"
)

// causeText describes causes in a message.
func causeText(causes []string) fault.Text {
	texts := make([]fault.Text, len(causes))
	for i, c := range causes {
		switch c {
		case causeIndent:
			texts[i] = fault.T("different indentation")
		case causeTrailing:
			texts[i] = fault.T("different trailing white space")
		case causeSpacing:
			texts[i] = fault.T("different spacing")
		case causeUnicode:
			texts[i] = fault.T("different quotes, dashes or similar characters")
		case causeCase:
			texts[i] = fault.T("different case")
		case causeEscaped:
			texts[i] = fault.T("escapes such as \\n in one text, the characters themselves in the other")
		case causeMissing:
			texts[i] = fault.T("some lines of old_text are missing")
		case causeExtra:
			texts[i] = fault.T("the file has more lines in between")
		default:
			texts[i] = fault.T("different text")
		}
	}
	return fault.Join(texts, ", ")
}

// candidates returns the places most similar to a text. Those at the position that the
// edit names come first.
func (d *document) candidates(old string, e Edit) []Candidate {
	lines := cut(old, strings.HasSuffix(old, "\n"))
	s := newSearch(lines, d.text)
	s.hints.line = e.LineHint
	if start, end, err := d.between(e); err == nil && (e.After != "" || e.Within != "") {
		s.hints.start, s.hints.end, s.hints.bounded = lineStart(d.text, start), end, true
	}
	var list []Candidate
	var sha string
	shown := NewExcerpts()
	diffs := diff.Limit{Bytes: shownBytes / maxCandidates, Lines: shownLines}
	best := s.best()
	escaped, first := d.escapedPlace(old)
	if first {
		best = escaped.before(d, best)
	}
	for i, w := range best {
		if sha == "" {
			sha = d.sha()
		}
		c := d.candidate(len(list)+1, sha, w.from+1, w.to, shown)
		c.Score = math.Round(w.score*100) / 100
		c.Causes = []string{causeEscaped}
		if !first || i > 0 {
			c.Causes = s.causes(lines, w)
		}
		start, end := d.span(c.Start, c.End)
		c.Diff = hunksOf(diff.Unified(diff.Modified(d.path), strings.TrimSuffix(old, "\n")+"\n", d.text[start:end]+"\n", diffs))
		list = append(list, c)
	}
	return list
}

// candidate returns a range of lines, from 1, with as much text as may be shown.
func (d *document) candidate(rank int, sha string, first, last int, shown *Excerpts) Candidate {
	start, end := d.span(first, last)
	text := shown.Take(d.src[d.source(start):d.source(end)])
	return Candidate{ID: candidateID(rank, sha, first, last), Start: first, End: last, Text: text}
}

// hunksOf returns the diff of a file without its header.
func hunksOf(d diff.Diff) string {
	if i := strings.Index(d.Text, "@@ "); i >= 0 {
		return d.Text[i:]
	}
	return ""
}

// causes returns how the old lines differ from a window.
func (s *search) causes(old []string, w window) []string {
	var causes []string
	add := func(c string) {
		if !slices.Contains(causes, c) {
			causes = append(causes, c)
		}
	}
	// Lines without a partner are compared with the lines at their place.
	next := w.from
	for i := 0; i <= len(old); {
		to, k := w.to, i
		for k < len(old) && w.pairs[k] < 0 {
			k++
		}
		if k < len(old) {
			to = w.pairs[k]
		}
		for ; i < k && next < to; i, next = i+1, next+1 {
			if line := s.line(next); old[i] != line {
				add(causeOf(old[i], line))
			}
		}
		for ; i < k; i++ {
			if trim(old[i]) != "" {
				add(causeMissing)
			}
		}
		if next < to {
			add(causeExtra)
		}
		if k < len(old) && s.line(to) != old[k] {
			add(causeOf(old[k], s.line(to)))
		}
		i, next = k+1, to+1
	}
	return causes
}

// causeOf returns the smallest cause that explains how two lines differ.
func causeOf(old, file string) string {
	switch {
	case rtrim(old) == rtrim(file):
		return causeTrailing
	case trim(old) == trim(file):
		return causeIndent
	case dense(old) == dense(file):
		return causeSpacing
	case trim(foldKey(old)) == trim(foldKey(file)):
		return causeUnicode
	case strings.EqualFold(trim(old), trim(file)):
		return causeCase
	}
	return causeDifferent
}

// dense returns a line without its spaces and tabs.
func dense(s string) string { return strings.NewReplacer(" ", "", "\t", "").Replace(s) }
