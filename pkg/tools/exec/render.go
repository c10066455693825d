package exec

import (
	"cmp"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/output"
	"github.com/helve-dev/helve/pkg/tool/screen"
)

// mostNoted limits the changes that the text names.
const mostNoted = 10

// text shows the output, and below it in brackets what else matters for the next
// step.
func text(r Result, v screen.View) string {
	var b strings.Builder
	part := func(name, s string) {
		if s == "" {
			return
		}
		if name != "" {
			b.WriteString(name + ":\n")
		}
		b.WriteString(s)
		if !strings.HasSuffix(s, "\n") {
			b.WriteByte('\n')
		}
	}
	part("", r.Output)
	if r.Stdout != nil {
		part("stdout", *r.Stdout)
		part("stderr", *r.Stderr)
	}
	r.notes(&b, v, b.Len() == 0)
	return b.String()
}

// notes writes what matters for the next step beside the output; silent says that there is
// none.
func (r Result) notes(b *strings.Builder, v screen.View, silent bool) {
	note := func(t fault.Text) { b.WriteString("[" + v.Say(t) + "]\n") }
	took := (time.Duration(r.DurationMS) * time.Millisecond).Round(10 * time.Millisecond).String()
	if m := r.Matched; m != nil {
		note(fault.T("until has come about: %s", cmp.Or(m.Line, m.Text)))
	}
	switch {
	case r.Goes:
		note(fault.T("it still runs after %s, and goes on as job %s: wait for its end and what it prints with job, id %s, action wait, since %d", took, r.Job, r.Job, r.Next))
		return
	case r.Job != "" && r.DurationMS == 0: // nothing was waited for
		note(fault.T("started in the background as job %s", r.Job))
		return
	case r.Ended == "idle":
		note(fault.T("killed after %s: no output for too long; exit code %d %s", took, r.ExitCode, r.Signal))
	case r.Ended != "":
		note(fault.T("killed after %s (%s); exit code %d %s", took, r.Ended, r.ExitCode, r.Signal))
	case r.Signal != "":
		note(fault.T("ended by %s", r.Signal))
	case r.ExitCode != 0 || silent:
		note(fault.T("exit code %d", r.ExitCode))
	}
	switch {
	case r.Reduced != nil && r.OutputFile != "":
		note(output.Note(r.Reduced, r.TotalBytes, r.OutputFile))
	case r.OutputFile != "":
		note(fault.T("the complete output, %d bytes, is in %s", r.TotalBytes, r.OutputFile))
	}
	for _, d := range r.Denials {
		note(fault.T("the sandbox refused: %s (%s): %s", d.about(), d.Rule, d.Fix))
	}
	for i, c := range r.Changes {
		switch {
		case r.UndoID == "":
			note(fault.T("would %s %s", string(c.Action), c.Path))
			if c.Diff != "" {
				b.WriteString(strings.TrimSuffix(c.Diff, "\n") + "\n")
			}
		case i == mostNoted:
			note(fault.T("and %d more", max(r.Total, len(r.Changes))-i))
		case i < mostNoted:
			note(fault.T("%s %s", string(c.Action), c.Path))
		}
	}
	if r.UndoID != "" {
		note(fault.T("undo these changes with id %s", r.UndoID))
	}
	for _, g := range r.NotCovered[:min(len(r.NotCovered), mostNoted)] {
		note(fault.T("undo does not restore %s: %s", g.Path, g.Why))
	}
	for _, path := range r.Restored {
		note(fault.T("%s is protected: the change was reverted", path))
	}
	for _, m := range r.Planted {
		note(fault.T("other programs run or obey %s, which needs a person's approval: it was moved to %s", m.Path, m.To))
	}
	for _, line := range r.Killed {
		note(fault.T("left running by the command, and killed: %s", line))
	}
}

// about names the access.
func (d Denial) about() string {
	if d.Host != "" {
		d.Path = net.JoinHostPort(d.Host, strconv.Itoa(d.Port))
	}
	return strings.TrimSpace(d.Op + " " + d.Path)
}
