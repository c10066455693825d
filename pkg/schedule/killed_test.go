package schedule

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/store"
	"github.com/helve-dev/helve/pkg/state/store/bolt"
)

// childStore is the directory in which this program, as the child of a test, is to run
// jobs without an end.
const childStore = "HELVE_TEST_SCHEDULE"

func TestMain(m *testing.M) {
	if base := os.Getenv(childStore); base != "" {
		fmt.Println(child(base))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// child runs jobs, and returns why it has ended.
func child(base string) error {
	dir, err := state.Open(filepath.Join(base, "state"), filepath.Join(base, "root"), state.Options{})
	if err != nil {
		return err
	}
	s := NewScheduler(Options{Store: bolt.Open(dir), Now: time.Now, Runner: func(ctx context.Context, _ Job, _ Action, run Run) (string, error) {
		fmt.Println("begun", run.ID())
		<-ctx.Done()
		return "", context.Cause(ctx)
	}})
	return s.Run(context.Background())
}

// The process of the scheduler that leads is killed in the middle of its runs. Another
// one takes the lead: one run is lost, and that is said once; the other one runs again.
func TestKilled(t *testing.T) {
	w := newWorld(t)
	fails, again := w.every(1), w.every(1)
	again.OnLost, again.Name = LostRerun, "again"
	fails, again = w.add(fails), w.add(again)

	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // only a broken test needs it
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), childStore+"="+w.base)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for range 2 {
		if !lines.Scan() || !strings.HasPrefix(lines.Text(), "begun ") {
			t.Errorf("the child says %q, %v", lines.Text(), lines.Err())
		}
	}
	for _, run := range w.tick() {
		if run.Status != Skipped {
			t.Errorf("%+v, while the process that runs it lives", run)
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = cmd.Wait() // it was killed

	done := make(chan struct{})
	s, first := w.scheduler(), map[string]Run{} // of each job, that has ended
	s.opt.Report = func(run Run) {
		if _, more := first[run.Job]; more || !run.Status.Final() || run.Status == Skipped {
			return
		}
		if first[run.Job] = run; len(first) == 2 {
			close(done)
		}
	}
	stop := w.background(s)
	select {
	case <-done:
	case <-ctx.Done():
		t.Error("nobody has noticed")
	}
	stop()
	if run := first[fails.ID]; run.Status != Lost || run.Attempt != 1 {
		t.Errorf("%+v, want that it is lost", run)
	}
	if run := first[again.ID]; run.Status != OK || run.Attempt != 2 || w.times()[run.ID()] != 1 {
		t.Errorf("%+v, want that it has run again", run)
	}
	err = w.store.View(t.Context(), func(r store.Reader) error {
		left, err := r.List(schedulerKeys)
		if len(left) > 0 {
			t.Errorf("records of schedulers that are gone: %s", left[0].Value)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	all := w.messages()
	if len(all) != 1 || !strings.Contains(all[0].Content, fmt.Sprintf("process %d on ", cmd.Process.Pid)) {
		t.Errorf("messages: %+v", all)
	}
}
