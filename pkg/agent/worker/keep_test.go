package worker

import (
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/fault"
)

func TestLaunch(t *testing.T) {
	w := newWorld(t)
	w.launch() // nothing to do is no error
	j := w.spawn("say hello")
	if got := w.ended(j.ID); got.Status != agent.Completed || got.Result != "hello" || got.Fault != nil || got.Attempt != 1 {
		t.Errorf("%+v", got)
	}
	env := w.spawn("env")
	if got := w.ended(env.ID); got.Result != env.ID+" 1 "+w.Base {
		t.Errorf("its environment: %q", got.Result)
	}
	w.told(j, env)
	// The jobs that wait are carried out by the keeper that is there.
	var all []agent.Job
	for _, task := range []string{"say 1", "panic", "say 3"} {
		all = append(all, w.add(agent.Job{Task: task}))
	}
	w.launch()
	for _, j := range all {
		w.ended(j.ID)
	}
	w.told(all...)
	if got := w.get(all[1].ID); got.Status != agent.Failed || got.Fault.Code != fault.Internal || !strings.Contains(got.Fault.Message, "the model says so") || !strings.Contains(got.Fault.Message, "worker_test.go") {
		t.Errorf("after a panic: %+v %+v", got, got.Fault)
	}
}

// What keeps a worker from starting is told to the spawner, and is the end of the job.
func TestNoStart(t *testing.T) {
	for _, one := range []struct {
		broken  string
		code    fault.Code
		message string
		status  agent.Status
	}{
		{"no key", fault.NotConfigured, "no key", agent.Failed},
		{"exit", fault.Unavailable, "ended before it had started", agent.Lost},
		{"panic", fault.Internal, "panic: it cannot start", agent.Lost},
	} {
		w := newWorld(t) // else the keeper before may take the job
		w.Broken = one.broken
		j := w.add(agent.Job{Task: "say " + one.broken})
		err := w.try()
		if !fault.Is(err, one.code) || !strings.Contains(err.Error(), one.message) {
			t.Errorf("%s: %v", one.broken, err)
		}
		got := w.ended(j.ID)
		if got.Status != one.status || got.Fault.Code != one.code || !strings.Contains(got.Fault.Message, one.message) {
			t.Errorf("%s: %+v %+v", one.broken, got, got.Fault)
		}
		w.told(j)
	}
	w := newWorld(t)
	w.exe += ".not"
	if err := w.try(); !fault.Is(err, fault.NotFound) {
		t.Errorf("a program that is not there: %v", err)
	}
	w.exe = "/dev/null"
	if err := w.try(); !fault.Is(err, fault.PermissionDenied) {
		t.Errorf("no program: %v", err)
	}
}

// A crash that Go cannot recover from is a lost job, with the words that it left.
func TestCrash(t *testing.T) {
	w := newWorld(t)
	j := w.spawn("crash")
	got := w.ended(j.ID)
	if got.Status != agent.Lost || got.Fault == nil || got.Fault.Code != fault.Internal || !strings.Contains(got.Fault.Message, "panic: in a goroutine") {
		t.Errorf("%+v %+v", got, got.Fault)
	}
	w.told(j)
}

func TestCancel(t *testing.T) {
	w := newWorld(t)
	for _, task := range []string{"wait", "deaf", "finish"} {
		j := w.spawn(task)
		w.begun(j.ID)
		if _, err := w.Cancel(t.Context(), j.ID); err != nil {
			t.Fatal(err)
		}
		got := w.ended(j.ID)
		want, result := agent.Canceled, ""
		switch task {
		case "wait":
			result = "so far"
		case "finish":
			want, result = agent.Completed, "done"
		}
		if got.Status != want || got.Result != result || got.Fault != nil {
			t.Errorf("%s: %+v %+v", task, got, got.Fault)
		}
		w.told(j)
	}
}

func TestTimeout(t *testing.T) {
	w := newWorld(t)
	for _, task := range []string{"wait", "deaf"} {
		j := w.add(agent.Job{Task: task, Limits: agent.Limits{Timeout: 1}})
		w.launch()
		if got := w.ended(j.ID); got.Status != agent.Incomplete || got.Reason != agent.ByTimeout {
			t.Errorf("%s: %+v %+v", task, got, got.Fault)
		}
		w.told(j)
	}
}
