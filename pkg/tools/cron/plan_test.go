package cron

import (
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schedule"
	"github.com/helve-dev/helve/pkg/schedule/timing"
)

// A person may take a while to decide. What is to happen so long after the job is added is
// still the same then; a moment that was named is not another one.
func TestPin(t *testing.T) {
	pin := func(relative bool, at time.Time) string {
		p := &plan{relative: relative, job: schedule.Job{Timing: timing.Spec{At: at}}}
		p.acts = []act{{Plan: &Plan{Call: func(terms string) approval.Call { return approval.Call{Binding: approval.Binding{Program: terms}} }}}}
		programs, _, err := p.pin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return programs
	}
	asked := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	if allowed := asked.Add(time.Minute); pin(true, asked) != pin(true, allowed) || pin(false, asked) == pin(false, allowed) {
		t.Errorf("%q, %q", pin(true, asked), pin(false, asked))
	}
}
