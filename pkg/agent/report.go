package agent

import (
	"strings"
	"unicode"

	"github.com/helve-dev/helve/pkg/fault"
)

const maxTitle = 80 // bytes of a task that stands for a label

// report returns the text of the message about the job's end. The first line
// says it; a result follows.
func (j *Job) report() string {
	var b strings.Builder
	say := func(text fault.Text) { b.WriteString(text.In(j.Lang)) }
	id, title := j.ID, j.title()
	switch j.Status {
	case Completed:
		say(fault.T("sub-agent %s (%s) has completed its task.", id, title))
	case Incomplete:
		say(fault.T("sub-agent %s (%s) has NOT completed its task: %s.", id, title, j.why().In(j.Lang)))
	case Canceled:
		say(fault.T("sub-agent %s (%s) was canceled before it had completed its task.", id, title))
	case Lost:
		say(fault.T("sub-agent %s (%s) is lost: %s.", id, title, j.why().In(j.Lang)))
	default:
		say(fault.T("sub-agent %s (%s) has FAILED: %s.", id, title, j.why().In(j.Lang)))
	}
	if f := j.Fault; f != nil {
		b.WriteString("\n" + string(f.Code) + ": " + f.Message)
		if f.Hint != "" {
			b.WriteString("\n" + f.Hint)
		}
	}
	if j.Status != Completed {
		b.WriteString("\n")
		say(fault.T("the workspace is as it left it, and helve spawn logs %s shows what it did. If the task is still to be done, do the rest yourself, or spawn it again and say what is done already.", id))
	}
	result := strings.TrimSpace(plain(j.Result))
	switch {
	case result == "" && j.Status == Completed:
		b.WriteString("\n")
		say(fault.T("it returned no text; helve spawn logs %s shows what it did.", id))
	case result == "":
	case j.Status == Completed:
		b.WriteString("\n\n" + result)
	default:
		b.WriteString("\n\n")
		say(fault.T("what it said until then:"))
		b.WriteString("\n" + result)
	}
	if j.Truncated {
		b.WriteString("\n\n")
		say(fault.T("[cut to %d bytes; helve spawn logs %s shows the rest]", len(j.Result), id))
	}
	return b.String()
}

// why returns the reason of an end that is no success.
func (j *Job) why() fault.Text {
	switch j.Reason {
	case ByIterations:
		return fault.T("it has made %d requests to the model, as many as max_iterations allows", j.Limits.Iterations)
	case ByTokens:
		return fault.T("it has used its %d tokens; spawn.max_tokens of the settings bounds them", j.Limits.Tokens)
	case ByLoop:
		return fault.T("the model made the same calls again and again")
	case ByTimeout:
		return fault.T("its %d seconds are over; timeout bounds them", j.Limits.Timeout)
	case ByModel:
		return fault.T("the model's server failed or refused")
	case ByAgent:
		if j.Calls == 0 && j.Runtime == Builtin {
			return fault.T("it has called no tool")
		}
	case ByProgram:
		return fault.T("the agent program failed")
	case BySystem:
		return fault.T("the machine it worked on could not go on")
	}
	switch {
	case j.Status == Lost && j.Worker != nil:
		return fault.T("its worker, process %d on %s, has died", j.Worker.Process.PID, j.Worker.Host)
	case j.Status == Incomplete:
		return fault.T("what it returned is not a complete answer")
	default:
		return fault.T("it ended with an error")
	}
}

// question returns the text of the message that asks a person to decide about a call.
func (j *Job) question(request, what string) string {
	what = plain(what)
	shown := begin(what, maxAsk)
	if len(shown) < len(what) {
		shown += "…"
	}
	return fault.T("sub-agent %s (%s) waits for your decision about a call:\n\n%s\n\nhelve approve %[4]s lets it run once, helve deny %[4]s refuses it, helve approvals show %[4]s shows all of it.",
		j.ID, j.title(), shown, request).In(j.Lang)
}

// title names a job to a person: by its label, or the beginning of its task.
func (j *Job) title() string {
	if j.Label != "" {
		return j.Label
	}
	line := strings.Join(strings.FieldsFunc(plain(j.Task), unicode.IsSpace), " ")
	if short := begin(line, maxTitle); short != line {
		return short + "…"
	}
	return line
}
