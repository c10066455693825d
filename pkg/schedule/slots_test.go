package schedule

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/schedule/timing"
)

// story says what became of the slots of a job, in seconds since its anchor:
// "60 ok, 120-240 missed*3".
func (w *world) story(j Job) string {
	w.Helper()
	var parts []string
	for _, r := range w.history(j.ID) {
		at := fmt.Sprintf("%.0f", r.ScheduledAt.Sub(j.Timing.Anchor).Seconds())
		if r.Slots > 1 {
			at += fmt.Sprintf("-%.0f*%d", r.Until.Sub(j.Timing.Anchor).Seconds(), r.Slots)
		}
		parts = append(parts, at+" "+string(r.Status))
	}
	return strings.Join(parts, ", ")
}

// No scheduler was awake for some slots.
func TestMissed(t *testing.T) {
	for _, c := range []struct {
		name string
		job  func(*Job)
		down time.Duration // after the job was added
		want string
	}{
		{"the default", func(*Job) {}, 230 * time.Second, "60-120*2 missed, 180 ok"},
		{"once", func(j *Job) { j.Missed = MissedOnce }, 230 * time.Second, "60-120*2 missed, 180 ok"},
		{"skip", func(j *Job) { j.Missed = MissedSkip }, 230 * time.Second, "60-180*3 missed"},
		{"skip, and only a little late", func(j *Job) { j.Missed = MissedSkip }, 200 * time.Second, "60-120*2 missed, 180 ok"},
		{"all", func(j *Job) { j.Missed = MissedAll }, 230 * time.Second, "60 ok, 120 ok, 180 ok"},
		{"all, in parallel", func(j *Job) { j.Missed, j.Overlap = MissedAll, OverlapParallel }, 230 * time.Second, "60 ok, 120 ok, 180 ok"},
		{"all, with a queue", func(j *Job) { j.Missed, j.Overlap = MissedAll, OverlapQueue }, 230 * time.Second, "60 ok, 120 ok, 180 ok"},
		{"all, within a grace", func(j *Job) { j.Missed, j.Grace = MissedAll, new(115) }, 230 * time.Second, "60 missed, 120 ok, 180 ok"},
		{"no grace", func(j *Job) { j.Grace = new(0) }, 230 * time.Second, "60-180*3 missed"},
		{"once is late at most an hour", func(j *Job) { j.Timing.Every = 24 * 3600 }, 26 * time.Hour, "86400 missed"},
		{"or what the job says", func(j *Job) { j.Timing.Every, j.Grace = 24*3600, new(7200) }, 26 * time.Hour, "86400 ok"},
		{"all has no grace of its own", func(j *Job) { j.Timing.Every, j.Missed = 24*3600, MissedAll }, 74 * time.Hour, "86400 ok, 172800 ok, 259200 ok"},
		{"all is at most a hundred", func(j *Job) { j.Missed = MissedAll }, 103*60*time.Second + 50*time.Second, "60-180*3 missed"},
		{"a year of seconds", func(j *Job) { j.Timing.Every = 1 }, 366*24*time.Hour + 500*time.Millisecond, "1-31622399*1000 missed, 31622400 ok"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				job := w.every(60)
				c.job(&job)
				job = w.add(job)
				w.sleep(c.down)
				w.tick()
				story := w.story(job)
				if c.want == "60-180*3 missed" && job.Missed == MissedAll {
					if n := statuses(w.history(job.ID)); n[OK] < 80 { // of a hundred: the oldest are pruned
						t.Errorf("%v", n)
					}
					if n := len(w.times()); n != maxMissed {
						t.Errorf("%d ran", n)
					}
					return
				}
				if diff := cmp.Diff(c.want, story); diff != "" {
					t.Errorf("want -, got +:\n%s", diff)
				}
			})
		})
	}
}

// A job that runs once is late as long as it likes; with a grace, it is kept and says why.
func TestMissedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		late := w.add(w.in(time.Hour))
		strict := w.in(time.Hour)
		strict.Grace, strict.Name = new(600), "strict"
		strict = w.add(strict)
		w.sleep(1000 * time.Hour)
		w.tick()
		if n := w.times(); len(n) != 1 || n[late.ID+"@"+late.Timing.At.Format(time.RFC3339)] != 1 {
			t.Errorf("ran: %v", n)
		}
		if j := w.get(strict.ID); j.Enabled || j.Reason != "its last time passed while no scheduler was awake" {
			t.Errorf("enabled %v, %q", j.Enabled, j.Reason)
		}
		if all := w.messages(); len(all) != 1 || !strings.Contains(all[0].Content, `"strict" (`+strict.ID+") was disabled: its last time passed") {
			t.Errorf("messages: %+v", all)
		}
	})
}

// A run begins up to the jitter after its slot, always at the same time.
func TestJitter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		job := w.every(60)
		job.Jitter = 30
		job = w.add(job)
		stop := w.background(w.scheduler())
		w.sleep(10*time.Minute + 31*time.Second)
		stop()
		late := map[time.Duration]bool{}
		for _, r := range w.history(job.ID) {
			by := r.StartedAt.Sub(r.ScheduledAt)
			if want := job.due(r.ScheduledAt).Sub(r.ScheduledAt); by < want || by > want+time.Second || want > 30*time.Second {
				t.Errorf("begins %s after its slot, want %s", by, want)
			}
			late[by.Truncate(time.Second)] = true
		}
		if len(late) < 3 {
			t.Errorf("all the same: %v", late)
		}
	})
}

// The clock steps back: no slot runs twice. It was wrong by far: the job is not silent
// until then, and no slot runs twice.
func TestClockBack(t *testing.T) {
	for _, by := range []time.Duration{100 * time.Second, 24 * time.Hour} {
		t.Run(by.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				job := w.add(w.every(10))
				stop := w.background(w.scheduler())
				defer stop()
				if by > setBack {
					w.sleep(time.Second)
					w.set(by)
				}
				w.sleep(200 * time.Second)
				before := len(w.times())
				w.set(-by)
				w.sleep(202 * time.Second)
				for id, times := range w.times() {
					if times != 1 {
						t.Errorf("%s has run %d times", id, times)
					}
				}
				want := 10 // the first 100 seconds have been before
				if by > setBack {
					want = 20
				}
				if n := len(w.times()) - before; n < want || n > want+1 {
					t.Errorf("%d runs of %s after that, want %d", n, job.ID, want)
				}
			})
		})
	}
}

// The clock steps forward, as it does at the end of a suspension: what passed meanwhile
// is missed, and what comes is on time.
func TestClockForward(t *testing.T) {
	for policy, want := range map[string]string{
		MissedSkip: "60 ok, 120-600*9 missed, 660 ok",
		MissedOnce: "60 ok, 120-540*8 missed, 600 ok, 660 ok",
		MissedAll:  "60 ok, 120 ok, 180 ok, 240 ok, 300 ok, 360 ok, 420 ok, 480 ok, 540 ok, 600 ok, 660 ok",
	} {
		t.Run(policy, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				job := w.every(60)
				job.Missed = policy
				job = w.add(job)
				stop := w.background(w.scheduler())
				defer stop()
				w.sleep(90 * time.Second)
				w.set(555 * time.Second) // it is 645 now
				w.sleep(50 * time.Second)
				if got := w.story(job); got != want {
					t.Errorf("got  %s\nwant %s", got, want)
				}
			})
		})
	}
}

// A job at a time of the day follows the clock of its zone over the change to summer
// time: it runs once a day, also where the clock leaps over its time.
func TestSummerTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.set(time.Until(time.Date(2026, 3, 27, 12, 0, 0, 0, time.UTC)))
		job := w.every(1)
		job.Timing = timing.Spec{Cron: "30 2 * * *", Zone: "Europe/Berlin"}
		job = w.add(job)
		for range 4 * 24 * 2 {
			w.sleep(30 * time.Minute)
			w.tick()
		}
		var got []string
		for _, r := range w.history(job.ID) {
			got = append(got, r.ScheduledAt.Format(time.RFC3339)+" "+string(r.Status))
		}
		want := []string{"2026-03-28T01:30:00Z ok", "2026-03-29T01:00:00Z ok", "2026-03-30T00:30:00Z ok", "2026-03-31T00:30:00Z ok"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("want -, got +:\n%s", diff)
		}
	})
}
