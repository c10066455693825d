package track

import (
	"io/fs"
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

// surely adds up what undo will surely restore.
type surely struct {
	count int
	bytes int64
}

// Covers reports whether undo will surely restore what is at a path when a command
// deletes it. Of large files and directories, and of output that is made anew, it says
// no, though they may be covered.
func Covers(root *workspace.Root, rel string) bool {
	if inRebuilt(rel) {
		return false
	}
	info, err := root.Lstat(rel)
	return err == nil && rel != "." && new(surely).has(root, rel, info)
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

// has reports whether undo will surely restore also what is at a path.
func (s *surely) has(root *workspace.Root, rel string, info fs.FileInfo) bool {
	if s.count++; s.count > surelyCount || rebuilt(path.Base(rel)) || path.Base(rel) == ".git" {
		return false
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return true
	case info.Mode().IsRegular():
		s.bytes += info.Size()
		return info.Size() <= surelyFile && s.bytes <= surelyBytes
	case !info.IsDir():
		return false
	}
	entries, err := root.ReadDir(rel)
	if err != nil {
		return false
	}
	for _, e := range entries {
		if e.Info == nil || !s.has(root, path.Join(rel, e.Name), e.Info) {
			return false
		}
	}
	return true
}
