package server_test

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/shell/process"
	"github.com/helve-dev/helve/pkg/state/store/bolt"
	"github.com/helve-dev/helve/pkg/tool"
)

// hand is a worker that ends jobs when a test has it do so.
type hand struct {
	t    *testing.T
	jobs *agent.Jobs
}

const handID = "01k0000000000000000000work"

// Prepare is the settings'.
func (hand) Prepare(_ context.Context, j *agent.Job) error {
	j.Runtime, j.Root = "builtin", "/work"
	return nil
}

// Start has the worker take the job.
func (h hand) Start(ctx context.Context, _ agent.Job) error {
	self := agent.Worker{ID: handID, Host: "here", Machine: process.Machine(), Process: process.This()}
	_, err := h.jobs.Claim(ctx, self, 4, func(*agent.Job) bool { return true })
	return err
}

// only returns the job that there is, once it is as it is wanted.
func (h hand) only(wanted func(agent.Job) bool) agent.Job {
	h.t.Helper()
	for {
		all, err := h.jobs.List(h.t.Context())
		if err != nil {
			h.t.Fatal(err)
		}
		if len(all) == 1 && wanted(all[0]) {
			return all[0]
		}
	}
}

func (h hand) end(o agent.Outcome) {
	h.t.Helper()
	j := h.only(func(j agent.Job) bool { return j.Worker != nil })
	if _, mine, err := h.jobs.Finish(h.t.Context(), j.ID, handID, o); err != nil || !mine {
		h.t.Fatalf("%v, %t", err, mine)
	}
}

// delegating is a server whose sub-agents are a hand's.
func delegating(t *testing.T) (*asking, hand) {
	t.Helper()
	a := newAsking(t)
	a.options.TaskAfter = time.Millisecond
	kept, err := a.env.State()
	if err != nil {
		t.Fatal(err)
	}
	s := bolt.Open(kept)
	t.Cleanup(func() { _ = s.Close() })
	h := hand{t, agent.NewJobs(s, bus.New(s, a.env.Now), a.env.Now)}
	tool.Provide(a.env, func() (*agent.Jobs, error) { return h.jobs, nil })
	tool.Provide(a.env, func() (agent.Spawner, error) { return h, nil })
	t.Cleanup(func() { // calls that were left to their jobs still end, and are recorded
		for all := make([]byte, 1<<20); strings.Contains(string(all[:runtime.Stack(all, true)]), ".(*Server).follow("); {
			runtime.Gosched()
		}
	})
	return a, h
}

// delegated waits until a task is known to be that of a sub-agent.
func (w *wire) delegated(id string) {
	w.t.Helper()
	said := ""
	for !strings.Contains(said, "of a sub-agent") {
		said = string(w.until(id, "working").Result["statusMessage"])
	}
}

const callSpawn = `"name":"spawn","arguments":{"task":"count","wait":true}`

// The task of a sub-agent goes on when the connection ends, and whoever asks later gets
// what the call would have returned.
func TestTaskOfSubAgent(t *testing.T) {
	a, h := delegating(t)
	a.options.Structured = true
	w := a.wire("judge")
	id := w.task(callSpawn)
	w.delegated(id)
	gone := a.wire("judge")
	left := gone.task(callSpawn) // the same work: that it ends is nothing to the sub-agent
	gone.close()
	w.close()
	next := a.wire("judge")
	next.until(left, "cancelled")
	if r := next.until(id, "working"); r.Result["result"] != nil {
		t.Errorf("%s", r)
	}
	h.end(agent.Outcome{Status: agent.Completed, Result: "forty-two"})
	r := string(next.until(id, "completed").Result["result"])
	for _, part := range []string{"forty-two", `"structuredContent":{"job_id":`, `"status":"completed"`, "is done]"} {
		if !strings.Contains(r, part) {
			t.Errorf("no %s: %s", part, r)
		}
	}
}

// The cancellation of a sub-agent's task is one of the sub-agent, whoever carries it out.
func TestTaskOfSubAgentCanceled(t *testing.T) {
	for _, closed := range []bool{false, true} {
		a, h := delegating(t)
		w := a.wire("judge")
		id := w.task(callSpawn)
		w.delegated(id)
		if closed {
			w.close()
			w = a.wire("judge")
		}
		if r := w.ask("tasks/cancel", tasksToo, ofTask(id)); r.Error != nil {
			t.Fatalf("%s", r)
		}
		h.only(func(j agent.Job) bool { return j.Canceling })
		w.until(id, "cancelled")
		h.end(agent.Outcome{Status: agent.Canceled})
	}
}
