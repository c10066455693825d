package patch

import (
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/edit"
)

// Failures are the details of an error of [Apply].
type Failures struct {
	Path  string    `json:"path"`
	Hunks []Failure `json:"hunks"`
}

// Failure helps the caller to correct one hunk.
type Failure struct {
	Index     int        `json:"index"` // from 0
	Code      fault.Code `json:"code"`
	PatchLine int        `json:"patch_line"` // where the hunk begins
	Line      int        `json:"line,omitzero"`
	// Candidates are the places of the file most similar to a hunk that was not
	// found, best first. An edit may accept one.
	Candidates []edit.Candidate `json:"candidates,omitempty"`
	// Matches are the first places of a hunk that is found too often, or the lines that
	// the hunk's header names. Total counts all of them.
	Matches []edit.Match `json:"matches,omitempty"`
	Total   int          `json:"total,omitzero"`
}

// failure is the fault of a hunk that was not placed. Expensive details are added only
// for the first few.
type failure struct {
	err    *fault.Error
	line   int                     // of the file, from 0; -1 if there is none
	places []int                   // to show
	rows   int                     // lines of a place
	closer func() []edit.Candidate // finds candidates
}

// failuresShown limits the failing hunks that are reported with candidates or matches.
// The others are only named.
const failuresShown = 5

// report makes one error of all failures. It returns nil if there are none.
func report(t *target, all []*finding) error {
	details := Failures{Path: t.path}
	var first *fault.Error
	var messages, hints []fault.Text
	missing := 0
	for _, f := range all {
		if f.failed == nil {
			continue
		}
		err := f.failed.err
		if first == nil || first.Code == fault.AlreadyApplied {
			first = err
		}
		if err.Code != fault.AlreadyApplied {
			missing++
		}
		one := Failure{Index: f.index, Code: err.Code, PatchLine: f.hunk.Line, Line: f.failed.line + 1, Total: len(f.failed.places)}
		hint := err.Hint
		if len(details.Hunks) < failuresShown {
			f.failed.show(t, &one)
			if n := len(one.Candidates); n > 0 {
				c := one.Candidates[0]
				hint = fault.T("closest match: %s; copy the text from the candidates in details", edit.LineRange{Start: c.Start, End: c.End}.Text())
			}
		}
		details.Hunks = append(details.Hunks, one)
		messages = append(messages, fault.T("hunk %d (line %d of the patch): %s", f.index+1, f.hunk.Line, err.Message))
		if !hint.IsZero() {
			hints = append(hints, fault.T("hunk %d: %s", f.index+1, hint))
		}
	}
	if first == nil {
		return nil
	}
	code := first.Code
	if n := len(details.Hunks); missing == 0 && n == len(all) && n > 1 {
		return fault.New(code, fault.T("%s has the changes of all %d hunks already", t.path, n)).
			WithHint(fault.T("nothing was changed and nothing is left to do")).WithDetails(details)
	}
	if missing == 0 && len(details.Hunks) < len(all) {
		// Only some hunks are applied already: the others still have to be.
		code = fault.HunkNotFound
		hints = append(hints, fault.T("send only the other hunks"))
	}
	const most = 10
	if n := len(messages); n > most {
		messages = append(messages[:most], fault.T("and %d more", n-most))
	}
	return fault.New(code, fault.T("%s: %d of %d hunks failed, nothing was changed. %s",
		t.path, len(details.Hunks), len(all), fault.Join(messages, "; "))).
		WithHint(fault.Join(hints[:min(len(hints), most)], "; ")).
		WithDetails(details)
}

// show adds excerpts of the file to a failure.
func (f *failure) show(t *target, to *Failure) {
	if f.closer != nil {
		to.Candidates = f.closer()
	}
	const around = 2
	shown := edit.NewExcerpts()
	for _, p := range f.places[:min(len(f.places), edit.MatchesShown)] {
		from := max(0, p-around)
		text := shown.Take(t.excerpt(from, p+f.rows+around))
		to.Matches = append(to.Matches, edit.Match{Start: p + 1, End: p + f.rows, TextStart: from + 1, Text: text})
	}
}

// linesText returns the first lines, which count from 0, for a message.
func linesText(lines []int) fault.Text {
	numbers := make([]int, len(lines))
	for i, l := range lines {
		numbers[i] = l + 1
	}
	return edit.LinesText(numbers)
}
