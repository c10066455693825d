package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/store/bolt"
)

// The test binary is also the keeper and the worker.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == KeeperArgument {
		os.Exit(keep(os.Stdin, os.Stdout, openWork, quick()))
	}
	if len(os.Args) == 2 && os.Args[1] == Argument {
		os.Exit(work(os.Stdin, os.Stdout, openWorker, quick()))
	}
	os.Exit(m.Run())
}

// quick is the pace of tests.
func quick() pace {
	return pace{Start: 45 * time.Second, Beat: time.Second, Look: 20 * time.Millisecond, Grace: time.Second, Retry: 20 * time.Millisecond, Give: time.Minute}
}

// setting is what a test tells the processes.
type setting struct {
	Base   string // directory
	Limit  int
	Broken string   // if not empty, why a worker cannot start
	Kind   []string // of the jobs that are taken, by label; nil takes all
}

func openWork(spec []byte) (*Work, error) {
	var s setting
	if err := json.Unmarshal(spec, &s); err != nil {
		return nil, err
	}
	jobs, _, err := open(s.Base)
	if err != nil {
		return nil, err
	}
	w := &Work{Jobs: jobs, Limit: s.Limit, Carry: carry(s)}
	if s.Kind != nil {
		w.Takes = func(j *agent.Job) bool { return strings.HasPrefix(j.Label, s.Kind[0]) }
	}
	return w, nil
}

func openWorker(spec []byte) (*Work, error) {
	var s setting
	if err := json.Unmarshal(spec, &s); err != nil {
		return nil, err
	}
	switch s.Broken {
	case "":
	case "panic":
		panic("it cannot start")
	case "exit":
		os.Exit(3)
	default:
		return nil, fault.New(fault.NotConfigured, fault.T("%s", s.Broken))
	}
	return openWork(spec)
}

// open returns the jobs below a directory.
func open(base string) (*agent.Jobs, *bus.Bus, error) {
	root := filepath.Join(base, "root")
	if err := os.MkdirAll(root, 0o700); err != nil {
		return nil, nil, err
	}
	dir, err := state.Open(filepath.Join(base, "state"), root, state.Options{})
	if err != nil {
		return nil, nil, err
	}
	s := bolt.Open(dir)
	b := bus.New(s, time.Now)
	return agent.NewJobs(s, b, time.Now), b, nil
}

// carry does what the task says: its first word, and the rest of it.
func carry(s setting) func(context.Context, *agent.Job, agent.Worker) agent.Outcome {
	return func(ctx context.Context, j *agent.Job, _ agent.Worker) agent.Outcome {
		what, rest, _ := strings.Cut(j.Task, " ")
		failed := func(err error) agent.Outcome { return agent.Outcome{Status: agent.Failed, Err: err} }
		switch what {
		case "say":
			return agent.Outcome{Status: agent.Completed, Result: rest}
		case "env":
			return agent.Outcome{Status: agent.Completed, Result: strings.Join([]string{os.Getenv(variable), os.Getenv("HELVE"), os.Getenv("CALLER")}, " ")}
		case "wait": // until it is to end
			touch(s, j)
			<-ctx.Done()
			return agent.Outcome{Status: agent.Failed, Result: "so far", Err: context.Cause(ctx)}
		case "finish": // all the same
			touch(s, j)
			<-ctx.Done()
			return agent.Outcome{Status: agent.Completed, Result: "done"}
		case "long": // as long as a result may be
			touch(s, j)
			<-ctx.Done()
			return agent.Outcome{Status: agent.Completed, Result: strings.Repeat("long ", agent.MaxResult/5)}
		case "deaf":
			touch(s, j)
			select {}
		case "sh": // leaves what it starts
			cmd := exec.Command("sh", "-c", rest)
			cmd.Env = append(os.Environ(), "READY="+ready(s, j.ID))
			if err := cmd.Run(); err != nil {
				return failed(err)
			}
			return agent.Outcome{Status: agent.Completed}
		case "count": // how many work at a time
			own := filepath.Join(s.Base, "now", j.ID)
			if err := os.MkdirAll(own, 0o700); err != nil {
				return failed(err)
			}
			for range 20 {
				now, err := os.ReadDir(filepath.Dir(own))
				if err != nil {
					return failed(err)
				}
				if len(now) > s.Limit {
					return failed(fmt.Errorf("%d work at a time", len(now)))
				}
				runtime.Gosched()
			}
			if err := os.Remove(own); err != nil {
				return failed(err)
			}
			return agent.Outcome{Status: agent.Completed}
		case "panic":
			panic("the model says so")
		case "crash":
			go panic("in a goroutine")
			select {}
		case "once": // the first attempt waits
			if j.Attempt > 1 {
				return agent.Outcome{Status: agent.Completed, Result: fmt.Sprint("attempt ", j.Attempt)}
			}
			touch(s, j)
			select {}
		}
		return failed(errors.New("what is " + what))
	}
}

// ready is the file that says that the work on a job has begun.
func ready(s setting, id string) string { return filepath.Join(s.Base, id+".ready") }

func touch(s setting, j *agent.Job) {
	if err := os.WriteFile(ready(s, j.ID), nil, 0o600); err != nil {
		panic(err)
	}
}

// world is the jobs of a test.
type world struct {
	*testing.T
	setting
	*agent.Jobs
	bus *bus.Bus
	exe string
}

func newWorld(t *testing.T) *world { return worldIn(t, t.TempDir()) }

func worldIn(t *testing.T, base string) *world {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("no /proc, which tells what is left")
	}
	w := &world{T: t, setting: setting{Base: base, Limit: 4}}
	t.Cleanup(func() { w.until("the end of the keepers", func() bool { return len(with(t, "CALLER="+base)) == 0 }) })
	var err error
	if w.Jobs, w.bus, err = open(base); err != nil {
		t.Fatal(err)
	}
	if w.exe, err = os.Executable(); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) spec() []byte {
	w.Helper()
	spec, err := json.Marshal(w.setting)
	if err != nil {
		w.Fatal(err)
	}
	return spec
}

func (w *world) add(j agent.Job) agent.Job {
	w.Helper()
	j.Origin.Session, j.Root, j.Depth = "s", "/w", 1
	added, _, err := w.Add(w.Context(), j)
	if err != nil {
		w.Fatal(err)
	}
	return added
}

func (w *world) launch() {
	w.Helper()
	if err := w.try(); err != nil {
		w.Fatal(err)
	}
}

func (w *world) try() error {
	w.Helper()
	return Launch(w.Context(), w.exe, append(os.Environ(), "CALLER="+w.Base, variable+"=other"), w.spec())
}

// spawn adds a job and starts a keeper.
func (w *world) spawn(task string) agent.Job {
	w.Helper()
	j := w.add(agent.Job{Task: task})
	w.launch()
	return j
}

// until waits for something that comes soon.
func (w *world) until(what string, is func() bool) {
	w.Helper()
	late := time.After(2 * time.Minute)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for !is() {
		select {
		case <-tick.C:
		case <-late:
			w.Fatalf("in vain: %s", what)
		}
	}
}

// begun waits until the work on a job has begun.
func (w *world) begun(id string) {
	w.Helper()
	w.until("work on "+id, func() bool {
		_, err := os.Stat(ready(w.setting, id))
		return err == nil
	})
}

func (w *world) get(id string) agent.Job {
	w.Helper()
	j, err := w.Get(w.Context(), id)
	if err != nil {
		w.Fatal(err)
	}
	return j
}

// ended waits for the end of a job. Others look after it, so that this test does not end
// it itself.
func (w *world) ended(id string) (j agent.Job) {
	w.Helper()
	w.until("the end of "+id, func() bool {
		j = w.get(id)
		return j.Status.Final()
	})
	return j
}

// told checks that each job has ended, and that this was told once.
func (w *world) told(jobs ...agent.Job) {
	w.Helper()
	all, _, _, err := w.bus.Read(w.Context(), 0, 100_000, bus.Filter{})
	if err != nil {
		w.Fatal(err)
	}
	for _, j := range jobs {
		n := 0
		for _, m := range all {
			if m.ID == agent.FinalMessage(j.ID) {
				n++
			}
		}
		if now := w.get(j.ID); n != 1 || !now.Status.Final() {
			w.Errorf("%s: %d messages, status %s", j.ID, n, now.Status)
		}
	}
}

// marked returns the processes of a job, by what /proc says.
func marked(t *testing.T, id string) []int { return with(t, mark(id)) }

// with returns the processes that have a variable in their environment.
func with(t *testing.T, variable string) (pids []int) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		environ, err := os.ReadFile(file)
		if err == nil && slices.Contains(strings.Split(string(environ), "\x00"), variable) {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			if err != nil {
				t.Fatal(err)
			}
			pids = append(pids, pid)
		}
	}
	return pids
}
