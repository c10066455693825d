package state

import (
	"encoding/hex"
	"io/fs"
	"path/filepath"
	"time"
)

// shelfDir holds whole files and directories that were moved out of the
// workspace, each in a directory of its own.
const shelfDir = "shelf"

// Shelf is the absolute path of the directory for what is moved out of the
// workspace as it is. What is in an entry of it, whose name is 64 hex digits,
// lives for as long as a log names it. The workspace may be on another file
// system.
func (d *Dir) Shelf() (string, error) {
	return d.Directory(shelfDir)
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
