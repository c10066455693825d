//go:build unix

package track_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/track"
)

// narrowly runs a script in a workspace with too many files, as a command that names paths.
func (w *world) narrowly(script string, named ...string) (track.Report, error) {
	w.t.Helper()
	w.Most, w.Named = 20, named
	run, err := w.Begin(context.Background(), journal.Author{Tool: "exec", Session: "s", Command: script})
	if err != nil {
		return track.Report{}, err
	}
	w.sh(script)
	report, err := run.End(context.Background())
	if err != nil {
		w.t.Fatalf("%s: %v", script, err)
	}
	return report, nil
}

func TestNamedPathsOfALargeWorkspace(t *testing.T) {
	for _, git := range []bool{false, true} {
		w := repository(t)
		w.sh("mkdir -p many deep/a; for i in $(seq 50); do echo $i > many/$i; done; echo x > deep/a/f; ln -s f deep/a/l; mkdir apart; echo old > apart/o")
		if git { // then the index says that there are many
			w.sh("git add -A . && git commit -qm many")
		} else {
			w.sh("rm -rf .git")
		}
		before := w.look()
		for _, one := range []struct {
			script string
			named  []string
		}{
			{"echo more >> docs/d2.md", []string{"docs/d2.md"}},
			{"rm -r deep", []string{"deep"}},
			{"mkdir -p n/e/w && echo x > n/e/w/f", []string{"n/e/w/f"}},
			{"mv many/1 deep/one; chmod 600 many/2; rm many/3", []string{"many/1", "deep/one", "many/2", "many/3"}},
			{"mv deep d", []string{"deep", "d"}},
			{"rm deep/a/l; ln -s g deep/a/l", []string{"deep/a/l"}},
			{"rm docs/d2.md; mkdir docs/d2.md", []string{"docs/d2.md"}},
		} {
			report, err := w.narrowly(one.script, one.named...)
			if err != nil || report.UndoID == "" || len(report.NotCovered) > 0 {
				t.Errorf("%s: %+v %v", one.script, report, err)
				continue
			}
			if len(report.Warnings) != 1 || !strings.Contains(report.Warnings[0].String(), one.named[0]) {
				t.Errorf("%s: warnings %q", one.script, report.Warnings)
			}
			w.undo(report.UndoID)
			if diff := cmp.Diff(before, w.look()); diff != "" {
				t.Fatalf("%s: %s", one.script, diff)
			}
		}
	}
}

// Undo must not delete what a command put at a path that it named, if that was elsewhere.
func TestStrangersAtNamedPaths(t *testing.T) {
	w := repository(t)
	w.sh("mkdir many apart; for i in $(seq 50); do echo $i > many/$i; done; echo old > apart/o; sleep 0.1")
	for _, script := range []string{
		"mv a*t came", "mkdir came; mv a*t/o came/", "mv a*t came; echo more >> came/o", "mkdir came; ln a*t/o came/", "mkdir came; cp -p a*t/o came/",
	} {
		report, err := w.narrowly(script, "came")
		if err != nil || len(report.NotCovered) == 0 {
			t.Errorf("%s: %+v %v", script, report, err)
		}
		if report.UndoID != "" {
			if _, err := w.Journal.Undo(context.Background(), "s", journal.Selector{ID: report.UndoID}, false); err != nil {
				t.Errorf("%s: %v", script, err)
			}
		}
		if got := w.sh("cat */o | head -1"); got != "old\n" {
			t.Errorf("%s: undo leaves %q", script, got)
		}
		w.sh("rm -rf apart/o; test ! -e came/o || { mkdir -p apart; mv came/o apart/o; }; rm -rf came; mkdir -p apart; echo old > apart/o; sleep 0.1")
	}
}

// A workspace that was too large a moment ago is not scanned again.
func TestLargeIsKnownBefore(t *testing.T) {
	w := newWorld(t)
	now := time.Now()
	kept, err := w.State.Path()
	if err != nil {
		t.Fatal(err)
	}
	if w.State, err = state.Open(filepath.Dir(kept), w.dir, state.Options{Now: func() time.Time { return now }}); err != nil {
		t.Fatal(err)
	}
	w.sh("for i in $(seq 50); do echo $i > $i; done")
	for i, one := range []struct {
		prepare string
		later   time.Duration
		large   bool
	}{
		{"", 0, true},
		{"rm 1*", time.Minute, true}, // no longer, but nobody looked
		{"rm 2* 3* 4*", time.Hour, false},
		{"for i in $(seq 50); do echo $i > $i; done", 0, true},
		{"rm *", -24 * time.Hour, false}, // the clock was put back
	} {
		if one.prepare != "" {
			w.sh(one.prepare)
		}
		now = now.Add(one.later)
		_, err := w.narrowly("true")
		if fault.Is(err, fault.TooLarge) != one.large || !one.large && err != nil {
			t.Errorf("%d: %v", i, err)
		}
	}
}

func TestKilledInALargeWorkspace(t *testing.T) {
	for _, git := range []bool{false, true} {
		w := repository(t)
		w.sh("mkdir many; for i in $(seq 50); do echo $i > many/$i; done")
		if git {
			w.sh("git add -A . && git commit -qm many")
		} else {
			w.sh("rm -rf .git")
		}
		kept, err := w.State.Path()
		if err != nil {
			t.Fatal(err)
		}
		before := w.look()
		var seen []string
		for step := 1; ; step++ {
			where := w.dies("narrow", filepath.Dir(kept), step, "echo more >> docs/d2.md; rm many/7; echo x > new", "echo y >> new")
			if _, err := w.Journal.Recover(context.Background()); err != nil {
				t.Fatal(err)
			}
			seen = append(seen, where)
			if !cmp.Equal(before, w.look()) {
				all, err := w.Journal.History("", 1)
				if err != nil || len(all) == 0 || len(all[0].Files) != 3 {
					t.Fatalf("killed at %q: %+v %v", where, all, err)
				}
				w.undo(all[0].ID)
			}
			if diff := cmp.Diff(before, w.look()); diff != "" {
				t.Fatalf("killed at %q, undone: %s", where, diff)
			}
			if where == "" {
				break
			}
		}
		if !slices.Contains(seen, "part 2") || !slices.Contains(seen, "record") {
			t.Errorf("git %v: killed at %s only", git, fmt.Sprint(seen))
		}
	}
}
