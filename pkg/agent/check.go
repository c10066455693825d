package agent

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

const (
	maxTask   = 128 << 10 // bytes
	maxLabel  = 100       // bytes of what people call a job
	maxLabels = 20        // that a worker must have
)

// checkNew returns the fault of a job that cannot be added.
func (j *Job) checkNew() error {
	switch {
	case strings.TrimSpace(j.Task) == "":
		return schema.Invalid("/task", fault.T("is empty")).
			WithHint(fault.T("say what the sub-agent is to do, and all that it must know: it sees nothing of this conversation"))
	case !utf8.ValidString(j.Task):
		return schema.Invalid("/task", fault.T("is not UTF-8")).WithHint(fault.T("pass text"))
	case len(j.Task) > maxTask:
		return schema.Invalid("/task", fault.T("has %d bytes, want at most %d", len(j.Task), maxTask)).
			WithHint(fault.T("write the details to a file in the workspace, and name it in the task"))
	case len(j.Label) > maxLabel || !isLine(j.Label):
		return schema.Invalid("/label", fault.T("want one line of up to %d bytes", maxLabel)).
			WithHint(fault.T("a label is a few words, such as fix tests"))
	case j.OnLost != "" && j.OnLost != LostFail && j.OnLost != LostRerun:
		return schema.Invalid("/on_lost", fault.T("want %s or %s", LostFail, LostRerun))
	case j.Depth != 1:
		return fault.New(fault.Denied, fault.T("a sub-agent does not spawn others")).
			WithHint(fault.T("do the task yourself, or say in the result what is left to do"))
	}
	if err := j.checkLabels(); err != nil {
		return err
	}
	for _, text := range []struct{ name, value string }{{"runtime", j.Runtime}, {"model", j.Model}, {"base_url", j.BaseURL}, {"root", j.Root}, {"project", j.Project}, {"config", j.Config}} {
		if !utf8.ValidString(text.value) { // the record could not be what it says
			return schema.Invalid("/"+text.name, fault.T("is not UTF-8: %q", text.value)).
				WithHint(fault.T("use a name in UTF-8"))
		}
	}
	for _, n := range []struct {
		name  string
		value int64
	}{{"iterations", int64(j.Limits.Iterations)}, {"timeout", int64(j.Limits.Timeout)}, {"tokens", j.Limits.Tokens}, {"output", int64(j.Limits.Output)}, {"context", int64(j.Limits.Context)}} {
		if n.value < 0 {
			return schema.Invalid("/limits/"+n.name, fault.T("is %d, want a positive number", n.value))
		}
	}
	return j.message("x").Check(0) // the message about its end must not fail for this
}

func (j *Job) checkLabels() error {
	if len(j.Labels) > maxLabels {
		return schema.Invalid("/labels", fault.T("%d labels, want at most %d", len(j.Labels), maxLabels))
	}
	for _, l := range j.Labels {
		if err := CheckLabel(l); err != nil {
			return err
		}
	}
	return nil
}

// CheckLabel returns the fault of what cannot be a label of workers: of letters, digits,
// dashes and the like, such as gpu or os=linux.
func CheckLabel(label string) error {
	plain := func(c rune) bool {
		return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.ContainsRune("._-=:", c)
	}
	if label == "" || len(label) > maxLabel || strings.ContainsFunc(label, func(c rune) bool { return !plain(c) }) {
		return schema.Invalid("/labels", fault.T("not a label of workers: %q", label)).
			WithHint(fault.T("1 to %d of a-z A-Z 0-9 . _ - = and :, such as gpu", maxLabel))
	}
	return nil
}

// isLine reports whether s is one line of text, or empty.
func isLine(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}

// message returns a message about the job to the session that spawned it.
func (j *Job) message(content string) *bus.Message {
	return &bus.Message{
		Channel: bus.System, To: j.Origin.Session, From: j.ID, Session: j.Origin.Session, Content: content,
		Origin: &bus.Origin{
			Kind: "spawn", Job: j.ID, Run: j.Origin.Run,
			Channel: j.Origin.Channel, To: j.Origin.To, Turn: j.Origin.Turn, Session: j.Origin.Session,
		},
	}
}
