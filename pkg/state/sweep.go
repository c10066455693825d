package state

import (
	"context"
	"encoding/hex"
	"errors"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// Ages at which what nobody uses is removed.
const (
	sessionAge = 7 * 24 * time.Hour // a session, since its last use
	tmpAge     = time.Hour          // a temporary file whose writer died
	lockAge    = 24 * time.Hour
)

// shownBytes limits the bytes on disk of blobs that only session records name.
const shownBytes = 64 << 20

// Sweep removes what nobody needs any more: sessions that were not used for
// sessionAge, blobs that neither a log nor a recent session record names, snapshots
// that no log names, and temporary files of dead processes. It waits for the
// holders of ShareBlobs.
func (d *Dir) Sweep(ctx context.Context) error { return d.sweep(ctx, true) }

// sweep does nothing if it must not wait and another process holds ShareBlobs.
func (d *Dir) sweep(ctx context.Context, wait bool) error {
	p, err := d.use()
	if err != nil {
		return err
	}
	if wait {
		unlock, err := d.lock(ctx, false, d.patience(ctx), blobsKey)
		if err != nil {
			return err
		}
		return errors.Join(d.clear(p), unlock())
	}
	f, ok, err := p.try(blobsKey, false)
	if err != nil || !ok {
		return fault.System(err, shownKey(blobsKey))
	}
	return errors.Join(d.clear(p), f.Unlock())
}

// clear removes everything that Sweep lists. A file that another process removes
// first is no error.
func (d *Dir) clear(p *opened) error {
	now := d.opt.Now()
	var errs []error
	for _, step := range []func(*opened, time.Time) error{clearSessions, clearScratch, clearTemporary, clearLocks, clearBlobs, clearSnapshots} {
		errs = append(errs, fault.System(step(p, now), p.path))
	}
	return errors.Join(errs...)
}

func clearSessions(p *opened, now time.Time) error {
	return p.each(sessionDir, func(name string, info fs.FileInfo) error {
		used, err := p.used(name, info)
		if err != nil || now.Sub(used) < sessionAge {
			return err
		}
		return p.dir.RemoveAll(name)
	})
}

// used returns when a directory or a file in it last changed.
func (p *opened) used(dir string, info fs.FileInfo) (time.Time, error) {
	used := info.ModTime()
	if !info.IsDir() {
		return used, nil
	}
	err := p.each(dir, func(_ string, info fs.FileInfo) error {
		used = later(used, info.ModTime())
		return nil
	})
	return used, err
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

func clearTemporary(p *opened, now time.Time) error {
	return p.each(tmpDir, func(name string, info fs.FileInfo) error {
		if now.Sub(info.ModTime()) < tmpAge {
			return nil
		}
		return ignoreMissing(p.dir.Remove(name))
	})
}

func clearLocks(p *opened, now time.Time) error {
	if !sweepsLocks {
		return nil
	}
	return p.each(lockDir, func(name string, info fs.FileInfo) error {
		if now.Sub(info.ModTime()) < lockAge {
			return nil
		}
		return p.dropIdle(name)
	})
}

// clearBlobs keeps the blobs that logs name and, up to shownBytes, those that
// sessions were shown last.
func clearBlobs(p *opened, _ time.Time) error {
	needed, err := p.logged()
	if err != nil {
		return err
	}
	shown, err := p.shownBlobs()
	if err != nil {
		return err
	}
	type spare struct {
		name  string
		bytes int64
		at    time.Time
	}
	var spares []spare
	err = p.each(blobDir, func(dir string, info fs.FileInfo) error {
		if !info.IsDir() {
			return nil
		}
		return p.each(dir, func(name string, info fs.FileInfo) error {
			digits := strings.TrimPrefix(strings.TrimSuffix(name, compressed), blobDir)
			sum, ok := decodeHash(strings.ReplaceAll(digits, "/", ""))
			at, was := shown[sum]
			switch {
			case ok && needed[sum]:
				return nil
			case ok && was:
				spares = append(spares, spare{name, info.Size(), at})
				return nil
			}
			return ignoreMissing(p.dir.Remove(name))
		})
	})
	if err != nil {
		return err
	}
	slices.SortFunc(spares, func(a, b spare) int { return b.at.Compare(a.at) })
	var total int64
	for _, s := range spares {
		if total += s.bytes; total > shownBytes {
			if err := ignoreMissing(p.dir.Remove(s.name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// TrackDir is a directory of files that name blobs: what was there before a command.
const TrackDir = "track"

// logged returns the hashes in the logs of the top directory and in TrackDir. If 64 hex digits
// mean something else, a blob is kept for nothing, which does no harm.
func (p *opened) logged() (map[[32]byte]bool, error) {
	named := map[[32]byte]bool{}
	read := func(name string, info fs.FileInfo) error {
		if !info.Mode().IsRegular() {
			return nil
		}
		f, err := p.dir.Open(name)
		if err != nil {
			return ignoreMissing(err)
		}
		defer f.Close()
		for line, err := range Lines(f, new(int64)) {
			if err != nil && !fault.Is(err, fault.TooLarge) {
				return err
			}
			for sum := range hashes(line) {
				named[sum] = true
			}
		}
		return nil
	}
	err := p.each(".", func(name string, info fs.FileInfo) error {
		if !strings.HasSuffix(name, logSuffix) {
			return nil
		}
		return read(name, info)
	})
	if err == nil {
		err = p.each(TrackDir, read)
	}
	return named, err
}

// hashes yields every run of exactly 64 hex digits in a line.
func hashes(line []byte) iter.Seq[[32]byte] {
	return func(yield func([32]byte) bool) {
		start := 0
		for i := range len(line) + 1 {
			if i < len(line) && isHex(line[i]) {
				continue
			}
			if i-start == 64 {
				if sum, ok := decodeHash(string(line[start:i])); ok && !yield(sum) {
					return
				}
			}
			start = i + 1
		}
	}
}

func decodeHash(s string) (sum [32]byte, ok bool) {
	if !isHash(s) {
		return sum, false
	}
	_, err := hex.Decode(sum[:], []byte(s))
	return sum, err == nil
}

// shownBlobs returns when each blob was last shown to a session.
func (p *opened) shownBlobs() (map[[32]byte]time.Time, error) {
	shown := map[[32]byte]time.Time{}
	err := p.each(sessionDir, func(dir string, info fs.FileInfo) error {
		if !info.IsDir() {
			return nil
		}
		return p.each(dir, func(name string, info fs.FileInfo) error {
			if strings.HasSuffix(name, saidSuffix) {
				return nil
			}
			data, err := p.read(name, maxFile)
			if err != nil {
				return ignoreMissing(err)
			}
			_, versions := combine(data)
			if len(versions) == 0 {
				return ignoreMissing(p.dir.Remove(name))
			}
			for _, v := range versions {
				if sum, ok := decodeHash(v.Blob); ok {
					shown[sum] = later(shown[sum], info.ModTime())
				}
			}
			return nil
		})
	})
	return shown, err
}

// each calls visit for every entry of a directory, with its name relative to the
// state directory.
func (p *opened) each(dir string, visit func(name string, info fs.FileInfo) error) error {
	entries, err := p.entries(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		name := entry.Name()
		if dir != "." {
			name = dir + "/" + name
		}
		if err := visit(name, info); err != nil {
			return err
		}
	}
	return nil
}

// ignoreMissing returns nil for the error of something that does not exist.
func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
