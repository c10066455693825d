package track

import (
	"github.com/helve-dev/helve/pkg/workspace"
	"github.com/helve-dev/helve/pkg/workspace/gitdir"
)

// outside is the directory in which git keeps the repository of a workspace that is not
// its top, or is one of several work trees. Undo does not cover it.
type outside struct {
	dir   gitdir.Dir
	mark  uint64
	index []byte
}

// outside returns nil if there is no such directory.
func (w Workspace) outside() *outside {
	dir, ok := gitdir.Above(w.Root.Dir())
	if !ok || workspace.WithinOS(dir.Path, w.Root.Dir()) && workspace.WithinOS(dir.Common, w.Root.Dir()) {
		return nil
	}
	return &outside{dir: dir, mark: dir.Mark(), index: dir.Index()}
}

// changed returns the path of the directory if git has recorded something in it.
func (o *outside) changed() (path string, ok bool) {
	if o == nil {
		return "", false
	}
	return o.dir.Path, o.dir.Mark() != o.mark || !sameIndex(o.index, o.dir.Index())
}
