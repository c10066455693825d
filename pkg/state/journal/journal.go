// Package journal is the one engine that changes files of a workspace, so that
// every change is whole after a crash and can be undone by any later process.
// It knows neither the tools that ask for changes nor how a path is confined.
package journal

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

// Tree is the workspace that a journal changes. Paths are relative to its root
// and "/"-separated, without "." and "..", and none of their directories is a
// symbolic link. Errors match fs.ErrNotExist and fs.ErrExist where they apply.
//
// What a method did is on the disk when it returns.
type Tree interface {
	// Lstat describes what stands at a path, a symbolic link itself.
	Lstat(path string) (fs.FileInfo, error)
	// ReadFile is the bytes of a regular file, never those behind a link.
	ReadFile(path string) ([]byte, error)
	// Readlink is what a symbolic link points to.
	Readlink(path string) (string, error)
	// WriteFile makes a regular file or replaces one as a whole. Mode 0 keeps the
	// mode of the file that is there and gives a new file the default. The bytes
	// may be put together at temp, a path in the same directory; what stands
	// there is what a dead process left of the same write.
	WriteFile(path string, data []byte, mode fs.FileMode, temp string) error
	// InPlace reports whether WriteFile would have to overwrite the file's bytes
	// where they are, as for one with several hard links, so that a crash can
	// leave a mixture of old and new.
	InPlace(path string) bool
	// Symlink makes a symbolic link where nothing stands.
	Symlink(target, path string) error
	// Rename moves what stands at from, replacing a file or link at to.
	Rename(from, to string) error
	// Remove deletes a file or a symbolic link.
	Remove(path string) error
	// Mkdir makes one directory; the process's umask applies to mode.
	Mkdir(path string, mode fs.FileMode) error
	// Rmdir deletes an empty directory and nothing else.
	Rmdir(path string) error
	// Chmod sets the permission bits of a file or directory.
	Chmod(path string, mode fs.FileMode) error
	// MoveOut moves what stands at from to a free path below the directory shelf,
	// which is absolute, and MoveIn moves it back. Neither is on the disk before
	// Sync returns, in both trees.
	MoveOut(from, snapshots, item string) error
	MoveIn(snapshots, item, to string) error
	// Sync makes last what was moved to and from paths.
	Sync(paths []string) error
	// SyncTree makes last what stands at paths, with everything in it.
	SyncTree(paths []string) error
	// Digest is 64 hex digits that a change to anything in a directory changes,
	// but no move of the directory as a whole, and the bytes of the files in it.
	Digest(path string) (sum string, bytes int64, err error)
}

// Options are what New can do without.
type Options struct {
	// Now is the clock; nil means the state directory's.
	Now func() time.Time
	// KeepLarge keeps the earlier bytes of files above 16 MiB too.
	KeepLarge bool
	// Shelf opens the directory for what is moved out of the workspace as a whole;
	// nil does without that.
	Snapshots func(dir string) (Tree, error)
	// Step, if set, is called before everything that reaches the disk, with a
	// name for it. It is there for tests that end the process at that point.
	Step func(name string)
}

// Journal is the history of one workspace. Its methods may be called from
// several goroutines, and several processes may use one history.
type Journal struct {
	dir       *state.Dir
	tree      Tree
	opt       Options
	snapshots func() (snapshots, error)
}

// New is the journal of the workspace tree, kept in dir. It touches no disk.
func New(dir *state.Dir, tree Tree, opt Options) *Journal {
	if opt.Now == nil {
		opt.Now = dir.Now
	}
	if opt.Step == nil {
		opt.Step = func(string) {}
	}
	return &Journal{dir: dir, tree: tree, opt: opt, snapshots: sync.OnceValues(func() (snapshots, error) { return openSnapshots(dir, opt) })}
}

// Saved is bytes that the history keeps, by their SHA-256: those of a [State]
// that is saved.
func (j *Journal) Saved(sha string) ([]byte, error) { return j.dir.Blob(sha) }

// Tx is the right to change certain paths. From Begin to Close no other process
// changes them through a journal, so what is read in between still stands when
// Apply replaces it.
type Tx struct {
	j        *Journal
	paths    []string // sorted
	unlock   func() error
	warnings []fault.Text
	full     bool // the journal wants thinning out
}

// Begin locks the paths that are going to change, sources and targets alike,
// and cleans up after processes that died while changing any. The caller reads
// the files after it, then calls Apply, and Close in any case. It must not begin
// once more with one of the paths before that: it would wait for itself.
//
// The error is locked when another process does not let go of a path in time.
func (j *Journal) Begin(ctx context.Context, paths ...string) (*Tx, error) {
	keys := make([]string, len(paths))
	for i, p := range paths {
		if err := checkPath(p); err != nil {
			return nil, err
		}
		keys[i] = fold(p)
	}
	unlock, err := j.dir.Lock(ctx, keys...)
	if err != nil {
		return nil, err
	}
	warnings, full, err := j.recover(ctx)
	if err != nil {
		return nil, errors.Join(err, unlock())
	}
	return &Tx{j: j, paths: slices.Sorted(slices.Values(paths)), unlock: unlock, warnings: warnings, full: full}, nil
}

// fold gives one spelling to all that the system takes for one file.
func fold(p string) string {
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		return strings.ToLower(p)
	}
	return p
}

// Warnings says what Begin found and could not or did not need to set right.
func (t *Tx) Warnings() []fault.Text { return t.warnings }

// Close gives the paths free. It may be called again.
func (t *Tx) Close() error { return t.unlock() }

// Apply is Begin, Tx.Apply and Close for changes that depend on nothing that
// was read.
func (j *Journal) Apply(ctx context.Context, tool, session string, changes ...Change) (Applied, error) {
	var paths []string
	for _, c := range changes {
		paths = append(paths, c.paths()...)
	}
	tx, err := j.Begin(ctx, paths...)
	if err != nil {
		return Applied{}, err
	}
	applied, err := tx.Apply(ctx, tool, session, changes...)
	applied.Warnings = append(tx.Warnings(), applied.Warnings...)
	return applied, errors.Join(err, tx.Close())
}

// checkPath accepts the paths of a [Tree].
func checkPath(p string) error {
	if p == "." || path.Clean(p) != p || strings.ContainsRune(p, 0) || !filepath.IsLocal(filepath.FromSlash(p)) {
		return fault.New(fault.InvalidArguments, fault.T("not a path of a file in the workspace: %q", "不是工作区内的文件路径: %q", p)).
			WithHint(fault.T("name a file below the root, without ..", "请指定根目录之下的文件，不要使用 .."))
	}
	return nil
}
