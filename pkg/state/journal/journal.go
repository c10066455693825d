package journal

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
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
// and slash-separated, without "." and "..", and none of their directories is a
// symbolic link. Errors match fs.ErrNotExist and fs.ErrExist where they apply.
//
// Unless a method says otherwise, its change is on the disk when it returns.
type Tree interface {
	// Lstat describes the entry at a path; of a symbolic link, the link itself.
	Lstat(path string) (fs.FileInfo, error)
	// ReadFile returns the bytes of a regular file. It follows no link.
	ReadFile(path string) ([]byte, error)
	// Readlink returns the target of a symbolic link.
	Readlink(path string) (string, error)
	// WriteFile creates a regular file or replaces one atomically. Mode 0 keeps
	// the mode of an existing file and gives a new one the default. The bytes may
	// be written to temp first, a path in the same directory; a file there was
	// left by a process that died during the same write.
	WriteFile(path string, data []byte, mode fs.FileMode, temp string) error
	// InPlace reports whether WriteFile would have to overwrite the file in place,
	// for example because it has several hard links. A crash can then leave a
	// mixture of old and new bytes.
	InPlace(path string) bool
	// Links returns how many names a regular file has; 0 of anything else.
	Links(path string) int
	// Symlink makes a symbolic link at a path that is free.
	Symlink(target, path string) error
	// Rename moves the entry at from and replaces a file or link at to.
	Rename(from, to string) error
	// Remove deletes a file or a symbolic link.
	Remove(path string) error
	// Mkdir makes one directory; the process's umask applies to mode.
	Mkdir(path string, mode fs.FileMode) error
	// Rmdir deletes an empty directory and nothing else.
	Rmdir(path string) error
	// Chmod sets the permission bits of a file or directory.
	Chmod(path string, mode fs.FileMode) error
	// MoveOut moves the entry at from to item, a free path below the absolute
	// directory snapshots, and MoveIn moves it back. The move is on the disk after
	// Sync of both trees.
	MoveOut(from, snapshots, item string) error
	MoveIn(snapshots, item, to string) error
	// Sync makes moves to and from paths durable.
	Sync(paths []string) error
	// Open opens a regular file for reading. It follows no link.
	Open(path string) (*os.File, error)
	// Stage makes item, a free path below the absolute directory snapshots, a file that
	// is to replace the one at path: fill, which may be called again, writes its bytes;
	// owner and mode are those of the old file.
	Stage(path, snapshots, item string, fill func(io.Writer) error) error
	// Apart reports whether no file below snapshots can be renamed to path.
	Apart(path, snapshots string) bool
	// Keep keeps the file at path as item when another one is installed or, with apart,
	// also when it is overwritten in place. When it was last changed stays.
	Keep(path, snapshots, item string, apart bool) error
	// Install replaces the file at path atomically with item below snapshots.
	Install(snapshots, item, path string) error
	// Rewrite overwrites a file in place with what fill writes, and Extend one from keep
	// on with data, if it has size bytes. at is when it changed.
	Rewrite(path string, at time.Time, fill func(io.Writer) error) error
	Extend(path string, size, keep int64, data []byte, at time.Time) error
	// SyncTree makes the entries at paths durable, with everything in them.
	SyncTree(paths []string) error
	// Digest returns 64 hex digits that change when anything in a directory
	// changes, but not when the directory is moved, and the total size of its
	// files in bytes.
	Digest(path string) (sum string, bytes int64, err error)
}

// Options are the optional parameters of New.
type Options struct {
	// Now is the clock; nil means the state directory's.
	Now func() time.Time
	// Snapshots opens the directory for entries that are moved out of the
	// workspace. Without it, MoveOut and MoveIn are refused.
	Snapshots func(dir string) (Tree, error)
	// Restoring is the workspace for undoing what [Journal.Record] recorded: it may
	// also change what no tool may, such as the files of a repository. Without it, the
	// journal's tree is used.
	Restoring Tree
	// Meaning, if set, returns 64 hex digits for bytes of a file that programs rewrite
	// without changing what they mean; "" if every byte counts. Undo takes bytes of the
	// same meaning for those that an entry left.
	Meaning func(path string, data []byte) string
	// Unfinished, if set, is called before entries are made, undone or listed by Begin,
	// Undo and Recover: it records what programs changed whose recording was stopped, and
	// returns warnings. It may call Record.
	Unfinished func(ctx context.Context) ([]fault.Text, error)
	// Step, if set, is called with a name before everything that reaches the disk.
	// Tests end the process there.
	Step func(name string)
}

// Journal changes one workspace and keeps its history. Its methods may be called
// from several goroutines, and several processes may use one history.
type Journal struct {
	dir       *state.Dir
	tree      Tree
	opt       Options
	snapshots func() (snapshots, error)
	rows      *readRows
}

// New returns the journal of a workspace, kept in dir. It does not use the disk.
func New(dir *state.Dir, tree Tree, opt Options) *Journal {
	if opt.Now == nil {
		opt.Now = dir.Now
	}
	if opt.Step == nil {
		opt.Step = func(string) {}
	}
	return &Journal{dir: dir, tree: tree, opt: opt, rows: &readRows{}, snapshots: sync.OnceValues(func() (snapshots, error) { return openSnapshots(dir, opt) })}
}

// Saved returns bytes that the history keeps, by their SHA-256: those of a
// [State] that is Saved.
func (j *Journal) Saved(sha string) ([]byte, error) { return j.dir.Blob(sha) }

// Tx holds the locks of the paths of one change. From Begin to Close no other
// process changes them through a journal, so Apply replaces what the caller read.
type Tx struct {
	j        *Journal
	paths    []string // sorted
	unlock   func() error
	warnings []fault.Text
	full     bool // the journal should be compacted
}

// Begin locks the paths that will change, sources and targets alike, and
// recovers from processes that died while changing files. After it, the caller
// reads the files, calls Apply, and calls Close in any case. A second Begin with
// one of the paths before Close would wait for itself.
//
// The error is locked when another process holds a path for too long.
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
	late, err := j.unfinished(ctx)
	if err != nil {
		return nil, errors.Join(err, unlock())
	}
	warnings, full, err := j.recover(ctx)
	if err != nil {
		return nil, errors.Join(err, unlock())
	}
	warnings = append(late, warnings...)
	return &Tx{j: j, paths: slices.Sorted(slices.Values(paths)), unlock: unlock, warnings: warnings, full: full}, nil
}

// fold returns one spelling for all that the system treats as one file.
func fold(p string) string {
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		return strings.ToLower(p)
	}
	return p
}

// Warnings reports what Begin recovered and what it could not recover.
func (t *Tx) Warnings() []fault.Text { return t.warnings }

// Close unlocks the paths. It may be called again.
func (t *Tx) Close() error { return t.unlock() }

// Apply runs Begin, Tx.Apply and Close, for changes that do not depend on what
// the files hold.
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
		return fault.New(fault.InvalidArguments, fault.T("not a path of a file in the workspace: %q", p)).
			WithHint(fault.T("name a file below the root, without .."))
	}
	return nil
}
