package agent

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
)

func TestAddChecks(t *testing.T) {
	w := newWorld(t)
	change := func(f func(*Job)) Job {
		j := task("do it")
		f(&j)
		return j
	}
	for name, c := range map[string]struct {
		job  Job
		code fault.Code
		says string
	}{
		"no task":        {task(""), fault.InvalidArguments, "/task is empty"},
		"a blank task":   {task(" \n\t"), fault.InvalidArguments, "/task is empty"},
		"not UTF-8":      {task("a\xff"), fault.InvalidArguments, "/task is not UTF-8"},
		"too long":       {task(strings.Repeat("a", maxTask+1)), fault.InvalidArguments, "/task has 131073 bytes, want at most 131072"},
		"label of lines": {change(func(j *Job) { j.Label = "a\nb" }), fault.InvalidArguments, "/label want one line"},
		"long label":     {change(func(j *Job) { j.Label = strings.Repeat("a", 101) }), fault.InvalidArguments, "/label want one line"},
		"labels":         {change(func(j *Job) { j.Labels = []string{"gpu", "a b"} }), fault.InvalidArguments, `not a label of workers: "a b"`},
		"empty label":    {change(func(j *Job) { j.Labels = []string{""} }), fault.InvalidArguments, `not a label of workers: ""`},
		"many labels":    {change(func(j *Job) { j.Labels = strings.Split("abcdefghijklmnopqrstu", "") }), fault.InvalidArguments, "21 labels"},
		"on lost":        {change(func(j *Job) { j.OnLost = "retry" }), fault.InvalidArguments, "want fail or rerun"},
		"depth":          {change(func(j *Job) { j.Depth = 2 }), fault.Denied, "does not spawn others"},
		"root":           {change(func(j *Job) { j.Root = "/\xff" }), fault.InvalidArguments, "/root is not UTF-8"},
		"timeout":        {change(func(j *Job) { j.Limits.Timeout = -1 }), fault.InvalidArguments, "/limits/timeout is -1"},
		"tokens":         {change(func(j *Job) { j.Limits.Tokens = -1 }), fault.InvalidArguments, "/limits/tokens is -1"},
		"session":        {change(func(j *Job) { j.Origin.Session = strings.Repeat("a", 257) }), fault.InvalidArguments, "want one line"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := w.Add(t.Context(), c.job)
			if !fault.Is(err, c.code) || !strings.Contains(strings.ReplaceAll(err.Error(), ": ", " "), strings.ReplaceAll(c.says, ": ", " ")) {
				t.Errorf("%v, want %s: %s", err, c.code, c.says)
			}
		})
	}
	if all, err := w.List(t.Context()); err != nil || len(all) > 0 {
		t.Errorf("%+v, %v", all, err)
	}
	largest := w.add(task(strings.Repeat("\x01", maxTask)))
	if got := w.get(largest.ID); got.Task != largest.Task {
		t.Error("the longest task is not kept as it is")
	}
}

// Whatever a caller says of how far a job is does not count.
func TestAddIsNew(t *testing.T) {
	w := newWorld(t)
	j := task("x")
	j.ID, j.Status, j.Attempt, j.Worker, j.Result, j.Canceling, j.Tokens = "mine", Completed, 3, &Worker{ID: "w"}, "done", true, 9
	j.Fault, j.Approval, j.Origin.Session, j.Labels = &Fault{}, "a", "", []string{"b", "a", "b"}
	got := w.add(j)
	want := task("x")
	want.ID, want.CreatedAt, want.Runtime, want.Depth, want.Status, want.Queued = got.ID, got.CreatedAt, Builtin, 1, Working, true
	want.Origin.Session, want.Labels, want.Limits = "default", []string{"a", "b"}, got.Limits
	if diff := cmp.Diff(want, w.get(got.ID)); diff != "" || got.ID == "mine" {
		t.Error(diff)
	}
}

// The same task of a session is one job while that goes on, whoever adds it at the same
// moment.
func TestAddOnce(t *testing.T) {
	engines(t, func(w *world) {
		const adders = 6
		var group sync.WaitGroup
		var mu sync.Mutex
		ids, existed := map[string]int{}, 0
		for range adders {
			jobs := w.another()
			group.Go(func() {
				added, existing, err := jobs.Add(w.Context(), task("the same"))
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					w.Error(err)
				}
				if ids[added.ID]++; existing {
					existed++
				}
			})
		}
		group.Wait()
		if len(ids) != 1 || existed != adders-1 {
			w.Fatalf("%v, %d existed", ids, existed)
		}
		first := w.claim(here("w1"))
		for name, c := range map[string]func(*Job){
			"session": func(j *Job) { j.Origin.Session = "s2" }, "task": func(j *Job) { j.Task = "the same " },
			"runtime": func(j *Job) { j.Runtime = "other" }, "root": func(j *Job) { j.Root = "/v" },
		} {
			j := task("the same")
			c(&j)
			if added, existing, err := w.Add(w.Context(), j); existing || err != nil || ids[added.ID] > 0 {
				w.Errorf("another %s: %s, %v, %v", name, added.ID, existing, err)
			}
		}
		if again, existing, err := w.Add(w.Context(), task("the same")); !existing || again.ID != first.ID || err != nil {
			w.Errorf("one that works: %s, %v, %v", again.ID, existing, err)
		}
		if _, err := w.Cancel(w.Context(), first.ID); err != nil {
			w.Fatal(err)
		}
		second, existing, err := w.Add(w.Context(), task("the same"))
		if existing || err != nil {
			w.Errorf("one that is canceled: %v, %v", existing, err)
		}
		if _, err := w.Cancel(w.Context(), second.ID); err != nil {
			w.Fatal(err)
		}
		if _, existing, err := w.Add(w.Context(), task("the same")); existing || err != nil {
			w.Errorf("one that has ended: %v, %v", existing, err)
		}
	})
}

// The queue is bounded.
func TestQueueBound(t *testing.T) {
	w := newWorld(t)
	for done := 0; done < maxQueued; {
		err := w.store.Update(t.Context(), func(tx store.Tx) error {
			for range 100 {
				j, err := task(fmt.Sprint("task ", done)).asNew()
				if err != nil {
					return err
				}
				j.ID, j.CreatedAt = fmt.Sprintf("id-%d", done), w.clock()
				if err := enqueue(tx, &j, j.sameKey()); err != nil {
					return err
				}
				done++
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, queued, err := w.Running(t.Context(), "m"); queued != maxQueued || err != nil {
		t.Fatal(queued, err)
	}
	if _, _, err := w.Add(t.Context(), task("one more")); !fault.Is(err, fault.RateLimited) || fault.As(err).Hint.IsZero() {
		t.Error(err)
	}
	if j, existing, err := w.Add(t.Context(), task("task 7")); !existing || j.ID != "id-7" || err != nil {
		t.Error(j.ID, existing, err)
	}
	if _, err := w.Cancel(t.Context(), "id-7"); err != nil {
		t.Fatal(err)
	}
	w.add(task("one more"))
}

// An ID of which a message speaks is not free, though its job was forgotten.
func TestIDIsFree(t *testing.T) {
	w := newWorld(t)
	err := w.store.Update(t.Context(), func(tx store.Tx) error {
		j := Job{ID: "x", Origin: Origin{Session: "s"}}
		m := j.message("hello")
		m.ID = FinalMessage("x")
		if _, err := w.bus.Append(tx, m); err != nil {
			return err
		}
		told, err := bus.Has(tx, FinalMessage("x"))
		if err != nil || !told {
			t.Errorf("in the transaction: %v, %v", told, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	err = w.store.View(t.Context(), func(r store.Reader) error {
		for id, want := range map[string]bool{"x": true, "y": false} {
			if told, err := bus.Has(r, FinalMessage(id)); told != want || err != nil {
				t.Errorf("%s: %v, %v", id, told, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A job whose worker has died, and that nobody has called lost yet, does not stand for a
// new one, which would not be done: unless it is to run again.
func TestAddAfterDeath(t *testing.T) {
	engines(t, func(w *world) {
		dead := deadHere(w.T)
		lost := w.add(task("the same"))
		w.claim(dead)
		added, existing, err := w.Add(w.Context(), task("the same"))
		if existing || err != nil || added.ID == lost.ID {
			w.Errorf("lost: %s, %v, %v", added.ID, existing, err)
		}
		w.reap()
		if again, existing, err := w.Add(w.Context(), task("the same")); !existing || again.ID != added.ID || err != nil {
			w.Errorf("the new one, after the end of the old one: %s, %v, %v", again.ID, existing, err)
		}
		w.claim(here("w1"))

		returns := task("comes back")
		returns.OnLost = LostRerun
		before := w.add(returns)
		w.claim(dead)
		if again, existing, err := w.Add(w.Context(), returns); !existing || again.ID != before.ID || err != nil {
			w.Errorf("one that runs again: %s, %v, %v", again.ID, existing, err)
		}
		if finals := w.finals(); finals[lost.ID] != 1 {
			w.Errorf("%v", finals)
		}
	})
}
