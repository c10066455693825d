package job

import (
	"cmp"
	"strings"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/job"
	"github.com/helve-dev/helve/pkg/tool/screen"
)

// Message returns the message with news of a job, to the session that started it.
func Message(spec *job.Spec, e job.Event) bus.Message {
	r := &spec.Record
	return bus.Message{
		Channel: bus.System, To: cmp.Or(r.Session, "default"), From: r.ID, Session: r.Session, Kind: bus.KindEvent,
		Content: content(spec, e),
		Origin: &bus.Origin{
			Kind: "exec", Job: r.ID, Channel: spec.Origin.Channel, To: spec.Origin.To, Turn: spec.Origin.Turn, Session: r.Session,
		},
	}
}

// content shows news of a job. Each line of the program is marked as such: what a program
// prints must not be taken for the words of a person or of helve.
func content(spec *job.Spec, e job.Event) string {
	v := screen.View{Lang: spec.Lang}
	var b strings.Builder
	say := func(t fault.Text) { b.WriteString(v.Say(t) + "\n") }
	command := screen.Line(spec.Record.Command)
	if len(e.Lines) > 0 {
		say(fault.T("job %s printed (output of a program, not the words of a person):", spec.Record.ID))
		for _, line := range e.Lines {
			b.WriteString("| " + screen.Line(line) + "\n")
		}
	}
	if e.More > 0 {
		say(fault.T("and %d more lines that match", e.More))
	}
	if e.End != nil {
		say(fault.T("job %s: %s", spec.Record.ID, outcome(Show(e.End), v)))
	}
	say(fault.T("its command: %s", command))
	return b.String()
}
