package gitdir

import (
	"encoding/binary"
	"hash/fnv"
	"io/fs"
	"path/filepath"
)

const (
	mostMarked = 5000     // entries that Mark looks at
	maxIndex   = 64 << 20 // bytes
)

// Mark returns a number that is another one once git has recorded something here: a
// commit, a reference, a setting. It goes by names, sizes and times, and leaves out
// objects, what belongs to other work trees, and the index, which git also writes when
// it only looks at files; see [Dir.Index].
func (d Dir) Mark() uint64 {
	sum := fnv.New64a()
	left := mostMarked
	for _, top := range [...]string{d.Path, d.Common} {
		// What cannot be read is as it was.
		_ = filepath.WalkDir(top, func(path string, e fs.DirEntry, err error) error {
			if left--; left < 0 {
				return filepath.SkipAll
			}
			if err != nil {
				return nil //nolint:nilerr // see above
			}
			if filepath.Dir(path) == top {
				switch e.Name() {
				case "index":
					return nil
				case "objects", "lfs", "worktrees", "modules":
					return filepath.SkipDir
				}
			}
			if e.IsDir() {
				return nil
			}
			if info, err := e.Info(); err == nil {
				_, _ = sum.Write(binary.AppendVarint(binary.AppendVarint([]byte(path), info.Size()), info.ModTime().UnixNano()))
			}
			return nil
		})
		if d.Common == d.Path {
			break
		}
	}
	return sum.Sum64()
}

// Index returns what the index holds, or nil if it cannot be read.
func (d Dir) Index() []byte {
	data, err := readUpTo(filepath.Join(d.Path, "index"), maxIndex)
	if err != nil {
		return nil
	}
	return data
}
