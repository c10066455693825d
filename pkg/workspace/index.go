package workspace

import (
	"os"
	"path/filepath"

	"github.com/helve-dev/helve/pkg/workspace/gitdir"
)

// maxIndex is the largest index of git, in bytes, that is read.
const maxIndex = 256 << 20

// GitIndex returns the content of the index of the repository whose top is a path from
// the root, which may lie above it; nil if nothing was ever added. ok is false if it cannot
// be read. See gitrepository-layout(5).
func (r *Root) GitIndex(top string) (index []byte, ok bool) {
	git, found := gitdir.At(filepath.Join(r.dir, filepath.FromSlash(top)))
	if !found {
		return nil, false
	}
	name := filepath.Join(git.Path, "index")
	info, err := os.Lstat(name)
	if os.IsNotExist(err) {
		return nil, true
	}
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxIndex {
		return nil, false
	}
	index, err = os.ReadFile(name)
	return index, err == nil
}
