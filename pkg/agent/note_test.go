package agent

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/process"
)

// A worker changes what is its own to say, and nothing else.
func TestNoteChanges(t *testing.T) {
	w := newWorld(t)
	id := w.add(task("x")).ID
	want := *w.claim(here("a"))
	got, err := w.Note(t.Context(), id, "a", func(j *Job) {
		j.ID, j.Task, j.Status, j.Attempt, j.Result, j.Canceling, j.Queued = "other", "other", Completed, 9, "r", true, true
		j.Worker.ID, j.Worker.Host, j.Worker.Process = "b", "h", process.ID{PID: 42, Start: 1}
		j.Origin.Session, j.Fault, j.Approval = "other", &Fault{}, "a"
		j.Iterations, j.Tokens, j.Calls, j.Last = 1, 2, 3, strings.Repeat("é", maxLast)+"\x1b[31m"
	})
	if err != nil {
		t.Fatal(err)
	}
	self := *want.Worker
	self.Process = process.ID{PID: 42, Start: 1}
	want.Worker = &self
	want.Iterations, want.Tokens, want.Calls, want.Last, want.Beat = 1, 2, 3, strings.Repeat("é", maxLast/2), got.Beat
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want, w.get(id)); diff != "" {
		t.Error(diff)
	}
	if _, err := w.Note(t.Context(), id, "a", func(j *Job) { j.Worker = nil; j.Status = "sleeping" }); err != nil {
		t.Error(err)
	}
	if got := w.get(id); got.Worker == nil || got.Status != Working {
		t.Errorf("%+v", got)
	}
}

// Who does not have a job writes nothing of it.
func TestNoteConflicts(t *testing.T) {
	engines(t, func(w *world) {
		queued, lost := w.add(task("queued")), task("rerun")
		if _, err := w.Cancel(w.Context(), queued.ID); err != nil {
			w.Fatal(err)
		}
		lost.OnLost = LostRerun
		again := w.add(lost)
		w.claim(here("a"))
		if _, mine, err := w.Finish(w.Context(), again.ID, "a", Outcome{Status: Lost}); !mine || err != nil {
			w.Fatal(mine, err)
		}
		conflicts := func(id, worker string) {
			w.Helper()
			before, err := w.List(w.Context())
			if err != nil {
				w.Fatal(err)
			}
			if _, err := w.Note(w.Context(), id, worker, func(j *Job) { j.Calls = 99 }); !fault.Is(err, fault.Conflict) {
				w.Errorf("Note: %v", err)
			}
			if _, err := w.Ask(w.Context(), id, worker, "r1", "x"); !fault.Is(err, fault.Conflict) {
				w.Errorf("Ask: %v", err)
			}
			if _, mine, err := w.Finish(w.Context(), id, worker, Outcome{Status: Completed}); mine || err != nil && !fault.Is(err, fault.NotFound) {
				w.Errorf("Finish: %v, %v", mine, err)
			}
			after, err := w.List(w.Context())
			if diff := cmp.Diff(before, after); diff != "" || err != nil {
				w.Error(diff, err)
			}
		}
		conflicts("none", "a")
		conflicts(queued.ID, "a")
		conflicts(queued.ID, "")
		conflicts(again.ID, "a") // it is in the queue again
		conflicts(again.ID, "")
		w.claim(here("b"))
		conflicts(again.ID, "a") // another worker has it
	})
}

// A question to a person is a state of the job and a message, and asked once.
func TestAsk(t *testing.T) {
	engines(t, func(w *world) {
		j := task("x")
		j.Label = "the label"
		id := w.add(j).ID
		w.claim(here("a"))
		for range 2 {
			got, err := w.Ask(w.Context(), id, "a", "req1", "exec rm -rf build\x1b[2K")
			if err != nil || got.Status != InputRequired || got.Approval != "req1" {
				w.Errorf("%+v, %v", got, err)
			}
		}
		all := w.messages()
		if len(all) != 1 {
			w.Fatalf("%d messages", len(all))
		}
		want := bus.Message{
			ID: "job:" + id + ":approval:req1", Seq: all[0].Seq, Channel: bus.System, To: "s1", From: id, Session: "s1", Kind: bus.KindApproval,
			Content: "sub-agent " + id + " (the label) waits for your decision about a call:\n\nexec rm -rf build[2K\n\n" +
				"helve approve req1 lets it run once, helve deny req1 refuses it, helve approvals show req1 shows all of it.",
			Origin: &bus.Origin{Kind: "spawn", Job: id, Session: "s1"}, CreatedAt: all[0].CreatedAt,
		}
		if diff := cmp.Diff(want, all[0]); diff != "" {
			w.Error(diff)
		}
		got, err := w.Note(w.Context(), id, "a", func(j *Job) { j.Iterations++ })
		if err != nil || got.Status != InputRequired || got.Approval != "req1" {
			w.Errorf("%+v, %v", got, err)
		}
		got, err = w.Note(w.Context(), id, "a", func(j *Job) { j.Status = Working })
		if err != nil || got.Status != Working || got.Approval != "" {
			w.Errorf("%+v, %v", got, err)
		}
		if _, err := w.Ask(w.Context(), id, "a", "req 2", "x"); !fault.Is(err, fault.InvalidArguments) {
			w.Error(err)
		}
		if _, err := w.Ask(w.Context(), id, "a", "req2", strings.Repeat("\u2028\x00", 1<<20)+"\xff"); err != nil {
			w.Error(err)
		}
		if got, _, err := w.Finish(w.Context(), id, "a", Outcome{Status: Completed}); got.Approval != "" || err != nil {
			w.Errorf("%+v, %v", got, err)
		}
	})
}
