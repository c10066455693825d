package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

func TestRefusedChangesChangeNothing(t *testing.T) {
	tests := map[string]struct {
		changes []Change
		code    fault.Code
	}{
		"write to a directory":      {[]Change{write("d", "x")}, fault.IsDirectory},
		"write to a link":           {[]Change{write("link", "x")}, fault.NotAFile},
		"write below a file":        {[]Change{write("a/x", "x")}, fault.NotADirectory},
		"write far below a file":    {[]Change{write("a/x/y", "x")}, fault.NotADirectory},
		"delete a directory":        {[]Change{{Op: Delete, Path: "d"}}, fault.IsDirectory},
		"delete nothing":            {[]Change{{Op: Delete, Path: "none"}}, fault.NotFound},
		"delete twice":              {[]Change{{Op: Delete, Path: "a"}, {Op: Delete, Path: "a"}}, fault.NotFound},
		"move nothing":              {[]Change{{Op: Move, From: "none", Path: "x"}}, fault.NotFound},
		"move onto a file":          {[]Change{{Op: Move, From: "a", Path: "b"}}, fault.AlreadyExists},
		"move onto a directory":     {[]Change{{Op: Move, From: "a", Path: "d", Overwrite: true}}, fault.AlreadyExists},
		"move onto itself":          {[]Change{{Op: Move, From: "a", Path: "a"}}, fault.InvalidArguments},
		"move into itself":          {[]Change{{Op: Move, From: "d", Path: "d/x"}}, fault.InvalidArguments},
		"move and change below":     {[]Change{{Op: Move, From: "d", Path: "e"}, write("e/f", "x")}, fault.Overlap},
		"change below, then move":   {[]Change{write("d/f", "x"), {Op: Move, From: "d", Path: "e"}}, fault.Overlap},
		"mode of nothing":           {[]Change{{Op: Chmod, Path: "none", Mode: 0o600}}, fault.NotFound},
		"mode of a link":            {[]Change{{Op: Chmod, Path: "link", Mode: 0o600}}, fault.NotAFile},
		"no mode":                   {[]Change{{Op: Chmod, Path: "a"}}, fault.InvalidArguments},
		"a setuid mode":             {[]Change{{Op: Chmod, Path: "a", Mode: 0o755 | fs.ModeSetuid}}, fault.InvalidArguments},
		"directory where a file is": {[]Change{{Op: Mkdir, Path: "a"}}, fault.AlreadyExists},
		"link where a file is":      {[]Change{{Op: Symlink, Path: "a", Target: "b"}}, fault.AlreadyExists},
		"link to nowhere":           {[]Change{{Op: Symlink, Path: "x"}}, fault.InvalidArguments},
		"other bytes expected":      {[]Change{{Op: Write, Path: "a", Expect: hash([]byte("else"))[:16]}}, fault.Stale},
		"bytes expected of nothing": {[]Change{{Op: Write, Path: "none", Expect: hash(nil)}}, fault.Stale},
		"nothing expected":          {[]Change{{Op: Write, Path: "a", Expect: Absent}}, fault.AlreadyExists},
		"short hash":                {[]Change{{Op: Write, Path: "a", Expect: "0123"}}, fault.InvalidArguments},
		"too many bytes":            {[]Change{{Op: Write, Path: "x", Content: make([]byte, 32<<20+1)}}, fault.TooLarge},
		"no kind":                   {[]Change{{Path: "a"}}, fault.InvalidArguments},
		"a kind of record":          {[]Change{{Op: Create, Path: "a"}}, fault.InvalidArguments},
		"a kind of undo":            {[]Change{{Op: Rmdir, Path: "d"}}, fault.InvalidArguments},
		"outside":                   {[]Change{write("../x", "x")}, fault.InvalidArguments},
		"absolute":                  {[]Change{write("/etc/x", "x")}, fault.InvalidArguments},
		"the root":                  {[]Change{{Op: Delete, Path: "."}}, fault.InvalidArguments},
		"no path":                   {[]Change{{Op: Delete}}, fault.InvalidArguments},
		"not clean":                 {[]Change{write("d//x", "x")}, fault.InvalidArguments},
		"a NUL":                     {[]Change{write("x\x00y", "x")}, fault.InvalidArguments},
		"moved from outside":        {[]Change{{Op: Move, From: "../x", Path: "y"}}, fault.InvalidArguments},
		"the last of a group":       {[]Change{write("a", "A"), write("x/y", "B"), {Op: Delete, Path: "none"}}, fault.NotFound},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := populate(t, nil)
			before := b.snapshot()
			_, err := b.Apply(context.Background(), "test", "s", tt.changes...)
			wantCode(t, err, tt.code)
			if diff := cmp.Diff(before, b.snapshot()); diff != "" {
				t.Error(diff)
			}
			if all, err := b.History("", 0); err != nil || all != nil {
				t.Errorf("history %v %v", all, err)
			}
		})
	}
}

// Every change is what it says and can be undone and redone.
func TestApplyUndoRedo(t *testing.T) {
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b := populate(t, c.prepare)
			before := b.snapshot()
			check(t, c.run(b.Journal))
			after := b.snapshot()
			all, err := b.History("", 1)
			check(t, err)
			id := all[0].ID
			for range 2 {
				id = b.undo(Selector{ID: id}).ID
				if diff := cmp.Diff(before, b.snapshot()); diff != "" {
					t.Fatalf("undone: %s", diff)
				}
				id = b.undo(Selector{ID: id}).ID
				if diff := cmp.Diff(after, b.snapshot()); diff != "" {
					t.Fatalf("redone: %s", diff)
				}
			}
		})
	}
}

func TestApplied(t *testing.T) {
	b := populate(t, nil)
	file := func(data string) *State {
		return &State{Kind: File, SHA: hash([]byte(data)), Size: int64(len(data)), Mode: 0o644}
	}
	saved := func(data string) *State { s := file(data); s.Saved = true; return s }
	made := func(data string) *State { s := file(data); s.Mode = 0; return s }
	applied := b.do(
		write("a", "A"),
		write("x/y", "new"),
		Change{Op: Move, From: "b", Path: "link", Overwrite: true},
		Change{Op: Delete, Path: "d/f"},
		write("inplace2", "and more"), // as it is
	)
	want := []Changed{
		{Op: Modify, Path: "a", Before: saved("first"), After: file("A")},
		{Op: Create, Path: "x/y", After: made("new")},
		{Op: Move, Path: "link", From: "b", Before: &State{Kind: Link, Link: "a"}, After: file("second")},
		{Op: Delete, Path: "d/f", Before: saved("in a directory")},
	}
	if runtime.GOOS != "windows" {
		if diff := cmp.Diff(want, applied.Files); diff != "" {
			t.Error(diff)
		}
	}
	if !applied.Undoable || len(applied.ID) != 26 {
		t.Errorf("applied %+v", applied)
	}
	if data, err := b.Saved(applied.Files[0].Before.SHA); err != nil || string(data) != "first" {
		t.Errorf("saved %q, %v", data, err)
	}
	all, err := b.History("", 0)
	check(t, err)
	if diff := cmp.Diff([]Entry{{
		ID: applied.ID, Time: all[0].Time, Tool: "test", Session: "s", Files: applied.Files, Undoable: true,
	}}, all); diff != "" {
		t.Error(diff)
	}
}

func TestNothingToDoLeavesNoTrace(t *testing.T) {
	b := populate(t, nil)
	for _, c := range []Change{write("a", "first"), {Op: Chmod, Path: "a", Mode: 0o644}, {Op: Mkdir, Path: "d"}, {Op: Symlink, Path: "link", Target: "a"}} {
		if applied := b.do(c); applied.ID != "" || applied.Files != nil {
			t.Errorf("%v: %+v", c, applied)
		}
	}
	if all, err := b.History("", 0); err != nil || all != nil {
		t.Errorf("history %v %v", all, err)
	}
}

func TestFailureHalfwayIsTakenBack(t *testing.T) {
	for name, failing := range map[string]string{"write": "write z", "rename": "rename d/f", "remove": "remove b"} {
		t.Run(name, func(t *testing.T) {
			b := populate(t, nil)
			before := b.snapshot()
			b.disk.fail[failing] = fs.ErrPermission
			changes := []Change{
				write("a", "A"), write("inplace", "B"), write("x/y/new", "C"), {Op: Chmod, Path: "inplace2", Mode: 0o600},
				{Op: Move, From: "link", Path: "x/link"}, {Op: Symlink, Path: "other", Target: "a"}, {Op: Mkdir, Path: "m/n"},
				write("z", "Z"), {Op: Move, From: "d/f", Path: "q"}, {Op: Delete, Path: "b"},
			}
			_, err := b.Apply(context.Background(), "test", "s", changes...)
			wantCode(t, err, fault.PermissionDenied)
			if diff := cmp.Diff(before, b.snapshot()); diff != "" {
				t.Error(diff)
			}
			delete(b.disk.fail, failing)
			b.do(changes...)
			b.undo(Selector{})
			if diff := cmp.Diff(before, b.snapshot()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What cannot be taken back at once is taken back by the next call.
func TestFailureOfTakingBack(t *testing.T) {
	b := populate(t, nil)
	before := b.snapshot()
	b.disk.fail["write b"] = fs.ErrPermission
	b.opt.Step = func(name string) {
		if strings.HasPrefix(name, "revert") {
			b.disk.fail["write a"] = fs.ErrPermission
		}
	}
	_, err := b.Apply(context.Background(), "test", "s", write("a", "A"), write("b", "B"))
	wantCode(t, err, fault.Conflict)
	warnings, err := b.Recover(context.Background())
	if err != nil || len(warnings) != 1 || !strings.Contains(warnings[0].String(), "not be taken back yet") {
		t.Errorf("while it cannot be: %v %v", warnings, err)
	}
	clear(b.disk.fail)
	b.opt.Step = func(string) {}
	warnings, err = b.Recover(context.Background())
	if err != nil || len(warnings) != 1 || !strings.Contains(warnings[0].String(), "has been taken back") {
		t.Errorf("when it can be: %v %v", warnings, err)
	}
	if diff := cmp.Diff(before, b.snapshot()); diff != "" {
		t.Error(diff)
	}
}

// Programs that know nothing of the locks write between the look and the step.
func TestChangedInBetween(t *testing.T) {
	tests := map[string]func(b *bench){
		"modified":    func(b *bench) { b.put("b", "by hand") },
		"same length": func(b *bench) { b.put("b", "SECOND") },
		"deleted":     func(b *bench) { check(b.t, os.Remove(b.path("b"))) },
		"directory": func(b *bench) {
			check(b.t, os.Remove(b.path("b")))
			check(b.t, os.Mkdir(b.path("b"), 0o755))
		},
		"target taken": func(b *bench) { b.put("new", "by hand") },
	}
	for name, meddle := range tests {
		t.Run(name, func(t *testing.T) {
			b := populate(t, nil)
			var theirs map[string]string
			b.opt.Step = func(step string) {
				if step == "sync intent" {
					meddle(b)
					theirs = b.snapshot()
				}
			}
			_, err := b.Apply(context.Background(), "test", "s", write("a", "A"), write("new", "N"), write("b", "B"))
			wantCode(t, err, fault.Stale)
			if diff := cmp.Diff(theirs, b.snapshot()); diff != "" {
				t.Error(diff)
			}
		})
	}
	b := populate(t, nil)
	b.opt.Step = func(step string) {
		if step == "sync intent" { // touched, not changed
			check(t, os.Chtimes(b.path("b"), time.Time{}, time.Unix(1, 0)))
		}
	}
	b.do(write("b", "B"))
}

func TestPathsMustBeLocked(t *testing.T) {
	b := populate(t, nil)
	tx, err := b.Begin(context.Background(), "a", "b")
	check(t, err)
	for _, c := range []Change{write("d/f", "x"), {Op: Move, From: "a", Path: "c"}, {Op: Move, From: "c", Path: "a"}} {
		_, err := tx.Apply(context.Background(), "test", "s", c)
		wantCode(t, err, fault.Internal)
	}
	for _, data := range []string{"1", "2"} {
		_, err := tx.Apply(context.Background(), "test", "s", write("a", data))
		check(t, err)
	}
	check(t, tx.Close())
	check(t, tx.Close())
	if all, err := b.History("a", 0); err != nil || len(all) != 2 {
		t.Errorf("history %v %v", all, err)
	}
}

func TestCanceledBeforeTheFirstChange(t *testing.T) {
	for _, when := range []string{"save a", "claim", "append intent", "sync intent"} {
		b := populate(t, nil)
		tx, err := b.Begin(context.Background(), "a")
		check(t, err)
		ctx, cancel := context.WithCancel(context.Background())
		b.opt.Step = func(step string) {
			if step == when {
				cancel()
			}
		}
		before := b.snapshot()
		_, err = tx.Apply(ctx, "test", "s", write("a", "A"))
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v", when, err)
		}
		check(t, tx.Close())
		if diff := cmp.Diff(before, b.snapshot()); diff != "" {
			t.Error(diff)
		}
		if warnings, err := b.Recover(context.Background()); err != nil || len(warnings) > 0 {
			t.Errorf("%s: %v %v", when, warnings, err)
		}
	}
}

func TestManyProcessesEditOneFile(t *testing.T) {
	const processes = 50
	b := newBench(t)
	b.put("shared", "")
	running := make([]*exec.Cmd, processes)
	for i := range running {
		running[i] = child(t, b.dir, "edit", strconv.Itoa(i))
		check(t, running[i].Start())
	}
	for _, cmd := range running {
		check(t, cmd.Wait())
	}
	data, err := os.ReadFile(b.path("shared"))
	check(t, err)
	seen := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		seen[line] = true
	}
	for i := range processes {
		if !seen[fmt.Sprintln(i)] {
			t.Errorf("the edit of process %d is lost", i)
		}
	}
	all, err := b.History("shared", 0)
	if err != nil || len(all) != processes {
		t.Fatalf("%d entries, %v", len(all), err)
	}
	// The entries form one chain, in the order of the journal.
	for i := range all[1:] {
		if all[i].Files[0].Before.SHA != all[i+1].Files[0].After.SHA {
			t.Errorf("entry %d does not follow the one before", i)
		}
	}
	for remaining := processes - 1; remaining >= 0; remaining-- {
		if r := b.undo(Selector{}); r.Remaining != remaining {
			t.Fatalf("%d remain, want %d", r.Remaining, remaining)
		}
	}
	if got, err := os.ReadFile(b.path("shared")); err != nil || len(got) > 0 {
		t.Errorf("after all undos: %q, %v", got, err)
	}
}

// An undo elsewhere may remove a directory that was there when a change was
// planned.
func TestDirectoryGoneInBetween(t *testing.T) {
	for name, c := range map[string]Change{
		"write": write("x/y/f", "F"), "move": {Op: Move, From: "a", Path: "x/y/f"}, "link": {Op: Symlink, Path: "x/y/f", Target: "a"},
	} {
		b := populate(t, nil)
		check(t, os.MkdirAll(b.path("x/y"), 0o755))
		b.opt.Step = func(step string) {
			if step == "sync intent" {
				check(t, os.RemoveAll(b.path("x")))
			}
		}
		b.do(c)
		if _, ok := b.snapshot()["x/y/f"]; !ok {
			t.Errorf("%s: files %v", name, b.snapshot())
		}
	}
}
