package spawn

import (
	"strings"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool/screen"
)

// text shows the result first. Of a job that did not do what it was to do it first says
// so: nobody may take that for success.
func text(r Result, v screen.View) string {
	id := screen.Line(r.JobID)
	var b strings.Builder
	say := func(t fault.Text) { b.WriteString(v.Say(t) + "\n") }
	result := func() {
		if r.Result != "" {
			b.WriteString(strings.TrimSuffix(r.Result, "\n") + "\n")
		}
		if r.Truncated {
			say(fault.T("[this is not all of it: helve spawn logs %s]", id))
		}
	}
	switch r.Status {
	case agent.Completed:
		result()
		say(fault.T("[job %s is done]", id))
	case agent.Incomplete:
		say(fault.T("[job %s is not done: %s. What it has so far:]", id, why(&r)))
		result()
		say(fault.T("[finish it yourself, or spawn the rest]"))
	case agent.Failed:
		say(fault.T("job %s failed: %s", id, why(&r)))
		if r.Error != nil && r.Error.Hint != "" {
			b.WriteString(screen.Line(r.Error.Hint) + "\n")
		}
		result()
	case agent.Canceled:
		say(fault.T("job %s was canceled before it was done", id))
		result()
	case agent.Lost:
		say(fault.T("job %s is lost: the process that worked on it died. See what it changed before you spawn it again", id))
		result()
	default:
		b.WriteString(going(&r, v, id))
	}
	return b.String()
}

// going shows a job that has not ended.
func going(r *Result, v screen.View, id string) string {
	said := fault.T("job %s is being worked on", id)
	switch {
	case r.Status == agent.InputRequired && r.Approval != "":
		said = fault.T("job %s waits for a person, who decides with helve approve %[2]s or helve deny %[2]s: tell them. Then it goes on", id, screen.Line(r.Approval))
	case r.Status == agent.InputRequired:
		said = fault.T("job %s waits for a person: helve approvals list. Then it goes on", id)
	case r.Queued:
		said = fault.T("job %s waits for its turn", id)
	}
	return v.Say(fault.T("%s. Its result comes as a message on the channel system: go on with other work and do not poll", said)) + "\n"
}

// why returns why a job did not end as it should.
func why(r *Result) fault.Text {
	if r.Error != nil && r.Error.Message != "" {
		return fault.T("%s", screen.Line(r.Error.Message))
	}
	switch r.Reason {
	case agent.ByIterations:
		return fault.T("as many requests as are allowed were made")
	case agent.ByTokens:
		return fault.T("as many tokens as are allowed were used")
	case agent.ByLoop:
		return fault.T("it made the same calls again and again")
	case agent.ByTimeout:
		return fault.T("its time was up")
	case agent.ByModel:
		return fault.T("the model's server failed")
	case agent.ByProgram:
		return fault.T("the agent program failed")
	case agent.BySystem:
		return fault.T("the system did not let it")
	}
	return fault.T("nobody knows why")
}

// Output returns what the sub-agent answered, and the fault of one that has not done what
// it was to do.
func (r *Result) Output() (string, error) {
	code := fault.Unavailable
	var what fault.Text
	switch r.Status {
	case agent.Completed:
		return r.Result, nil
	case agent.Incomplete:
		what = fault.T("job %s is not done: %s", r.JobID, why(r))
	case agent.Failed:
		what = fault.T("job %s failed: %s", r.JobID, why(r))
	case agent.Canceled:
		what = fault.T("job %s was canceled", r.JobID)
	case agent.Lost:
		what = fault.T("job %s is lost: the process that worked on it died", r.JobID)
	default:
		what = fault.T("job %s has not ended", r.JobID)
	}
	switch {
	case r.Reason == agent.ByTimeout:
		code = fault.Timeout
	case r.Status == agent.Canceled:
		code = fault.Canceled
	case r.Error != nil && r.Error.Code != "":
		code = r.Error.Code
	}
	return r.Result, fault.New(code, what).WithHint(fault.T("helve spawn logs %s shows what it did", r.JobID))
}
