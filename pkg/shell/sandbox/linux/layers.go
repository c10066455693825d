//go:build linux && (amd64 || arm64)

package linux

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

const (
	// maxSlots limits the commands that have layers at a time; others find the
	// directories read-only.
	maxSlots = 32
	// slotBytes limits the size of a slot. It is looked at once in slotCheck, and the
	// slot is emptied if it is larger, or was not used for slotAge.
	slotBytes = 4 << 30
	slotCheck = 24 * time.Hour
	slotAge   = 30 * 24 * time.Hour
)

// slot is a part of Layers.Dir that one command has for itself.
type slot struct {
	layers   *sandbox.Layers
	number   int
	dir      string
	lock     *os.File // held until the command has ended
	overlays []overlay
}

// checked is a directory in a slot with the time of the last look at its size. The slot's
// own directory has the time of its last use.
const checked = "checked"

// takeSlot finds a slot that is free, and makes what the overlays need. It returns nil where
// there is none.
func takeSlot(l *sandbox.Layers) (*slot, error) {
	for i := range maxSlots {
		dir := filepath.Join(l.Dir, strconv.Itoa(i))
		lock, err := lockSlot(dir)
		if errors.Is(err, unix.EWOULDBLOCK) {
			continue
		}
		if err != nil {
			return nil, fault.System(err, dir)
		}
		s := &slot{layers: l, number: i, dir: dir, lock: lock}
		if s.full() {
			err = s.empty()
		}
		if err == nil {
			err = s.prepare()
		}
		if err != nil {
			s.free()
			return nil, err
		}
		return s, nil
	}
	return nil, nil
}

// lockSlot makes the directory of a slot and locks it.
func lockSlot(dir string) (*os.File, error) {
	err := os.Mkdir(dir, 0o700)
	if errors.Is(err, fs.ErrNotExist) {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB); err != nil {
		unix.Close(fd)
		return nil, err
	}
	return os.NewFile(uintptr(fd), dir), nil
}

// free lets others have the slot.
func (s *slot) free() {
	now := time.Now()
	_ = os.Chtimes(s.dir, now, now) // only the time of the beginning is known then
	s.lock.Close()
}

// full reports whether the slot must be emptied. It looks at its size once in slotCheck.
func (s *slot) full() bool {
	now := time.Now()
	if used, err := s.lock.Stat(); err == nil && (now.Sub(used.ModTime()) > slotAge || torn(now, used.ModTime())) {
		return true
	}
	mark := filepath.Join(s.dir, checked)
	last, err := os.Stat(mark)
	if err == nil && now.Sub(last.ModTime()) < slotCheck {
		return false
	}
	if errors.Is(err, fs.ErrNotExist) {
		_ = os.Mkdir(mark, 0o700) // if there is no writing there, preparing the slot says so
		return false
	}
	if err != nil || os.Chtimes(mark, now, now) != nil {
		return false
	}
	var bytes int64
	_ = filepath.WalkDir(s.dir, func(_ string, d fs.DirEntry, err error) error { // what cannot be read counts nothing
		if err != nil {
			return fs.SkipDir
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
		}
		return nil
	})
	return bytes > slotBytes
}

// torn reports whether what was written then may not have reached the disk, because the
// machine went down right after: overlays are not synced.
func torn(now, then time.Time) bool {
	const settled = 2 * time.Minute // more than kernels wait before they write
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return false
	}
	start := now.Add(-time.Duration(info.Uptime) * time.Second)
	return then.Before(start) && start.Sub(then) < settled
}

// empty forgets what commands wrote.
func (s *slot) empty() error {
	names, err := namesOf(int(s.lock.Fd()))
	if err == nil {
		_, err = s.lock.Seek(0, 0)
	}
	for _, name := range names {
		if name != checked {
			err = errors.Join(err, sandbox.RemoveAll(filepath.Join(s.dir, name)))
		}
	}
	return fault.System(err, s.dir)
}

// prepare makes the directories of the overlays.
func (s *slot) prepare() error {
	s.overlays = nil
	for i, path := range s.layers.All() {
		upper := s.layers.Written(s.number, path)
		own := filepath.Dir(upper)
		o := overlay{Lower: path, Upper: upper, Work: filepath.Join(own, "work")}
		var err error
		if i < len(s.layers.Empty) {
			o.Lower, o.At = filepath.Join(own, "empty"), path
			err = os.MkdirAll(o.Lower, 0o700)
		}
		if err == nil {
			err = o.prepare(own)
		}
		if err != nil {
			return fault.System(err, own)
		}
		s.overlays = append(s.overlays, o)
	}
	now := time.Now()
	return fault.System(os.Chtimes(s.dir, now, now), s.dir)
}

// prepare makes the directories of one overlay in a directory of its own.
func (l *overlay) prepare(own string) error {
	if isDirectory(l.Work) && isDirectory(l.Upper) {
		// In there the kernel notes that nothing was synced, and refuses to go on; full
		// knows when that matters.
		return sandbox.RemoveAll(filepath.Join(l.Work, "work"))
	}
	info, err := os.Stat(l.Lower)
	for _, dir := range [...]string{own, l.Upper, l.Work} {
		if err == nil {
			if err = os.Mkdir(dir, 0o700); errors.Is(err, fs.ErrExist) {
				err = nil
			}
		}
	}
	if err != nil {
		return err
	}
	return os.Chmod(l.Upper, info.Mode().Perm()) // the command sees it as the mode of Lower
}

// withLayers starts a command with start, which gets the overlays of its layers. If the
// sandbox cannot be built with what a slot holds, its content is dropped; if that does
// not help, the directories are read-only, and the report says so.
func (sb *confined) withLayers(p *process, start func([]overlay) error) error {
	if sb.Profile.Layers == nil || sb.Profile.Filesystem != sandbox.Workspace {
		return start(nil)
	}
	s, err := takeSlot(sb.Profile.Layers)
	if err == nil && s != nil {
		if err = start(s.overlays); fault.Is(err, fault.SandboxUnavailable) {
			if err = errors.Join(s.empty(), s.prepare()); err == nil {
				err = start(s.overlays)
			}
		}
		if err == nil {
			p.slot = s
			return nil
		}
		s.free()
		if !fault.Is(err, fault.SandboxUnavailable) {
			return err
		}
	}
	sb.Degrade("no_cache_layers")
	return start(nil)
}

// ProbeLayers implements [sandbox.System] by building a sandbox with a layer.
func (System) ProbeLayers(dir string, s sandbox.Support, cache sandbox.Cache) bool {
	key := probeKey(s.LandlockABI, s.LandlockReason) + " " + dir
	type answer struct {
		Key string `json:"key"`
		Yes bool   `json:"yes"`
	}
	if cache.Load != nil {
		var a answer
		if data, err := cache.Load(); err == nil && json.Unmarshal(data, &a) == nil && a.Key == key {
			return a.Yes
		}
	}
	yes := tryLayers(dir, s) == nil
	if data, err := json.Marshal(answer{key, yes}); err == nil && cache.Store != nil {
		_ = cache.Store(data) // without it the next call probes again
	}
	return yes
}

func tryLayers(dir string, s sandbox.Support) (err error) {
	if !s.Namespaces {
		return errors.ErrUnsupported
	}
	probe, err := os.MkdirTemp(dir, "probe-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sandbox.RemoveAll(probe)) }()
	lower := filepath.Join(probe, "lower")
	if err := os.Mkdir(lower, 0o700); err != nil {
		return err
	}
	l := &sandbox.Layers{Dir: filepath.Join(probe, "slots"), Paths: []string{lower}}
	one, err := takeSlot(l)
	if err != nil {
		return err
	}
	defer one.free()
	return tryNamespaces(s, one.overlays)
}
