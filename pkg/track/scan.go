package track

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/gitindex"
	"github.com/helve-dev/helve/pkg/search/walk"
)

// mostEntries is how many files and directories are scanned.
const mostEntries = 400_000

// clockTick is how long the clock for files may stand still, with a margin.
const clockTick = 20 * time.Millisecond

// blind is something that is not scanned or not copied, with a mark that tells whether it
// was changed.
type blind struct {
	path string
	why  reason
	mark uint64
}

// tree is the workspace as a scan found it.
type tree struct {
	entries []entry // by path
	blind   []blind // by path
	at      time.Time
}

// find returns the entry at a path, or nil.
func (t *tree) find(path string) *entry {
	i, ok := slices.BinarySearchFunc(t.entries, path, func(e entry, path string) int { return strings.Compare(e.path, path) })
	if !ok {
		return nil
	}
	return &t.entries[i]
}

// below returns the entries in a directory, at any depth. "a-b" sorts between "a" and
// "a/b".
func (t *tree) below(dir string) []entry {
	from, _ := slices.BinarySearchFunc(t.entries, dir+"/", func(e entry, path string) int { return strings.Compare(e.path, path) })
	to := from
	for to < len(t.entries) && strings.HasPrefix(t.entries[to].path, dir+"/") {
		to++
	}
	return t.entries[from:to]
}

// zone says what of a directory is scanned.
type zone uint8

const (
	ordinary zone = iota
	internal      // of a repository: everything but its objects
	excluded      // by ignore rules: what is tracked all the same
)

// scanner scans one workspace. Several goroutines take directories from one list.
type scanner struct {
	ordinary, all *walk.Walker // all reads no ignore rules
	index         *gitindex.Index
	out           *tree

	mu      sync.Mutex
	more    *sync.Cond
	waiting []place
	busy    int
	found   int
	err     error
}

// place is a directory to scan.
type place struct {
	walk.Directory
	zone zone
}

// scan describes everything in the workspace but its root. The index, if there is one,
// says what is tracked although it is ignored.
func scan(ctx context.Context, root walk.Root, filter walk.Filter, index *gitindex.Index) (*tree, error) {
	filter.Hidden, filter.Closed = true, true
	s := &scanner{
		ordinary: walk.New(root, filter), all: walk.New(root, walk.Filter{Hidden: true, Closed: true, NoIgnore: true}),
		index: index, out: &tree{at: time.Now()},
	}
	if index == nil {
		s.index = &gitindex.Index{}
	}
	s.more = sync.NewCond(&s.mu)
	s.waiting = []place{{s.ordinary.Start("."), ordinary}}
	release := context.AfterFunc(ctx, func() { s.fail(context.Cause(ctx)) })
	defer release()
	parts := make([]tree, walk.Workers())
	var all walk.Group
	for i := range parts {
		all.Go(func() { s.work(&parts[i]) }, func() { s.fail(errors.New("panic")) })
	}
	all.Wait()
	if s.err != nil {
		return nil, s.err
	}
	s.out.entries = make([]entry, 0, s.found)
	for i := range parts {
		s.out.entries = append(s.out.entries, parts[i].entries...)
		s.out.blind = append(s.out.blind, parts[i].blind...)
	}
	slices.SortFunc(s.out.entries, func(a, b entry) int { return strings.Compare(a.path, b.path) })
	slices.SortFunc(s.out.blind, func(a, b blind) int { return strings.Compare(a.path, b.path) })
	return s.out, nil
}

func (s *scanner) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
	s.more.Broadcast()
}

// work scans directories until none is left.
func (s *scanner) work(out *tree) {
	var scratch walk.Scratch
	for {
		p, ok := s.take()
		if !ok {
			return
		}
		before := len(out.entries)
		subs, err := s.directory(p, &scratch, out)
		s.done(subs, len(out.entries)-before, err)
	}
}

// take waits for a directory. ok is false when all is done or failed.
func (s *scanner) take() (p place, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.waiting) == 0 && s.busy > 0 && s.err == nil {
		s.more.Wait()
	}
	if len(s.waiting) == 0 || s.err != nil {
		s.more.Broadcast()
		return place{}, false
	}
	p = s.waiting[len(s.waiting)-1]
	s.waiting = s.waiting[:len(s.waiting)-1]
	s.busy++
	return p, true
}

func (s *scanner) done(subs []place, found int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy--
	s.found += found
	s.waiting = append(s.waiting, subs...)
	switch {
	case s.err != nil:
	case err != nil:
		s.err = err
	case s.found > mostEntries:
		s.err = tooMany()
	}
	s.more.Broadcast()
}

func tooMany() error {
	return fault.New(fault.TooLarge, fault.T("the workspace has more than %d files", "工作区的文件超过 %d 个", mostEntries))
}

// directory describes the entries of one directory and returns those to scan next.
func (s *scanner) directory(p place, scratch *walk.Scratch, out *tree) (subs []place, err error) {
	w := s.ordinary
	if p.zone != ordinary {
		w = s.all
	}
	c, err := w.Open(p.Directory, scratch)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || p.Rel() == "." {
			return nil, ignoreMissing(err, p.Rel())
		}
		out.blind = append(out.blind, blind{path: p.Rel(), why: unreadable})
		return nil, nil
	}
	defer c.Handle.Close()
	repository := p.zone == internal && slices.ContainsFunc(c.Files, func(e walk.Entry) bool { return e.Name() == "HEAD" })
	for _, e := range c.Dirs {
		sub, enter, err := s.enter(p, &c, e, repository, out)
		if err != nil {
			return nil, err
		}
		if enter {
			subs = append(subs, sub)
		}
	}
	for _, e := range c.Files {
		if e.Type == walk.Dir {
			sub, enter, err := s.enter(p, &c, e, repository, out)
			if err != nil {
				return nil, err
			}
			if enter {
				subs = append(subs, sub)
			}
			continue
		}
		if p.zone == excluded {
			if _, tracked := s.index.Find(e.Path()); !tracked {
				continue
			}
		}
		if _, err := s.describe(&c, e, out); err != nil {
			return nil, err
		}
	}
	return subs, nil
}

func ignoreMissing(err error, path string) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return fault.System(err, path)
}

// enter describes a directory and reports whether to scan it.
func (s *scanner) enter(p place, c *walk.Content, e walk.Entry, repository bool, out *tree) (sub place, enter bool, err error) {
	name, path := e.Name(), e.Path()
	sub = place{c.Sub(p.Directory, e), p.zone}
	switch {
	case name == ".helve":
		return sub, false, nil
	case repository && (name == "objects" || name == "lfs"):
		return sub, false, nil
	case p.zone == internal:
	case name == ".git", name == ".hg", name == ".svn", name == ".jj":
		sub.zone = internal
	case p.zone == excluded:
		if !s.index.Below(path) {
			return sub, false, nil
		}
	case e.Ignored, rebuilt(name):
		if !s.index.Below(path) {
			why := buildOutput
			if e.Ignored {
				why = ignoredOutput
			}
			out.blind = append(out.blind, blind{path, why, s.mark(c, e)})
			return sub, false, nil
		}
		sub.zone = excluded
	}
	ok, err := s.describe(c, e, out)
	return sub, ok, err
}

// describe adds an entry. ok is false if it is no longer there.
func (s *scanner) describe(c *walk.Content, e walk.Entry, out *tree) (ok bool, err error) {
	st, err := c.Handle.Status(e)
	if err != nil {
		return false, ignoreMissing(err, e.Path())
	}
	found := entry{path: e.Path(), Status: st, ignored: e.Ignored}
	found.recent = s.out.at.UnixNano()-max(st.Changed, st.Modified) < int64(clockTick)
	switch {
	case found.isLink():
		if found.target, err = c.Handle.Readlink(e); err != nil {
			return false, ignoreMissing(err, e.Path())
		}
	case !found.isDir() && !found.isFile():
		out.blind = append(out.blind, blind{found.path, special, mix(0, st)})
		return false, nil
	}
	out.entries = append(out.entries, found)
	return true, nil
}

// mostMarked is how many entries of a directory its mark is made from.
const mostMarked = 1000

// mark returns a number that changes when a directory or what is directly in it does.
func (s *scanner) mark(c *walk.Content, e walk.Entry) uint64 {
	st, err := c.Handle.Status(e)
	if err != nil {
		return 0
	}
	sum := mix(0, st)
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
