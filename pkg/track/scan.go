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
	"github.com/helve-dev/helve/pkg/search/collect"
	"github.com/helve-dev/helve/pkg/search/walk"
	"github.com/helve-dev/helve/pkg/workspace"
)

// mostEntries limits the files and directories scanned.
const mostEntries = 400_000

// zone selects the parts of a directory that are scanned.
type zone uint8

const (
	ordinary zone = iota
	internal      // of a repository: everything but its objects
	excluded      // by ignore rules: what is tracked all the same
	surveyed      // only looked through for what other programs obey
)

// scanner scans one workspace. Several goroutines take directories from one list.
type scanner struct {
	ordinary, all *walk.Walker // all reads no ignore rules
	index         *gitindex.Index
	at            time.Time
	was           time.Time // of the earlier scan
	root          walk.Root
	dir           string // of the root, for a survey; "" makes none
	only          *narrow
	most          int // entries

	mu      sync.Mutex
	more    *sync.Cond
	waiting []place
	busy    int
	found   int
	looked  int // entries that were looked at for the survey
	partial bool
	err     error
}

// place is a directory to scan.
type place struct {
	walk.Directory
	zone   zone
	survey bool       // look for what other programs obey
	at     int        // the number of its entry above, if it is described
	name   walk.Entry // else
	status walk.Status
	was    *listing // of an earlier scan, or nil
	found  *listing // what the scan fills in
}

// garbage limits the garbage that gathers during a scan, in percent of the memory in use.
// Hardly any of a scan's memory is garbage.
const garbage = 400

// scan describes everything in the workspace but its root. The index, if there is one,
// says what is tracked although it is ignored. An earlier scan, if there is one, saves
// reading directories that have not changed since. dir is the path of the root if a survey
// is to be made, for which more directories are looked through. The error for more than most
// entries is errTooMany.
func scan(ctx context.Context, root walk.Root, dir string, filter walk.Filter, index *gitindex.Index, was *tree, only *narrow, most int) (*tree, error) {
	defer collect.Until(garbage)()
	filter.Hidden, filter.Closed = true, true
	s := &scanner{
		ordinary: walk.New(root, filter), all: walk.New(root, walk.Filter{Hidden: true, Closed: true, NoIgnore: true}),
		index: index, at: time.Now(), root: root, dir: dir, only: only, most: most,
	}
	if index == nil {
		s.index = &gitindex.Index{}
	}
	s.more = sync.NewCond(&s.mu)
	top := place{Directory: s.ordinary.Start("."), zone: ordinary, survey: dir != "", found: &listing{}}
	if was != nil {
		s.was, top.was = was.at, was.top
	}
	s.waiting = []place{top}
	release := context.AfterFunc(ctx, func() { s.fail(context.Cause(ctx)) })
	defer release()
	var all walk.Group
	for range walk.Workers() {
		all.Go(s.work, func() { s.fail(errors.New("panic")) })
	}
	all.Wait()
	s.mu.Lock() // ctx may be done just now
	err := s.err
	s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	out := &tree{at: s.at, top: top.found, partial: s.partial, entries: make([]*entry, 0, s.found)}
	out.gather(out.top)
	slices.SortFunc(out.blind, func(a, b blind) int { return strings.Compare(a.path, b.path) })
	return out, nil
}

func (s *scanner) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
	s.more.Broadcast()
}

// worker is the memory of one goroutine.
type worker struct {
	walk.Scratch
	statuses []walk.Status
}

// work scans directories until none is left.
func (s *scanner) work() {
	var w worker
	for {
		p, ok := s.take()
		if !ok {
			return
		}
		var err error
		if !s.again(p, &w) {
			err = s.directory(p, &w)
		}
		s.done(p, err)
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
		return place{}, false
	}
	p = s.waiting[len(s.waiting)-1]
	s.waiting = s.waiting[:len(s.waiting)-1]
	s.busy++
	return p, true
}

func (s *scanner) done(p place, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy--
	s.found += len(p.found.entries)
	if s.looked += p.found.size; s.looked > workspace.MostSurveyed {
		s.partial = s.partial || slices.ContainsFunc(p.found.subs, func(sub place) bool { return sub.zone == surveyed })
		p.found.subs = slices.DeleteFunc(p.found.subs, func(sub place) bool { return sub.zone == surveyed })
	}
	s.waiting = append(s.waiting, p.found.subs...)
	switch {
	case s.err != nil:
	case err != nil:
		s.err = err
	case s.found > s.most:
		s.err = errTooMany
	}
	if len(p.found.subs) > 0 || s.busy == 0 || s.err != nil {
		s.more.Broadcast()
	}
}

var errTooMany = errors.New("too many entries")

func (w Workspace) tooMany() error {
	return fault.New(fault.TooLarge, fault.T("the workspace has more than %d files", w.most())).
		WithHint(fault.T("work in a directory below it: --root DIR"))
}

// again describes a directory as it was listed before. It reports whether that could be
// done: not if the directory has changed, or may have.
func (s *scanner) again(p place, w *worker) bool {
	old := p.was
	if old == nil || old.look != nil && old.look.Bare || p.status.Changed == 0 || p.status != old.Status || !settled(old.Status, s.was) {
		return false
	}
	h, err := s.root.Enter(p.Rel(), &w.Scratch)
	if err != nil {
		return false
	}
	defer h.Close()
	if !h.DatesNames() {
		return false
	}
	w.statuses = w.statuses[:0]
	same := true
	for i, name := range old.names {
		was := old.entries[i]
		st, err := h.Status(name)
		if err != nil || st.Mode.Type() != was.Mode.Type() || was.isLink() && st != was.Status {
			return false
		}
		same = same && st == was.Status && !was.recent
		w.statuses = append(w.statuses, st)
	}
	subs := slices.Clone(old.subs)
	for i := range subs {
		sub := &subs[i]
		if sub.zone != surveyed {
			sub.status = w.statuses[sub.at]
		} else if sub.status, err = h.Status(sub.name); err != nil || !sub.status.Mode.IsDir() {
			return false
		}
		sub.was, sub.found = sub.found, &listing{}
	}
	l := p.found
	*l = listing{Status: p.status, subs: subs, look: old.look, size: old.size, names: old.names, entries: old.entries, blind: slices.Clone(old.blind), blindNames: old.blindNames}
	if !same {
		l.entries = make([]*entry, len(old.entries))
		for i, was := range old.entries {
			if l.entries[i] = was; was.recent || was.Status != w.statuses[i] {
				l.entries[i] = &entry{path: was.path, Status: w.statuses[i], target: was.target, ignored: was.ignored, recent: !settled(w.statuses[i], s.at)}
			}
		}
	}
	for i, name := range l.blindNames {
		st, err := h.Status(name)
		if err != nil {
			*l = listing{}
			return false
		}
		l.blind[i].mark = s.mark(name, st)
	}
	return true
}

// directory describes the entries of one directory.
func (s *scanner) directory(p place, scratch *worker) error {
	l := p.found
	l.Status = p.status
	w := s.ordinary
	if p.zone != ordinary {
		w = s.all
	}
	c, err := w.Open(p.Directory, &scratch.Scratch)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || p.Rel() == "." {
			return ignoreMissing(err, p.Rel())
		}
		if p.zone != surveyed {
			l.blind = append(l.blind, blind{path: p.Rel(), why: unreadable})
		}
		l.Status = walk.Status{} // the next scan tries again
		return nil
	}
	defer c.Handle.Close()
	names := slices.Concat(c.Dirs, c.Files)
	if s.only != nil {
		names = slices.DeleteFunc(names, func(e walk.Entry) bool { return !s.only.takes(e.Path()) })
	}
	l.size = len(names)
	if p.survey {
		l.look = workspace.LookAt(s.dir, p.Rel(), func(yield func(string, bool) bool) {
			_ = slices.ContainsFunc(names, func(e walk.Entry) bool { return !yield(e.Name(), e.Type == walk.Dir) })
		})
	}
	if p.zone == surveyed {
		for _, e := range names {
			if e.Type == walk.Dir {
				p.pass(&c, e)
			}
		}
		l.order()
		return nil
	}
	slices.SortFunc(names, func(a, b walk.Entry) int { return strings.Compare(a.Name(), b.Name()) })
	d := &describer{place: p, listing: l, content: &c, memory: make([]entry, 0, len(names))}
	l.names, l.entries = names[:0], make([]*entry, 0, len(names))
	for _, e := range names {
		d.bytes += len(p.Prefix()) + len(e.Name())
	}
	d.repository = p.zone == internal && slices.ContainsFunc(c.Files, func(e walk.Entry) bool { return e.Name() == "HEAD" })
	for _, e := range names {
		if e.Type == walk.Dir {
			err = s.enter(d, e)
		} else if s.takes(p, e) {
			_, err = s.describe(d, e)
		}
		if errors.Is(err, fs.ErrPermission) { // it can be listed, but nothing in it can be looked at
			*l = listing{look: l.look, blind: []blind{{path: p.Rel(), why: unreadable}}}
			return nil
		}
		if err != nil {
			return err
		}
	}
	l.order()
	return nil
}

// order puts the directories below in the order of the paths in them.
func (l *listing) order() {
	slices.SortFunc(l.subs, func(a, b place) int { return strings.Compare(a.Prefix(), b.Prefix()) })
}

// pass plans to look through a directory that is not described, if the survey enters it.
func (p place) pass(c *walk.Content, e walk.Entry) {
	if !p.survey || !p.found.look.Enters(e.Name()) {
		return
	}
	st, err := c.Handle.Status(e)
	if err != nil {
		return // it has gone
	}
	sub := place{Directory: c.Sub(p.Directory, e), zone: surveyed, survey: true, name: e, status: st, found: &listing{}}
	sub.was = p.earlier(sub)
	p.found.subs = append(p.found.subs, sub)
}

// earlier returns what an earlier scan found in a directory of this one, or nil.
func (p place) earlier(sub place) *listing {
	if p.was == nil {
		return nil
	}
	i, ok := slices.BinarySearchFunc(p.was.subs, sub.Prefix(), func(p place, prefix string) int { return strings.Compare(p.Prefix(), prefix) })
	if !ok || p.was.subs[i].zone != sub.zone || p.was.subs[i].survey != sub.survey {
		return nil
	}
	return p.was.subs[i].found
}
