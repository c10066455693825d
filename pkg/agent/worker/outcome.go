package worker

import (
	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/fault"
)

// outcome is an [agent.Outcome] on its way from a worker to its keeper, which writes it
// if the worker dies before it has.
type outcome struct {
	Status agent.Status `json:"status"`
	Reason agent.Reason `json:"reason,omitzero"`
	Result string       `json:"result,omitzero"`
	Fault  *agent.Fault `json:"fault,omitzero"`
}

func outcomeOf(o agent.Outcome) outcome {
	said := outcome{Status: o.Status, Reason: o.Reason, Result: o.Result}
	if o.Err != nil {
		e := fault.As(o.Err)
		said.Fault = &agent.Fault{Code: e.Code, Message: e.Message.String(), Hint: e.Hint.String()}
	}
	return said
}

func (said outcome) outcome() agent.Outcome {
	o := agent.Outcome{Status: said.Status, Reason: said.Reason, Result: said.Result}
	if f := said.Fault; f != nil {
		e := fault.New(f.Code, fault.T("%s", f.Message))
		if f.Hint != "" {
			e = e.WithHint(fault.T("%s", f.Hint))
		}
		o.Err = e
	}
	return o
}

// stop is why a worker ends its work before it is done.
type stop int

const (
	notStopped stop = iota
	canceled        // somebody has asked for it
	late            // the time of the job is over
	ended           // the worker was asked to end, or its keeper has died
	taken           // the job is not the worker's any more
)

// outcome returns how a job ends whose work was stopped, and then ended with o. Work that
// was done all the same is done.
func (s stop) outcome(o agent.Outcome, j *agent.Job, why error) agent.Outcome {
	if o.Status == agent.Completed {
		return o
	}
	switch s {
	case canceled:
		return agent.Outcome{Status: agent.Canceled, Result: o.Result}
	case late:
		return agent.Outcome{Status: agent.Incomplete, Reason: agent.ByTimeout, Result: o.Result}
	case ended:
		if j.OnLost == agent.LostRerun {
			return agent.Outcome{Status: agent.Lost, Result: o.Result, Err: why}
		}
		return agent.Outcome{Status: agent.Failed, Reason: agent.BySystem, Result: o.Result, Err: why}
	default:
		return o
	}
}
