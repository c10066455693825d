package journal

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// command is a change past the journal, which is then recorded.
type command struct {
	prepare func(b *bench)
	run     func(b *bench)
	moves   map[string]string // where an entry is now, and where it was
	whole   []string          // new entries that are told as a whole
	apart   []string          // names of other files than before, which have more names
}

// commands change the workspace of populate in every way that can be recorded.
var commands = map[string]command{
	"files": {run: func(b *bench) {
		b.put("a", "other")
		b.put("new", "fresh")
		b.put("empty", "")
		check(b.t, os.Remove(b.path("b")))
	}},
	"a half-written file": {run: func(b *bench) { b.put("inplace", "a whole new text, and longer than the other") }},
	"links": {run: func(b *bench) {
		check(b.t, os.Remove(b.path("link")))
		check(b.t, os.Symlink("b", b.path("link")))
		check(b.t, os.Symlink("nowhere", b.path("d/dangling")))
	}},
	"a link goes": {run: func(b *bench) { check(b.t, os.Remove(b.path("link"))) }},
	"directories": {run: func(b *bench) {
		check(b.t, os.RemoveAll(b.path("d")))
		b.put("x/y/f", "far down")
		check(b.t, os.Mkdir(b.path("x/empty"), 0o700))
	}},
	"modes": {run: func(b *bench) {
		check(b.t, os.Chmod(b.path("a"), 0o755))
		check(b.t, os.Chmod(b.path("d"), 0o711))
		b.put("b", "other")
		check(b.t, os.Chmod(b.path("b"), 0o600))
	}},
	"moves": {run: func(b *bench) {
		check(b.t, os.Mkdir(b.path("x"), 0o755))
		check(b.t, os.Rename(b.path("d"), b.path("x/d")))
		check(b.t, os.Rename(b.path("a"), b.path("x/a")))
		check(b.t, os.Chmod(b.path("x/a"), 0o600))
	}, moves: map[string]string{"x/d": "d", "x/a": "a"}},
	"moves out of what goes": {run: func(b *bench) {
		check(b.t, os.Rename(b.path("d/f"), b.path("f")))
		check(b.t, os.Remove(b.path("d")))
	}, moves: map[string]string{"f": "d/f"}},
	"files become directories": {run: func(b *bench) {
		check(b.t, os.Remove(b.path("a")))
		b.put("a/x", "in it")
		check(b.t, os.Remove(b.path("link")))
		check(b.t, os.Mkdir(b.path("link"), 0o755))
	}},
	"directories become files": {run: func(b *bench) {
		check(b.t, os.RemoveAll(b.path("d")))
		b.put("d", "a file")
	}},
	"a directory becomes a link": {run: func(b *bench) {
		check(b.t, os.RemoveAll(b.path("d")))
		check(b.t, os.Symlink("a", b.path("d")))
	}},
	"files become links": {run: func(b *bench) {
		check(b.t, os.Remove(b.path("a")))
		check(b.t, os.Symlink("b", b.path("a")))
		check(b.t, os.Remove(b.path("link")))
		b.put("link", "a file")
	}},
	"what is shut": {prepare: shut, run: func(b *bench) {
		check(b.t, os.Chmod(b.path("d"), 0o700))
		check(b.t, os.Remove(b.path("d/f")))
		b.put("d/f", "other")
		b.put("d/new", "fresh")
		check(b.t, os.Chmod(b.path("d"), 0o500))
	}},
	"what is shut goes": {prepare: shut, run: func(b *bench) {
		check(b.t, os.Chmod(b.path("d"), 0o700))
		check(b.t, os.RemoveAll(b.path("d")))
	}},
	"shut anew": {run: func(b *bench) {
		b.put("x/f", "fresh")
		check(b.t, os.Chmod(b.path("x/f"), 0o400))
		check(b.t, os.Chmod(b.path("x"), 0o500))
		check(b.t, os.Chmod(b.path("a"), 0o400))
		b.opensAtEnd()
	}},
	"more than is kept": {run: func(b *bench) {
		b.put("new", "told as a whole")
		check(b.t, os.Remove(b.path("b")))
		check(b.t, os.Mkdir(b.path("b"), 0o755))
		b.put("b/objects/x", "not told")
		b.put("a", "other")
	}, whole: []string{"new", "b"}},
	"names of one file": {prepare: twins, run: func(b *bench) { b.put("a", "other") }},
	"modes of one file": {prepare: twins, run: func(b *bench) {
		b.put("a", "other")
		check(b.t, os.Chmod(b.path("a"), 0o600))
		check(b.t, os.Chmod(b.path("d"), 0o711))
	}},
	"a name of another file": {run: func(b *bench) {
		b.relink("a", "b")
		b.put("a", "other")
		check(b.t, os.Chmod(b.path("a"), 0o600))
	}, apart: []string{"b"}},
	"a name of an unchanged file": {run: func(b *bench) { b.relink("a", "b") }, apart: []string{"b"}},
	"a mode of another file": {prepare: func(b *bench) {
		b.put("b", "first")
		check(b.t, os.Chmod(b.path("b"), 0o600))
	}, run: func(b *bench) {
		b.relink("a", "b")
		b.put("d/f", "other")
	}, apart: []string{"b"}},
	"names of other files": {prepare: twins, run: func(b *bench) {
		b.relink("inplace", "b")
		b.relink("inplace", "d/f")
		b.put("inplace", "a new text, of another length")
		b.put("a", "other")
	}, apart: []string{"b", "d/f"}},
	"new names": {run: func(b *bench) {
		b.relink("a", "0")
		b.relink("a", "z/z")
		b.put("a", "other")
		check(b.t, os.Chmod(b.path("a"), 0o600))
	}},
	"a name replaced": {prepare: twins, run: func(b *bench) { // as sed -i does
		check(b.t, os.Remove(b.path("a")))
		b.put("a", "other")
	}},
	"a name goes": {prepare: twins, run: func(b *bench) {
		check(b.t, os.Remove(b.path("a")))
		b.put("b", "other")
	}},
	"a name that was shifted": {prepare: twins, run: func(b *bench) {
		check(b.t, os.Rename(b.path("a"), b.path("x")))
		check(b.t, os.Chmod(b.path("x"), 0o600))
	}, moves: map[string]string{"x": "a"}},
}

// twins makes one file of three names.
func twins(b *bench) {
	b.relink("a", "b")
	b.relink("a", "d/twin")
}

// relink makes a name one of a file.
func (b *bench) relink(file, name string) {
	b.t.Helper()
	check(b.t, os.MkdirAll(filepath.Dir(b.path(name)), 0o755))
	if err := os.Remove(b.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		b.t.Fatal(err)
	}
	check(b.t, os.Link(b.path(file), b.path(name)))
}

// shut makes what its owner must open to change it.
func shut(b *bench) {
	b.opensAtEnd()
	check(b.t, os.Chmod(b.path("d/f"), 0o400))
	check(b.t, os.Chmod(b.path("d"), 0o500))
}

// opensAtEnd lets the directories be removed after the test.
func (b *bench) opensAtEnd() {
	b.t.Cleanup(func() {
		for _, dir := range []string{"d", "x"} {
			if info, err := os.Lstat(b.path(dir)); err == nil && info.IsDir() {
				check(b.t, os.Chmod(b.path(dir), 0o700))
			}
		}
	})
}

// states describes everything in the workspace, also what its owner must not read.
func (b *bench) states() map[string]*State {
	b.t.Helper()
	all := map[string]*State{}
	for p := range b.snapshot() {
		free := opened(b.t, b.path(p))
		l, err := b.observe(p)
		check(b.t, err)
		l.state.Mode = free(l.state.Mode)
		if l.state.Kind == File && l.data != nil {
			_, err = b.Journal.dir.PutBlob(l.data, true)
			check(b.t, err)
		}
		all[p] = l.state
	}
	return all
}

// opened makes a file readable until restore is called, which returns the mode it had.
func opened(t testing.TB, path string) (restore func(fs.FileMode) fs.FileMode) {
	t.Helper()
	info, err := os.Lstat(path)
	check(t, err)
	mode := info.Mode().Perm()
	if !info.Mode().IsRegular() || mode&0o400 != 0 {
		return func(m fs.FileMode) fs.FileMode { return m }
	}
	check(t, os.Chmod(path, mode|0o600))
	return func(fs.FileMode) fs.FileMode {
		check(t, os.Chmod(path, mode))
		return mode
	}
}

// differences runs a command and returns what it changed.
func (b *bench) differences(c command) []Difference {
	b.t.Helper()
	before := b.states()
	c.run(b)
	return c.differences(before, b.states())
}

func (c command) differences(before, after map[string]*State) []Difference {
	within := func(p string) bool {
		for to, from := range c.moves {
			if strings.HasPrefix(p, to+"/") || strings.HasPrefix(p, from+"/") && before[from].Kind == Dir || p == from {
				return true
			}
		}
		return slices.ContainsFunc(c.whole, func(dir string) bool { return strings.HasPrefix(p, dir+"/") })
	}
	busy := map[string]bool{}
	var all []Difference
	for _, p := range slices.Sorted(maps.Keys(union(before, after))) {
		d := Difference{Path: p, From: c.moves[p], Before: before[p], After: after[p], Whole: slices.Contains(c.whole, p), Apart: slices.Contains(c.apart, p)}
		if d.From != "" {
			d.Before = before[d.From]
		}
		if within(p) || d.From == "" && same(d.Before, d.After) && (d.Before == nil || d.Before.Mode == d.After.Mode) {
			continue
		}
		if d.Before != nil && d.Before.Kind == File {
			kept := *d.Before
			kept.Saved = true
			d.Before = &kept
		}
		busy[filepath.ToSlash(filepath.Dir(p))] = true
		all = append(all, d)
	}
	for dir := range busy { // also what is the same before and after, as Record asks for
		if b, a := before[dir], after[dir]; b != nil && a != nil && b.Mode == a.Mode && b.Mode&0o300 != 0o300 {
			all = append(all, Difference{Path: dir, Before: b, After: a})
		}
	}
	return all
}

func union(a, b map[string]*State) map[string]*State {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// record records differences, as a caller that holds ShareBlobs.
func (b *bench) record(all []Difference) (Applied, error) {
	release, err := b.Journal.dir.ShareBlobs(context.Background())
	check(b.t, err)
	applied, err := b.Record(context.Background(), Author{Tool: "exec", Session: "s"}, all)
	return applied, errors.Join(err, release())
}

// command runs a command and records what it changed.
func (b *bench) command(c command) Applied {
	b.t.Helper()
	applied, err := b.record(b.differences(c))
	check(b.t, err)
	if applied.ID == "" || len(applied.Warnings) > 0 || applied.Full {
		b.t.Errorf("recorded %+v", applied)
	}
	return applied
}

// recorded prepares for the undo of a command.
func recorded(name string) func(*bench) {
	return func(b *bench) {
		c := commands[name]
		if c.prepare != nil {
			c.prepare(b)
		}
		b.command(c)
	}
}
