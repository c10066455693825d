package host

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schedule"
	"github.com/helve-dev/helve/pkg/schedule/timing"
)

// A scheduler makes the calls of its workspace and of its projects. Whoever shares the
// store cannot have it work in another directory.
func TestJobsOfOtherWorkspaces(t *testing.T) {
	root, project, foreign := t.TempDir(), t.TempDir(), t.TempDir()
	t.Setenv("HELVE_HOME", t.TempDir())
	h := New(Options{Root: root})
	defer h.Close()
	if _, _, err := h.Set("projects", `[{"id":"docs","path":"`+filepath.ToSlash(project)+`"}]`); err != nil {
		t.Fatal(err)
	}
	own, err := h.workspaces()
	if err != nil || len(own) != 2 {
		t.Fatal(own, err)
	}
	jobs, err := h.Jobs()
	if err != nil {
		t.Fatal(err)
	}
	add := func(name, dir string) schedule.Job {
		job, _, err := jobs.Add(t.Context(), schedule.Job{
			Name: name, Root: dir, Origin: schedule.Origin{Session: "s"},
			Timing: timing.Spec{Every: 1, Anchor: time.Now().UTC().Truncate(time.Second).Add(-10 * time.Second)}, Action: schedule.Action{Call: &schedule.Call{Name: "time"}},
		})
		if err != nil {
			t.Fatal(err)
		}
		return job
	}
	for i, dir := range own {
		job := add([]string{"home", "docs"}[i], dir)
		s, err := h.Scheduler(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if run, err := s.RunNow(t.Context(), job.ID); err != nil || run.Status != schedule.OK {
			t.Errorf("%s: %+v, %v", job.Name, run, err)
		}
	}
	job := add("foreign", foreign)
	s, err := h.Scheduler(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.RunNow(t.Context(), job.ID); !fault.Is(err, fault.OutsideWorkspace) {
		t.Errorf("run by hand: %v", err)
	}
	if _, err := h.runJob(t.Context(), job, job.Action, schedule.Run{Job: job.ID}); !fault.Is(err, fault.OutsideWorkspace) {
		t.Errorf("carried out: %v", err)
	}
}
