package edit

import "github.com/helve-dev/helve/pkg/fault"

// Failure is the details of a failed edit: what a caller needs to correct it.
type Failure struct {
	Index int        `json:"index"`          // of the edit, from 0
	Code  fault.Code `json:"code,omitempty"` // set if several edits were made
	// Candidates are the places most similar to a text that was not found, best
	// first.
	Candidates []Candidate `json:"candidates,omitempty"`
	// Matches are the first places of a text that was found too often, and Total counts
	// all of them.
	Matches []Match `json:"matches,omitempty"`
	Total   int     `json:"total,omitzero"`
	// Line is the line, from 1, at which the file already has the new text.
	Line int `json:"line,omitzero"`
	// Current are the lines as they are now, if they have changed since the caller
	// was shown them.
	Current *Match `json:"current,omitempty"`
}

// Failures are the details of an error about several edits.
type Failures struct {
	Edits []Failure `json:"edits"`
}

// Match is a place with the lines around it, as they are in the file.
type Match struct {
	Start     int    `json:"start"` // first line of the match itself
	End       int    `json:"end"`   // last line of the match itself
	TextStart int    `json:"text_start"`
	Text      string `json:"text"`
}

// failure is the fault of one edit. Its details are nil or a *Failure.
type failure struct {
	edit int
	err  *fault.Error
}

// report makes one error of all failures. It has the code of the first.
func report(failed []failure, edits int) *fault.Error {
	details := make([]Failure, len(failed))
	for i, f := range failed {
		if known, ok := f.err.Details.(*Failure); ok {
			details[i] = *known
		}
		details[i].Index = f.edit
	}
	first := failed[0].err
	if edits == 1 {
		if first.Details != nil {
			first.Details = details[0]
		}
		return first
	}
	messages := make([]fault.Text, len(failed))
	var hints []fault.Text
	for i, f := range failed {
		details[i].Code = f.err.Code
		messages[i] = ofEdit(f.edit, f.err.Message)
		if !f.err.Hint.IsZero() {
			hints = append(hints, ofEdit(f.edit, f.err.Hint))
		}
	}
	return fault.New(first.Code, fault.T("nothing was changed: %d of %d edits failed. %s", count(failed), edits, fault.Join(messages, "; "))).
		WithHint(fault.Join(hints, "; ")).
		WithDetails(Failures{details})
}

// ofEdit puts the number of an edit before what is said about it.
func ofEdit(edit int, text fault.Text) fault.Text {
	return fault.T("edit %d: %s", edit+1, text)
}

// count returns how many edits failed; one may have failed twice.
func count(failed []failure) int {
	seen := make(map[int]bool)
	for _, f := range failed {
		seen[f.edit] = true
	}
	return len(seen)
}
