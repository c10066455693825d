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

// shelfDir holds whole files and directories that were moved out of the
// workspace, each group of them in a directory of its own.
const shelfDir = "shelf"

// nearDir is where in a workspace the shelf is when the state directory is on
// another file system, to which nothing can be moved. Like everything in
// .helve, tools neither change nor search it.
const nearDir = ".helve/" + shelfDir

// Shelf is the absolute path of the directory for what is moved out of the
// workspace as it is, on the workspace's file system. What is in an entry of it,
// whose name is 64 hex digits, lives for as long as a log names it.
func (d *Dir) Shelf() (string, error) {
	path, err := d.Directory(shelfDir)
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
	near, err := p.near(true)
	if err != nil {
		return "", fault.System(err, nearDir)
	}
	return filepath.Join(p.root, filepath.FromSlash(nearDir)), near.Close()
}

// near opens the shelf in the workspace, which no link may stand for.
func (p *place) near(create bool) (*os.Root, error) {
	root, err := os.OpenRoot(p.root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	for _, name := range [...]string{".helve", nearDir} {
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
		err := root.WriteFile(nearDir+"/.gitignore", []byte("*\n"), 0o600)
		if err != nil {
			return nil, err
		}
	}
	return root.OpenRoot(nearDir)
}

// clearShelf keeps what logs name, and what was put there so lately that its
// name may be about to be logged.
func clearShelf(p *place, now time.Time) error {
	needed, err := p.named()
	if err != nil {
		return err
	}
	tidy := func(dir *os.Root, name string, info fs.FileInfo) error {
		var sum [32]byte
		n, err := hex.Decode(sum[:], []byte(filepath.Base(name)))
		if !info.IsDir() || err == nil && n == len(sum) && needed[sum] || now.Sub(info.ModTime()) < tmpAge {
			return nil
		}
		return demolish(dir, name)
	}
	err = p.each(shelfDir, func(name string, info fs.FileInfo) error { return tidy(p.dir, name, info) })
	if err != nil {
		return err
	}
	near, err := p.near(false)
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
			return gone(err)
		}
		if err := tidy(near, e.Name(), info); err != nil {
			return err
		}
	}
	return nil
}
