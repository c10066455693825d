package patch

import (
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/edit"
)

// Shown returns what a text shows of a patch that failed.
func (f Failures) Shown() fault.Text {
	var parts []fault.Text
	for _, h := range f.Hunks {
		shown := append(edit.CandidatesText(h.Told()), edit.MatchesText(h.Matches, h.Total)...)
		for _, part := range shown {
			parts = append(parts, fault.T("hunk %d, %s\n", h.Index+1, part))
		}
	}
	return fault.Join(parts, "")
}

// Told returns the candidates that a text shows: the likeliest, as a patch has many hunks.
func (f Failure) Told() []edit.Candidate { return f.Candidates[:min(len(f.Candidates), 1)] }
