package approval

import (
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
)

// Limits of the preview in a fault: the caller pays for it and has the arguments.
const toldLines, toldChars = 200, 16 << 10

// Required returns the error of a call that waits for a person, with what its
// caller needs to go on. The reasons are in the given language.
func (r *Request) Required(lang fault.Lang) *fault.Error {
	reasons := make([]string, len(r.Reasons))
	for i, why := range r.Reasons {
		reasons[i] = Visible(why.In(lang)) // a host may show them to the person
	}
	preview := ""
	if r.Preview != "" {
		preview = r.Excerpt(toldLines, toldChars, lang) + "\n"
	}
	return fault.New(fault.ApprovalRequired, fault.T("a person must decide: %s", strings.Join(reasons, "; "))).
		WithHint(fault.T("ask the person to run: helve approve %s; then make the call with --approval %[1]s to get its result", r.ID)).
		WithDetails(required{awaited{r.ID, r.Expires, r.Risk, reasons, preview}})
}

// required is the details of a call that waits for a person.
type required struct {
	Approval awaited `json:"approval"`
}

type awaited struct {
	ID      string      `json:"id"`
	Expires time.Time   `json:"expires_at"`
	Risk    policy.Risk `json:"risk"`
	Reasons []string    `json:"reasons"`
	Preview string      `json:"preview,omitzero"`
}

// Awaited returns the id of the request that a call waits for; "" if the error is not
// that of such a call.
func Awaited(err *fault.Error) string {
	if err == nil {
		return ""
	}
	d, _ := err.Details.(required)
	return d.Approval.ID
}

// undecided is the error of using a request that is still pending.
func (r *Request) undecided() error {
	return fault.New(fault.ApprovalRequired, fault.T("nobody has decided about %s yet", r.ID)).
		WithHint(fault.T("wait for the person to run: helve approve %s", r.ID))
}

// Rejection returns the error of a call that a person denied, with their words.
func Rejection(reason string) *fault.Error {
	e := fault.New(fault.Rejected, fault.T("the user rejected this change"))
	if reason != "" {
		e.Message = fault.T("the user rejected this change: %s", reason)
	}
	return e.WithHint(fault.T("do not make this call again; do what the user wants instead")).
		WithDetails(struct {
			Reason string `json:"reason"`
		}{reason})
}

// Settled returns the error of a request that can no longer be decided or used.
func (r *Request) Settled() error {
	hint := callAgain()
	var why fault.Text
	switch {
	case r.State == Used:
		why = fault.T("the call of %s has been carried out", r.ID)
		hint = fault.T("do not make it again; helve approvals show %s shows its result", r.ID)
	case len(r.Drifted) > 0:
		return stale(r.Drifted)
	case r.State == Expired:
		why = fault.T("%s has expired", r.ID)
	case r.State == Denied:
		why = fault.T("%s has been denied", r.ID)
	default:
		why = fault.T("%s has been approved", r.ID)
		hint = fault.T("the call runs when it is made with --approval %s", r.ID)
	}
	return fault.New(fault.ApprovalInvalid, why).WithHint(hint)
}

// lost is the error of a call that was carried out by a process that ended before it
// recorded the outcome.
func lost(id string) error {
	return fault.New(fault.ApprovalInvalid, fault.T("the outcome of %s is unknown: the process that carried the call out ended before it recorded one", id)).
		WithHint(fault.T("it is not run again; look at what it has changed (helve history, helve audit) before you make the call anew"))
}

// damagedOutcome is the error of an outcome whose file does not match its HMAC.
func damagedOutcome(id string) error {
	return fault.New(fault.ApprovalInvalid, fault.T("the outcome of %s was tampered with, or is damaged", id)).
		WithHint(fault.T("the call was carried out; look at what it has changed: helve history, helve audit"))
}

// omitted is the warning about a result that is too large to be kept.
func omitted(n int) fault.Text {
	return fault.T("the call was carried out; its result, %d bytes, was too large to be kept", n)
}

// stale is the error of an approval for a call that is not the one at hand.
func stale(drifts []drift) error {
	texts := make([]fault.Text, len(drifts))
	for i, d := range drifts {
		switch d.What {
		case "tool":
			texts[i] = fault.T("it is for another tool")
		case "args":
			texts[i] = fault.T("the arguments are different")
		case "dir":
			texts[i] = fault.T("the working directory is a different one")
		case "policy":
			texts[i] = fault.T("the policy has changed")
		case "program":
			texts[i] = fault.T("the program is a different one")
		default:
			texts[i] = fault.T("%s has changed", d.Path)
		}
	}
	return fault.New(fault.ApprovalStale, fault.T("the approval no longer fits: %s", fault.Join(texts, "; "))).
		WithHint(callAgain()).
		WithDetails(struct {
			Drifted []drift `json:"drifted"`
		}{drifts})
}

func unknown(id string) error {
	return fault.New(fault.ApprovalInvalid, fault.T("there is no request %q", id)).
		WithHint(fault.T("helve approvals list shows the requests"))
}

// damaged is the error of a request whose file does not match its HMAC.
func damaged(id string) error {
	return fault.New(fault.ApprovalInvalid, fault.T("the request %s was tampered with, or is damaged", id)).WithHint(callAgain())
}

func tooMany(waiting int) error {
	return fault.New(fault.RateLimited, fault.T("%d calls already wait for a person", waiting)).
		WithHint(fault.T("wait until they are decided or expire"))
}

func tooLarge(n int) error {
	return fault.New(fault.TooLarge, fault.T("the request has %d bytes; the limit is %d", n, maxRequest)).
		WithHint(fault.T("make the change in smaller parts"))
}

// misunderstood is the error of a host's reply that decides nothing.
func misunderstood(id string) error {
	return fault.New(fault.ApprovalInvalid, fault.T("the host's reply cannot be understood")).
		WithHint(fault.T(`it must be one line {"id":"%s","decision":"approve"} or "deny" with a "reason"`, id))
}

func callAgain() fault.Text {
	return fault.T("make the call again to ask anew")
}
