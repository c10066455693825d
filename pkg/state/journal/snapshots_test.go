package journal

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

func TestMoveOutThousands(t *testing.T) {
	b := newBench(t)
	b.put("keep", "k")
	files := 10_000
	if raceDetector {
		files /= 5
	}
	for i := range files {
		b.put(fmt.Sprintf("d/%d/%d", i%100, i), fmt.Sprint(i))
	}
	check(t, os.Symlink("../keep", b.path("d/link")))
	check(t, os.Chmod(b.path("d/7"), 0o711))
	check(t, os.WriteFile(b.path("d/bin"), []byte{0, 255, 1}, 0o600))
	before := b.snapshot()
	applied := b.do(Change{Op: MoveOut, Path: "d"})
	want := []Changed{{Op: Delete, Path: "d", Before: applied.Files[0].Before, Whole: true}}
	if d := cmp.Diff(want, applied.Files); d != "" || !applied.Undoable {
		t.Error(d)
	}
	if d := cmp.Diff(map[string]string{"keep": before["keep"]}, b.snapshot()); d != "" {
		t.Error(d)
	}
	redo := b.undo(Selector{})
	if d := cmp.Diff(before, b.snapshot()); d != "" {
		t.Error(d)
	}
	b.undo(Selector{ID: redo.ID})
	if got := b.snapshot(); len(got) != 1 {
		t.Errorf("%d entries are there after a redo", len(got))
	}
}

func TestMoveOutExpects(t *testing.T) {
	b := populate(t, nil)
	sum, _, err := b.tree.Digest("d")
	check(t, err)
	before := b.snapshot()
	for _, c := range []struct {
		change Change
		code   fault.Code
	}{
		{Change{Op: MoveOut, Path: "d", Expect: hash([]byte("x"))}, fault.Stale},
		{Change{Op: MoveOut, Path: "d", Expect: Absent}, fault.AlreadyExists},
		{Change{Op: MoveOut, Path: "a", Expect: hash([]byte("x"))}, fault.Stale},
		{Change{Op: MoveOut, Path: "nothing"}, fault.NotFound},
		{Change{Op: MoveIn, Path: "a", Source: b.dir}, fault.AlreadyExists},
		{Change{Op: MoveIn, Path: "new", Source: "relative"}, fault.InvalidArguments},
		{Change{Op: MoveIn, Path: "new", Source: filepath.Join(b.dir, "nothing")}, fault.NotFound},
	} {
		_, err := b.Apply(context.Background(), "test", "s", c.change)
		wantCode(t, err, c.code)
	}
	_, err = b.Apply(context.Background(), "test", "s", Change{Op: MoveOut, Path: "d"}, write("d/f", "x"))
	wantCode(t, err, fault.Overlap)
	if d := cmp.Diff(before, b.snapshot()); d != "" {
		t.Error(d)
	}
	b.do(Change{Op: MoveOut, Path: "d", Expect: sum})
	b.put("d/other", "came since")
	_, err = b.Undo(context.Background(), "s", Selector{}, false)
	wantCode(t, err, fault.UndoConflict)
	_, err = b.Undo(context.Background(), "s", Selector{}, true)
	check(t, err)
	if d := cmp.Diff(before, b.snapshot()); d != "" {
		t.Error(d)
	}
}

func TestUndoOfPlaceSeesChanges(t *testing.T) {
	b := populate(t, nil)
	check(t, placing("new")(b.Journal))
	b.put("new/sub/x", "by hand")
	_, err := b.Undo(context.Background(), "s", Selector{}, false)
	wantCode(t, err, fault.UndoConflict)
	r, err := b.Undo(context.Background(), "s", Selector{}, true)
	check(t, err)
	if _, err := os.Lstat(b.path("new")); err == nil {
		t.Error("it is still there")
	}
	b.undo(Selector{ID: r.ID}) // what was there instead is not lost
	if data, err := os.ReadFile(b.path("new/sub/x")); err != nil || string(data) != "by hand" {
		t.Errorf("%q %v", data, err)
	}
}

// TestSnapshotsAreSwept keeps what can be brought back and nothing else.
func TestSnapshotsAreSwept(t *testing.T) {
	b := populate(t, nil)
	b.do(Change{Op: MoveOut, Path: "d"})
	dir, err := b.Journal.dir.Snapshots()
	check(t, err)
	kept := func() int {
		entries, err := os.ReadDir(dir)
		check(t, err)
		return len(entries)
	}
	orphan := filepath.Join(dir, hash([]byte("orphan")))
	check(t, os.MkdirAll(filepath.Join(orphan, "1", "shut"), 0o755))
	check(t, os.WriteFile(filepath.Join(orphan, "1", "shut/x"), nil, 0o644))
	check(t, os.Chmod(filepath.Join(orphan, "1", "shut"), 0))
	check(t, b.Journal.dir.Sweep(context.Background()))
	if n := kept(); n != 2 {
		t.Errorf("%d things are kept while the orphan is young", n)
	}
	entries, err := os.ReadDir(dir)
	check(t, err)
	for _, e := range entries {
		old := time.Now().Add(-24 * time.Hour)
		check(t, os.Chtimes(filepath.Join(dir, e.Name()), old, old))
	}
	check(t, b.Journal.dir.Sweep(context.Background()))
	if n := kept(); n != 1 {
		t.Errorf("%d things are kept", n)
	}
	before := b.snapshot()
	b.undo(Selector{})
	if cmp.Equal(before, b.snapshot()) {
		t.Error("nothing came back")
	}
	_, err = b.Clear(context.Background(), "")
	check(t, err)
}
