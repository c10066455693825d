package schedule

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
)

// deliver sends what a run has returned to the conversation of the job, if the job
// wants that, and remembers it.
func (s *Scheduler) deliver(tx store.Tx, j *Job, run *Run, o outcome) error {
	if run.Status == Skipped {
		return nil
	}
	returned := digest([]byte(string(run.Status) + "\x00" + o.output + "\x00" + o.error))
	changed := returned != j.State.Output
	j.State.Output = returned
	wanted := false
	switch failed := run.Status.failed(); j.Deliver {
	case DeliverAlways:
		wanted = true
	case DeliverOutput:
		wanted = failed || strings.TrimSpace(o.output) != ""
	case DeliverChange:
		wanted = changed
	case DeliverFailures:
		wanted = failed
	}
	if !wanted {
		return nil
	}
	m := s.message(j, run)
	m.DedupeKey = run.ID()
	m.Content = j.cut(o.output, maxContent)
	switch {
	case run.Status.failed():
		m.Content = strings.TrimSpace(j.say(fault.T("job %s: %s: %s", j.title(), run.Status, o.error)) + "\n\n" + m.Content)
	case j.Action.Message != "":
		m.Kind = bus.KindReminder
	case strings.TrimSpace(m.Content) == "":
		m.Content = j.say(fault.T("job %s: ok", j.title()))
	}
	return s.send(tx, m, j, run)
}

// notice sends a message that a job was disabled.
func (s *Scheduler) notice(tx store.Tx, j *Job, run *Run) error {
	m := s.message(j, run)
	m.Kind = bus.KindSystem
	m.DedupeKey = run.ID() + " disabled"
	m.Content = j.say(fault.T("job %s was disabled: %s\nhelve cron enable %s enables it again.", j.title(), j.Reason, j.ID))
	return s.send(tx, m, j, run)
}

// message returns a message to the conversation of a job; without one, to the session
// on helve's own channel.
func (s *Scheduler) message(j *Job, run *Run) *bus.Message {
	m := &bus.Message{
		Channel: j.Origin.Channel, To: j.Origin.To, From: "cron", Session: j.Origin.Session, Kind: bus.KindResult,
		Origin: &bus.Origin{
			Kind: "cron", Job: j.ID, Run: run.ID(), Channel: j.Origin.Channel, To: j.Origin.To, Session: j.Origin.Session,
		},
	}
	if m.Channel == "" {
		m.Channel, m.To = bus.System, j.Origin.Session
	}
	if m.To == "" {
		m.To = "default"
	}
	return m
}

// send appends a message to the transaction. If the bus does not take it, the run says
// so: its end must be written all the same.
func (s *Scheduler) send(tx store.Tx, m *bus.Message, j *Job, run *Run) error {
	_, err := s.bus.Append(tx, m)
	if fault.Is(err, fault.InvalidArguments) || fault.Is(err, fault.TooLarge) {
		run.Status = Failed
		unsent := j.say(fault.T("its message was not sent: %s", fault.As(err).Message))
		run.Error = strings.TrimPrefix(run.Error+"; "+unsent, "; ")
		return nil
	}
	return err
}

// title names a job to a person.
func (j *Job) title() string {
	if j.Name == "" {
		return j.ID
	}
	return fmt.Sprintf("%q (%s)", j.Name, j.ID)
}

// cut returns the beginning of a text, of most bytes, and says so if that is not all.
func (j *Job) cut(text string, most int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= most {
		return text
	}
	at := most
	for !utf8.RuneStart(text[at]) {
		at--
	}
	return text[:at] + "\n" + j.say(fault.T("[cut: %d of %d bytes]", at, len(text)))
}
