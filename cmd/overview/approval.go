package overview

import (
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/turn/envelope"
)

// Approval is a request with what its call came to, if it was carried out.
type Approval struct {
	*approval.Request
	Outcome *Outcome `json:"outcome,omitempty"`
}

// Outcome is the outcome of a call, in the form in which it was printed.
type Outcome struct {
	Status string `json:"status"` // running, done, or lost with the process that carried it out
	*envelope.Envelope
}

// ApprovalOf returns a request with the outcome of its call, and that outcome as text; ""
// for one that was not carried out.
func ApprovalOf(store *approval.Store, r *approval.Request, lang fault.Lang) (Approval, string, error) {
	shown := Approval{Request: r}
	if r.State != approval.Used {
		return shown, "", nil
	}
	kept, err := store.Outcome(r.ID)
	status := "done"
	var o guard.Outcome
	switch {
	case fault.Is(err, fault.ApprovalInvalid):
		status, o.Err = "lost", fault.As(err)
	case err != nil:
		return shown, "", err
	case kept == nil:
		shown.Outcome = &Outcome{Status: "running"}
		return shown, fault.T("the call is running\n").In(lang), nil
	default:
		for _, w := range kept.Warnings {
			o.Warnings = append(o.Warnings, w.Text())
		}
		if kept.Failure != nil {
			o.Err = kept.Failure.Err()
		} else {
			o.Result, o.JSON = kept, kept.Data
		}
	}
	e := envelope.Of(o, lang)
	text := envelope.Text(nil, o, screen.View{Lang: lang})
	if kept != nil {
		text += kept.Text.In(lang)
	}
	shown.Outcome = &Outcome{status, &e}
	return shown, text, nil
}
