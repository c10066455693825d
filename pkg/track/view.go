package track

import (
	"context"
	"path"

	"github.com/helve-dev/helve/pkg/workspace"
)

// Content within these limits is surely covered, if copies are made before a command: they
// are far below the limits of the copies, which begin with the smallest files.
const (
	surelyFile  = 256 << 10 // bytes
	surelyBytes = 16 << 20  // of all files together
	surelyCount = 1000      // files, links and directories
)

// View is the present state of the workspace, for judging the losses that a command
// may cause.
type View struct {
	w    Workspace
	git  *repository // nil if there is none that can be read
	tree *tree
}

// Look scans the workspace. Of w it needs the root and the ignore rules.
func (w Workspace) Look(ctx context.Context) (*View, error) {
	s := &View{w: w, git: w.repository()}
	s.git.close() // the index is enough
	var err error
	s.tree, err = w.scan(ctx, s.git, nil, nil)
	return s, err
}

// Restores reports whether undo will surely restore the content of a path that a command
// deletes. It returns false for large files and directories, for build output and for
// directories that git ignores, though parts of them may be covered.
func (s *View) Restores(rel string) bool {
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
