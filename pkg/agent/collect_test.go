package agent

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
)

// keys returns the keys that are kept of jobs.
func (w *world) keys() (keys []string) {
	w.Helper()
	err := w.store.View(w.Context(), func(r store.Reader) error {
		keys = nil
		all, err := r.List("agent/")
		for _, e := range all {
			keys = append(keys, e.Key)
		}
		return err
	})
	if err != nil {
		w.Fatal(err)
	}
	return keys
}

// What has ended is forgotten in time, and nothing else.
func TestCollect(t *testing.T) {
	engines(t, func(w *world) {
		finish := func(j Job) {
			w.claim(here("a"))
			if _, mine, err := w.Finish(w.Context(), j.ID, "a", Outcome{Status: Completed, Result: "r"}); !mine || err != nil {
				w.Fatal(mine, err)
			}
		}
		old := w.add(task(strings.Repeat("old ", 200)))
		finish(old)
		again := w.add(task("again"))
		finish(again)
		w.set(time.Hour)
		newer := w.add(task("again")) // its key is not the old one's any more
		w.claim(here("a"))
		queued := w.add(task("queued"))
		w.set(Keep - time.Minute)
		ended := w.add(task("ended"))
		if _, err := w.Cancel(w.Context(), ended.ID); err != nil {
			w.Fatal(err)
		}

		collect := func(age time.Duration, want ...string) {
			w.Helper()
			got, err := w.Collect(w.Context(), age)
			ids := map[string]bool{}
			for _, j := range got {
				ids[j.ID] = true
			}
			if len(ids) != len(want) || err != nil {
				w.Errorf("%v, %v, want %v", ids, err, want)
			}
			for _, id := range want {
				if _, err := w.Get(w.Context(), id); !ids[id] || !fault.Is(err, fault.NotFound) {
					w.Errorf("%s: %v, %v", id, ids[id], err)
				}
			}
		}
		collect(Keep, old.ID, again.ID)
		collect(Keep)
		if _, existing, err := w.Add(w.Context(), task("again")); !existing || err != nil {
			w.Errorf("%s is not known by its task: %v", newer.ID, err)
		}
		collect(0, ended.ID)
		if _, _, err := w.Finish(w.Context(), newer.ID, "a", Outcome{Status: Failed}); err != nil {
			w.Fatal(err)
		}
		if _, err := w.Cancel(w.Context(), queued.ID); err != nil {
			w.Fatal(err)
		}
		collect(0, newer.ID, queued.ID)
		if left := w.keys(); len(left) > 0 {
			w.Errorf("left: %v", left)
		}
	})
}

// More than one transaction can take.
func TestCollectMany(t *testing.T) {
	w := newWorld(t)
	const number = 3*batch + 1
	for n := range number {
		if _, err := w.Cancel(t.Context(), w.add(task(fmt.Sprint("task ", n))).ID); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := w.Collect(t.Context(), 0); len(got) != number || err != nil {
		t.Error(len(got), err)
	}
	if left := w.keys(); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// A record that is damaged, or of a newer helve, does not keep anybody from the others.
func TestDamaged(t *testing.T) {
	engines(t, func(w *world) {
		bad, newer, cut, good := w.add(task("bad")), w.add(task("newer")), w.add(task(strings.Repeat("cut ", 100))), w.add(task("good"))
		err := w.store.Update(w.Context(), func(tx store.Tx) error {
			for key, value := range map[string]string{
				jobKeys + bad.ID: `{"version":1,"job_id":"` + bad.ID + `","label":"l","status":"work`, jobKeys + newer.ID: `{"version":2,"job_id":"` + newer.ID + `","moon":1}`,
				taskKeys + cut.ID: "cut", queueKeys + "2026@never-was": "", queueKeys + "odd": "",
			} {
				if err := tx.Put(key, []byte(value)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			w.Fatal(err)
		}
		want := map[string]fault.Code{bad.ID: fault.BadDocument, newer.ID: fault.Unsupported, cut.ID: fault.BadDocument, good.ID: ""}
		for id, code := range want {
			_, err := w.Get(w.Context(), id)
			_, err2 := w.Cancel(w.Context(), id+"x")
			if code == "" && err != nil || code != "" && !fault.Is(err, code) || !fault.Is(err2, fault.NotFound) {
				w.Errorf("%s: %v, %v, want %s", id, err, err2, code)
			}
		}
		listed := map[string]fault.Code{}
		all, err := w.List(w.Context())
		if err != nil {
			w.Fatal(err)
		}
		for _, j := range all {
			if listed[j.ID] = ""; j.Fault != nil {
				listed[j.ID] = j.Fault.Code
			}
		}
		want[cut.ID] = "" // a list does not look at it
		if diff := cmp.Diff(want, listed); diff != "" {
			w.Error(diff)
		}
		if _, existing, err := w.Add(w.Context(), task("bad")); existing || err != nil {
			w.Errorf("the same task again: %v, %v", existing, err)
		}
		if j := w.claim(here("a")); j == nil || j.ID != good.ID {
			w.Errorf("%+v", j)
		}
		w.reap()
		if got, err := w.Collect(w.Context(), time.Nanosecond); err != nil || len(got) > 0 {
			w.Errorf("%+v, %v", got, err)
		}
		for _, key := range w.keys() {
			if strings.HasSuffix(key, "never-was") || strings.HasSuffix(key, "/odd") {
				w.Errorf("%s is left in the queue", key)
			}
		}
		if got, err := w.Collect(w.Context(), 0); err != nil || len(got) != 1 || got[0].ID != bad.ID {
			w.Errorf("%+v, %v", got, err)
		}
	})
}

// A job is found by the beginning of its ID, if no other one begins so.
func TestGet(t *testing.T) {
	engines(t, func(w *world) {
		one, two := w.add(task("fix the tests")), w.add(task("fix the tools"))
		for ref, want := range map[string]struct {
			id   string
			says string
		}{
			one.ID: {one.ID, ""}, one.ID[:10]: {one.ID, ""}, "fix-the-to": {two.ID, ""},
			"fix": {"", "several jobs begin with"}, "": {"", "there is no job"}, "FIX-THE-TOOLS": {"", "there is no job"},
			one.ID + "x": {"", "there is no job"}, "../../etc": {"", "there is no job"}, "agent/jobs": {"", "there is no job"},
		} {
			got, err := w.Get(w.Context(), ref)
			if got.ID != want.id || (err == nil) != (want.says == "") || err != nil && (!fault.Is(err, fault.NotFound) || !strings.Contains(err.Error(), want.says)) {
				w.Errorf("%q: %s, %v, want %+v", ref, got.ID, err, want)
			}
		}
		_, err := w.Get(w.Context(), strings.Replace(one.ID, "-tests", "-test", 1))
		if !strings.Contains(fault.As(err).Hint.String(), "did you mean "+one.ID) {
			w.Error(fault.As(err).Hint)
		}
		if all, err := w.List(w.Context()); err != nil || len(all) != 2 || all[0].ID != two.ID {
			w.Errorf("%+v, %v", all, err)
		}
	})
}
