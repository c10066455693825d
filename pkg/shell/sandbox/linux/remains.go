//go:build linux && (amd64 || arm64)

package linux

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/workspace"
)

// A command whose helve is killed leaves protected paths that are not put back, and files
// aside that nobody heard of. So a file of [sandbox.Profile.Lock] lists them while a command
// runs. Its helve has that file locked: the kernel gives the lock back, however helve ends,
// and then others may finish.

// recordsName is the directory of these files. It is only there while it has files, so that
// one look tells that nothing is to be finished.
const recordsName = "running"

// notRecorded is the word of a report for a command of which nothing will be finished if
// helve is killed.
const notRecorded = "not_finished_if_killed"

// remains hold what is needed to finish after a command.
type remains struct {
	Profile  sandbox.Profile
	Support  sandbox.Support
	Kind     sandbox.Kind
	Mark     string
	Snapshot *keptSnapshot
	Known    []keptIdentity
}

// keptSnapshot, keptEntry and keptIdentity are [snapshot], [savedEntry] and [identity] in a
// file.
type (
	keptSnapshot struct {
		Paths   []string
		Before  map[string]keptEntry
		Parents map[string]keptEntry
		Suffix  string
		Holders map[string]string
		Mounted map[string]keptIdentity
	}
	keptEntry struct {
		Exists bool
		Mode   fs.FileMode
		Data   []byte
	}
	keptIdentity struct {
		Device, Inode uint64
		Changed       unix.Timespec
		Size          int64
	}
)

func keepEntry(m savedEntry) keptEntry { return keptEntry{m.exists, m.mode, m.data} }
func (k keptEntry) entry() savedEntry  { return savedEntry{k.Exists, k.Mode, k.Data} }
func keepIdentity(i identity) keptIdentity {
	return keptIdentity{i.device, i.inode, i.changed, i.size}
}
func (k keptIdentity) identity() identity { return identity{k.Device, k.Inode, k.Changed, k.Size} }

// mapped returns a map with other values.
func mapped[K comparable, V, W any](m map[K]V, f func(V) W) map[K]W {
	all := make(map[K]W, len(m))
	for k, v := range m {
		all[k] = f(v)
	}
	return all
}

// keep returns the remains of the command that is about to start.
func (sb *confined) keep(mark string) remains {
	p, t := sb.Profile, sb.snapshot
	r := remains{
		Profile: sandbox.Profile{
			Filesystem: p.Filesystem, Network: p.Network, Workspace: p.Workspace, Writable: p.Writable, Temp: p.Temp, Protected: p.Protected,
			Movable: p.Movable, Settings: p.Settings, Changing: p.Changing, Survey: p.Survey, Lock: p.Lock,
		},
		Support: sb.Support, Kind: sb.Kind, Mark: mark,
		Snapshot: &keptSnapshot{
			Paths: t.paths, Before: mapped(t.before, keepEntry), Parents: mapped(t.parents, keepEntry), Suffix: t.suffix, Holders: t.holders,
			Mounted: mapped(t.mounted, keepIdentity),
		},
	}
	for id := range sb.watch.known {
		r.Known = append(r.Known, keepIdentity(id))
	}
	return r
}

// record writes the file for a command that is about to start.
func (sb *confined) record(mark string) {
	if sb.watch == nil || sb.snapshot == nil || sb.Profile.Lock == "" {
		return
	}
	text, err := json.Marshal(sb.keep(mark))
	if err == nil {
		sb.file, err = lockedFile(filepath.Join(sb.Profile.Lock, recordsName), mark, text)
	}
	if err != nil {
		sb.Degrade(notRecorded)
	}
}

// lockedFile writes a file and keeps it locked. It gets its name when it is complete and
// locked.
func lockedFile(dir, name string, text []byte) (f *os.File, err error) {
	file, early, fd := filepath.Join(dir, name), filepath.Join(dir, "."+name), -1
	for range 100 { // others remove the directory
		if err = os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		if fd, err = unix.Open(early, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_CLOEXEC, 0o600); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	f = os.NewFile(uintptr(fd), early)
	_, err = f.Write(text)
	if err = errors.Join(err, unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB), os.Rename(early, file)); err != nil {
		return nil, errors.Join(err, os.Remove(early), f.Close())
	}
	return f, nil
}

// forget removes the file of the command: it has been finished.
func (sb *confined) forget() {
	if sb.file == nil {
		return
	}
	file := filepath.Join(sb.Profile.Lock, recordsName, filepath.Base(strings.TrimPrefix(filepath.Base(sb.file.Name()), ".")))
	_ = os.Remove(file)               // whoever finds it finishes once more
	_ = os.Remove(filepath.Dir(file)) // it may have other files
	_ = sb.file.Close()               // nothing is written any more
	sb.file = nil
}

// Abandoned implements [sandbox.System].
func (s System) Abandoned(dir string, permits func(rel string) bool) (all []sandbox.Abandoned, err error) {
	dir = filepath.Join(dir, recordsName)
	names, err := namesIn(dir)
	if err != nil {
		return nil, nil //nolint:nilerr // there is none
	}
	slices.Sort(names)
	for _, name := range names {
		if strings.HasPrefix(name, ".") {
			continue // it is being written, or was never complete, so that no command started
		}
		one, e := s.abandoned(filepath.Join(dir, name), permits)
		if err = errors.Join(err, e); one != nil {
			all = append(all, *one)
		}
	}
	_ = os.Remove(dir) // it may have other files
	return all, err
}

// abandoned finishes after one command, unless its helve lives.
func (s System) abandoned(file string, permits func(rel string) bool) (*sandbox.Abandoned, error) {
	f, err := openRegular(file)
	if err != nil {
		return nil, nil // it has ended meanwhile
	}
	defer f.Close()
	if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil {
		return nil, nil
	}
	if !exists(file) {
		return nil, nil // its helve had just ended
	}
	defer os.Remove(file) //nolint:errcheck // whoever finds it finishes once more
	text, err := readRegular(file)
	var r remains
	if err = errors.Join(err, json.Unmarshal(text, &r)); err != nil || r.Snapshot == nil {
		return nil, fault.New(fault.IOError, fault.T("the record of a command whose helve was stopped cannot be read: %s", file)).
			WithHint(fault.T("look whether it has left files with %s in their names", workspace.RefusedMark)).Because(err)
	}
	r.Profile.Permits = permits
	return r.finish(s)
}

// finish ends what still runs and finishes what its helve did not come to.
func (r remains) finish(s System) (*sandbox.Abandoned, error) {
	one := &sandbox.Abandoned{Alive: endMarked(s, r.Mark)}
	sb, err := newConfined(r.Profile, r.Support, r.Kind)
	if err != nil {
		return one, err
	}
	k := r.Snapshot
	sb.snapshot = &snapshot{
		paths: k.Paths, before: mapped(k.Before, keptEntry.entry), parents: mapped(k.Parents, keptEntry.entry), suffix: k.Suffix, holders: k.Holders,
		records: r.Profile.Settings, mounted: mapped(k.Mounted, keptIdentity.identity),
	}
	sb.watch = &watch{known: map[identity]bool{}}
	for _, id := range r.Known {
		sb.watch.known[id.identity()] = true
	}
	sb.nursery = sb.newNursery()
	defer sb.nursery.close()
	for _, root := range r.Profile.Roots() {
		sb.nursery.find(root)
	}
	restored, err1 := sb.Restored()
	moved, err2 := sb.Planted()
	one.Restored, one.Planted = restored, moved
	return one, errors.Join(err1, err2)
}

// endMarked kills what still runs of a command, and returns what it could not kill.
func endMarked(s System, mark string) (alive []int) {
	deadline := time.Now().Add(killTime)
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		alive = s.Marked(mark)
		if len(alive) == 0 || time.Now().After(deadline) {
			return alive
		}
		for _, pid := range alive {
			_ = unix.Kill(pid, unix.SIGKILL) // the next look tells
		}
		time.Sleep(wait) //nolint:forbidigo // they are not children of this process
	}
}

// find finds what lies aside in a directory, from the names alone.
func (n *nursery) find(dir string) {
	names, err := namesIn(dir)
	if err != nil {
		return
	}
	for _, name := range names {
		path := filepath.Join(dir, name)
		if top, ok := strings.CutSuffix(path, n.mark); ok {
			n.found(top, path)
		} else if isDirectory(path) && !isLink(path) {
			n.find(path)
		}
	}
}

// found lays aside again what was, at a path and below it.
func (n *nursery) found(top, path string) {
	if names, err := namesIn(path); err == nil && !isLink(path) {
		for _, name := range names {
			n.found(top, filepath.Join(path, name))
		}
		return
	}
	n.lay(top+strings.TrimPrefix(path, top+n.mark), top, true)
}
