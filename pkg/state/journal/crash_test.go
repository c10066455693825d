package journal

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

// cases are changes that a process is killed in, at every step of each.
var cases = map[string]struct {
	prepare func(b *bench)
	run     func(j *Journal) error
}{
	"create":           {nil, applying(write("new", "fresh"))},
	"create in new":    {nil, applying(write("x/y/new", "fresh"))},
	"modify":           {nil, applying(write("a", "other"))},
	"modify and mode":  {nil, applying(Change{Op: Write, Path: "a", Content: []byte("other"), Mode: 0o755})},
	"modify in place":  {nil, applying(write("inplace", "0123456789 and a longer text"))},
	"shorten in place": {nil, applying(write("inplace", "x"))},
	"delete":           {nil, applying(Change{Op: Delete, Path: "a"})},
	"delete link":      {nil, applying(Change{Op: Delete, Path: "link"})},
	"make link":        {nil, applying(Change{Op: Symlink, Path: "x/link", Target: "../a"})},
	"move":             {nil, applying(Change{Op: Move, From: "a", Path: "moved"})},
	"move to new":      {nil, applying(Change{Op: Move, From: "a", Path: "x/y/moved"})},
	"move over":        {nil, applying(Change{Op: Move, From: "a", Path: "b", Overwrite: true})},
	"move over link":   {nil, applying(Change{Op: Move, From: "a", Path: "link", Overwrite: true})},
	"move directory":   {nil, applying(Change{Op: Move, From: "d", Path: "x/d"})},
	"mode":             {nil, applying(Change{Op: Chmod, Path: "a", Mode: 0o755})},
	"mkdir":            {nil, applying(Change{Op: Mkdir, Path: "x/y/z"})},
	"three files":      {nil, applying(write("a", "A"), write("x/new", "B"), Change{Op: Delete, Path: "b"})},
	"five in place": {nil, applying(write("a", "A"), write("inplace", "a whole new text"), write("inplace2", "another"),
		Change{Op: Chmod, Path: "b", Mode: 0o600}, Change{Op: Move, From: "d/f", Path: "b", Overwrite: true})},
	"move and change":    {nil, applying(Change{Op: Move, From: "a", Path: "x/a"}, write("x/a", "changed"), write("a", "again"))},
	"file to dir":        {nil, applying(Change{Op: Delete, Path: "a"}, write("a/b", "x"), write("b", "y"))},
	"twice":              {nil, applying(write("a", "1"), write("b", "2"), write("a", "3"))},
	"move out file":      {nil, applying(Change{Op: MoveOut, Path: "a"})},
	"move out directory": {nil, applying(Change{Op: MoveOut, Path: "d"})},
	"place":              {nil, placing("x/y/new")},
	"replace":            {nil, placing("d", Change{Op: MoveOut, Path: "d"})},
	"move out, in and more": {nil, placing("b", Change{Op: MoveOut, Path: "d"}, write("a", "A"), Change{Op: MoveOut, Path: "b"},
		Change{Op: MoveOut, Path: "link"}, Change{Op: Chmod, Path: "inplace", Mode: 0o600})},
	"undo move out": {func(b *bench) {
		b.do(Change{Op: MoveOut, Path: "d"}, write("a", "A"), Change{Op: MoveOut, Path: "link"})
	}, undoing(Selector{})},
	"undo place": {func(b *bench) {
		check(b.t, placing("b", Change{Op: MoveOut, Path: "b"})(b.Journal))
	}, undoing(Selector{})},
	"append":                 {nil, applying(extending("second", " and more of it"))},
	"replace whole":          {nil, applying(Change{Op: Replace, Path: "b", Content: []byte("quite other text")})},
	"replace whole in place": {nil, applying(Change{Op: Replace, Path: "inplace", Content: []byte("quite other text")})},
	"splice":                 {nil, applying(splicing("b", 1, "ec", "x"))},
	"splice in place":        {nil, applying(splicing("inplace", 5, "text of", "words from"))},
	"undo append":            {after(extending("second", " and more of it")), undoing(Selector{})},
	"undo replace":           {after(Change{Op: Replace, Path: "b", Content: []byte("quite other text")}), undoing(Selector{})},
	"undo replace in place":  {after(Change{Op: Replace, Path: "inplace", Content: []byte("quite other text")}), undoing(Selector{})},
	"undo splice in place":   {after(splicing("inplace", 5, "text of", "words from")), undoing(Selector{})},
	"undo": {func(b *bench) {
		b.do(write("a", "A"), write("x/new", "B"), Change{Op: Delete, Path: "b"}, Change{Op: Move, From: "d/f", Path: "link", Overwrite: true})
	}, undoing(Selector{})},
	"undo two": {func(b *bench) {
		b.do(write("a", "A"), Change{Op: Move, From: "b", Path: "c/b"})
		b.do(write("c/b", "B"), write("a", "AA"))
	}, undoing(Selector{Steps: 2})},
	"undo of a command in files":               {recorded("files"), undoing(Selector{})},
	"undo of a command in directories":         {recorded("directories"), undoing(Selector{})},
	"undo of a command that moves":             {recorded("moves"), undoing(Selector{})},
	"undo of a command between kinds":          {recorded("files become directories"), undoing(Selector{})},
	"undo of a command in what is shut":        {recorded("what is shut"), undoing(Selector{})},
	"undo of a command with more than is kept": {recorded("more than is kept"), undoing(Selector{})},
	"undo of a command in names":               {recorded("modes of one file"), undoing(Selector{})},
	"undo of a command between names":          {recorded("names of other files"), undoing(Selector{})},
	"redo of a command in names": {func(b *bench) {
		recorded("modes of one file")(b)
		b.undo(Selector{})
	}, redoing},
	"redo of a command": {func(b *bench) {
		recorded("directories become files")(b)
		b.undo(Selector{})
	}, redoing},
	"redo": {func(b *bench) {
		b.do(write("a", "A"), write("x/new", "B"), Change{Op: Delete, Path: "b"})
		b.undo(Selector{})
	}, redoing},
}

// extending appends to the file b.
func extending(old, more string) Change {
	return Change{Op: Extend, Path: "b", Splices: []Splice{{At: int64(len(old)), New: []byte(more)}}}
}

// splicing replaces bytes in a file.
func splicing(path string, at int64, old, text string) Change {
	return Change{Op: Replace, Path: path, Splices: []Splice{{At: at, Old: []byte(old), New: []byte(text)}}}
}

func after(c Change) func(*bench) { return func(b *bench) { b.do(c) } }

// redoing undoes the newest entry, an undo.
func redoing(j *Journal) error {
	all, err := j.History("", 1)
	if err != nil {
		return err
	}
	return undoing(Selector{ID: all[0].ID})(j)
}

func applying(changes ...Change) func(*Journal) error {
	return func(j *Journal) error {
		_, err := j.Apply(context.Background(), "test", "s", changes...)
		return err
	}
}

// placing brings in a directory from the state directory, after other changes.
func placing(path string, first ...Change) func(*Journal) error {
	return func(j *Journal) error {
		state, err := j.dir.Path()
		if err != nil {
			return err
		}
		source, err := os.MkdirTemp(state, "incoming-")
		if err != nil {
			return err
		}
		err = errors.Join(os.Mkdir(filepath.Join(source, "sub"), 0o750), os.WriteFile(filepath.Join(source, "sub/x"), []byte("new"), 0o640),
			os.Symlink("sub/x", filepath.Join(source, "link")), os.Chmod(source, 0o755))
		if err != nil {
			return err
		}
		return applying(append(first, Change{Op: MoveIn, Path: path, Source: source})...)(j)
	}
}

func undoing(sel Selector) func(*Journal) error {
	return func(j *Journal) error {
		_, err := j.Undo(context.Background(), "s", sel, false)
		return err
	}
}

// furnish makes the workspace that the cases start from.
func populate(t *testing.T, prepare func(*bench)) *bench {
	t.Helper()
	b := newBench(t)
	b.put("a", "first")
	b.put("b", "second")
	b.put("inplace", "some text of the old kind")
	b.put("inplace2", "and more")
	b.put("d/f", "in a directory")
	check(t, os.Symlink("a", b.path("link")))
	if prepare != nil {
		prepare(b)
	}
	return b
}

// dies runs a child that is to be killed at a step, and reports at which it was;
// the name is empty when the child had no so many steps and ended by itself.
func dies(t *testing.T, b *bench, job string, step int, args ...string) string {
	t.Helper()
	out, err := child(t, b.dir, job, append([]string{strconv.Itoa(step)}, args...)...).Output()
	if err == nil {
		return ""
	}
	name, ok := strings.CutPrefix(string(out), killedAt)
	if !ok {
		t.Fatalf("step %d of %s: %v: %s", step, job, err, out)
	}
	return name
}

func TestKilledAtEveryStep(t *testing.T) {
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			whole := populate(t, c.prepare)
			before := whole.snapshot()
			check(t, c.run(whole.Journal))
			after := whole.snapshot()
			if cmp.Equal(before, after) {
				t.Fatal("the case changes nothing")
			}
			outcomes := map[string]int{}
			for step := 1; ; step += killEvery {
				b := populate(t, c.prepare)
				where := dies(t, b, "crash", step, name)
				recoverKilled(t, b)
				got := b.snapshot()
				switch {
				case cmp.Equal(got, before):
					outcomes["old"]++
					afterAbort(t, b, c.run, after)
				case cmp.Equal(got, after):
					outcomes["new"]++
					afterCommit(t, b, before, after)
				default:
					t.Fatalf("killed at %q, it is neither old nor new\nfrom old: %s\nfrom new: %s",
						where, cmp.Diff(before, got), cmp.Diff(after, got))
				}
				if where == "" {
					break
				}
			}
			if outcomes["old"]*killEvery < 3 || outcomes["new"]*killEvery < 3 {
				t.Errorf("kills led to %v", outcomes)
			}
		})
	}
}

// recoverKilled recovers, killed at one step after the other of that too.
func recoverKilled(t *testing.T, b *bench) {
	t.Helper()
	for step := 1; !testing.Short() && dies(t, b, "recover", step) != ""; step += killEvery {
	}
	_, err := b.Recover(context.Background())
	check(t, err)
	warnings, err := b.Recover(context.Background())
	if err != nil || len(warnings) > 0 {
		t.Errorf("a second recovery: %v %v", warnings, err)
	}
}

// afterAbort makes sure that what was taken back can be done anew.
func afterAbort(t *testing.T, b *bench, run func(*Journal) error, after map[string]string) {
	t.Helper()
	check(t, run(b.Journal))
	if diff := cmp.Diff(after, b.snapshot()); diff != "" {
		t.Errorf("done again: %s", diff)
	}
}

// afterCommit makes sure that what stands can be undone and redone.
func afterCommit(t *testing.T, b *bench, before, after map[string]string) {
	t.Helper()
	all, err := b.History("", 1)
	check(t, err)
	redo := b.undo(Selector{ID: all[0].ID})
	if diff := cmp.Diff(before, b.snapshot()); diff != "" {
		t.Errorf("undone: %s", diff)
	}
	b.undo(Selector{ID: redo.ID})
	if diff := cmp.Diff(after, b.snapshot()); diff != "" {
		t.Errorf("redone: %s", diff)
	}
}

// A file that others changed after the crash is theirs: it is reported once and
// left alone, and only force restores what was there before.
func TestChangedAfterCrash(t *testing.T) {
	b := populate(t, nil)
	step := 1
	for !strings.HasPrefix(dies(t, b, "crash", step, "three files"), "step 4 ") {
		_, err := b.Recover(context.Background())
		check(t, err)
		step++
	}
	b.put("a", "by hand")
	warnings, err := b.Recover(context.Background())
	check(t, err)
	if len(warnings) != 1 || !strings.Contains(warnings[0].String(), "stay as they are") {
		t.Fatalf("warnings %v", warnings)
	}
	got := b.snapshot()
	if !strings.HasSuffix(got["a"], "by hand") || got["x/new"] == "" || got["b"] == "" {
		t.Errorf("files %v", got)
	}
	if warnings, err := b.Recover(context.Background()); err != nil || len(warnings) > 0 {
		t.Errorf("reported again: %v %v", warnings, err)
	}
	all, err := b.History("", 0)
	check(t, err)
	if len(all) != 1 || !all[0].Interrupted {
		t.Fatalf("history %+v", all)
	}
	_, err = b.Undo(context.Background(), "s", Selector{}, false)
	wantCode(t, err, fault.NoHistory)
	_, err = b.Undo(context.Background(), "s", Selector{ID: all[0].ID}, false)
	wantCode(t, err, fault.UndoConflict)
	_, err = b.Undo(context.Background(), "s", Selector{ID: all[0].ID}, true)
	check(t, err)
	want := populate(t, nil).snapshot()
	if diff := cmp.Diff(want, b.snapshot()); diff != "" {
		t.Error(diff)
	}
}

// An entry at work is not abandoned, however long others look.
func TestRecoverLeavesTheLivingAlone(t *testing.T) {
	b := populate(t, nil)
	looked := false
	b.opt.Step = func(name string) {
		if !strings.HasPrefix(name, "step 2 ") {
			return
		}
		looked = true
		other, tree, err := openIn(b.dir, 0)
		check(t, err)
		defer tree.root.Close()
		before := b.snapshot()
		if warnings, err := other.Recover(context.Background()); err != nil || len(warnings) > 0 {
			t.Errorf("recovery beside it: %v %v", warnings, err)
		}
		if diff := cmp.Diff(before, b.snapshot()); diff != "" {
			t.Error(diff)
		}
	}
	b.do(write("a", "A"), write("b", "B"), write("d/f", "F"))
	if !looked {
		t.Error("there was no second step")
	}
	got := maps.Clone(b.snapshot())
	for path, want := range map[string]string{"a": "A", "b": "B", "d/f": "F"} {
		if !strings.HasSuffix(got[path], want) {
			t.Errorf("%s holds %q", path, got[path])
		}
	}
}
