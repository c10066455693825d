// Package lineage remembers, for the repository of a workspace, which commits were there
// before helve ran programs in it, and which ones the programs brought in. It looks at the
// names that git has for commits, before and after each program: what has a name before it
// that was not there after the one before came from elsewhere, such as a pull of the
// person. Dates, which anyone can write, do not count.
package lineage

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/workspace/gitdir"
)

// file has the record of a workspace in its state directory: on each line a letter and an
// id, of a version also its path.
const (
	file    = "lineage"
	lockKey = "\x00lineage"
)

// The letters.
const (
	before  = 'b' // a commit that was there before
	brought = 's' // a commit that a program brought in
	version = 'v' // a blob that a file had, with its path
	lost    = 'x' // a program ran unseen: from then on nothing new counts as there before
)

// mostVersions limits the versions of files that are remembered.
const mostVersions = 10_000

// Record is the record of the workspace at an absolute path.
type Record struct {
	State *state.Dir
	Root  string
}

// Known lists the commits and files that were there before.
type Known struct {
	Tips []string // ids of commits; those that they lead to were there, too
	// Versions are files that programs took out of the working tree, as a path in the
	// repository with the id of the blob.
	Versions map[Version]bool
}

// Version is the content that a file had.
type Version struct{ Path, Blob string }

// content is a record that was read.
type content struct {
	first           bool // there is none yet
	before, brought map[string]bool
	versions        map[Version]bool
	lost, changed   bool
}

// Known returns what was there before. quiet reports whether no program of helve runs, and
// is called once.
func (r Record) Known(quiet func() bool) (k Known, err error) {
	names := r.look()
	calm := quiet()
	c, err := r.read()
	if err != nil {
		return k, err
	}
	c.add(names, calm)
	return Known{Tips: slices.Sorted(maps.Keys(c.before)), Versions: c.versions}, nil
}

// Enter notes what is there before a program runs, which others can see by now. quiet
// reports whether no other one does.
func (r Record) Enter(ctx context.Context, quiet func() bool) error {
	names := r.look()
	calm := quiet() // what ended before has left, and what begins later changed nothing yet
	return r.update(ctx, func(c *content) { c.add(names, calm) })
}

// Leave notes what a program has brought in.
func (r Record) Leave(ctx context.Context) error {
	names := r.look()
	return r.update(ctx, func(c *content) {
		c.add(names, false)
		if !names.complete {
			c.lose()
		}
	})
}

// Lose notes that a program runs about which nothing will be known.
func (r Record) Lose(ctx context.Context) error {
	return r.update(ctx, (*content).lose)
}

// Keep remembers versions of files that a program is about to take away, and that it may
// bring back.
func (r Record) Keep(ctx context.Context, versions ...Version) error {
	return r.update(ctx, func(c *content) {
		for _, v := range versions {
			if !c.versions[v] && len(c.versions) < mostVersions {
				c.versions[v], c.changed = true, true
			}
		}
	})
}

// names are the commits that have a name.
type names struct {
	tips     []string
	past     func() []string // what logs name; nil without a repository
	complete bool
}

// look reads which commits have a name now.
func (r Record) look() (n names) {
	d, ok := gitdir.Above(r.Root)
	if !ok {
		return names{complete: true}
	}
	n.tips, n.complete = d.Tips()
	n.past = d.Past
	return n
}

// add adds the commits that are not known: as there before, or as brought in.
func (c *content) add(n names, before bool) {
	if !n.complete {
		return
	}
	tips, to := n.tips, c.brought
	if before && !c.lost {
		to = c.before
	}
	if c.first && n.past != nil {
		tips = slices.Concat(tips, n.past())
	}
	for _, id := range tips {
		if !c.before[id] && !c.brought[id] {
			to[id], c.changed = true, true
		}
	}
}

func (c *content) lose() {
	if !c.lost {
		c.lost, c.changed = true, true
	}
}

func (r Record) update(ctx context.Context, f func(*content)) (err error) {
	unlock, err := r.State.Lock(ctx, lockKey)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	c, err := r.read()
	if err != nil {
		return err
	}
	if f(c); !c.changed && !c.first {
		return nil
	}
	return r.State.Put(file, c.text())
}

func (r Record) read() (*content, error) {
	c := &content{before: map[string]bool{}, brought: map[string]bool{}, versions: map[Version]bool{}}
	data, err := r.State.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		c.first = true
		return c, nil
	}
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSuffix(line, "\n"); line == "" {
			continue
		}
		id := line[1:]
		switch line[0] {
		case before:
			c.before[id] = true
		case brought:
			c.brought[id] = true
		case lost:
			c.lost = true
		case version:
			id, quoted, _ := strings.Cut(id, " ")
			if path, err := strconv.Unquote(quoted); err == nil {
				c.versions[Version{path, id}] = true
			}
		}
	}
	return c, nil
}

func (c *content) text() []byte {
	var b []byte
	add := func(kind byte, text string) { b = append(append(append(b, kind), text...), '\n') }
	for _, id := range slices.Sorted(maps.Keys(c.before)) {
		add(before, id)
	}
	for _, id := range slices.Sorted(maps.Keys(c.brought)) {
		add(brought, id)
	}
	for v := range c.versions {
		add(version, v.Blob+" "+strconv.Quote(v.Path))
	}
	if c.lost {
		add(lost, "")
	}
	return b
}
