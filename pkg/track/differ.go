package track

import (
	"cmp"
	"crypto/sha1" //nolint:gosec // git names objects by it
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/gitindex"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/workspace"
)

// change is a difference at a path.
type change struct {
	path          string
	from          string // of a move
	before, after *entry // nil: nothing
	// Known of a file's content once it was read.
	sum     string // SHA-256 after
	meaning string // see [meaning]
	none    bool   // it is the same after all, or is not covered
}

// differ compares two scans.
type differ struct {
	run           *Run
	before, after *tree
	changes       []*change // by path
	gaps          []Gap
	others        []Other
	alone         bool // nothing else can have made the changes
	gone          map[identity]*change
	named         *names
}

// compare finds the paths where something is different.
func (d *differ) compare() {
	a, b := d.before.entries, d.after.entries
	for len(a) > 0 || len(b) > 0 {
		var side int
		switch {
		case len(a) == 0:
			side = 1
		case len(b) == 0:
			side = -1
		default:
			if a[0] != b[0] {
				side = strings.Compare(a[0].path, b[0].path)
			}
		}
		switch {
		case side < 0:
			d.changes = append(d.changes, &change{path: a[0].path, before: a[0]})
		case side > 0:
			d.changes = append(d.changes, &change{path: b[0].path, after: b[0]})
		case a[0] == b[0]: // a directory that was not read again
		case !a[0].same(b[0]) || a[0].recent && a[0].isFile():
			d.changes = append(d.changes, &change{path: a[0].path, before: a[0], after: b[0]})
		}
		if side <= 0 {
			a = a[1:]
		}
		if side >= 0 {
			b = b[1:]
		}
	}
	d.moves()
	d.repositories()
	for _, c := range d.changes {
		d.look(c)
	}
	d.changes = slices.DeleteFunc(d.changes, func(c *change) bool { return c.none })
	for _, c := range d.changes {
		if c.after == nil && c.before.isDir() && path.Base(c.path) == ".git" {
			d.gap(path.Join(c.path, "objects"), lost) // the rest of the repository is restored
		}
	}
	d.blind()
	if dir, ok := d.run.outside.changed(); ok {
		d.gap(dir, elsewhere)
	}
}

// identity identifies an entry across moves.
type identity struct{ device, inode uint64 }

// moves joins an entry that disappeared at one path with its appearance at another.
func (d *differ) moves() {
	gone := map[identity]*change{}
	d.gone = gone
	for _, c := range d.changes {
		if c.before != nil && c.after == nil && !c.before.isLink() && c.before.Inode != 0 {
			gone[identity{c.before.Device, c.before.Inode}] = c
		}
	}
	if len(gone) == 0 {
		return
	}
	byPath := map[string]*change{}
	for _, c := range d.changes {
		byPath[c.path] = c
	}
	for _, c := range d.changes { // directories come before what is in them
		if c.after == nil || c.before != nil || c.none {
			continue
		}
		was := gone[identity{c.after.Device, c.after.Inode}]
		if was == nil || was.none || !was.before.moved(c.after) {
			continue
		}
		if c.after.isDir() {
			if !d.whole(was.before, c.after) {
				continue
			}
			for _, e := range d.before.below(was.path) {
				byPath[e.path].none = true
			}
			for _, e := range d.after.below(c.path) {
				byPath[e.path].none = true
			}
			d.before.blind = slices.DeleteFunc(d.before.blind, func(b blind) bool { return strings.HasPrefix(b.path, was.path+"/") })
			d.after.blind = slices.DeleteFunc(d.after.blind, func(b blind) bool { return strings.HasPrefix(b.path, c.path+"/") })
		}
		c.from, c.before, was.none = was.path, was.before, true
	}
	d.changes = slices.DeleteFunc(d.changes, func(c *change) bool { return c.none })
}

// repositories joins what is in a repository that was made: with the objects, which are
// not scanned, it goes as a whole.
func (d *differ) repositories() {
	made := ""
	for _, c := range d.changes {
		switch {
		case made != "" && strings.HasPrefix(c.path, made+"/"):
			c.none = true
		case c.before == nil && c.after.isDir() && path.Base(c.path) == ".git":
			made = c.path
		}
	}
	d.changes = slices.DeleteFunc(d.changes, func(c *change) bool { return c.none })
}

// whole reports whether a directory was moved with everything in it, and nothing of it
// was changed.
func (d *differ) whole(a, b *entry) bool {
	from, to := d.before.below(a.path), d.after.below(b.path)
	return a.Mode == b.Mode && len(from) == len(to) && slices.EqualFunc(from, to, func(x, y *entry) bool {
		return x.path[len(a.path):] == y.path[len(b.path):] && x.same(y) && x.Inode == y.Inode && !x.recent
	})
}

// look reads what a file holds now, to tell whether its content differs.
func (d *differ) look(c *change) {
	b, a := c.before, c.after
	switch {
	case a == nil:
		switch _, err := (opener{d.run.w.Root.Restorer()}).Lstat(workspace.Escape(c.path)); {
		case err == nil:
			// The rules of what is ignored have changed, or it is a pipe now.
			c.none = true
			d.gap(c.path, ignoredOutput)
		case errors.Is(err, fs.ErrPermission):
			c.none = true
			d.gap(c.path, unreadable)
		}
		return
	case d.stranger(c):
		c.none = true
		i, _ := slices.BinarySearchFunc(d.after.blind, c.path, func(b blind, path string) int { return strings.Compare(b.path, path) })
		d.after.blind = slices.Insert(d.after.blind, i, blind{path: c.path, why: strange})
		return
	case b == nil && d.old(c):
		c.none = true
		return
	case !a.isFile():
		return
	}
	if a.Size > state.MaxBlob {
		c.none = b != nil && c.from == "" && b.same(a)
		return
	}
	if a.ignored && a.Size > largestIgnored && b == nil {
		c.none = true
		d.gap(c.path, ignoredOutput)
		return
	}
	data, err := opener{d.run.w.Root.Restorer()}.ReadFile(workspace.Escape(c.path))
	switch {
	case errors.Is(err, fs.ErrNotExist) && b == nil:
		c.none = true // it is gone again
		return
	case err != nil:
		if c.none = b == nil || b.Mode == a.Mode; c.none {
			d.gap(c.path, unreadable)
		}
		return
	}
	sum := sha256.Sum256(data)
	c.sum, c.meaning = hex.EncodeToString(sum[:]), meaning(c.path, data)
	a.Size = int64(len(data))
	if b == nil || !b.isFile() || !b.holds(data, c.sum) || b.Mode != a.Mode && c.apart() {
		return
	}
	b.blob, b.gap = c.sum, covered
	c.none = b.Mode == a.Mode && c.from == ""
	if !c.none && b.clean {
		b.clean = false // its content is at hand
	}
}

// old reports whether a path that only the second scan found was there before: the
// rules of what is ignored have changed.
func (d *differ) old(c *change) bool {
	if d.gone[identity{c.after.Device, c.after.Inode}] != nil {
		return false // it was elsewhere
	}
	if c.after.Changed != 0 && c.after.Changed < d.before.at.UnixNano()-int64(clockTick) {
		return true
	}
	return slices.ContainsFunc(d.before.blind, func(b blind) bool { return strings.HasPrefix(c.path, b.path+"/") || c.path == b.path })
}

// holds reports whether a file surely held these bytes.
func (e *entry) holds(data []byte, sum string) bool {
	switch {
	case e.Size != int64(len(data)):
		return false
	case e.clean:
		return objectOf(data) == e.object
	}
	return e.blob == sum
}

// objectOf returns the name that git gives to a file's content.
func objectOf(data []byte) (id gitindex.OID) {
	h := sha1.New() //nolint:gosec // see above
	_, _ = fmt.Fprintf(h, "blob %d\x00", len(data))
	_, _ = h.Write(data) // a hash takes everything
	h.Sum(id[:0])
	return id
}

// blind names what the scans do not cover and that was changed.
func (d *differ) blind() {
	was := map[string]blind{}
	for _, b := range d.before.blind {
		was[b.path] = b
	}
	for _, b := range d.after.blind {
		if old, ok := was[b.path]; !ok || old.mark != b.mark {
			d.gap(b.path, b.why)
		}
		delete(was, b.path)
	}
	for path, b := range was {
		d.gap(path, b.why)
	}
}

func (d *differ) gap(at string, why reason) {
	d.gaps = append(d.gaps, Gap{workspace.Escape(at), why.text()})
}

// differences returns what the journal records. It puts the bytes from before into
// blobs. What cannot be undone is left out and named as a gap.
func (d *differ) differences() ([]journal.Difference, error) {
	if !d.alone {
		if err := d.exclude(); err != nil {
			return nil, err
		}
	}
	var all []journal.Difference
	busy := map[string]bool{}
	for _, c := range d.changes {
		one, ok, err := d.difference(c)
		if err != nil {
			return nil, err
		}
		if !ok {
			c.none = true
			continue
		}
		all = append(all, one)
		busy[parent(c.path)] = true
		if c.from != "" {
			busy[parent(c.from)] = true
		}
	}
	d.changes = slices.DeleteFunc(d.changes, func(c *change) bool { return c.none })
	// A directory that cannot be written to must be opened to undo what is in it.
	for dir := range busy {
		b, a := d.before.find(dir), d.after.find(dir)
		if b != nil && a != nil && b.Mode == a.Mode && b.isDir() && b.Mode&0o300 != 0o300 {
			all = append(all, journal.Difference{Path: workspace.Escape(dir), Before: b.state(), After: a.state()})
		}
	}
	return all, nil
}

// difference returns what the journal records of one change. ok is false if that is
// nothing.
func (d *differ) difference(c *change) (one journal.Difference, ok bool, err error) {
	one = journal.Difference{Path: workspace.Escape(c.path), From: workspace.Escape(c.from)}
	if a := c.after; a != nil {
		one.After = a.state()
		one.After.SHA, one.After.Meaning = c.sum, c.meaning
		one.Whole = a.isFile() && a.Size > largest && (c.before == nil || !c.before.isFile()) ||
			a.isDir() && c.before == nil && path.Base(c.path) == ".git"
		if a.isFile() && c.sum == "" && a.Size <= state.MaxBlob { // it could not be read
			one.After.Time = a.Modified
		}
	}
	b := c.before
	if b == nil {
		one.Loose = c.after.isDir() && d.holdsBlind(d.after, c.path)
		return one, true, nil
	}
	one.Before = b.state()
	one.Apart, one.Others = c.apart(), d.unseen(c)
	switch {
	case c.from != "" && b.isFile():
		one.Before.SHA = c.sum
		return one, true, nil
	case !b.isFile() || c.from != "":
		one.Loose = b.isDir() && c.after == nil && d.holdsBlind(d.before, c.path)
		return one, true, nil
	}
	if one.After != nil && c.after.isFile() && !one.Apart && (b.blob != "" && b.blob == c.sum || c.sum == "" && b.sameContent(c.after)) {
		one.Before.SHA, one.Before.Time = one.After.SHA, one.After.Time // only the mode differs
		return one, true, nil
	}
	if b.gap != covered {
		d.gap(c.path, b.gap)
		return one, false, nil
	}
	sha, err := d.run.save(b)
	if err != nil {
		return one, false, err
	}
	if sha == "" {
		d.gap(c.path, lost)
		return one, false, nil
	}
	one.Before.SHA, one.Before.Saved = sha, true
	return one, true, nil
}

func (e *entry) sameContent(o *entry) bool {
	return e.Size == o.Size && e.Modified == o.Modified && e.Inode == o.Inode
}

// holdsBlind reports whether a directory contains what the scan does not cover.
func (d *differ) holdsBlind(t *tree, dir string) bool {
	i, _ := slices.BinarySearchFunc(t.blind, dir+"/", func(b blind, path string) int { return strings.Compare(b.path, path) })
	return i < len(t.blind) && strings.HasPrefix(t.blind[i].path, dir+"/")
}

// save makes sure that the earlier bytes of a file are in a durable blob and returns its
// name; "" if they are lost. An error concerns the state directory.
func (r *Run) save(e *entry) (sha string, err error) {
	var data []byte
	if e.clean {
		if r.git == nil || r.git.objects == nil {
			return "", nil
		}
		data, err = r.git.objects.Blob(e.object, state.MaxBlob)
		if err != nil || int64(len(data)) != e.Size {
			return "", nil //nolint:nilerr // the report says that it is lost
		}
		return r.w.State.PutBlob(data, true)
	}
	if e.blob == "" {
		return "", nil
	}
	data, err = r.w.State.Blob(e.blob)
	if fault.Is(err, fault.NotFound) || fault.Is(err, fault.IOError) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return r.w.State.PutBlob(data, true)
}

// exclude leaves out what other calls recorded meanwhile, if it is still as they left
// it.
func (d *differ) exclude() error {
	entries, err := d.run.w.Journal.Since(d.run.started)
	if err != nil {
		return err
	}
	theirs := map[string]*journal.State{} // what the others left at a path
	by := map[string]journal.Entry{}
	for _, e := range slices.Backward(entries) { // the oldest first
		for _, f := range e.Files {
			theirs[f.Path], by[f.Path] = f.After, e
			if f.From != "" {
				theirs[f.From], by[f.From] = nil, e
			}
		}
	}
	if len(by) == 0 {
		return nil
	}
	d.changes = slices.DeleteFunc(d.changes, func(c *change) bool {
		shown := workspace.Escape(c.path)
		e, ok := by[shown]
		if !ok || c.from != "" || !c.is(theirs[shown]) {
			return false
		}
		d.others = append(d.others, Other{Path: shown, Tool: e.Tool, UndoID: e.ID})
		return true
	})
	slices.SortFunc(d.others, func(a, b Other) int { return cmp.Compare(a.Path, b.Path) })
	return nil
}

// is reports whether a state describes what is there now.
func (c *change) is(st *journal.State) bool {
	switch {
	case st == nil || c.after == nil:
		return st == nil && c.after == nil
	case c.after.isDir():
		return st.Kind == journal.Dir
	case c.after.isLink():
		return st.Kind == journal.Link && st.Link == c.after.target
	}
	return st.Kind == journal.File && st.SHA == c.sum
}
