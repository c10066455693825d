package journal

import (
	"context"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

func TestLargeFiles(t *testing.T) {
	b := newBench(t)
	big := strings.Repeat("x", 16<<20+1)
	b.put("big", big)
	b.put("kept", big[1:])
	if applied := b.do(write("kept", "")); !applied.Undoable {
		t.Errorf("applied %+v", applied)
	}
	b.put("small", "s")

	applied := b.do(write("big", big+"y"))
	if !applied.Undoable || applied.Files[0].Before.Saved || applied.Files[0].Op != Modify {
		t.Errorf("applied %+v", applied) // it is kept as it is
	}
	redo := b.undo(Selector{})
	if got := b.snapshot()["big"]; !strings.HasSuffix(got, " "+big) {
		t.Errorf("big has %d bytes", len(got))
	}
	b.undo(Selector{ID: redo.ID})
	if got := b.snapshot()["big"]; !strings.HasSuffix(got, " "+big+"y") {
		t.Errorf("big has %d bytes", len(got))
	}

	// Of a group everything is kept, or it could not be taken back after a crash.
	if applied = b.do(write("big", big), write("small", "S")); !applied.Undoable {
		t.Errorf("applied %+v", applied)
	}
	b.undo(Selector{})
	if got := b.snapshot()["big"]; !strings.HasSuffix(got, "xy") || len(got) < len(big) {
		t.Errorf("big has %d bytes", len(got))
	}
}

func TestKeeps(t *testing.T) {
	b := populate(t, nil)
	b.put("kept", "")
	check(t, os.Truncate(b.path("kept"), keptFile))
	b.put("big", "")
	check(t, os.Truncate(b.path("big"), keptFile+1))
	check(t, os.Symlink("big", b.path("to big")))
	for path, want := range map[string]bool{"a": true, "kept": true, "big": false, "link": true, "to big": true, "d": false} {
		info, err := os.Lstat(b.path(path))
		check(t, err)
		if got := Keeps(info); got != want {
			t.Errorf("%s is kept: %t", path, got)
		}
	}
}

// A file too large to be loaded can be moved, there and back, and deleted, but
// only by itself.
func TestHugeFile(t *testing.T) {
	b := newBench(t)
	check(t, os.WriteFile(b.path("huge"), nil, 0o644))
	check(t, os.Truncate(b.path("huge"), 1<<40))
	b.put("small", "s")
	before, err := os.Lstat(b.path("huge"))
	check(t, err)
	b.do(Change{Op: Move, From: "huge", Path: "x/huge"})
	b.undo(Selector{})
	after, err := os.Lstat(b.path("huge"))
	if err != nil || !os.SameFile(before, after) {
		t.Errorf("moved back: %v", err)
	}
	b.do(Change{Op: Move, From: "huge", Path: "x/huge"})
	check(t, os.Chtimes(b.path("x/huge"), time.Time{}, time.Unix(1, 0)))
	_, err = b.Undo(context.Background(), "s", Selector{}, false)
	wantCode(t, err, fault.UndoConflict)

	_, err = b.Apply(context.Background(), "test", "s", write("small", "S"), Change{Op: Delete, Path: "x/huge"})
	wantCode(t, err, fault.TooLarge)
	if applied := b.do(Change{Op: Delete, Path: "x/huge"}); applied.Undoable {
		t.Error("undoable")
	}
}

func TestOddNames(t *testing.T) {
	b := newBench(t)
	names := []string{"ä 日本", "new\nline", "quote\"'\\", "-dash", "\u2028", strings.Repeat("x", 200)}
	if runtime.GOOS == "linux" {
		names = append(names, "no\xffutf8", "dir\xfe/\xfd")
	}
	for _, name := range names {
		b.put(name, "old")
		before := b.snapshot()
		b.do(write(name, "new"), Change{Op: Symlink, Path: "link", Target: name})
		b.undo(Selector{Path: name})
		if diff := cmp.Diff(before, b.snapshot()); diff != "" {
			t.Errorf("%q: %s", name, diff)
		}
	}
	if runtime.GOOS == "linux" {
		check(t, os.Symlink("to\xff", b.path("bad")))
		b.do(Change{Op: Delete, Path: "bad"})
		b.undo(Selector{})
		if target, err := os.Readlink(b.path("bad")); err != nil || target != "to\xff" {
			t.Errorf("link to %q, %v", target, err)
		}
	}
}

func TestHardLinks(t *testing.T) {
	b := populate(t, nil)
	if err := os.Link(b.path("a"), b.path("twin")); err != nil {
		t.Skip(err)
	}
	before := b.snapshot()
	b.do(Change{Op: Move, From: "a", Path: "twin", Overwrite: true})
	got := b.snapshot()
	if _, ok := got["a"]; ok || !strings.HasSuffix(got["twin"], "first") {
		t.Errorf("files %v", got)
	}
	b.undo(Selector{})
	if diff := cmp.Diff(before, b.snapshot()); diff != "" {
		t.Error(diff)
	}
}
