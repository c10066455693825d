package state

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// scratchBytes limits the bytes on disk of the temporary files of all sessions.
const scratchBytes = 4 << 30

// Scratch returns a directory for the temporary files of a session, absolute. Like
// /tmp, anyone who reaches it may write there; the directory above it is private. It
// goes when the session was not used for a week, or when those of later sessions take
// the room.
func (d *Dir) Scratch(session string) (string, error) {
	s, err := d.Session(session)
	if err != nil {
		return "", err
	}
	p, err := d.use()
	if err != nil {
		return "", err
	}
	name := scratchDir + strings.TrimPrefix(s.path, sessionDir)
	now := d.opt.Now()
	err = p.dir.Chtimes(name, now, now)
	if errors.Is(err, fs.ErrNotExist) {
		if err = p.dir.MkdirAll(name, 0o700); err == nil {
			err = p.dir.Chmod(name, fs.ModeSticky|0o777)
		}
		if err == nil {
			err = clearScratch(p, now)
		}
	}
	return filepath.Join(p.path, filepath.FromSlash(name)), fault.System(err, p.shown(name))
}

// Trim removes the directories in dir that were not touched for so long, and of the
// others the least recently touched beyond so many bytes on disk. One stays, however
// large it is.
func (d *Dir) Trim(dir string, age time.Duration, bytes int64) error {
	p, err := d.use()
	if err != nil {
		return err
	}
	return fault.System(p.trim(dir, d.opt.Now(), age, bytes), p.shown(dir))
}

func (p *opened) trim(dir string, now time.Time, age time.Duration, bytes int64) error {
	type unit struct {
		name string
		used time.Time
	}
	var units []unit
	err := p.each(dir, func(name string, info fs.FileInfo) error {
		if info.IsDir() {
			units = append(units, unit{name, info.ModTime()})
		}
		return nil
	})
	slices.SortFunc(units, func(a, b unit) int { return b.used.Compare(a.used) })
	for i, u := range units {
		old := now.Sub(u.used) > age
		if !old {
			bytes -= p.size(u.name)
		}
		if old || i > 0 && bytes < 0 {
			err = errors.Join(err, removeAll(p.dir, u.name))
		}
	}
	return err
}

func clearScratch(p *opened, now time.Time) error {
	return p.trim(scratchDir, now, sessionAge, scratchBytes)
}

// size returns how many bytes the files below a directory take. What cannot be listed,
// or goes meanwhile, counts nothing.
func (p *opened) size(name string) (bytes int64) {
	_ = fs.WalkDir(p.dir.FS(), name, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return fs.SkipDir
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
		}
		return nil
	})
	return bytes
}
