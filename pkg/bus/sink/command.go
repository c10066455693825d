package sink

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/secret"
	"github.com/helve-dev/helve/pkg/shell/run"
)

const (
	// tryAgain is the exit status of a program that failed for a time: EX_TEMPFAIL of
	// sysexits(3).
	tryAgain = 75
	// said is the number of bytes of the end of a program's output that a fault shows.
	said = 200
)

// Command runs a program of the person for each message. It gets the message on
// standard input, as a line of JSON, and its id in HELVE_MESSAGE_ID. No shell and no
// sandbox is between: the person's settings name it, not a model. Exit status 0 says
// that the message is delivered. What it leaves running is killed.
type Command struct {
	Argv    []string
	Dir     string   // absolute
	Env     []string // the whole environment
	Timeout time.Duration
}

// Deliver runs the program. Any exit status but 0 may be tried again.
func (s *Command) Deliver(ctx context.Context, m bus.Message) error {
	text, err := encode(m)
	if err != nil {
		return err
	}
	r, err := run.Run(ctx, run.Command{
		Argv: s.Argv, Dir: s.Dir, Env: append(slices.Clip(s.Env), "HELVE_MESSAGE_ID="+m.ID),
		Stdin: bytes.NewReader(append(text, '\n')), Timeout: s.Timeout, Head: said, Tail: said,
	})
	if r == nil {
		return again(fault.As(err))
	}
	switch {
	case r.Ended == run.Canceled:
		return again(fault.As(context.Cause(ctx)))
	case r.Ended == run.TimedOut:
		return again(fault.New(fault.Timeout, fault.T("%s took longer than %v", s.Argv[0], s.Timeout)).
			WithHint(fault.T("mend the program, or raise timeout of the sink in messages.sinks")))
	case r.Ended != run.NoReason:
		return again(fault.New(fault.Unavailable, fault.T("%s was ended: %s", s.Argv[0], string(r.Ended))).
			WithHint(mendProgram()))
	case r.Signal != "":
		return again(fault.New(fault.Unavailable, fault.T("%s was ended by %s", s.Argv[0], r.Signal)).WithHint(mendProgram()))
	case r.ExitCode == tryAgain:
		return again(fault.New(fault.Unavailable, fault.T("%s cannot deliver now (exit status %d)%s", s.Argv[0], r.ExitCode, last(r.Output.Text))).
			WithHint(fault.T("it is tried again")))
	case r.ExitCode != 0:
		return again(fault.New(fault.IOError, fault.T("%s failed with exit status %d%s", s.Argv[0], r.ExitCode, last(r.Output.Text))).WithHint(mendProgram()))
	}
	return nil // what could not be killed afterwards does not undo the delivery
}

func mendProgram() fault.Text {
	return fault.T("mend the program; helve messages dead lists what was given up")
}

// last returns the last line that a program printed, as the end of a message; "" if it
// printed nothing.
func last(output string) string {
	output = strings.TrimSpace(output)
	line := output[strings.LastIndexByte(output, '\n')+1:]
	if line == "" {
		return ""
	}
	if len(line) > said {
		line = strings.ToValidUTF8(line[:said], "") + "…"
	}
	return ": " + secret.Mask(line)
}
