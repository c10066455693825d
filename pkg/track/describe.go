package track

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/search/walk"
)

// describer describes the entries of one directory. One allocation holds the state for
// all of them.
type describer struct {
	place
	*listing
	content    *walk.Content
	repository bool // it is one
	memory     []entry
	paths      strings.Builder
	bytes      int // of all paths
}

func (d *describer) path(e walk.Entry) string {
	d.paths.Grow(d.bytes)
	d.bytes = 0
	from := d.paths.Len()
	d.paths.WriteString(d.Prefix())
	d.paths.WriteString(e.Name())
	return d.paths.String()[from:]
}

// takes reports whether a file is scanned.
func (s *scanner) takes(p place, e walk.Entry) bool {
	if p.zone != excluded {
		return true
	}
	_, tracked := s.index.Find(e.Path())
	return tracked
}

func ignoreMissing(err error, path string) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return fault.System(err, path)
}

// enter describes a directory and plans to scan it, if it is one to scan.
func (s *scanner) enter(d *describer, e walk.Entry) error {
	name := e.Name()
	sub := place{Directory: d.content.Sub(d.Directory, e), zone: d.zone, survey: d.survey && d.look.Enters(name)}
	switch {
	case name == ".helve":
		return nil
	case d.repository && (name == "objects" || name == "lfs"):
		d.pass(d.content, e)
		return nil
	case d.zone == internal:
	case name == ".git", name == ".hg", name == ".svn", name == ".jj":
		sub.zone = internal
	case d.zone == excluded:
		if !s.index.Below(e.Path()) {
			d.pass(d.content, e)
			return nil
		}
	case e.Ignored, rebuilt(name):
		if !s.index.Below(e.Path()) {
			why := buildOutput
			if e.Ignored {
				why = ignoredOutput
			}
			st, err := d.content.Handle.Status(e)
			if err != nil {
				return ignoreMissing(err, e.Path())
			}
			d.addBlind(e, why, s.mark(e, st))
			d.pass(d.content, e)
			return nil
		}
		sub.zone = excluded
	}
	ok, err := s.describe(d, e)
	if ok {
		sub.at = len(d.entries) - 1
		sub.status, sub.was, sub.found = d.entries[sub.at].Status, d.earlier(sub), &listing{}
		d.subs = append(d.subs, sub)
	}
	return err
}

func (d *describer) addBlind(e walk.Entry, why reason, mark uint64) {
	d.blind, d.blindNames = append(d.blind, blind{e.Path(), why, mark}), append(d.blindNames, e)
}

// describe adds an entry. ok is false if it is no longer there, or nothing to restore.
func (s *scanner) describe(d *describer, e walk.Entry) (ok bool, err error) {
	st, err := d.content.Handle.Status(e)
	if err != nil {
		return false, ignoreMissing(err, e.Path())
	}
	found := entry{path: d.path(e), Status: st, ignored: e.Ignored, recent: !settled(st, s.at)}
	if s.only != nil {
		found.born = d.content.Handle.Born(e)
	}
	switch {
	case found.isLink():
		if found.target, err = d.content.Handle.Readlink(e); err != nil {
			return false, ignoreMissing(err, e.Path())
		}
	case !found.isDir() && !found.isFile():
		d.addBlind(e, special, s.mark(e, st))
		return false, nil
	}
	d.memory = append(d.memory, found)
	d.names, d.entries = append(d.names, e), append(d.entries, &d.memory[len(d.memory)-1])
	return true, nil
}

// mostMarked limits the entries of a directory that its mark covers.
const mostMarked = 1000

// mark returns a number that changes when an entry does, or an entry directly in it.
func (s *scanner) mark(e walk.Entry, st walk.Status) uint64 {
	sum := mix(0, st)
	if !st.Mode.IsDir() {
		return sum
	}
	var scratch walk.Scratch
	inside, err := s.all.Open(s.all.Start(e.Path()), &scratch)
	if err != nil {
		return sum
	}
	defer inside.Handle.Close()
	for i, e := range slices.Concat(inside.Dirs, inside.Files) {
		if i == mostMarked {
			break
		}
		if st, err := inside.Handle.Status(e); err == nil {
			sum = mix(sum, st)
		}
	}
	return sum
}

// mix adds a status to a mark.
func mix(sum uint64, st walk.Status) uint64 {
	const prime = 1099511628211 // of FNV-1a
	for _, n := range []uint64{uint64(st.Mode), uint64(st.Size), uint64(st.Modified), uint64(st.Changed), st.Inode} {
		sum = (sum ^ n) * prime
	}
	return sum + 1
}
