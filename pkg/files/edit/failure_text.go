package edit

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

const (
	// matchesTold limits the places that a text shows of a text found too often.
	matchesTold = 3
	// longText is the number of lines from which on a candidate is shown by its
	// difference from old_text, if that is much shorter.
	longText = 12
	// nearly is the part of the best candidate's distance by which another one may be
	// farther and still be meant as well.
	nearly = 0.1
)

// Shown returns what a text shows of a failed edit. Of the candidates only those that may
// be meant are shown, each once.
func (f Failure) Shown() fault.Text {
	parts := f.parts()
	for i := range parts {
		parts[i] = fault.T("%s\n", parts[i])
	}
	return fault.Join(parts, "")
}

func (f Failure) parts() (parts []fault.Text) {
	if m := f.Current; m != nil {
		parts = append(parts, fault.T("%s now:\n%s", m.lines().Text(), whole(m.Text)))
	} else {
		parts = append(parts, CandidatesText(f.Candidates)...)
	}
	return append(parts, MatchesText(f.Matches, f.Total)...)
}

// Shown returns what a text shows of several failed edits.
func (f Failures) Shown() fault.Text {
	var parts []fault.Text
	for _, e := range f.Edits {
		for _, part := range e.parts() {
			parts = append(parts, fault.T("edit %d, %s\n", e.Index+1, part))
		}
	}
	return fault.Join(parts, "")
}

// CandidatesText returns what a text shows of candidates: the first, and those that are
// nearly as near. The hint that goes with the first has its id, unless several fit.
func CandidatesText(all []Candidate) (parts []fault.Text) {
	for i, c := range Likely(all) {
		name := c.ID
		if i == 0 && c.Score < 1 {
			name, _, _ = strings.Cut(c.ID, ":")
		}
		if c.showsDiff() {
			parts = append(parts, fault.T("%s, %s, from old_text to the file:\n%s", name, LineRange{c.Start, c.End}.Text(), whole(c.Diff)))
		} else {
			parts = append(parts, fault.T("%s, %s:\n%s", name, LineRange{c.Start, c.End}.Text(), whole(c.Text)))
		}
	}
	return parts
}

// Likely returns the candidates that a text shows.
func Likely(all []Candidate) []Candidate {
	for i, c := range all {
		if i > 0 && 1-c.Score > (1-all[0].Score)*(1+nearly) {
			return all[:i]
		}
	}
	return all
}

// showsDiff reports whether a text shows a candidate by its difference from old_text.
func (c Candidate) showsDiff() bool {
	return c.Diff != "" && strings.Count(c.Text, "\n") >= longText && 2*len(c.Diff) < len(c.Text)
}

// MatchesText returns what a text shows of the places of a text found too often.
func MatchesText(all []Match, total int) (parts []fault.Text) {
	for _, m := range Told(all) {
		parts = append(parts, fault.T("%s:\n%s", m.lines().Text(), whole(m.Text)))
	}
	if left := max(total, len(all)) - len(parts); left > 0 && len(parts) > 0 {
		parts = append(parts, fault.T("%d more places", left))
	}
	return parts
}

// Told returns the places that a text shows.
func Told(all []Match) []Match { return all[:min(len(all), matchesTold)] }

// lines returns the lines that a match shows.
func (m Match) lines() LineRange {
	return LineRange{m.TextStart, m.TextStart + max(1, strings.Count(whole(m.Text), "\n")+1) - 1}
}

// whole returns lines without the ending of the last, which is added where they are shown.
func whole(lines string) string {
	return strings.TrimSuffix(strings.ReplaceAll(lines, "\r\n", "\n"), "\n")
}
