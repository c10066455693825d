package bus

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/kind"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/store"
)

// Bounds of the files of a message.
const (
	MaxFiles = 10
	MaxBytes = 32 << 20 // of one file
)

const (
	mediaDir = "media" // in the state directory: <SHA-256><extension> each
	// mediaLock keeps senders and the one who cleans apart.
	mediaLock = "media"
	// cleaned is the file that says when files were last removed.
	cleaned = mediaDir + "/cleaned"
	// unsent is the time that a file is kept without a message that names it: its sender
	// may be about to send one.
	unsent     = time.Hour
	cleanEvery = 24 * time.Hour
	// maxShared is the largest file, in bytes, that goes into a store that hosts share.
	maxShared   = 256 << 10
	mediaStream = "media"
)

// media stores the bytes of files.
type media struct {
	dir  *state.Dir
	host string // that has them, for a store that hosts share; "" for one of this machine
}

// WithMedia returns the bus with a place for the bytes of files, in a state directory.
// host names this machine, if others share the store: small files then go into the
// store, and the bytes of large ones can be had on this machine alone.
func (b *Bus) WithMedia(dir *state.Dir, host string) *Bus {
	with := *b
	with.media = &media{dir, host}
	return &with
}

// Keep copies the bytes of a file that goes with a message, named as the sender names
// it. They are on the disk when Keep returns. A copy that no message names is removed
// after a while.
func (b *Bus) Keep(ctx context.Context, name string, from io.Reader) (File, error) {
	if b.media == nil {
		return File{}, fault.New(fault.Unsupported, fault.T("files cannot be kept here")).WithHint(fault.T("send the text alone"))
	}
	data, err := io.ReadAll(io.LimitReader(from, MaxBytes+1))
	if err != nil {
		return File{}, fault.System(err, name)
	}
	if len(data) > MaxBytes {
		return File{}, fault.New(fault.TooLarge, fault.T("%s has more than %d MB, the most that is sent", name, MaxBytes>>20)).
			WithHint(fault.T("send a part of it, or name the file in content"))
	}
	sum := sha256.Sum256(data)
	k := kind.Of(data[:min(len(data), 8<<10)], name, bytes.NewReader(data), int64(len(data)))
	f := File{Path: name, SHA: hex.EncodeToString(sum[:]), MIME: k.MIME, Bytes: int64(len(data)), Host: b.media.host}
	if err := b.cleanNow(ctx); err != nil {
		return File{}, err
	}
	if f.Kept, err = b.media.put(ctx, &f, data); err != nil {
		return File{}, err
	}
	if f.Host == "" || f.Far() {
		return f, nil
	}
	return f, b.store.Update(ctx, func(tx store.Tx) error {
		_, _, err := tx.Append(mediaStream, f.SHA, data)
		return err
	})
}

// Far reports whether the bytes can be had on one host alone, and others share the store.
func (f *File) Far() bool { return f.Host != "" && f.Bytes > maxShared }

// put writes the bytes of a file and returns their path. What is there already is
// written again: it is then as new as the message.
func (m *media) put(ctx context.Context, f *File, data []byte) (string, error) {
	unlock, err := m.dir.Lock(ctx, mediaLock)
	if err != nil {
		return "", err
	}
	name := f.SHA + extension(f.Path)
	err = errors.Join(m.dir.WriteFile(mediaDir+"/"+name, data), unlock())
	if err != nil {
		return "", err
	}
	dir, err := m.dir.Directory(mediaDir)
	return filepath.Join(dir, name), err
}

// extension returns the extension of a name, if it is a plain one: whoever is given the
// copy may go by it.
func extension(name string) string {
	ext := strings.ToLower(path.Ext(name))
	plain := func(c rune) bool { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' }
	if len(ext) < 2 || len(ext) > 10 || strings.TrimFunc(ext[1:], plain) != "" {
		return ""
	}
	return ext
}

// fetch puts files that came from other hosts where this one can read them. Those that
// are not in the store keep the name of their host, and have no path.
func (b *Bus) fetch(ctx context.Context, m *Message) error {
	for i := range m.Media {
		f := &m.Media[i]
		if f.Host == "" || b.media == nil || f.Host == b.media.host {
			continue
		}
		f.Kept = ""
		var found *store.Message
		err := b.store.View(ctx, func(r store.Reader) (err error) {
			if store.CheckName(f.SHA) == nil {
				found, err = r.Find(mediaStream, f.SHA)
			}
			return err
		})
		if err != nil {
			return err
		}
		if found == nil {
			continue
		}
		if sum := sha256.Sum256(found.Data); hex.EncodeToString(sum[:]) != f.SHA {
			continue
		}
		if f.Kept, err = b.media.put(ctx, f, found.Data); err != nil {
			return err
		}
	}
	return nil
}

// cleanNow removes what no message names, if that was not done for a day.
func (b *Bus) cleanNow(ctx context.Context) error {
	dir, err := b.media.dir.Directory(mediaDir)
	if err != nil {
		return err
	}
	info, err := os.Lstat(filepath.Join(dir, filepath.Base(cleaned)))
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fault.System(err, dir)
	case b.now().Sub(info.ModTime()) < cleanEvery:
		return nil
	}
	_, err = b.clean(ctx)
	return err
}

// clean removes the files that no message and no dead letter names, and that were not
// written lately. It returns how many.
func (b *Bus) clean(ctx context.Context) (n int, err error) {
	unlock, err := b.media.dir.Lock(ctx, mediaLock)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if err := b.media.dir.Put(cleaned, nil); err != nil {
		return 0, err
	}
	named, err := b.named(ctx)
	if err != nil {
		return 0, err
	}
	dir, err := b.media.dir.Directory(mediaDir)
	if err != nil {
		return 0, err
	}
	names, err := b.media.dir.List(mediaDir)
	if err != nil {
		return 0, err
	}
	for _, name := range names {
		sha, _, _ := strings.Cut(name, ".")
		info, err := os.Lstat(filepath.Join(dir, name))
		if len(sha) != 2*sha256.Size || named[sha] || err != nil || b.now().Sub(info.ModTime()) < unsent {
			continue // what cannot be looked at is gone, or stays
		}
		if err := b.media.dir.Remove(mediaDir + "/" + name); err != nil {
			return n, err
		}
		n++
	}
	return n, b.unshare(ctx, named)
}

// named returns the hashes of the files of all messages and dead letters.
func (b *Bus) named(ctx context.Context) (map[string]bool, error) {
	named := map[string]bool{}
	add := func(m *Message) {
		for _, f := range m.Media {
			named[f.SHA] = true
		}
	}
	return named, b.store.View(ctx, func(r store.Reader) error {
		err := eachOf(r, stream, func(kept *store.Message) error {
			if m, err := decode(kept); err == nil {
				add(&m)
			}
			return nil
		})
		if err != nil {
			return err
		}
		return eachOf(r, dead, func(kept *store.Message) error {
			if l := letterOf(kept); l.Message != nil {
				add(l.Message)
			}
			return nil
		})
	})
}

// unshare removes files that no message names from the store.
func (b *Bus) unshare(ctx context.Context, named map[string]bool) error {
	var spare []string
	for after, more := uint64(0), true; more; {
		err := b.store.View(ctx, func(r store.Reader) error {
			kept, err := r.Read(mediaStream, after, 4) // each may be large
			for i := range kept {
				after = kept[i].Seq
				if !named[kept[i].ID] && b.now().Sub(kept[i].Time) >= unsent {
					spare = append(spare, kept[i].ID)
				}
			}
			more = len(kept) > 0
			return err
		})
		if err != nil {
			return err
		}
	}
	if len(spare) == 0 {
		return nil
	}
	return b.store.Update(ctx, func(tx store.Tx) error {
		for _, sha := range spare {
			if err := tx.Remove(mediaStream, sha); err != nil {
				return err
			}
		}
		return nil
	})
}
