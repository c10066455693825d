package exec

import (
	"fmt"
	"strings"
	"time"
)

// text is the result for people and models: the output, and below it in brackets
// whatever else matters for what to do next.
func text(r Result) string {
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
	note := func(format string, args ...any) { fmt.Fprintf(&b, "["+format+"]\n", args...) }
	took := (time.Duration(r.DurationMS) * time.Millisecond).Round(10 * time.Millisecond)
	switch {
	case r.Job != "":
		note("started in the background as job %s", r.Job)
		return b.String()
	case r.Ended == "idle":
		note("ended after %v: it printed nothing for too long; exit code %d %s", took, r.ExitCode, r.Signal)
	case r.Ended != "":
		note("ended after %v (%s); exit code %d %s", took, r.Ended, r.ExitCode, r.Signal)
	case r.Signal != "":
		note("ended by %s", r.Signal)
	case r.ExitCode != 0 || b.Len() == 0:
		note("exit code %d", r.ExitCode)
	}
	if r.OutputFile != "" {
		note("the whole output, %d bytes, is in %s", r.TotalBytes, r.OutputFile)
	}
	for _, d := range r.Denials {
		note("the sandbox refused: %s (%s): %s", strings.TrimSpace(d.Op+" "+d.Path), d.Rule, d.Fix)
	}
	for _, c := range r.Changes {
		note("would %s %s", c.Op, c.Path)
		part("", c.Diff)
	}
	for _, path := range r.Restored {
		note("%s is protected: its change was taken back", path)
	}
	for _, line := range r.Killed {
		note("it left this running, which was ended: %s", line)
	}
	return b.String()
}
