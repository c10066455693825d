package agent

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/schema"
)

// FuzzRecord holds that a record is understood, or the job is shown as damaged; and that
// one that is understood can be written and read again.
func FuzzRecord(f *testing.F) {
	at := time.Date(2026, 3, 29, 0, 0, 0, 0, time.UTC)
	queued := Job{
		ID: "x", Task: "t", Runtime: Builtin, Depth: 1, Status: Working, Queued: true, CreatedAt: at, Origin: Origin{Session: "s", Turn: "1"},
		Labels: []string{"gpu"}, Limits: Limits{Timeout: 1}, Root: "/w",
	}
	working, ended := queued, queued
	working.Queued, working.Worker, working.Attempt, working.Beat = false, &Worker{ID: "w", Labels: []string{"gpu"}}, 1, at
	ended.Queued, ended.Status, ended.EndedAt, ended.Fault = false, Failed, at, &Fault{Message: "m"}
	for _, j := range []Job{queued, working, ended} {
		data, err := schema.Marshal(recordOf(&j))
		if err != nil {
			f.Fatal(err)
		}
		if _, err := decode("x", data); err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, bad := range []string{`{"version":2,"job_id":"x"}`, `null`, `{"version":1,"job_id":"x"} {}`, `{"version":1,"job_id":"y"}`, `[]`, ``} {
		if _, err := decode("x", []byte(bad)); err == nil {
			f.Fatalf("%s is understood", bad)
		}
		f.Add([]byte(bad))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := decode("x", data)
		if err != nil {
			if !unreadable(err) {
				t.Fatal(err)
			}
			if j := broken("x", data, err); j.ID != "x" || j.Fault == nil || !j.Status.Final() {
				t.Fatalf("%+v", j)
			}
			return
		}
		if r.ID != "x" || !r.Status.known() || r.Status.Final() && r.runs() || r.Queued && r.runs() {
			t.Fatalf("%+v", r)
		}
		again, err := schema.Marshal(r)
		if err != nil {
			return // a time that JSON does not have
		}
		back, err := decode("x", again)
		if diff := cmp.Diff(r, back); diff != "" || err != nil {
			t.Fatalf("written and read again: %v\n%s", err, diff)
		}
		_ = r.report() // whatever it says
	})
}
