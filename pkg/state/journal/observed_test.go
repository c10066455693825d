package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

// What a command did is undone and redone as if a tool had done it, by any process.
func TestRecord(t *testing.T) {
	for name, c := range commands {
		t.Run(name, func(t *testing.T) {
			b := populate(t, c.prepare)
			before := b.snapshot()
			applied := b.command(c)
			if !applied.Undoable || len(applied.Files) == 0 {
				t.Errorf("recorded %+v", applied)
			}
			after := b.snapshot()
			if cmp.Equal(before, after) {
				t.Fatal("the command changes nothing")
			}
			all, err := b.History("", 0)
			check(t, err)
			if diff := cmp.Diff([]Entry{{
				ID: applied.ID, Time: all[0].Time, Tool: "exec", Session: "s", Files: applied.Files, Undoable: true, Observed: true,
			}}, all); diff != "" {
				t.Error(diff)
			}
			id := applied.ID
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

// Taking back is the undo of what was never recorded, and can be undone.
func TestTakeBack(t *testing.T) {
	for name, c := range commands {
		t.Run(name, func(t *testing.T) {
			b := populate(t, c.prepare)
			before := b.snapshot()
			all := b.differences(c)
			after := b.snapshot()
			release, err := b.Journal.dir.ShareBlobs(context.Background())
			check(t, err)
			applied, err := b.TakeBack(context.Background(), "exec", "s", all)
			check(t, errors.Join(err, release()))
			if diff := cmp.Diff(before, b.snapshot()); diff != "" || len(applied.Warnings) > 0 || applied.Full {
				t.Fatalf("taken back with %v: %s", applied.Warnings, diff)
			}
			b.undo(Selector{ID: applied.ID})
			if diff := cmp.Diff(after, b.snapshot()); diff != "" {
				t.Errorf("undone: %s", diff)
			}
		})
	}
}

// What others changed since is not overwritten, and the error names it.
func TestUndoOfCommandsConflicts(t *testing.T) {
	short := func(data string) *string { s := hash([]byte(data))[:16]; return &s }
	dir, link := "dir", "link"
	for _, tt := range []struct {
		name, command, path string
		meddle              func(b *bench)
		expected, found     *string
	}{
		{"a changed file", "files", "a", func(b *bench) { b.put("a", "theirs") }, short("other"), short("theirs")},
		{"a new file changed", "files", "new", func(b *bench) { b.put("new", "theirs") }, short("fresh"), short("theirs")},
		{"a new file gone", "files", "new", func(b *bench) { check(b.t, os.Remove(b.path("new"))) }, short("fresh"), nil},
		{"a lost file is back", "files", "b", func(b *bench) { b.put("b", "theirs") }, nil, short("theirs")},
		{"a link for a file", "files", "a", func(b *bench) {
			check(b.t, os.Remove(b.path("a")))
			check(b.t, os.Symlink("b", b.path("a")))
		}, short("other"), &link},
		{"another link", "links", "link", func(b *bench) {
			check(b.t, os.Remove(b.path("link")))
			check(b.t, os.Symlink("theirs", b.path("link")))
		}, &link, &link},
		{"more in a new directory", "directories", "x/empty", func(b *bench) { b.put("x/empty/theirs", "theirs") }, &dir, &dir},
		{"a file for a lost directory", "directories", "d", func(b *bench) { b.put("d", "theirs") }, nil, short("theirs")},
		{"another mode", "modes", "a", func(b *bench) { check(b.t, os.Chmod(b.path("a"), 0o700)) }, short("first"), short("first")},
		{"another mode of a directory", "modes", "d", func(b *bench) { check(b.t, os.Chmod(b.path("d"), 0o701)) }, &dir, &dir},
		{"moved on", "moves", "x/a", func(b *bench) { check(b.t, os.Rename(b.path("x/a"), b.path("x/b"))) }, short("first"), nil},
		{"the place of what was moved", "moves", "a", func(b *bench) { b.put("a", "theirs") }, nil, short("theirs")},
		{"more where a file was", "files become directories", "a", func(b *bench) { b.put("a/theirs", "theirs") }, &dir, &dir},
		{"a file that was a directory", "directories become files", "d", func(b *bench) { b.put("d", "theirs") }, short("a file"), short("theirs")},
		{"what is told as a whole", "more than is kept", "new", func(b *bench) { b.put("new", "theirs") }, short("told as a whole"), short("theirs")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && tt.command == "modes" {
				t.Skip("no modes")
			}
			c := commands[tt.command]
			b := populate(t, c.prepare)
			id := b.command(c).ID
			tt.meddle(b)
			theirs := b.snapshot()
			_, err := b.Undo(context.Background(), "s", Selector{}, false)
			wantCode(t, err, fault.UndoConflict)
			if diff := cmp.Diff(Conflict{ID: id, Path: tt.path, Expected: tt.expected, Found: tt.found}, fault.As(err).Details); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(theirs, b.snapshot()); diff != "" {
				t.Error(diff)
			}
			// With force it is done, and what was there can be had again; or nothing is done.
			forced, err := b.Undo(context.Background(), "s", Selector{}, true)
			if err == nil {
				b.undo(Selector{ID: forced.ID})
			}
			if diff := cmp.Diff(theirs, b.snapshot()); diff != "" {
				t.Errorf("after force (%v): %s", err, diff)
			}
		})
	}
}

// A new file may have more bytes than a blob: it is moved away, and back.
func TestRecordOfHugeFile(t *testing.T) {
	b := populate(t, nil)
	before := b.snapshot()
	c := command{whole: []string{"huge"}, run: func(b *bench) {
		b.put("huge", "")
		check(t, os.Truncate(b.path("huge"), state.MaxBlob+1))
		b.put("a", "other")
	}}
	if applied := b.command(c); !applied.Undoable {
		t.Errorf("recorded %+v", applied)
	}
	made, err := os.Lstat(b.path("huge"))
	check(t, err)
	redo := b.undo(Selector{})
	if diff := cmp.Diff(before, b.snapshot()); diff != "" {
		t.Error(diff)
	}
	b.undo(Selector{ID: redo.ID})
	if again, err := os.Lstat(b.path("huge")); err != nil || !os.SameFile(made, again) {
		t.Errorf("redone: %v", err)
	}
	check(t, os.Truncate(b.path("huge"), state.MaxBlob+2))
	theirs := b.snapshot()
	_, err = b.Undo(context.Background(), "s", Selector{Path: "huge"}, false)
	wantCode(t, err, fault.UndoConflict)
	if diff := cmp.Diff(theirs, b.snapshot()); diff != "" {
		t.Error("something was undone")
	}
}

// Nothing is undone if the bytes of one file were not kept.
func TestRecordOfBytesNotKept(t *testing.T) {
	for _, gone := range []bool{false, true} {
		b := populate(t, nil)
		all := b.differences(command{run: func(b *bench) {
			b.put("a", "other")
			b.put("new", "fresh")
			if gone {
				check(t, os.Remove(b.path("a")))
			}
		}})
		all[0].Before.Saved = false
		applied, err := b.record(all)
		check(t, err)
		if applied.Undoable {
			t.Error("it is undoable")
		}
		after := b.snapshot()
		for _, force := range []bool{false, true} {
			_, err := b.Undo(context.Background(), "s", Selector{}, force)
			wantCode(t, err, fault.NoHistory)
		}
		if diff := cmp.Diff(after, b.snapshot()); diff != "" {
			t.Error(diff)
		}
	}
}

// A file that its owner must not read now cannot be compared with what is recorded. Who may
// read everything undoes it all the same; for others nothing changes.
func TestRecordOfWhatCannotBeRead(t *testing.T) {
	b := populate(t, nil)
	before := b.snapshot()
	b.command(command{run: func(b *bench) {
		b.put("a", "other")
		check(t, os.Chmod(b.path("a"), 0o200))
	}})
	after := b.snapshot()
	_, unread := os.ReadFile(b.path("a"))
	redo, err := b.Undo(context.Background(), "s", Selector{}, false)
	if unread != nil {
		wantCode(t, err, fault.PermissionDenied)
		before = after
	} else {
		check(t, err)
	}
	if diff := cmp.Diff(before, b.snapshot()); diff != "" {
		t.Errorf("undone: %s", diff)
	}
	if err == nil {
		b.undo(Selector{ID: redo.ID})
	}
	if diff := cmp.Diff(after, b.snapshot()); diff != "" {
		t.Errorf("redone: %s", diff)
	}
}

// What the differences do not tell keeps a directory, and is kept.
func TestRecordOfLooseDirectories(t *testing.T) {
	b := populate(t, nil)
	b.put("d/untold", "ignored")
	all := b.differences(command{run: func(b *bench) {
		check(t, os.RemoveAll(b.path("d")))
		b.put("x/told", "fresh")
		b.put("x/untold", "ignored")
	}})
	all = slices.DeleteFunc(all, func(d Difference) bool { return strings.HasSuffix(d.Path, "/untold") })
	for i := range all {
		all[i].Loose = all[i].Path == "d" || all[i].Path == "x"
	}
	applied, err := b.record(all)
	check(t, err)
	for _, f := range applied.Files {
		if f.Path == "d" || f.Path == "x" {
			t.Errorf("%s is listed", f.Path)
		}
	}
	redo := b.undo(Selector{})
	got := b.snapshot()
	if !strings.HasSuffix(got["d/f"], "in a directory") || !strings.HasSuffix(got["x/untold"], "ignored") || got["x/told"] != "" {
		t.Errorf("undone: %v", got)
	}
	b.undo(Selector{ID: redo.ID})
	if got = b.snapshot(); got["d/f"] != "" || !strings.HasSuffix(got["x/told"], "fresh") {
		t.Errorf("redone: %v", got)
	}
}

func TestRecordRefuses(t *testing.T) {
	b := populate(t, nil)
	all := b.states()
	d, f := all["d"], all["a"]
	outside, into := fault.InvalidArguments, fault.Internal
	for name, tt := range map[string]struct {
		all  []Difference
		code fault.Code
	}{
		"outside":                  {[]Difference{{Path: "../a", After: f}}, outside},
		"from outside":             {[]Difference{{Path: "a", From: "/etc/passwd", Before: f, After: f}}, outside},
		"the root":                 {[]Difference{{Path: ".", Before: d, After: d}}, outside},
		"in what was moved":        {[]Difference{{Path: "e", From: "d", Before: d, After: d}, {Path: "e/f", After: f}}, into},
		"in where it was":          {[]Difference{{Path: "e", From: "d", Before: d, After: d}, {Path: "d/f", After: f}}, into},
		"moved out of what moved":  {[]Difference{{Path: "e", From: "d", Before: d, After: d}, {Path: "f", From: "d/f", Before: f, After: f}}, into},
		"no kind":                  {[]Difference{{Path: "a", After: &State{Kind: "pipe"}}}, into},
		"a mode that is no mode":   {[]Difference{{Path: "a", After: &State{Kind: File, Mode: fs.ModeSetuid}}}, into},
		"saved under no hash":      {[]Difference{{Path: "a", Before: &State{Kind: File, Saved: true}}}, into},
		"the first bad, then good": {[]Difference{{Path: "", After: f}, {Path: "a", Before: f}}, outside},
	} {
		_, err := b.record(tt.all)
		if !fault.Is(err, tt.code) {
			t.Errorf("%s: error %v, want %s", name, err, tt.code)
		}
	}
	// Beside what was moved there may be more: its name is a prefix only.
	for _, ok := range [][]Difference{
		nil,
		{{Path: "a", Before: f, After: f}},
		{{Path: "d", Before: d, After: d}},
		{{Path: "link", Before: all["link"], After: all["link"]}},
	} {
		if applied, err := b.record(ok); err != nil || !cmp.Equal(applied, Applied{Undoable: true}) {
			t.Errorf("nothing changed: %+v %v", applied, err)
		}
	}
	if all, err := b.History("", 0); err != nil || all != nil {
		t.Errorf("history %v %v", all, err)
	}
	_, err := b.record([]Difference{{Path: "e", From: "d", Before: d, After: d}, {Path: "e2", After: d}, {Path: "g", From: "a", Before: f, After: f}, {Path: "g2", After: f}})
	check(t, err)
}

// Each step can be taken back, the last one first: so what is shut is opened at first and
// shut at last, and what is deeper goes first.
func TestObservedSteps(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no modes")
	}
	dir := func(mode fs.FileMode) *State { return &State{Kind: Dir, Mode: mode} }
	file := func(data string, mode fs.FileMode) *State {
		return &State{Kind: File, SHA: hash([]byte(data)), Mode: mode, Saved: true}
	}
	link := &State{Kind: Link, Link: "to"}
	f, g := file("f", 0o644), file("g", 0o644)
	for name, tt := range map[string]struct {
		all  []Difference
		want []string
	}{
		"all phases": {
			[]Difference{
				{Path: "z", Before: f}, {Path: "x", After: dir(0o755)}, {Path: "x/y", After: dir(0o755)}, {Path: "x/y/m", From: "m", Before: f, After: f},
				{Path: "d", Before: dir(0o755)}, {Path: "d/e", Before: dir(0o755)}, {Path: "c", Before: f, After: g}, {Path: "k", After: link},
				{Path: "b", Before: f, After: file("f", 0o600)},
			},
			[]string{"delete z", "mkdir x", "mkdir x/y", "move x/y/m", "rmdir d/e", "rmdir d", "modify c", "mode b 644 600", "create k"},
		},
		"a shut directory with news":  {[]Difference{{Path: "s", Before: dir(0o500), After: dir(0o500)}, {Path: "s/n", After: f}}, []string{"mode s 500 700", "create s/n", "mode s 700 500"}},
		"a shut directory, one gone":  {[]Difference{{Path: "s", Before: dir(0o500), After: dir(0o500)}, {Path: "s/n", Before: f}}, []string{"mode s 500 700", "delete s/n", "mode s 700 500"}},
		"a shut directory, one moved": {[]Difference{{Path: "s", Before: dir(0o500), After: dir(0o500)}, {Path: "n", From: "s/n", Before: f, After: f}}, []string{"mode s 500 700", "move n", "mode s 700 500"}},
		"another kind in it":          {[]Difference{{Path: "s", Before: dir(0o500), After: dir(0o500)}, {Path: "s/n", Before: f, After: link}}, []string{"mode s 500 700", "delete s/n", "create s/n", "mode s 700 500"}},
		"only content in it":          {[]Difference{{Path: "s", Before: dir(0o500), After: dir(0o500)}, {Path: "s/n", Before: f, After: g}}, []string{"modify s/n"}},
		"one that can be changed":     {[]Difference{{Path: "s", Before: dir(0o300), After: dir(0o300)}, {Path: "s/n", After: f}}, []string{"create s/n"}},
		"shut with another mode":      {[]Difference{{Path: "s", Before: dir(0o755), After: dir(0o500)}, {Path: "s/n", After: f}}, []string{"create s/n", "mode s 755 500"}},
		"shut ones in one another": {
			[]Difference{{Path: "s", After: dir(0o500)}, {Path: "s/t", After: dir(0o100)}, {Path: "s/t/n", After: file("f", 0o200)}},
			[]string{"mkdir s", "mkdir s/t", "create s/t/n", "mode s/t/n 600 200", "mode s/t 700 100", "mode s 700 500"},
		},
		"a file not to be read":           {[]Difference{{Path: "a", Before: file("f", 0), After: file("g", 0)}}, []string{"mode a 0 600", "modify a", "mode a 600 0"}},
		"a file not to be read, moved":    {[]Difference{{Path: "m", From: "a", Before: file("f", 0o200), After: file("f", 0o200)}}, []string{"mode a 200 600", "move m", "mode m 600 200"}},
		"a file not to be read any more":  {[]Difference{{Path: "a", Before: f, After: file("f", 0)}}, []string{"mode a 644 0"}},
		"a file not to be written":        {[]Difference{{Path: "a", Before: file("f", 0o400), After: file("g", 0o400)}}, []string{"modify a"}},
		"a file that was replaced whole":  {[]Difference{{Path: "a", Before: f, After: g, Whole: true}}, []string{"delete a", "place a"}},
		"a name of another file in it":    {[]Difference{{Path: "s", Before: dir(0o500), After: dir(0o500)}, {Path: "s/n", Before: f, After: g, Apart: true}}, []string{"mode s 500 700", "delete s/n", "create s/n", "mode s 700 500"}},
		"a name of a file, and its mode":  {[]Difference{{Path: "a", Before: f, After: file("g", 0o600)}, {Path: "0", After: file("g", 0o600)}}, []string{"modify a", "mode a 644 600", "create 0"}},
		"a link for a file and the other": {[]Difference{{Path: "a", Before: f, After: link}, {Path: "b", Before: link, After: f}}, []string{"delete a", "delete b", "create a", "create b"}},
		"another link":                    {[]Difference{{Path: "b", Before: link, After: &State{Kind: Link, Link: "else"}}}, []string{"delete b", "create b"}},
		"a moved link":                    {[]Difference{{Path: "b", From: "a", Before: link, After: link}}, []string{"move b"}},
		"a directory for a file":          {[]Difference{{Path: "a", Before: f, After: dir(0o755)}, {Path: "a/n", After: f}}, []string{"delete a", "mkdir a", "create a/n"}},
	} {
		steps, err := observedSteps(tt.all)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		for _, s := range steps {
			if err := s.check(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			text := fmt.Sprint(s.Op, " ", s.Path)
			if s.Op == Chmod {
				text += fmt.Sprintf(" %o %o", s.Pre.Mode, s.Post.Mode)
			}
			got = append(got, text)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// What is undone of a command may be what no tool may change.
func TestRestoringTree(t *testing.T) {
	b := populate(t, nil)
	before := b.snapshot()
	b.command(command{run: func(b *bench) { b.put("a", "other") }})
	after := b.snapshot()
	b.disk.fail["write a"] = fs.ErrPermission
	_, err := b.Undo(context.Background(), "s", Selector{}, false)
	wantCode(t, err, fault.PermissionDenied)
	free := &disk{root: b.disk.root, step: func(string) {}}
	b.opt.Restoring = free
	redo := b.undo(Selector{})
	if diff := cmp.Diff(before, b.snapshot()); diff != "" {
		t.Error(diff)
	}
	b.undo(Selector{ID: redo.ID})
	if diff := cmp.Diff(after, b.snapshot()); diff != "" {
		t.Error(diff)
	}
	// A tool's own change is not.
	_, err = b.Apply(context.Background(), "test", "s", write("a", "mine"))
	wantCode(t, err, fault.PermissionDenied)
	// Nor is its undo.
	clear(b.disk.fail)
	own := b.do(write("a", "mine"))
	b.disk.fail["write a"] = fs.ErrPermission
	_, err = b.Undo(context.Background(), "s", Selector{ID: own.ID}, false)
	wantCode(t, err, fault.PermissionDenied)
}

// Of very many paths none is locked, but the undo is the same; and an undo of as many
// waits for it.
func TestUndoOfManyPaths(t *testing.T) {
	for _, n := range []int{many, many + 1} {
		b := newBench(t)
		b.put("d/keep", "k")
		before := b.snapshot()
		b.command(command{run: func(b *bench) {
			for i := range n {
				b.put(fmt.Sprintf("d/%03d", i), "fresh")
			}
		}})
		after := b.snapshot()
		b.opt.Step = func(step string) {
			if step != "append intent" {
				return
			}
			other, err := state.Open(filepath.Join(b.dir, "state"), b.ws, state.Options{LockWait: time.Millisecond})
			check(t, err)
			for _, key := range []string{"d/000", manyKey} {
				unlock, err := other.Lock(context.Background(), key)
				if held := err != nil; held != ((key == manyKey) == (n > many)) {
					t.Errorf("%d paths: %q is locked: %v", n, key, held)
				}
				if err == nil {
					check(t, unlock())
				}
			}
		}
		r := b.undo(Selector{})
		if diff := cmp.Diff(before, b.snapshot()); diff != "" {
			t.Error(diff)
		}
		b.undo(Selector{ID: r.ID})
		if diff := cmp.Diff(after, b.snapshot()); diff != "" {
			t.Error(diff)
		}
	}
}

// A caller that holds the blobs is told that the journal should be compacted.
func TestRecordInFullJournal(t *testing.T) {
	b := populate(t, nil)
	all := b.differences(command{run: func(b *bench) { b.put("a", "other") }})
	for i := range growthEntries + 1 {
		applied, err := b.record(all)
		check(t, err)
		if want := i == growthEntries; applied.Full != want || len(applied.Warnings) > 0 {
			t.Fatalf("entry %d: %+v", i+1, applied)
		}
	}
	before, err := os.Stat(b.journalFile())
	check(t, err)
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	if err := b.Compact(canceled); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	// Somebody holds the journal: it is compacted another time.
	hurried, tree, err := openIn(b.dir, time.Millisecond)
	check(t, err)
	defer tree.root.Close()
	unlock, err := b.Journal.dir.Lock(context.Background(), journalKey)
	check(t, err)
	check(t, errors.Join(hurried.Compact(context.Background()), unlock()))
	check(t, b.Compact(context.Background()))
	after, err := os.Stat(b.journalFile())
	check(t, err)
	if after.Size() >= before.Size() {
		t.Errorf("%d bytes became %d", before.Size(), after.Size())
	}
	check(t, b.Compact(context.Background()))
	if again, err := os.Stat(b.journalFile()); err != nil || !os.SameFile(after, again) {
		t.Errorf("compacted again: %v", err)
	}
	if applied, err := b.record(all); err != nil || applied.Full {
		t.Errorf("compacted: %+v %v", applied, err)
	}
}

// TestManyFiles undoes and redoes what one command changed in 15,000 files: their modes,
// which takes no time. Later changes are told without reading that.
func TestManyFiles(t *testing.T) {
	t.Parallel()
	files := 15_000
	if raceDetector {
		files /= 5
	}
	b := newBench(t)
	var all []Difference
	for i := range files {
		name := fmt.Sprintf("d%d/some file with a name of usual length %d.txt", i/1000, i)
		b.put(name, "x")
		st := State{Kind: File, SHA: hash([]byte("x")), Size: 1, Mode: 0o444}
		d := Difference{Path: name, Before: &st, After: new(st)}
		d.After.Mode = 0o644
		all = append(all, d)
	}
	writable := func() (n int) {
		for _, d := range all {
			if info, err := os.Lstat(b.path(d.Path)); err == nil && info.Mode()&0o200 != 0 {
				n++
			}
		}
		return n
	}
	applied, err := b.Record(context.Background(), Author{Tool: "exec", Session: "s"}, all)
	check(t, err)
	redo := b.undo(Selector{ID: applied.ID})
	if n := writable(); n != 0 {
		t.Errorf("undone, %d files can be written to", n)
	}
	b.undo(Selector{ID: redo.ID})
	if n := writable(); n != files {
		t.Errorf("redone, %d files can be written to", n)
	}
	before := b.opt.Now()
	b.do(write("later", "x"))
	recent, err := b.Since(before)
	check(t, err)
	if whole, err := b.History("", 0); err != nil || len(whole) != 4 || len(whole[3].Files) != files {
		t.Errorf("%d entries, %v", len(whole), err)
	} else if diff := cmp.Diff(whole[:1], recent); diff != "" {
		t.Error(diff)
	}
}
