package host

import (
	"io/fs"
	"os"
	"sync"
	"time"
)

// sources are the files and directories that something was loaded from, each with
// what it was just before it was read. So a change during the reading counts as
// one after it. A nil *sources notes nothing.
type sources struct {
	mu    sync.Mutex
	noted map[string]source
}

// source is the state of a path when it was noted.
type source struct {
	link fs.FileInfo // the path itself; nil if nothing was there
	file fs.FileInfo // what it leads to; nil if nothing was there
	// place says that only the identity of the directory matters, not what is in
	// it.
	place bool
	// fresh says that it had changed so shortly before that another change could
	// leave the same times and the same size.
	fresh bool
}

// coarsest is the coarsest clock of a file system: that of FAT.
const coarsest = 2 * time.Second

// note notes a file, or a directory whose entries matter, before it is read.
func (s *sources) note(path string) { s.add(path, false) }

// notePlace notes a directory before it is opened to work in.
func (s *sources) notePlace(path string) { s.add(path, true) }

func (s *sources) add(path string, place bool) {
	if s == nil {
		return
	}
	now := look(path, place)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.noted == nil {
		s.noted = map[string]source{}
	}
	if _, known := s.noted[path]; !known { // the first look is the one before all reading
		s.noted[path] = now
	}
}

// look returns what a path is now. Links are followed: a file is no other because
// a link to it changed, but most paths need one call only.
func look(path string, place bool) source {
	s := source{place: place}
	var err error
	if s.link, err = os.Lstat(path); err != nil {
		s.link = nil
		return s
	}
	s.file = s.link
	if s.link.Mode()&fs.ModeSymlink != 0 {
		if s.file, err = os.Stat(path); err != nil {
			s.file = nil
		}
	}
	s.fresh = !place && (recent(s.link) || recent(s.file))
	return s
}

// recent reports whether a file changed within the last tick of the coarsest
// clock.
func recent(info fs.FileInfo) bool {
	if info == nil {
		return false
	}
	for _, at := range []time.Time{info.ModTime(), changed(info)} {
		if time.Since(at).Abs() <= coarsest {
			return true
		}
	}
	return false
}

// unchanged reports whether every source is what it was when it was noted.
func (s *sources) unchanged() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for path, before := range s.noted {
		now := look(path, before.place)
		if before.fresh || !before.same(before.link, now.link) || !before.same(before.file, now.file) {
			return false
		}
	}
	return true
}

// same reports whether two looks found the same file, and in it the same.
func (s source) same(a, b fs.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && (s.place ||
		a.Size() == b.Size() && a.Mode() == b.Mode() && a.ModTime().Equal(b.ModTime()) && changed(a).Equal(changed(b)))
}
