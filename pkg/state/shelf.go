package state

import (
	"encoding/hex"
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// shelfDir holds whole files and directories that were moved out of the
// workspace, each in a directory of its own.
const shelfDir = "shelf"

// Shelf is the absolute path of the directory for what is moved out of the
// workspace as it is. What is in an entry of it, whose name is 64 hex digits,
// lives for as long as a log names it. The workspace may be on another file
// system.
func (d *Dir) Shelf() (string, error) {
	p, err := d.use()
	if err != nil {
		return "", err
	}
	if err := p.dir.Mkdir(shelfDir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fault.System(err, p.shown(shelfDir))
	}
	return filepath.Join(p.path, shelfDir), nil
}

// clearShelf keeps what logs name, and what was put there so lately that its
// name may be about to be logged.
func clearShelf(p *place, now time.Time) error {
	needed, err := p.named()
	if err != nil {
		return err
	}
	return p.each(shelfDir, func(name string, info fs.FileInfo) error {
		var sum [32]byte
		n, err := hex.Decode(sum[:], []byte(filepath.Base(name)))
		if err == nil && n == len(sum) && needed[sum] || now.Sub(info.ModTime()) < tmpAge {
			return nil
		}
		return p.demolish(name)
	})
}

// demolish removes a directory with all that is in it, also what its owner shut.
func (p *place) demolish(name string) error {
	if err := p.dir.RemoveAll(name); !errors.Is(err, fs.ErrPermission) {
		return gone(err)
	}
	err := fs.WalkDir(p.dir.FS(), name, func(below string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			return p.dir.Chmod(filepath.FromSlash(below), 0o700)
		}
		return nil // what stays shut is told when it is removed
	})
	return errors.Join(err, gone(p.dir.RemoveAll(name)))
}
