package spawn

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/process"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/store/bolt"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/workspace"
)

// world is a session whose host has the spawner that a test wants. Its jobs are real, in a
// store of their own.
type world struct {
	t    *testing.T
	env  *tool.Env
	jobs *agent.Jobs
	bus  *bus.Bus

	unready error                        // that Prepare fails with
	started func(j agent.Job) error      // Start
	work    func(w *world, j *agent.Job) // what a worker does with the job, beside the call
	done    chan struct{}
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir := t.TempDir()
	root, err := workspace.Open(dir, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	kept, err := state.Open(t.TempDir(), dir, state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := bolt.Open(kept)
	t.Cleanup(func() { _ = s.Close() })
	w := &world{t: t, bus: bus.New(s, time.Now), done: make(chan struct{}), env: &tool.Env{
		Root:  func() (*workspace.Root, error) { return root, nil },
		State: func() (*state.Dir, error) { return kept, nil },
		Audit: func() (*state.Dir, error) { return kept, nil },
		Now:   time.Now, Session: "s", Channel: "telegram", Chat: "42", Turn: "t1",
	}}
	w.jobs = agent.NewJobs(s, w.bus, time.Now)
	tool.Provide(w.env, func() (*agent.Jobs, error) { return w.jobs, nil })
	tool.Provide(w.env, func() (agent.Spawner, error) { return w, nil })
	return w
}

// Prepare is the settings'.
func (w *world) Prepare(_ context.Context, j *agent.Job) error {
	j.Runtime, j.Root = "builtin", "/work"
	return w.unready
}

// Start has a worker take the job, if there is work for one.
func (w *world) Start(_ context.Context, j agent.Job) error {
	if w.started != nil {
		return w.started(j)
	}
	if w.work != nil {
		taken := w.claim()
		go func() {
			defer close(w.done)
			w.work(w, taken)
		}()
	}
	return nil
}

// me is the worker.
const me = "01k0000000000000000000work"

func (w *world) claim() *agent.Job {
	w.t.Helper()
	self := agent.Worker{ID: me, Host: "here", Machine: process.Machine(), Process: process.This()}
	j, err := w.jobs.Claim(context.Background(), self, 4, func(*agent.Job) bool { return true })
	if err != nil || j == nil {
		w.t.Errorf("no job for the worker: %v", err)
	}
	return j
}

// end ends the job of the worker.
func (w *world) end(id string, o agent.Outcome) {
	if _, mine, err := w.jobs.Finish(context.Background(), id, me, o); err != nil || !mine {
		w.t.Errorf("the worker cannot end %s: %v", id, err)
	}
}

// call makes a call, and returns its outcome and what a model reads of it.
func (w *world) call(ctx context.Context, args string) (r Result, shown string, o guard.Outcome) {
	w.t.Helper()
	o = guard.Run(ctx, w.env, Tool, []byte(args))
	if o.Err != nil {
		return r, "", o
	}
	if err := json.Unmarshal(o.JSON, &r); err != nil {
		w.t.Fatal(err)
	}
	return r, Tool.Text(o.Result, screen.View{Lang: fault.English}), o
}

// get returns a job, and fails the test if it is not there.
func (w *world) get(id string) agent.Job {
	w.t.Helper()
	j, err := w.jobs.Get(context.Background(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	return j
}

// kept returns how many jobs there are.
func (w *world) kept() int {
	w.t.Helper()
	all, err := w.jobs.List(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	return len(all)
}

// A call that does not wait returns what it has added, which says where it comes from.
func TestAdded(t *testing.T) {
	w := newWorld(t)
	r, shown, o := w.call(t.Context(), `{"task":"look around","label":"look","timeout":60,"max_iterations":3,"max_tokens":5000,"read_only":true,"labels":["gpu"],"on_lost":"rerun"}`)
	if o.Err != nil || r.Status != agent.Working || !r.Queued || r.Result != "" || r.Existing {
		t.Fatalf("%+v, %v", r, o.Err)
	}
	if !strings.Contains(shown, r.JobID) || !strings.Contains(shown, "comes as a message") || !strings.Contains(shown, "do not poll") {
		t.Error(shown)
	}
	j := w.get(r.JobID)
	want := agent.Origin{Session: "s", Channel: "telegram", To: "42", Turn: "t1"}
	if j.Origin != want || j.Depth != 1 || !j.ReadOnly || j.OnLost != "rerun" || len(j.Labels) != 1 || j.Task != "look around" ||
		j.Limits.Iterations != 3 || j.Limits.Timeout != 60 || j.Limits.Tokens != 5000 {
		t.Errorf("%+v", j)
	}

	again, _, o := w.call(t.Context(), `{"task":"look around","max_iterations":5}`)
	if again.JobID != r.JobID || !again.Existing || len(o.Warnings) != 1 || w.kept() != 1 {
		t.Errorf("%+v, %v, %d jobs", again, o.Warnings, w.kept())
	}
	w.env.Run = "standup@2026-03-01T12:00:00Z"
	if of, _, _ := w.call(t.Context(), `{"task":"look around"}`); of.Existing || w.get(of.JobID).Origin.Run != w.env.Run {
		t.Errorf("the run of a job got %+v", of)
	}
}

// What only reads spawns nothing that does more.
func TestReadOnly(t *testing.T) {
	w := newWorld(t)
	a := compose(tool.NewCall(w.env, Tool, nil), Args{Task: "x"})
	w.env.ReadOnly = true
	b := compose(tool.NewCall(w.env, Tool, nil), Args{Task: "x"})
	if a.ReadOnly || !b.ReadOnly {
		t.Errorf("%t, %t", a.ReadOnly, b.ReadOnly)
	}
}

// A call that waits returns how the job ended; only what was done reads like it.
func TestWaited(t *testing.T) {
	down := fault.New(fault.Unavailable, fault.T("the server is down")).WithHint(fault.T("start it"))
	for _, c := range []struct {
		name string
		o    agent.Outcome
		says []string
	}{
		{"completed", agent.Outcome{Status: agent.Completed, Result: "forty-two\n"}, []string{"forty-two\n", "is done]"}},
		{"incomplete", agent.Outcome{Status: agent.Incomplete, Reason: agent.ByIterations, Result: "half"}, []string{"is not done", "as many requests", "half", "finish it"}},
		{"failed", agent.Outcome{Status: agent.Failed, Reason: agent.ByModel, Err: down}, []string{"failed: the server is down", "start it"}},
		{"timeout", agent.Outcome{Status: agent.Incomplete, Reason: agent.ByTimeout}, []string{"is not done: its time was up"}},
		{"canceled", agent.Outcome{Status: agent.Canceled}, []string{"was canceled before"}},
		{"lost", agent.Outcome{Status: agent.Lost}, []string{"is lost", "before you spawn it again"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.work = func(w *world, j *agent.Job) { w.end(j.ID, c.o) }
			r, shown, o := w.call(t.Context(), `{"task":"x","wait":true}`)
			<-w.done
			if o.Err != nil || r.Status != c.o.Status || r.Reason != c.o.Reason || strings.TrimSpace(r.Result) != strings.TrimSpace(c.o.Result) {
				t.Fatalf("%+v, %v", r, o.Err)
			}
			for _, part := range c.says {
				if !strings.Contains(shown, part) {
					t.Errorf("it does not say %q: %s", part, shown)
				}
			}
			if c.o.Status != agent.Completed && (strings.Contains(shown, "is done]") || strings.HasPrefix(shown, "half")) {
				t.Errorf("it reads like success: %s", shown)
			}
			out, err := r.Output()
			if out != r.Result || (err == nil) != (c.o.Status == agent.Completed) {
				t.Errorf("%q, %v", out, err)
			}
			if m, err := w.bus.Get(t.Context(), agent.FinalMessage(r.JobID)); err != nil || m.To != "s" {
				t.Errorf("%+v, %v", m, err)
			}
		})
	}
}

// What is not configured is said at the call, and nothing is queued.
func TestNotConfigured(t *testing.T) {
	w := newWorld(t)
	w.unready = fault.New(fault.NotConfigured, fault.T("no model: spawn.model"))
	if _, _, o := w.call(t.Context(), `{"task":"x","wait":true}`); o.Err == nil || o.Err.Code != fault.NotConfigured || w.kept() != 0 {
		t.Errorf("%v, %d jobs", o.Err, w.kept())
	}
}

// A job that nobody could be found for is ended, unless somebody has taken it.
func TestNotStarted(t *testing.T) {
	w := newWorld(t)
	broken := fault.New(fault.IOError, fault.T("no process could be started"))
	w.started = func(agent.Job) error { return broken }
	_, _, o := w.call(t.Context(), `{"task":"x"}`)
	if !errors.Is(o.Err, broken) && (o.Err == nil || o.Err.Code != fault.IOError) {
		t.Fatalf("%v", o.Err)
	}
	all, err := w.jobs.List(t.Context())
	if err != nil || len(all) != 1 || !all[0].Status.Final() || all[0].Queued {
		t.Fatalf("%+v, %v", all, err)
	}
	w.started = func(agent.Job) error {
		w.claim()
		return broken
	}
	r, _, o := w.call(t.Context(), `{"task":"y"}`)
	if o.Err != nil || r.Status != agent.Working || r.Queued {
		t.Errorf("%+v, %v", r, o.Err)
	}
}

// A job that a person must decide about is returned at once, but not to those who wait
// for people, nor to the run of a job, whose answer nobody reads before.
func TestDecisions(t *testing.T) {
	asking := func(decided chan struct{}) func(w *world, j *agent.Job) {
		return func(w *world, j *agent.Job) {
			if _, err := w.jobs.Ask(context.Background(), j.ID, me, "ap1", "exec rm -r x"); err != nil {
				w.t.Error(err)
			}
			<-decided
			if _, err := w.jobs.Note(context.Background(), j.ID, me, func(j *agent.Job) { j.Status = agent.Working }); err != nil {
				w.t.Error(err)
			}
			w.end(j.ID, agent.Outcome{Status: agent.Completed, Result: "decided"})
		}
	}
	w := newWorld(t)
	decided := make(chan struct{})
	w.work = asking(decided)
	r, shown, o := w.call(t.Context(), `{"task":"x","wait":true}`)
	if o.Err != nil || r.Status != agent.InputRequired || r.Approval != "ap1" || !strings.Contains(shown, "helve approve ap1") {
		t.Errorf("%+v, %v: %s", r, o.Err, shown)
	}
	close(decided)
	<-w.done
	for _, patient := range []func(*tool.Env){
		func(e *tool.Env) { e.Patience = time.Hour },
		func(e *tool.Env) { e.Run = "standup@2026-03-01T12:00:00Z" },
	} {
		w := newWorld(t)
		patient(w.env)
		decided := make(chan struct{})
		w.work = asking(decided)
		go func() {
			if _, err := w.jobs.Wait(context.Background(), lone(w), true); err != nil {
				t.Error(err)
			}
			close(decided)
		}()
		if r, _, o := w.call(t.Context(), `{"task":"x","wait":true}`); o.Err != nil || r.Result != "decided" {
			t.Errorf("%+v, %v", r, o.Err)
		}
		<-w.done
	}
}

// lone waits for the only job of a world, and returns its ID.
func lone(w *world) string {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	changed, err := w.jobs.Watch(ctx)
	if err != nil {
		w.t.Error(err)
		return ""
	}
	for {
		all, err := w.jobs.List(context.Background())
		if err == nil && len(all) == 1 {
			return all[0].ID
		}
		if _, open := <-changed; !open {
			w.t.Errorf("there is no job: %v", err)
			return ""
		}
	}
}

// A call that is canceled takes its job with it, but none that another call has spawned;
// one that does not wait has nothing to take.
func TestCanceled(t *testing.T) {
	for _, c := range []struct {
		name           string
		before, during string
		run            string
		want           bool // the job is canceled
	}{
		{"own", "", `{"task":"x","wait":true}`, "", true},
		{"another's", `{"task":"x"}`, `{"task":"x","wait":true}`, "", false},
		{"its run's", `{"task":"x"}`, `{"task":"x","wait":true}`, "a@b", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.env.Run = c.run
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if c.before != "" {
				if _, _, o := w.call(t.Context(), c.before); o.Err != nil {
					t.Fatal(o.Err)
				}
			}
			w.started = func(agent.Job) error {
				if c.before == "" || w.kept() == 1 {
					go cancel()
				}
				return nil
			}
			_, _, o := w.call(ctx, c.during)
			if o.Err == nil || o.Err.Code != fault.Canceled {
				t.Fatalf("%v", o.Err)
			}
			if j := w.get(lone(w)); (j.Status == agent.Canceled || j.Canceling) != c.want {
				t.Errorf("%+v: %v", j, o.Err)
			}
		})
	}
}

// When the time to wait is up the job goes on.
func TestTimeUp(t *testing.T) {
	w := newWorld(t)
	r, _, o := w.call(t.Context(), `{"task":"x"}`)
	if o.Err != nil {
		t.Fatal(o.Err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if j, err := decided(ctx, w.jobs, r.JobID, time.Hour); err != nil || j.Status != agent.Working {
		t.Errorf("%+v, %v", j, err)
	}
}

// Neither a sub-agent nor what helve has started spawns.
func TestAlone(t *testing.T) {
	for name, set := range map[string]func(*tool.Env){
		"a sub-agent":            func(e *tool.Env) { e.Agent = "fix-k3f9" },
		"started by helve":       func(e *tool.Env) { e.Nested = true },
		"a command of a run":     func(e *tool.Env) { e.Nested, e.Run = true, "a@b" },
		"a sub-agent in its run": func(e *tool.Env) { e.Agent, e.Run = "fix-k3f9", "a@b" },
	} {
		w := newWorld(t)
		set(w.env)
		if _, _, o := w.call(t.Context(), `{"task":"x"}`); o.Err == nil || o.Err.Code != fault.Denied || w.kept() != 0 {
			t.Errorf("%s: %v, %d jobs", name, o.Err, w.kept())
		}
	}
}
