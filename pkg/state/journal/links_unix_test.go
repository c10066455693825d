//go:build unix

package journal

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func (d *disk) Links(path string) int {
	info, err := d.root.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return int(info.Sys().(*syscall.Stat_t).Nlink)
}

// sameFile reports whether two paths are one file.
func (b *bench) sameFile(one, other string) bool {
	b.t.Helper()
	first, err := os.Lstat(b.path(one))
	check(b.t, err)
	second, err := os.Lstat(b.path(other))
	check(b.t, err)
	return os.SameFile(first, second)
}

// holds checks what a file holds.
func (b *bench) holds(path, want string) {
	b.t.Helper()
	if data, err := os.ReadFile(b.path(path)); err != nil || string(data) != want {
		b.t.Errorf("%s holds %q, want %q (%v)", path, data, want, err)
	}
}

// Names that get the same stay one file. The others get a file each.
func TestNamesStayTogether(t *testing.T) {
	for name, want := range map[string][2]bool{ // undone, redone
		"names of one file":       {true, true},
		"modes of one file":       {true, true},
		"a name of another file":  {false, false},
		"a name replaced":         {false, false},
		"a name that was shifted": {true, true},
	} {
		c := commands[name]
		b := populate(t, c.prepare)
		id := b.command(c).ID
		for range 2 {
			id = b.undo(Selector{ID: id}).ID
			if got := b.sameFile("a", "b"); got != want[0] {
				t.Errorf("%s: undone, one file: %v", name, got)
			}
			id = b.undo(Selector{ID: id}).ID
			if name == "a name that was shifted" {
				continue
			}
			if got := b.sameFile("a", "b"); got != want[1] {
				t.Errorf("%s: redone, one file: %v", name, got)
			}
		}
	}
}

// A name that the entry does not tell has its bytes changed only if what is undone has
// changed them too.
func TestNamesOutside(t *testing.T) {
	const outside = "../outside"
	link := func(b *bench, to string) { check(t, os.Link(b.path("a"), b.path(to))) }
	change := command{run: func(b *bench) { b.put("a", "other") }}

	b := populate(t, nil)
	link(b, outside)
	all := b.differences(change)
	all[0].Others = 1
	applied, err := b.record(all)
	check(t, err)
	redo := b.undo(Selector{ID: applied.ID})
	b.holds(outside, "first")
	again := b.undo(Selector{ID: redo.ID})
	b.holds(outside, "other")
	// One more was made since: nobody knows which of them was there.
	link(b, "../more")
	b.undo(Selector{ID: again.ID})
	b.holds("a", "first")
	b.holds(outside, "other")
	b.holds("../more", "other")

	// The name is newer than the change, which a command or a tool made.
	for _, run := range []func(b *bench){
		func(b *bench) { b.command(change) },
		func(b *bench) { b.do(write("a", "other")) },
	} {
		b = populate(t, nil)
		run(b)
		link(b, outside)
		redo = b.undo(Selector{})
		b.holds("a", "first")
		b.holds(outside, "other")
		b.undo(Selector{ID: redo.ID})
		b.holds("a", "other")
	}

	// A tool wrote through all names; so does its undo.
	b = populate(t, nil)
	link(b, outside)
	b.do(write("a", "other"))
	b.holds(outside, "other")
	b.undo(Selector{})
	b.holds(outside, "first")

	// With force, the file is another one that somebody linked to.
	b = populate(t, nil)
	b.command(change)
	b.put(outside, "theirs")
	check(t, os.Remove(b.path("a")))
	check(t, os.Link(b.path(outside), b.path("a")))
	_, err = b.Undo(context.Background(), "s", Selector{}, true)
	check(t, err)
	b.holds("a", "first")
	b.holds(outside, "theirs")
	if _, err := os.Lstat(filepath.Join(b.dir, "outside")); err != nil {
		t.Error(err)
	}
}

// What becomes of the names between planning and writing is no reason to write.
func TestNamesPartedMeanwhile(t *testing.T) {
	c := commands["names of one file"]
	b := populate(t, c.prepare)
	b.command(c)
	b.opt.Step = func(step string) {
		if step == "sync intent" {
			check(t, os.Remove(b.path("b")))
			b.put("b", "other")
		}
	}
	_, err := b.Undo(context.Background(), "s", Selector{}, false)
	wantCode(t, err, "stale")
	b.holds("a", "other")
	b.holds("b", "other")
}

// What somebody wrote after a crash is no half of what the undo wrote, even if an earlier
// step changed the mode of the same file.
func TestNamesChangedAfterCrash(t *testing.T) {
	b := populate(t, cases["undo of a command in names"].prepare)
	for step := 1; !strings.HasPrefix(dies(t, b, "crash", step, "undo of a command in names"), "part of "); step++ {
		_, err := b.Recover(context.Background())
		check(t, err)
		if step > 100 {
			t.Fatal("nothing is written in place")
		}
	}
	b.put("a", "by hand")
	warnings, err := b.Recover(context.Background())
	check(t, err)
	if len(warnings) != 1 || !strings.Contains(warnings[0].String(), "stay as they are") {
		t.Errorf("warnings %v", warnings)
	}
	b.holds("b", "by hand")
}
