package state

import (
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// snapshotDir holds files and directories that were moved out of the workspace,
// each group of them in a directory of its own.
const snapshotDir = "shelf"

// snapshotsInWorkspace holds them if the state directory is on another file
// system, to which nothing can be renamed. Like everything in .helve, tools
// neither change nor search it.
const snapshotsInWorkspace = ".helve/" + snapshotDir

// Snapshots returns the absolute path of the directory for entries that are moved
// out of the workspace. It is on the workspace's file system. A directory in it,
// whose name is 64 hex digits, is kept as long as a log names it.
func (d *Dir) Snapshots() (string, error) {
	path, err := d.Directory(snapshotDir)
	if err != nil {
		return "", err
	}
	p, err := d.use()
	if err != nil {
		return "", err
	}
	if sameMount(path, p.root) {
		return path, nil
	}
	near, err := p.inWorkspace(true)
	if err != nil {
		return "", fault.System(err, snapshotsInWorkspace)
	}
	return filepath.Join(p.root, filepath.FromSlash(snapshotsInWorkspace)), near.Close()
}

// inWorkspace opens the directory of snapshots in the workspace. It follows no
// link.
func (p *opened) inWorkspace(create bool) (*os.Root, error) {
	root, err := os.OpenRoot(p.root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	for _, name := range [...]string{".helve", snapshotsInWorkspace} {
		if create {
			if err := root.Mkdir(name, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
				return nil, err
			}
		}
		info, err := root.Lstat(name)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
		}
	}
	if create {
		err := root.WriteFile(snapshotsInWorkspace+"/.gitignore", []byte("*\n"), 0o600)
		if err != nil {
			return nil, err
		}
	}
	return root.OpenRoot(snapshotsInWorkspace)
}

// clearSnapshots removes snapshots that no log names, except new ones, which may be about
// to be logged.
func clearSnapshots(p *opened, now time.Time) error {
	needed, err := p.logged()
	if err != nil {
		return err
	}
	tidy := func(dir *os.Root, name string, info fs.FileInfo) error {
		var sum [32]byte
		n, err := hex.Decode(sum[:], []byte(filepath.Base(name)))
		if !info.IsDir() || err == nil && n == len(sum) && needed[sum] || now.Sub(info.ModTime()) < tmpAge {
			return nil
		}
		return removeAll(dir, name)
	}
	err = p.each(snapshotDir, func(name string, info fs.FileInfo) error { return tidy(p.dir, name, info) })
	if err != nil {
		return err
	}
	near, err := p.inWorkspace(false)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil // there is none
	}
	if err != nil {
		return err
	}
	defer near.Close()
	entries, err := fs.ReadDir(near.FS(), ".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return ignoreMissing(err)
		}
		if err := tidy(near, e.Name(), info); err != nil {
			return err
		}
	}
	return nil
}
