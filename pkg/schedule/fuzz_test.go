package schedule

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/schedule/timing"
	"github.com/helve-dev/helve/pkg/schema"
)

// FuzzJob holds that a record is understood or has a problem, that one that is
// understood can be written and read again, and that its slots go forward.
func FuzzJob(f *testing.F) {
	start := time.Date(2026, 3, 29, 0, 0, 0, 0, time.UTC)
	good := Job{
		ID: "x", Name: "n", Timing: timing.Spec{Every: 60, Anchor: start}, Action: Action{Exec: "true"}, Enabled: true, CreatedAt: start,
		When:  &When{Call: Call{Name: "fetch", Arguments: []byte(`{"url":"x"}`)}},
		State: State{Cursor: start, Queue: []Waiting{{At: start, Attempt: 2}}, Active: []Active{{At: start, Scheduler: "s"}}},
	}
	for _, j := range []Job{good, {ID: "x", Timing: timing.Spec{At: start}, Action: Action{Message: "m"}}} {
		data, err := schema.Marshal(jobRecord{version, j.withDefaults()})
		if err != nil {
			f.Fatal(err)
		}
		if d := decodeJob("x", data); d.Problem != nil {
			f.Fatal(d.Problem)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"version":2,"id":"x","lunar":true}`))
	f.Add([]byte(`{"version":1,"id":"x"} {}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, data []byte) {
		j := decodeJob("x", data)
		if j.ID != "x" {
			t.Fatalf("the id is %q", j.ID)
		}
		if j.Problem != nil {
			if todo, at := j.work(start, start); todo || !at.IsZero() {
				t.Fatal("it would run")
			}
			return
		}
		again, err := schema.Marshal(jobRecord{version, j})
		if err != nil {
			return // a time that JSON does not have
		}
		if diff := cmp.Diff(j, decodeJob("x", again)); diff != "" {
			t.Fatalf("written and read again:\n%s", diff)
		}
		now := j.State.Cursor.Add(time.Hour)
		if step := j.step(now, now); !step.slot.IsZero() && !step.slot.After(j.State.Cursor) || step.slot.After(now) {
			t.Fatalf("cursor %s, slot %s", j.State.Cursor, step.slot)
		}
	})
}
