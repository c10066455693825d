package journal

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/helve-dev/helve/pkg/fault"
)

// Undo after undo walks back; the undos, undone by their IDs, walk forward.
func TestUndoWalksBackAndForth(t *testing.T) {
	b := populate(t, nil)
	states := []map[string]string{b.snapshot()}
	for _, c := range []Change{
		write("a", "1"), {Op: Move, From: "a", Path: "x/c"}, {Op: Delete, Path: "b"}, write("x/c", "2"), write("b", "3"),
	} {
		b.do(c)
		states = append(states, b.snapshot())
	}
	var redo []string
	for i := len(states) - 2; i >= 0; i-- {
		r := b.undo(Selector{})
		if diff := cmp.Diff(states[i], b.snapshot()); diff != "" {
			t.Fatalf("state %d: %s", i, diff)
		}
		if r.Remaining != i || len(r.Undone) != 1 {
			t.Errorf("state %d: %+v", i, r)
		}
		redo = append(redo, r.ID)
	}
	_, err := b.Undo(context.Background(), "s", Selector{}, false)
	wantCode(t, err, fault.NoHistory)
	for i := range redo {
		b.undo(Selector{ID: redo[len(redo)-1-i]})
		if diff := cmp.Diff(states[i+1], b.snapshot()); diff != "" {
			t.Fatalf("redone to state %d: %s", i+1, diff)
		}
	}
	// What was redone stands, so it can be undone once more, all in one go.
	r := b.undo(Selector{Steps: 100})
	if diff := cmp.Diff(states[0], b.snapshot()); diff != "" || len(r.Undone) != 5 || r.Remaining != 0 {
		t.Errorf("%d undone: %s", len(r.Undone), diff)
	}
	b.undo(Selector{ID: r.ID})
	if diff := cmp.Diff(states[5], b.snapshot()); diff != "" {
		t.Error(diff)
	}
}

func TestUndoByPath(t *testing.T) {
	b := populate(t, nil)
	first := b.do(write("a", "1"))
	b.do(write("d/g", "2"))
	group := b.do(write("a", "3"), write("b", "4"))
	moved := b.do(Change{Op: Move, From: "d/f", Path: "e"})
	ids := func(r Reverted) (all []string) {
		for _, u := range r.Undone {
			all = append(all, u.ID)
		}
		return all
	}
	for _, tt := range []struct {
		sel  Selector
		want []string
	}{
		{Selector{Path: "d"}, []string{moved.ID}}, // below it
		{Selector{Path: "./a", Steps: 2}, []string{group.ID, first.ID}},
	} {
		if diff := cmp.Diff(tt.want, ids(b.undo(tt.sel))); diff != "" {
			t.Errorf("%+v: %s", tt.sel, diff)
		}
	}
	got := b.snapshot()
	if !strings.HasSuffix(got["a"], "first") || !strings.HasSuffix(got["b"], "second") || !strings.HasSuffix(got["d/g"], "2") {
		t.Errorf("files %v", got)
	}
	for sel, code := range map[Selector]fault.Code{
		{Path: "a"}:                fault.NoHistory,
		{Path: "../a"}:             fault.InvalidArguments,
		{ID: "x"}:                  fault.NoHistory,
		{ID: first.ID}:             fault.AlreadyApplied,
		{ID: "x", Path: "a"}:       fault.InvalidArguments,
		{ID: "x", Steps: 2}:        fault.InvalidArguments,
		{Steps: -1}:                fault.InvalidArguments,
		{Path: "never/been/there"}: fault.NoHistory,
	} {
		_, err := b.Undo(context.Background(), "s", sel, false)
		wantCode(t, err, code)
		if code == fault.NoHistory && !strings.Contains(err.Error(), sel.Path+sel.ID) {
			t.Errorf("%+v: %v does not name it", sel, err)
		}
	}
}

func TestUndoReport(t *testing.T) {
	b := populate(t, nil)
	applied := b.do(write("a", "longer than before"), Change{Op: Delete, Path: "b"})
	r := b.undo(Selector{})
	want := []Undone{{ID: applied.ID, Tool: "test", Files: []Changed{
		{Op: Create, Path: "b", After: &State{Kind: File, Size: 6}},
		{Op: Modify, Path: "a", Before: &State{Kind: File, Size: 18}, After: &State{Kind: File, Size: 5}},
	}}}
	sizes := cmpopts.IgnoreFields(State{}, "SHA", "Mode", "Saved")
	if diff := cmp.Diff(want, r.Undone, sizes); diff != "" {
		t.Error(diff)
	}
	for i, want := range map[int]string{0: "", 1: "longer than before"} {
		before, after := r.Undone[0].Files[i].Before, r.Undone[0].Files[i].After
		if want != "" {
			if data, err := b.Saved(before.SHA); err != nil || string(data) != want {
				t.Errorf("before the undo: %q %v", data, err)
			}
		}
		if data, err := b.Saved(after.SHA); err != nil || !strings.HasSuffix(b.snapshot()[r.Undone[0].Files[i].Path], string(data)) {
			t.Errorf("after the undo: %q %v", data, err)
		}
	}
	all, err := b.History("", 0)
	check(t, err)
	if len(all) != 2 || all[0].UndoneBy != "" || all[1].UndoneBy != r.ID || !cmp.Equal(all[0].Undoes, []string{applied.ID}) {
		t.Errorf("history %+v", all)
	}
}

func TestUndoConflict(t *testing.T) {
	short := func(data string) *string { s := hash([]byte(data))[:16]; return &s }
	dir := "dir"
	tests := map[string]struct {
		change          Change
		meddle          func(b *bench)
		path            string
		expected, found *string
		forced          string // what the path holds after force; "-" is nothing, "" is a refusal
	}{
		"modified":     {write("a", "mine"), func(b *bench) { b.put("a", "theirs") }, "a", short("mine"), short("theirs"), "first"},
		"deleted":      {write("a", "mine"), func(b *bench) { check(b.t, os.Remove(b.path("a"))) }, "a", short("mine"), nil, "first"},
		"created":      {write("n", "mine"), func(b *bench) { b.put("n", "theirs") }, "n", short("mine"), short("theirs"), "-"},
		"gone":         {write("n", "mine"), func(b *bench) { check(b.t, os.Remove(b.path("n"))) }, "n", short("mine"), nil, "-"},
		"back":         {Change{Op: Delete, Path: "a"}, func(b *bench) { b.put("a", "theirs") }, "a", nil, short("theirs"), "first"},
		"moved on":     {Change{Op: Move, From: "a", Path: "n"}, func(b *bench) { check(b.t, os.Rename(b.path("n"), b.path("o"))) }, "n", short("first"), nil, ""},
		"source taken": {Change{Op: Move, From: "a", Path: "n"}, func(b *bench) { b.put("a", "theirs") }, "a", nil, short("theirs"), "first"},
		"mode":         {Change{Op: Chmod, Path: "a", Mode: 0o755}, func(b *bench) { check(b.t, os.Chmod(b.path("a"), 0o700)) }, "a", short("first"), short("first"), "first"},
		"a directory instead": {write("a", "mine"), func(b *bench) {
			check(b.t, os.Remove(b.path("a")))
			check(b.t, os.Mkdir(b.path("a"), 0o755))
		}, "a", short("mine"), &dir, ""},
		"directory in use": {Change{Op: Mkdir, Path: "m"}, func(b *bench) { b.put("m/x", "theirs") }, "m", &dir, &dir, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := populate(t, nil)
			id := b.do(tt.change).ID
			tt.meddle(b)
			before := b.snapshot()
			_, err := b.Undo(context.Background(), "s", Selector{}, false)
			wantCode(t, err, fault.UndoConflict)
			if diff := cmp.Diff(Conflict{ID: id, Path: tt.path, Expected: tt.expected, Found: tt.found}, fault.As(err).Details); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(before, b.snapshot()); diff != "" {
				t.Error(diff)
			}
			r, err := b.Undo(context.Background(), "s", Selector{}, true)
			if tt.forced == "" {
				if err == nil {
					t.Error("force went too far")
				}
				if diff := cmp.Diff(before, b.snapshot()); diff != "" {
					t.Error(diff)
				}
				return
			}
			check(t, err)
			got, ok := b.snapshot()[tt.path]
			if ok != (tt.forced != "-") || ok && !strings.HasSuffix(got, tt.forced) {
				t.Errorf("forced: %q", got)
			}
			// Force loses nothing either.
			b.undo(Selector{ID: r.ID})
			if diff := cmp.Diff(before, b.snapshot()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestConflictNamesNewerChanges(t *testing.T) {
	b := populate(t, nil)
	old := b.do(write("a", "1"))
	b.do(write("b", "2"))
	newer := b.do(write("a", "3"), write("b", "4"))
	_, err := b.Undo(context.Background(), "s", Selector{ID: old.ID}, false)
	wantCode(t, err, fault.UndoConflict)
	c, _ := fault.As(err).Details.(Conflict)
	if c.ID != old.ID || !cmp.Equal(c.Newer, []string{newer.ID}) {
		t.Errorf("details %+v", c)
	}
}

// A mode that somebody set is no part of what an edit changed.
func TestUndoKeepsModeOfOthers(t *testing.T) {
	b := populate(t, nil)
	b.do(write("a", "A"))
	check(t, os.Chmod(b.path("a"), 0o755))
	want := b.snapshot()["a"][:10]
	b.undo(Selector{})
	if got := b.snapshot()["a"]; got != want+" first" {
		t.Errorf("file is %q", got)
	}
}

func TestDirectoriesInUseStay(t *testing.T) {
	b := populate(t, nil)
	b.do(write("x/y/z/f", "mine"))
	b.put("x/theirs", "theirs")
	redo := b.undo(Selector{})
	got := b.snapshot()
	if _, ok := got["x/y"]; ok || got["x/theirs"] == "" {
		t.Errorf("files %v", got)
	}
	b.undo(Selector{ID: redo.ID})
	if got := b.snapshot()["x/y/z/f"]; !strings.HasSuffix(got, "mine") {
		t.Errorf("redone: %q", got)
	}
}

func TestDamagedCopyStopsUndo(t *testing.T) {
	for name, damage := range map[string]struct {
		do   func(path string) error
		code fault.Code
	}{
		"flipped": {func(p string) error { return os.WriteFile(p, []byte("FIRST"), 0o600) }, fault.IOError},
		"gone":    {os.Remove, fault.NoHistory},
	} {
		t.Run(name, func(t *testing.T) {
			b := populate(t, nil)
			b.do(write("b", "B"), write("a", "A"), write("new", "N"))
			sha := hash([]byte("first"))
			found, err := filepath.Glob(filepath.Join(b.dir, "state", "*", "blobs", sha[:2], sha[2:]))
			if err != nil || len(found) != 1 {
				t.Fatal(found, err)
			}
			check(t, damage.do(found[0]))
			before := b.snapshot()
			for _, force := range []bool{false, true} {
				_, err = b.Undo(context.Background(), "s", Selector{}, force)
				wantCode(t, err, damage.code)
				if diff := cmp.Diff(before, b.snapshot()); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}
