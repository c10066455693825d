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

// Covers reports whether undo will surely restore what is at a path when a command
// deletes it. Of large files and directories, and of output that is made anew, it says
// no, though they may be covered.
func Covers(root *workspace.Root, rel string) bool {
	count, bytes := 0, int64(0)
	var look func(rel string, info fs.FileInfo) bool
	look = func(rel string, info fs.FileInfo) bool {
		if count++; count > surelyCount || rebuilt(path.Base(rel)) || path.Base(rel) == ".git" {
			return false
		}
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			return true
		case info.Mode().IsRegular():
			bytes += info.Size()
			return info.Size() <= surelyFile && bytes <= surelyBytes
		case !info.IsDir():
			return false
		}
		entries, err := root.ReadDir(rel)
		if err != nil {
			return false
		}
		for _, e := range entries {
			if e.Info == nil || !look(path.Join(rel, e.Name), e.Info) {
				return false
			}
		}
		return true
	}
	for dir := parent(rel); dir != ""; dir = parent(dir) {
		if rebuilt(path.Base(dir)) || path.Base(dir) == ".git" {
			return false
		}
	}
	info, err := root.Lstat(rel)
	return err == nil && rel != "." && look(rel, info)
}
