package track

import (
	"context"
	"path"

	"github.com/helve-dev/helve/pkg/workspace"
)

// What is surely covered, if the copies before a command are made at all: these limits
// are far below those of the copies, of which the smallest files get the first.
const (
	surelyFile  = 256 << 10 // bytes
	surelyBytes = 16 << 20  // of all files together
	surelyCount = 1000      // files, links and directories
)

// Sight is the workspace as it is, for judging what a command may take away.
type Sight struct {
	w    Workspace
	git  *repository // nil if there is none that can be read
	tree *tree
}

// Look scans the workspace. Of w it needs the root and the ignore rules.
func (w Workspace) Look(ctx context.Context) (*Sight, error) {
	s := &Sight{w: w, git: w.repository()}
	s.git.close() // the index is enough
	var err error
	s.tree, err = w.scan(ctx, s.git, nil)
	return s, err
}

// Covers reports whether undo will surely restore what is at a path when a command
// deletes it. Of large files and directories, of output that is made anew and of
// directories that git ignores it says no, though something of them may be covered.
func (s *Sight) Covers(rel string) bool {
	e := s.tree.find(rel)
	if e == nil || inRebuilt(rel) {
		return false
	}
	for _, b := range s.tree.blind {
		if workspace.Within(b.path, rel) {
			return false
		}
	}
	sum := surely{}
	covered := sum.has(e)
	for _, e := range s.tree.below(rel) {
		covered = covered && sum.has(e)
	}
	return covered
}

// surely adds up what undo will surely restore.
type surely struct {
	count int
	bytes int64
}

// has reports whether undo will surely restore an entry, too.
func (s *surely) has(e *entry) bool {
	if e.isFile() {
		s.bytes += e.Size
	}
	s.count++
	return s.count <= surelyCount && s.bytes <= surelyBytes && !(e.isFile() && e.Size > surelyFile) && (e.isFile() || e.isDir() || e.isLink()) &&
		!rebuilt(path.Base(e.path)) && path.Base(e.path) != ".git"
}

// inRebuilt reports whether a path is in a directory of which no copies are made.
func inRebuilt(rel string) bool {
	for dir := parent(rel); dir != ""; dir = parent(dir) {
		if rebuilt(path.Base(dir)) || path.Base(dir) == ".git" {
			return true
		}
	}
	return false
}
