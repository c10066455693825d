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
	entries  []*entry // by path
	blind    []blind  // by path
	at       time.Time
	listings map[string]*listing // of the directories, by path; "." is the root
}

// listing is what a directory held. If the directory has not changed since, it holds
// the same names, and need not be read again.
type listing struct {
	walk.Status // of the directory
	names       []walk.Entry
	entries     []entry // of the names, in their order
	blind       []blind
	blindNames  []walk.Entry
	subs        []place
}

// find returns the entry at a path, or nil.
func (t *tree) find(path string) *entry {
	i, ok := slices.BinarySearchFunc(t.entries, path, func(e *entry, path string) int { return strings.Compare(e.path, path) })
	if !ok {
		return nil
	}
	return t.entries[i]
}

// below returns the entries in a directory, at any depth. "a-b" sorts between "a" and
// "a/b".
func (t *tree) below(dir string) []*entry {
	from, _ := slices.BinarySearchFunc(t.entries, dir+"/", func(e *entry, path string) int { return strings.Compare(e.path, path) })
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
	was           *tree // an earlier scan, or nil
	root          walk.Root

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
	zone   zone
	status walk.Status
}

// scan describes everything in the workspace but its root. The index, if there is one,
// says what is tracked although it is ignored. An earlier scan, if there is one, saves
// reading directories that have not changed since.
func scan(ctx context.Context, root walk.Root, filter walk.Filter, index *gitindex.Index, was *tree) (*tree, error) {
	filter.Hidden, filter.Closed = true, true
	s := &scanner{
		ordinary: walk.New(root, filter), all: walk.New(root, walk.Filter{Hidden: true, Closed: true, NoIgnore: true}),
		index: index, out: &tree{at: time.Now(), listings: map[string]*listing{}}, was: was, root: root,
	}
	if index == nil {
		s.index = &gitindex.Index{}
	}
	s.more = sync.NewCond(&s.mu)
	s.waiting = []place{{Directory: s.ordinary.Start("."), zone: ordinary}}
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
	s.out.entries = make([]*entry, 0, s.found)
	for i := range parts {
		s.out.entries = append(s.out.entries, parts[i].entries...)
		s.out.blind = append(s.out.blind, parts[i].blind...)
	}
	slices.SortFunc(s.out.entries, func(a, b *entry) int { return strings.Compare(a.path, b.path) })
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
		l := s.again(p)
		var err error
		if l == nil {
			l, err = s.directory(p, &scratch)
		}
		if l == nil {
			l = &listing{}
		}
		for i := range l.entries {
			out.entries = append(out.entries, &l.entries[i])
		}
		out.blind = append(out.blind, l.blind...)
		s.done(p, l, err)
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

func (s *scanner) done(p place, l *listing, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy--
	s.found += len(l.entries)
	s.waiting = append(s.waiting, l.subs...)
	s.out.listings[p.Rel()] = l
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
	return fault.New(fault.TooLarge, fault.T("the workspace has more than %d files", "工作区的文件超过 %d 个", mostEntries)).
		WithHint(fault.T("work in a directory below it: --root DIR", "请在其下的某个目录中工作：--root DIR"))
}

// again describes a directory as it was listed before. It returns nil if the directory
// has changed, or may have.
func (s *scanner) again(p place) *listing {
	if s.was == nil {
		return nil
	}
	old := s.was.listings[p.Rel()]
	tick := s.was.at.UnixNano() - int64(clockTick)
	if old == nil || p.status.Changed == 0 || p.status != old.Status || max(old.Changed, old.Modified) > tick {
		return nil
	}
	h, err := s.root.OpenDir(p.Rel())
	if err != nil {
		return nil
	}
	defer h.Close()
	l := &listing{
		Status: p.status, names: old.names, entries: slices.Clone(old.entries),
		blind: slices.Clone(old.blind), blindNames: old.blindNames, subs: slices.Clone(old.subs),
	}
	dirs := 0
	for i, name := range l.names {
		e := &l.entries[i]
		st, err := h.Status(name)
		if err != nil || st.Mode.Type() != e.Mode.Type() {
			return nil
		}
		if e.isLink() && st != e.Status {
			return nil
		}
		e.Status = st
		e.object, e.clean, e.blob, e.gap = gitindex.OID{}, false, "", covered
		e.recent = s.isRecent(st)
		if e.isDir() {
			l.subs[dirs].status = st
			dirs++
		}
	}
	for i, name := range l.blindNames {
		st, err := h.Status(name)
		if err != nil {
			return nil
		}
		l.blind[i].mark = s.mark(name, st)
	}
	return l
}

func (s *scanner) isRecent(st walk.Status) bool {
	return s.out.at.UnixNano()-max(st.Changed, st.Modified) < int64(clockTick)
}

// directory describes the entries of one directory.
func (s *scanner) directory(p place, scratch *walk.Scratch) (*listing, error) {
	l := &listing{Status: p.status}
	w := s.ordinary
	if p.zone != ordinary {
		w = s.all
	}
	c, err := w.Open(p.Directory, scratch)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || p.Rel() == "." {
			return l, ignoreMissing(err, p.Rel())
		}
		l.blind = append(l.blind, blind{path: p.Rel(), why: unreadable})
		l.Status = walk.Status{} // the next scan tries again
		return l, nil
	}
	defer c.Handle.Close()
	l.names = make([]walk.Entry, 0, len(c.Dirs)+len(c.Files))
	l.entries = make([]entry, 0, len(c.Dirs)+len(c.Files))
	repository := p.zone == internal && slices.ContainsFunc(c.Files, func(e walk.Entry) bool { return e.Name() == "HEAD" })
	for _, e := range c.Dirs {
		if err := s.enter(p, &c, e, repository, l); err != nil {
			return nil, err
		}
	}
	for _, e := range c.Files {
		if e.Type == walk.Dir {
			if err := s.enter(p, &c, e, repository, l); err != nil {
				return nil, err
			}
			continue
		}
		if p.zone == excluded {
			if _, tracked := s.index.Find(e.Path()); !tracked {
				continue
			}
		}
		if _, err := s.describe(&c, e, l); err != nil {
			return nil, err
		}
	}
	return l, nil
}

func ignoreMissing(err error, path string) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return fault.System(err, path)
}

// enter describes a directory and plans to scan it, if it is one to scan.
func (s *scanner) enter(p place, c *walk.Content, e walk.Entry, repository bool, l *listing) error {
	name, path := e.Name(), e.Path()
	sub := place{Directory: c.Sub(p.Directory, e), zone: p.zone}
	switch {
	case name == ".helve":
		return nil
	case repository && (name == "objects" || name == "lfs"):
		return nil
	case p.zone == internal:
	case name == ".git", name == ".hg", name == ".svn", name == ".jj":
		sub.zone = internal
	case p.zone == excluded:
		if !s.index.Below(path) {
			return nil
		}
	case e.Ignored, rebuilt(name):
		if !s.index.Below(path) {
			why := buildOutput
			if e.Ignored {
				why = ignoredOutput
			}
			st, err := c.Handle.Status(e)
			if err != nil {
				return ignoreMissing(err, path)
			}
			l.blind, l.blindNames = append(l.blind, blind{path, why, s.mark(e, st)}), append(l.blindNames, e)
			return nil
		}
		sub.zone = excluded
	}
	ok, err := s.describe(c, e, l)
	if ok {
		sub.status = l.entries[len(l.entries)-1].Status
		l.subs = append(l.subs, sub)
	}
	return err
}

// describe adds an entry. ok is false if it is no longer there, or nothing to restore.
func (s *scanner) describe(c *walk.Content, e walk.Entry, l *listing) (ok bool, err error) {
	st, err := c.Handle.Status(e)
	if err != nil {
		return false, ignoreMissing(err, e.Path())
	}
	found := entry{path: e.Path(), Status: st, ignored: e.Ignored, recent: s.isRecent(st)}
	switch {
	case found.isLink():
		if found.target, err = c.Handle.Readlink(e); err != nil {
			return false, ignoreMissing(err, e.Path())
		}
	case !found.isDir() && !found.isFile():
		l.blind, l.blindNames = append(l.blind, blind{found.path, special, s.mark(e, st)}), append(l.blindNames, e)
		return false, nil
	}
	l.names, l.entries = append(l.names, e), append(l.entries, found)
	return true, nil
}

// mostMarked is how many entries of a directory its mark is made from.
const mostMarked = 1000

// mark returns a number that changes when an entry does, or what is directly in it.
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
