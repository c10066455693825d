package agent

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/shell/process"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/store/bolt"
)

// childStore is the directory in which this program, as the child of a test, is a worker.
const childStore = "HELVE_TEST_AGENT"

// childWaits is set where this program is a process that ends when its input does.
const childWaits = "HELVE_TEST_WAITS"

func TestMain(m *testing.M) {
	if os.Getenv(childWaits) != "" {
		_, _ = io.Copy(io.Discard, os.Stdin) // until the test lets it end
		os.Exit(0)
	}
	if base := os.Getenv(childStore); base != "" {
		if err := child(base); err != nil {
			fmt.Println("failed:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child carries out all jobs of the queue, and says what it is about to do.
func child(base string) error {
	dir, err := state.Open(filepath.Join(base, "state"), filepath.Join(base, "root"), state.Options{})
	if err != nil {
		return err
	}
	ctx, s := context.Background(), bolt.Open(dir)
	jobs := NewJobs(s, bus.New(s, time.Now), time.Now)
	for {
		self := here(state.NewID(time.Now()))
		fmt.Println("claim")
		j, err := jobs.Claim(ctx, self, 1, nil)
		if err != nil || j == nil {
			return err
		}
		fmt.Println("note")
		if _, err := jobs.Note(ctx, j.ID, self.ID, func(j *Job) { j.Iterations++ }); err != nil {
			return err
		}
		fmt.Println("ask")
		if _, err := jobs.Ask(ctx, j.ID, self.ID, "r1", "what"); err != nil {
			return err
		}
		fmt.Println("finish")
		if _, _, err := jobs.Finish(ctx, j.ID, self.ID, Outcome{Status: Completed, Result: strings.Repeat("r", 8<<10)}); err != nil {
			return err
		}
	}
}

// A worker is killed at any moment: a job has ended if and only if there is the one
// message that says so, before and after somebody has looked.
func TestKilled(t *testing.T) {
	if process.Machine() == "" {
		t.Skip("this system does not say what process numbers are of")
	}
	base := t.TempDir()
	w := newWorldIn(t, base)
	rounds := 50
	if testing.Short() {
		rounds = 5
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // only a broken test needs it
	defer cancel()
	seed := rand.Uint64()
	t.Log("seed", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	ends := map[Status]int{}
	for round := range rounds {
		j := task(fmt.Sprint("task ", round))
		if round%3 == 0 {
			j.OnLost = LostRerun
		}
		w.add(j)
		cmd := exec.CommandContext(ctx, os.Args[0])
		cmd.Env = append(os.Environ(), childStore+"="+base)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for range 1 + random.IntN(5) {
			if !lines.Scan() {
				break // it has done all
			}
			if strings.HasPrefix(lines.Text(), "failed") {
				t.Fatal(lines.Text())
			}
		}
		for range random.IntN(20_000) {
			runtime.Gosched()
		}
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
		w.endsAreTold()
		w.reap()
		w.endsAreTold()
		if running, _, err := w.Running(ctx, process.Machine()); running != 0 || err != nil {
			t.Fatalf("%d run: %v", running, err)
		}
	}
	for j := w.claim(here("a")); j != nil; j = w.claim(here("a")) {
		if _, _, err := w.Finish(ctx, j.ID, "a", Outcome{Status: Completed}); err != nil {
			t.Fatal(err)
		}
	}
	for id := range w.endsAreTold() {
		ends[w.get(id).Status]++
	}
	if ends[Completed]+ends[Lost] != rounds {
		t.Errorf("of %d jobs: %v", rounds, ends)
	}
	t.Log(ends)
}

// endsAreTold checks that a job has ended if and only if exactly one message says how,
// and returns those that have.
func (w *world) endsAreTold() map[string]int {
	w.Helper()
	all, err := w.List(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	told, final := w.finals(), 0
	for _, j := range all {
		want := 0
		if j.Status.Final() {
			want = 1
			final++
		}
		if told[j.ID] != want {
			w.Fatalf("%d messages of %+v", told[j.ID], j)
		}
	}
	if len(told) != final {
		w.Fatalf("%d jobs have ended, %v are told of", final, told)
	}
	for _, m := range w.messages() {
		if m.Kind != bus.KindResult {
			continue
		}
		if done := strings.Contains(m.Content, "has completed its task"); done != (w.get(m.Origin.Job).Status == Completed) {
			w.Fatalf("%+v says %q", w.get(m.Origin.Job), begin(m.Content, 200))
		}
	}
	return told
}
