package custom

import (
	"encoding/json"
	"strings"

	"github.com/helve-dev/helve/pkg/config/manifest"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/run"
)

// failure returns the fault of a program that failed; nil if it did not.
func (c custom) failure(r *run.Result) error {
	details := Failure{ExitCode: r.ExitCode, Signal: r.Signal, Output: r.Output.Text, Stderr: r.Stderr.Text, Truncated: r.Output.Truncated || r.Stderr.Truncated}
	said := lastLine(r.Stderr.Text)
	if said == "" {
		said = lastLine(r.Output.Text)
	}
	code := c.Code(r.ExitCode)
	var e *fault.Error
	switch {
	case r.Ended == run.TimedOut:
		e = fault.New(fault.Timeout, fault.T("%s took longer than %v and was killed", c.Name, c.Timeout)).
			WithHint(fault.T("ask for less in one call; its output is in details"))
	case r.Ended == run.Canceled:
		e = fault.New(fault.Canceled, fault.T("%s was canceled", c.Name)).WithHint(fault.T("call again if you still need it"))
	case r.Excess != nil:
		e = fault.New(fault.IOError, fault.T("%s was killed: %s", c.Name, *r.Excess)).
			WithHint(fault.T("its output is in details"))
	case r.Ended != run.NoReason:
		e = fault.New(fault.IOError, fault.T("%s was killed: %s", c.Name, string(r.Ended))).
			WithHint(fault.T("its output is in details"))
	case r.Signal != "":
		e = fault.New(fault.IOError, fault.T("%s was killed by %s", c.Name, r.Signal)).
			WithHint(fault.T("its output is in details"))
	case code != "" && said != "":
		e = fault.New(code, fault.T("%s failed with status %d: %s", c.Name, r.ExitCode, said)).
			WithHint(fault.T("correct what it complains about, then call again; all of its output is in details"))
	case code != "":
		e = fault.New(code, fault.T("%s failed with status %d and no output", c.Name, r.ExitCode)).
			WithHint(fault.T("try other arguments"))
	default:
		return nil
	}
	return e.WithDetails(details)
}

// Failure is the details of a program that failed.
type Failure struct {
	ExitCode  int    `json:"exit_code"` // -1 when a signal ended it
	Signal    string `json:"signal,omitzero"`
	Output    string `json:"output,omitzero"`
	Stderr    string `json:"stderr,omitzero"`
	Truncated bool   `json:"truncated,omitzero"`
}

// lastLine returns the last line that is not blank, cut to what fits in a message.
func lastLine(s string) string {
	const most = 300 // characters
	s = strings.TrimSpace(s)
	line := []rune(strings.TrimSpace(s[strings.LastIndexByte(s, '\n')+1:]))
	if len(line) > most {
		return string(line[:most]) + "…"
	}
	return string(line)
}

func (c custom) tooLarge(bytes int64) error {
	return fault.New(fault.TooLarge, fault.T("%s printed %d bytes; the limit is %d", c.Name, bytes, c.MaxOutput)).
		WithHint(fault.T("ask for less; the person can raise max_output in its manifest"))
}

// endless returns the fault of a program that only reports progress.
func (c custom) endless() error {
	return fault.New(fault.BadDocument, fault.T("%s printed more than %d lines of progress and was ended", c.Name, maxProgress)).
		WithHint(fault.T("the program does not follow its manifest; tell the person"))
}

// malformed returns the fault of output that is not in the format of the manifest.
func (c custom) malformed(out []byte, want string) error {
	const shown = 200 // bytes
	begin := strings.ToValidUTF8(string(out[:min(len(out), shown)]), "\uFFFD")
	return fault.New(fault.BadDocument, fault.T("%s did not print %s: %q", c.Name, want, begin)).
		WithHint(fault.T("the program does not follow its manifest; tell the person"))
}

// reported is a fault as a program prints it.
type reported struct {
	Code    fault.Code      `json:"code"`
	Message string          `json:"message"`
	Hint    string          `json:"hint"`
	Details json.RawMessage `json:"details"`
}

// reported returns a fault that the program reported, in the program's own language.
func (c custom) reported(r reported) error {
	code, message, hint := r.Code, fault.T("%s", r.Message), fault.T("%s", r.Hint)
	if !manifest.Reportable(code) {
		code = fault.IOError
	}
	if r.Message == "" {
		message = fault.T("it failed without a reason")
	}
	if r.Hint == "" {
		hint = fault.T("try other arguments, or continue without it")
	}
	f := fault.New(code, fault.T("%s: %s", c.Name, message)).WithHint(hint)
	if r.Details != nil {
		f = f.WithDetails(compact(r.Details))
	}
	return f
}
