package schedule

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
)

// What of the output of runs is sent, by the policy of the job.
func TestDeliver(t *testing.T) {
	returns := []string{"a", "a", "", "!broken", "!broken", "b"}
	for policy, want := range map[string][]string{
		DeliverAlways:   {"a", "a", "job J: ok", "job J: error: internal error: broken", "job J: error: internal error: broken", "b"},
		DeliverOutput:   {"a", "a", "job J: error: internal error: broken", "job J: error: internal error: broken", "b"},
		DeliverChange:   {"a", "job J: ok", "job J: error: internal error: broken", "b"},
		DeliverFailures: {"job J: error: internal error: broken", "job J: error: internal error: broken"},
		DeliverNever:    nil,
	} {
		t.Run(policy, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				job := w.every(60)
				job.Deliver = policy
				job.Origin = Origin{Session: "s", Channel: "telegram", To: "42"}
				job = w.add(job)
				for _, output := range returns {
					w.act = func(context.Context, Run) (string, error) {
						if text, fails := strings.CutPrefix(output, "!"); fails {
							return "", fmt.Errorf("%s", text)
						}
						return output, nil
					}
					w.sleep(time.Minute)
					w.tick()
				}
				var got []string
				for _, m := range w.messages() {
					got = append(got, strings.ReplaceAll(m.Content, job.ID, "J"))
					if m.Kind != bus.KindResult || m.Channel != "telegram" || m.To != "42" || m.Session != "s" ||
						m.Origin == nil || m.Origin.Kind != "cron" || m.Origin.Job != job.ID || !strings.HasPrefix(m.Origin.Run, job.ID+"@") {
						t.Errorf("%+v", m)
					}
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("want -, got +:\n%s", diff)
				}
			})
		})
	}
}

// What helve says about a job's runs is in the language in which the job was added,
// whatever that of its scheduler.
func TestLanguage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		job := w.every(60)
		job.Lang, job.MaxFailures = fault.Chinese, 2
		english := job
		english.Lang = fault.English
		job = w.add(job)
		if _, existing, err := w.jobs.Add(t.Context(), english); err != nil || !existing {
			t.Fatalf("the same in another language: existing %v, %v", existing, err)
		}
		w.act = func(context.Context, Run) (string, error) {
			return "", fault.New(fault.NotFound, fault.T("there is no job %q", "x"))
		}
		for range 2 {
			w.sleep(time.Minute)
			w.tick()
		}
		failed := fault.T("there is no job %q", "x").In(fault.Chinese)
		reason := fault.T("it has failed %d times in a row: %s", 2, failed).In(fault.Chinese)
		said := fault.T("job %s: %s: %s", job.ID, Failed, failed).In(fault.Chinese)
		want := []string{said, said, fault.T("job %s was disabled: %s\nhelve cron enable %s enables it again.", job.ID, reason, job.ID).In(fault.Chinese)}
		var got []string
		for _, m := range w.messages() {
			got = append(got, m.Content)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("want -, got +:\n%s", diff)
		}
		if runs := w.history(job.ID); len(runs) != 2 || runs[0].Error != failed || w.get(job.ID).Reason != reason {
			t.Errorf("%+v; %s", runs, w.get(job.ID).Reason)
		}
	})
}

// A message of a job arrives, once: in the conversation of the job, or on helve's own
// channel in that of its session.
func TestReminder(t *testing.T) {
	for _, origin := range []Origin{{Session: "s", Channel: "telegram", To: "42"}, {Session: "s"}} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			job := w.in(time.Minute)
			job.Action, job.Origin = Action{Message: "water the plants"}, origin
			job = w.add(job)
			stop := w.background(w.scheduler(), w.scheduler())
			w.sleep(2 * time.Minute)
			stop()
			w.tick()
			all := w.messages()
			if len(all) != 1 {
				t.Fatalf("%d messages", len(all))
			}
			want := bus.Message{
				Channel: "telegram", To: "42", From: "cron", Session: "s", Kind: bus.KindReminder, Content: "water the plants",
				DedupeKey: all[0].Origin.Run, Origin: &bus.Origin{Kind: "cron", Job: job.ID, Run: job.ID + "@" + job.Timing.At.Format(time.RFC3339), Channel: origin.Channel, To: origin.To, Session: "s"},
			}
			if origin.Channel == "" {
				want.Channel, want.To = bus.System, "s"
			}
			got := all[0]
			got.ID, got.Seq, got.CreatedAt = "", 0, time.Time{}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("want -, got +:\n%s", diff)
			}
		})
	}
}

// The output of a run is cut where it is kept, and where it is sent.
func TestLongOutput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.act = func(context.Context, Run) (string, error) { return strings.Repeat("€", 200<<10) + "\xff", nil }
		job := w.add(w.every(60))
		w.sleep(time.Minute)
		w.tick()
		run, m := w.history(job.ID)[0], w.messages()[0]
		if run.Status != OK || len(run.Output) > maxOutput+100 || !strings.HasSuffix(run.Output, "€\n[cut: 4095 of 614403 bytes]") {
			t.Errorf("%s, kept: …%q", run.Status, run.Output[len(run.Output)-40:])
		}
		if len(m.Content) > maxContent+100 || !strings.HasSuffix(m.Content, "€\n[cut: 65535 of 614403 bytes]") {
			t.Errorf("sent: …%q", m.Content[len(m.Content)-40:])
		}
	})
}

// The bus does not take the message: the run has ended all the same, and says so.
func TestUndeliverable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		job := w.every(60)
		job.Action, job.Origin = Action{Message: "x"}, Origin{Channel: "tele/gram", To: "42"}
		job = w.add(job)
		w.sleep(time.Minute)
		w.tick()
		runs := w.history(job.ID)
		if len(runs) != 1 || runs[0].Status != Failed || !strings.Contains(runs[0].Error, "its message was not sent") || w.get(job.ID).State.Failures != 1 {
			t.Errorf("%+v", runs)
		}
	})
}
