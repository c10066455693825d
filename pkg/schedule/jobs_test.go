package schedule

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
)

func TestAdd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		job := w.every(60)
		job.Name = "Water the plants!"
		added := w.add(job)
		if !strings.HasPrefix(added.ID, "water-the-plants-") || len(added.ID) != len("water-the-plants-")+4 {
			t.Errorf("ID is %s", added.ID)
		}
		if diff := cmp.Diff(added, w.get(added.ID)); diff != "" {
			t.Errorf("what Add returns (-) is not what is kept (+):\n%s", diff)
		}
		if byName := w.get(job.Name); byName.ID != added.ID {
			t.Errorf("the name leads to %q", byName.ID)
		}
		if added.Missed != MissedOnce || added.Overlap != OverlapSkip || added.Deliver != DeliverOutput || added.OnLost != LostFail || !added.Enabled {
			t.Errorf("defaults: %+v", added)
		}
		message := w.in(time.Hour)
		message.Action = Action{Message: "water"}
		if m := w.add(message); m.Deliver != DeliverAlways || m.OnLost != LostRerun || !strings.HasPrefix(m.ID, "job-") {
			t.Errorf("defaults of a message: %+v", m)
		}
	})
}

// What is added twice in a session is one job: also later, when the anchor is another
// one, until the job is changed, disabled or gone.
func TestAddTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		first := w.add(w.every(60))
		again := func() (Job, bool) {
			w.sleep(time.Second)
			job, existing, err := w.jobs.Add(t.Context(), w.every(60))
			if err != nil {
				t.Fatal(err)
			}
			return job, existing
		}
		if job, existing := again(); !existing || job.ID != first.ID {
			t.Errorf("the same: %s, existing %v, want %s", job.ID, existing, first.ID)
		}
		other := w.every(60)
		other.Origin.Session = "another"
		w.add(other)

		if _, err := w.jobs.Disable(t.Context(), first.ID, "not now"); err != nil {
			t.Fatal(err)
		}
		second, existing := again()
		if existing {
			t.Error("a job that is disabled stands for one that is added")
		}
		if _, err := w.jobs.Update(t.Context(), second.ID, func(j *Job) error { j.Action.Exec = "false"; return nil }); err != nil {
			t.Fatal(err)
		}
		third, existing := again()
		if existing {
			t.Error("a job that was changed stands for what it was")
		}
		if _, err := w.jobs.Remove(t.Context(), third.ID); err != nil {
			t.Fatal(err)
		}
		if _, existing := again(); existing {
			t.Error("a job that was removed stands for one that is added")
		}
	})
}

func TestAddRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		minus := -1
		for name, change := range map[string]func(*Job){
			"/name":                  func(j *Job) { j.Name = "two\nlines" },
			"/to":                    func(j *Job) { j.Origin.Channel = "telegram" },
			"/action":                func(j *Job) { j.Action.Message = "and" },
			"/action/message":        func(j *Job) { j.Action = Action{Message: " "} },
			"/action/spawn":          func(j *Job) { j.Action = Action{Spawn: "\n"} },
			"/action/argv/0":         func(j *Job) { j.Action = Action{Argv: []string{""}} },
			"/action/call/name":      func(j *Job) { j.Action = Action{Call: &Call{}} },
			"/action/call/arguments": func(j *Job) { j.Action = Action{Call: &Call{Name: "read", Arguments: []byte(`["x"]`)}} },
			"/when/name":             func(j *Job) { j.When = &When{} },
			"/missed":                func(j *Job) { j.Missed = "never" },
			"/overlap":               func(j *Job) { j.Overlap = "x" },
			"/deliver":               func(j *Job) { j.Deliver = "x" },
			"/on_lost":               func(j *Job) { j.OnLost = "x" },
			"/grace_seconds":         func(j *Job) { j.Grace = &minus },
			"/timeout_seconds":       func(j *Job) { j.Timeout = -1 },
			"/retries":               func(j *Job) { j.Retries = maxRetries + 1 },
			"/backoff_seconds":       func(j *Job) { j.Backoff = -1 },
			"/jitter_seconds":        func(j *Job) { j.Jitter = maxJitter + 1 },
			"/max_runs":              func(j *Job) { j.MaxRuns = -1 },
			"/max_failures":          func(j *Job) { j.MaxFailures = -2 },
			"/expires_at":            func(j *Job) { j.ExpiresAt = w.now() },
			"/timing":                func(j *Job) { *j = w.in(-time.Second) },
		} {
			job := w.every(60)
			change(&job)
			_, _, err := w.jobs.Add(t.Context(), job)
			if !fault.Is(err, fault.InvalidArguments) || !strings.Contains(err.Error(), ": "+name+": ") {
				t.Errorf("%s: %v", name, err)
			}
		}
		if all, err := w.jobs.List(t.Context()); err != nil || len(all) != 0 {
			t.Errorf("%d jobs were added, %v", len(all), err)
		}
	})
}

func TestUpdate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		job := w.add(w.every(60))
		w.sleep(90 * time.Second)
		named, err := w.jobs.Update(t.Context(), job.ID, func(j *Job) error { j.Name, j.ID, j.State = "n", "x", State{}; return nil })
		if err != nil || named.ID != job.ID || !named.State.Cursor.Equal(job.State.Cursor) || !named.UpdatedAt.Equal(w.now()) {
			t.Errorf("another name: %+v, %v", named, err)
		}
		timed, err := w.jobs.Update(t.Context(), job.ID, func(j *Job) error { j.Timing.Every = 30; return nil })
		if err != nil || !timed.State.Cursor.Equal(w.now()) {
			t.Errorf("with another timing, slots that have passed count: %v, %v", timed.State.Cursor, err)
		}
		if _, err := w.jobs.Update(t.Context(), job.ID, func(j *Job) error { j.Deliver = "x"; return nil }); !fault.Is(err, fault.InvalidArguments) {
			t.Errorf("a change that is wrong: %v", err)
		}
		if off, err := w.jobs.Disable(t.Context(), job.ID, "why"); err != nil || off.Enabled || off.Reason != "why" {
			t.Errorf("Disable: %+v, %v", off, err)
		}
		w.sleep(90 * time.Second)
		if on, err := w.jobs.Enable(t.Context(), job.ID); err != nil || !on.Enabled || on.Reason != "" || !on.State.Cursor.Equal(w.now()) {
			t.Errorf("Enable: %+v, %v", on, err)
		}
		for _, ref := range []string{"nobody", "a/b", ""} {
			if _, err := w.jobs.Get(t.Context(), ref); !fault.Is(err, fault.NotFound) {
				t.Errorf("Get(%q): %v", ref, err)
			}
		}
	})
}

// A record that a newer helve has written, or that is damaged, is listed and can be
// removed, and does not run.
func TestProblem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		good := w.add(w.every(60))
		put := func(id, value string) {
			err := w.store.Update(t.Context(), func(tx store.Tx) error { return tx.Put(jobKeys+id, []byte(value)) })
			if err != nil {
				t.Fatal(err)
			}
		}
		put("newer", `{"version":2,"name":"from tomorrow","lunar":true}`)
		put("torn", `{"version":1,"id":"torn`)
		w.sleep(60 * time.Second)
		w.tick()
		if n := w.times(); len(n) != 1 {
			t.Errorf("ran: %v", n)
		}
		all, err := w.jobs.List(t.Context())
		if err != nil || len(all) != 3 {
			t.Fatalf("List: %d jobs, %v", len(all), err)
		}
		for _, j := range all {
			want := map[string]fault.Code{"newer": fault.Unsupported, "torn": fault.BadDocument}[j.ID]
			if (want == "" && j.Problem != nil) || (want != "" && !fault.Is(j.Problem, want)) {
				t.Errorf("%s: %v", j.ID, j.Problem)
			}
			if j.ID == good.ID {
				continue
			}
			if _, err := w.jobs.Enable(t.Context(), j.ID); !fault.Is(err, want) {
				t.Errorf("Enable(%s): %v", j.ID, err)
			}
			if _, err := w.jobs.RunNow(t.Context(), j.ID); !fault.Is(err, want) {
				t.Errorf("RunNow(%s): %v", j.ID, err)
			}
			if _, err := w.jobs.Remove(t.Context(), j.ID); err != nil {
				t.Errorf("Remove(%s): %v", j.ID, err)
			}
		}
	})
}

func TestManyJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		err := w.store.Update(t.Context(), func(tx store.Tx) error {
			for i := range 500 {
				j := w.every(3600).withDefaults()
				j.ID, j.Enabled, j.State.Cursor = fmt.Sprintf("job-%d", i), true, w.now().UTC()
				if err := putJob(tx, &j); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		w.sleep(time.Hour)
		if runs := w.tick(); len(runs) != 500 || len(w.times()) != 500 {
			t.Errorf("%d runs of %d jobs, want 500", len(runs), len(w.times()))
		}
	})
}
