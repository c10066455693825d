package agent

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
)

// A job from its beginning to its end.
func TestLife(t *testing.T) {
	engines(t, func(w *world) {
		long := "Fix the tests. " + strings.Repeat("é", 1000)
		added := w.add(task(long))
		want := task(long)
		want.ID, want.CreatedAt = added.ID, added.CreatedAt
		want.Runtime, want.Depth, want.Status, want.Queued = Builtin, 1, Working, true
		want.Limits = Limits{Iterations: DefaultIterations, Timeout: DefaultTimeout, Tokens: DefaultTokens, Context: DefaultContext}
		if diff := cmp.Diff(want, added); diff != "" {
			w.Error(diff)
		}
		if diff := cmp.Diff(added, w.get(added.ID)); diff != "" {
			w.Error(diff)
		}
		if !strings.HasPrefix(added.ID, "fix-the-tests-") {
			w.Error(added.ID)
		}

		self := here("w1")
		claimed := w.claim(self)
		want.Queued, want.Worker, want.Attempt = false, &self, 1
		want.StartedAt, want.Beat = claimed.StartedAt, claimed.Beat
		if diff := cmp.Diff(&want, claimed); diff != "" || claimed.StartedAt.IsZero() {
			w.Error(diff)
		}
		if again := w.claim(here("w2")); again != nil {
			w.Errorf("it was claimed twice: %+v", again)
		}

		noted, err := w.Note(w.Context(), added.ID, "w1", func(j *Job) { j.Iterations, j.Tokens, j.Calls, j.Last = 3, 500, 7, "exec go test" })
		if err != nil || noted.Iterations != 3 || noted.Tokens != 500 || noted.Calls != 7 || noted.Last != "exec go test" {
			w.Errorf("%+v, %v", noted, err)
		}
		ended, mine, err := w.Finish(w.Context(), added.ID, "w1", Outcome{Status: Completed, Result: "<think>hm</think>\nAll pass.\n"})
		if err != nil || !mine || ended.Status != Completed || ended.Result != "All pass." || ended.EndedAt.IsZero() {
			w.Fatalf("%+v, %v, %v", ended, mine, err)
		}
		if diff := cmp.Diff(ended, w.get(added.ID)); diff != "" {
			w.Error(diff)
		}
		again, mine, err := w.Finish(w.Context(), added.ID, "w1", Outcome{Status: Failed})
		if err != nil || mine || !cmp.Equal(ended, again) {
			w.Errorf("%+v, %v, %v", again, mine, err)
		}
		if _, err := w.Note(w.Context(), added.ID, "w1", func(*Job) {}); !fault.Is(err, fault.Conflict) {
			w.Error(err)
		}
		all := w.messages()
		if len(all) != 1 {
			w.Fatalf("%d messages", len(all))
		}
		m := all[0]
		wantMessage := bus.Message{
			ID: FinalMessage(added.ID), Seq: m.Seq, Channel: bus.System, To: "s1", From: added.ID, Session: "s1", Kind: bus.KindResult,
			Content: "sub-agent " + added.ID + " (" + added.title() + ") has completed its task.\n\nAll pass.", Origin: &bus.Origin{Kind: "spawn", Job: added.ID, Session: m.Session}, CreatedAt: m.CreatedAt,
		}
		if diff := cmp.Diff(wantMessage, m); diff != "" {
			w.Error(diff)
		}
		list, err := w.List(w.Context())
		if err != nil || len(list) != 1 || list[0].Result != "" || len(list[0].Task) > maxHead || !strings.HasPrefix(long, list[0].Task) {
			w.Errorf("%+v, %v", list, err)
		}
		if running, queued, err := w.Running(w.Context(), self.Machine); running+queued != 0 || err != nil {
			w.Error(running, queued, err)
		}
	})
}
