package agent_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/shell/process"
	"github.com/helve-dev/helve/pkg/state"
)

func TestMarks(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	dir, err := state.Open(t.TempDir(), t.TempDir(), state.Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	marks := agent.NewMarks(dir)
	orphans := func(want ...string) {
		t.Helper()
		got, err := marks.Orphans()
		if d := cmp.Diff(want, got); err != nil || d != "" {
			t.Error(err, d)
		}
	}
	put := func(id string, p process.ID) {
		t.Helper()
		if err := marks.Put(id, p); err != nil {
			t.Fatal(err)
		}
	}
	this := process.This()
	orphans()
	put("waits", process.ID{})
	orphans()
	now = now.Add(11 * time.Second)
	orphans("waits")
	orphans() // somebody has just looked
	now = now.Add(11 * time.Second)
	put("works", this)
	orphans() // whoever works takes the next one
	put("dead", process.ID{PID: this.PID, Start: this.Start + 1})
	orphans("dead")
	if err := marks.Remove("works"); err != nil {
		t.Fatal(err)
	}
	orphans("dead", "waits")
	path, err := dir.Path()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(path, "agents", "open", "torn.json"), []byte(`{"pro`), 0o600); err != nil {
		t.Fatal(err)
	}
	orphans("dead", "torn")
	for _, id := range []string{"dead", "torn", "waits", "waits"} { // the last is not there
		if err := marks.Remove(id); err != nil {
			t.Fatal(err)
		}
	}
	now = now.Add(time.Hour)
	orphans()
}
