package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
)

// MoveOut moves the entry at from, with everything in it, out of the workspace: to
// item, a free path below the absolute directory snapshots. The move is on the disk
// after [Tree.Sync].
func (t Tree) MoveOut(from, snapshots, item string) error {
	other, err := Open(snapshots, Options{})
	if err != nil {
		return err
	}
	return errors.Join(transfer(t.root, from, other, item), other.Close())
}

// MoveIn moves the entry at item below snapshots to a free path of the workspace.
func (t Tree) MoveIn(snapshots, item, to string) error {
	other, err := Open(snapshots, Options{})
	if err != nil {
		return err
	}
	return errors.Join(transfer(other, item, t.root, to), other.Close())
}

// transfer moves an entry from one root to another.
func transfer(a *Root, from string, b *Root, to string) error {
	src, rel, at, err := Tree{a}.enter(from, MoveOut)
	if err != nil {
		return err
	}
	defer src.close()
	old, err := src.lstat(path.Base(rel))
	if err != nil {
		return a.failure(err, at)
	}
	dst, toRel, free, err := Tree{b}.enter(to, MoveIn)
	if err != nil {
		return err
	}
	defer dst.close()
	if err := src.renameNew(path.Base(rel), dst, path.Base(toRel), old.IsDir()); err != nil {
		return a.moveFailure(err, at, free)
	}
	return nil
}

// Digest returns a hash of everything in a directory, as 64 hex digits, and the
// total size of its files in bytes. The hash covers names, kinds, modes, sizes,
// times and the targets of links.
func (t Tree) Digest(name string) (sum string, bytes int64, err error) {
	h := sha256.New()
	var visit func(dir, shown string) error
	visit = func(dir, shown string) error {
		entries, err := with(t, dir, t.root.ReadDir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if e.Err != nil {
				return e.Err
			}
			below, show := path.Join(dir, e.Name), path.Join(shown, e.Name)
			_, _ = fmt.Fprintf(h, "%q %v", show, e.Info.Mode()) // a hash takes everything
			switch {
			case e.Info.IsDir():
				_, _ = fmt.Fprintln(h)
				if err := visit(below, show); err != nil {
					return err
				}
				continue
			case e.Info.Mode()&fs.ModeSymlink != 0:
				target, err := t.Readlink(below)
				if err != nil {
					return err
				}
				_, _ = fmt.Fprintf(h, " %q", target)
			default:
				bytes += e.Info.Size()
				_, _ = fmt.Fprintf(h, " %d %d", e.Info.Size(), e.Info.ModTime().UnixNano())
			}
			_, _ = fmt.Fprintln(h)
		}
		return nil
	}
	info, err := t.Lstat(name)
	if err != nil {
		return "", 0, err
	}
	_, _ = fmt.Fprintf(h, "%v\n", info.Mode())
	if err := visit(name, "."); err != nil {
		return "", 0, err
	}
	return hex.EncodeToString(h.Sum(nil)), bytes, nil
}

// Sync makes moves to and from paths durable, by syncing their directories.
func (t Tree) Sync(names []string) error {
	dirs := make([]string, 0, len(names))
	for _, name := range names {
		dirs = append(dirs, path.Dir(name))
	}
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		d, _, err := t.root.handle.directory(dir, false)
		if errors.Is(err, fs.ErrNotExist) {
			continue // it was moved as well, and its own parent is synced
		}
		if err != nil {
			return t.root.failure(err, pathAt(dir))
		}
		err = d.sync()
		d.close()
		if err != nil {
			return fault.System(err, dir)
		}
	}
	return nil
}

// syncSingly limits the entries that are synced one by one. For more, syncing the file
// system is less work.
const syncSingly = 100

// SyncTree makes the entries at paths durable, with everything in them.
func (t Tree) SyncTree(names []string) error {
	left := syncSingly
	for _, name := range names {
		info, err := t.Lstat(name)
		if err == nil {
			err = t.syncEntry(name, info, &left)
		}
		if errors.Is(err, errMany) {
			return t.syncAll()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

var errMany = errors.New("too many to be synced one by one")

func (t Tree) syncEntry(name string, info fs.FileInfo, left *int) error {
	if *left--; *left < 0 {
		return errMany
	}
	if info.IsDir() {
		entries, err := with(t, name, t.root.ReadDir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if e.Err != nil {
				return e.Err
			}
			if err := t.syncEntry(path.Join(name, e.Name), e.Info, left); err != nil {
				return err
			}
		}
		return t.Sync([]string{path.Join(name, "x")}) // syncs the directory name
	}
	if !info.Mode().IsRegular() {
		return nil // its directory has all of it
	}
	f, err := with(t, name, t.root.Open)
	if err != nil {
		return err
	}
	defer f.Close()
	return fault.System(syncFile(f), name)
}

// syncAll syncs the file system of the root.
func (t Tree) syncAll() error {
	d, _, err := t.root.handle.directory(".", false)
	if err != nil {
		return t.root.failure(err, pathAt("."))
	}
	defer d.close()
	return fault.System(d.syncAll(), ".")
}
