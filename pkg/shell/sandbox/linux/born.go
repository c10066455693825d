//go:build linux && (amd64 || arm64)

package linux

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/workspace"
)

// A nursery makes the files of a command in its place, so that none comes into being that
// another program obeys: such a file lies aside from the beginning, and the command gets a
// descriptor of that. What a call names lies in memory that another thread of the command
// may change, so a call is never let through after a look: the nursery opens the directory
// that the name is in, judges the real path of that, and makes the call there itself. It
// makes one call at a time, and there is no other way to give a file a name, so between
// the look and the call nothing is renamed.
type nursery struct {
	profile   sandbox.Profile
	protected []string // paths that must not change; see [sandbox.Profile]
	gits      []string // where repositories are judged
	open      []string // where special files may be opened, and in Landlock's place all files
	confines  bool     // nothing else keeps the command from other files
	mark      string   // of the names of what lies aside
	lock      int      // [sandbox.Profile.Lock]; -1 is none
	root      int      // the root of the command, -1 before its first call
	held      map[string]savedEntry
	twins     map[identity]bool // protected files with several names
	known     func(path string) bool
	ownMask   bool // of modes; else that of this process, shared, applies to new files
	shared    int
	asides    map[string]*aside // by their paths
	pending   []*aside          // those that may become harmless
	waiting   []waiter
	veil      *veil         // before what is hidden; nil without anything
	wait      time.Duration // until the next look at them
}

// waiter is a call that waits for the other end of a named pipe.
type waiter struct {
	id        uint64
	fd, flags int
}

// errWaits says that a call will be answered later.
var errWaits = errors.New("the call waits")

// listens are the flags of a filter whose calls a nursery makes.
const listens = unix.SECCOMP_FILTER_FLAG_NEW_LISTENER | unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV

// bornDegraded is the word of a report for a kernel without a nursery: what a command
// makes for others to obey is moved aside when it ends.
const bornDegraded = "planted_at_end"

// The time between two looks at what lies aside grows from minWait to maxWait, or to
// pipeWait while a call waits for a pipe.
const (
	minWait  = 5 * time.Millisecond
	pipeWait = 20 * time.Millisecond
	maxWait  = time.Second
)

// fewPending are few enough to look at with every call.
const fewPending = 32

// births reports whether a nursery is wanted and can be had. The kernel must let a call
// that was received end in spite of signals, or it would be made twice.
func (sb *confined) births() bool {
	if sb.watch == nil {
		return false
	}
	// A kernel that knows the flags misses the filter.
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, listens, 0)
	scope, _ := readAll("/proc/sys/kernel/yama/ptrace_scope", 8) // without Yama there is none
	unreadable := sb.Kind == sandbox.Landlock && len(scope) > 0 && scope[0] > '1'
	if !sb.Support.Broker || errno != unix.EFAULT || unreadable {
		sb.Degrade(bornDegraded)
		return false
	}
	return true
}

// newNursery returns a nursery for the command of a sandbox.
func (sb *confined) newNursery() *nursery {
	p := sb.Profile
	n := &nursery{
		profile: p, protected: p.Protected, confines: sb.Kind == sandbox.Landlock, veil: sb.veil, mark: sb.snapshot.suffix, root: -1,
		held: sb.snapshot.before, twins: map[identity]bool{}, asides: map[string]*aside{}, gits: slices.Clone(p.Roots()),
		known: func(path string) bool {
			return exists(path) && (sb.watch.knows(path) || sb.snapshot.holds(path))
		},
	}
	if fd, err := unix.Open(p.Lock, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0); err == nil {
		n.lock = fd
	} else {
		n.lock = -1
	}
	n.open = append(p.Roots(), "/dev/shm", "/dev/pts")
	if n.confines {
		if p.Temp != "" {
			n.open, n.gits = append(n.open, p.Temp), append(n.gits, p.Temp)
		}
	} else {
		n.open = slices.Concat(n.open, p.LayerPaths(), realDirectories(replaced))
	}
	for _, name := range [...]string{"null", "zero", "full", "random", "urandom", "tty", "ptmx"} {
		n.open = append(n.open, "/dev/"+name)
	}
	for _, path := range p.Protected {
		if id, single := identityOf(path); !single && id != (identity{}) {
			n.twins[id] = true
		}
	}
	return n
}

// resign gives up the capabilities of the current thread, which must not be used for
// anything else. It has no more rights to files than the command then.
func resign() error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	return unix.Capset(&header, &new([2]unix.CapUserData)[0])
}

// separate gives the current thread a mask of modes of its own, where that is not refused,
// as it is in many containers.
func (n *nursery) separate() (err error) {
	if n.ownMask = unix.Unshare(unix.CLONE_FS) == nil; !n.ownMask {
		n.shared, err = (&caller{pid: uint32(unix.Getpid())}).umask()
	}
	return err
}

// allows reports whether the command may write to, or make, what is at a real path.
func (n *nursery) allows(path string) bool {
	return slices.ContainsFunc(n.open, func(dir string) bool { return workspace.WithinOS(path, dir) })
}

// withMode makes something with the mode that it would have if the caller made it.
func (n *nursery) withMode(v *visit, p place, mode uint32, f func(mode uint32) error) error {
	mask, err := v.umask()
	if err != nil {
		return unix.EPERM
	}
	if n.ownMask {
		unix.Umask(mask)
		return f(mode)
	}
	mode &^= uint32(mask)
	if err := f(mode); err != nil || mode&uint32(n.shared) == 0 {
		return err
	}
	return unix.Fchmodat(p.dir, p.name, mode&0o7777, 0)
}

// withMask calls f with the mode that something new has if the caller makes it.
func (n *nursery) withMask(v *visit, mode uint32, f func(mode uint32) error) error {
	mask, err := v.umask()
	if err != nil {
		return unix.EPERM
	}
	return f(mode &^ uint32(mask))
}

// umask returns the mask of the modes of new files.
func (c *caller) umask() (int, error) {
	var buf [256]byte
	fd, err := unix.Open(fmt.Sprintf("/proc/%d/status", c.pid), unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0, err
	}
	defer unix.Close(fd)
	size, err := unix.Read(fd, buf[:])
	if err != nil {
		return 0, err
	}
	_, after, _ := bytes.Cut(buf[:size], []byte("\nUmask:\t"))
	text, _, ok := bytes.Cut(after, []byte("\n"))
	if !ok {
		return 0, errors.New("no mask")
	}
	mask, err := strconv.ParseUint(string(text), 8, 16)
	return int(mask), err
}

// addition is struct seccomp_notif_addfd.
type addition struct {
	id       uint64
	flags    uint32
	from     uint32
	to       uint32
	newFlags uint32
}

// give gives the caller of a call a descriptor as the result, and closes it here before the
// caller goes on: a program that somebody has open for writing cannot be executed.
func give(listener int, id uint64, fd int, flags int) error {
	a := addition{id: id, from: uint32(fd), newFlags: uint32(flags & unix.O_CLOEXEC)}
	number, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(listener), unix.SECCOMP_IOCTL_NOTIF_ADDFD, uintptr(unsafe.Pointer(&a)))
	unix.Close(fd)
	if errno != 0 {
		return errno
	}
	respond(listener, id, int64(number), nil)
	return nil
}

// above opens the directory that the obeyed part of a place is in, and returns the names
// from there to the place, the first one marked.
func (n *nursery) above(v *visit, p place, top string) (dir int, names []string, err error) {
	rel, err := filepath.Rel(filepath.Dir(top), p.path())
	if err != nil {
		return -1, nil, unix.EACCES
	}
	names = strings.Split(rel, "/")
	names[0] += n.mark
	if dir = p.dir; len(names) > 1 {
		up := bytes.Repeat([]byte("../"), len(names)-1)
		how := unix.OpenHow{Flags: unix.O_PATH | unix.O_DIRECTORY | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_SYMLINKS}
		dir, err = v.keep(unix.Openat2(p.dir, string(up), &how))
	}
	return dir, names, err
}

// turn returns the place that stands for an obeyed one, and makes the directories that
// lead there. The caller must be able to write in the directory of either.
func (n *nursery) turn(v *visit, p place, top string) (place, error) {
	if err := writable(p.dir); err != nil {
		return place{}, err
	}
	dir, names, err := n.above(v, p, top)
	if err != nil {
		return place{}, err
	}
	for _, name := range names[:len(names)-1] {
		if err := writable(dir); err != nil {
			return place{}, err
		}
		if err := unix.Mkdirat(dir, name, 0o755); err != nil && err != unix.EEXIST {
			return place{}, err
		}
		if dir, err = v.keep(unix.Openat(dir, name, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)); err != nil {
			return place{}, err
		}
	}
	at, err := v.real(dir)
	return place{dir: dir, at: at, name: names[len(names)-1], open: -1}, err
}

// writable returns the error with which nothing can be made in a directory, or a file not
// be written to.
func writable(fd int) error {
	return unix.Faccessat(unix.AT_FDCWD, procLink(fd), unix.W_OK, unix.AT_EACCESS)
}

// errGiven says that a call has its answer.
var errGiven = errors.New("the call is answered")

// take makes a call and gives the caller the descriptor that results.
func (n *nursery) take(listener int, c *caller, m *notification) error {
	defer n.alone()()
	if len(n.pending) < fewPending { // else from time to time
		n.settle()
	}
	if n.root < 0 { // all processes of the command have the same one
		root, err := unix.Open(fmt.Sprintf("/proc/%d/root", m.pid), unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			return unix.EPERM
		}
		if !isValid(listener, m.id) { // it may be that of another process, with the number of one that ended
			unix.Close(root)
			return unix.ENOENT
		}
		n.root = root
	}
	v := &visit{caller: c, root: n.root, valid: func() bool { return isValid(listener, m.id) }}
	defer v.end()
	fd, err := n.make(v, m)
	if err != nil || fd < 0 {
		return err
	}
	_, a := modern(m.number, m.args)
	if err := give(listener, m.id, fd, int(a[2])); err != nil {
		return err // it has as many descriptors as it may have, or is gone
	}
	return errGiven
}

// alone keeps other nurseries from making calls, until what it returns is called: another
// command might rename what this one has looked at.
func (n *nursery) alone() (leave func()) {
	if n.lock < 0 {
		return func() {}
	}
	for unix.Flock(n.lock, unix.LOCK_EX) == unix.EINTR {
	}
	return func() { _ = unix.Flock(n.lock, unix.LOCK_UN) }
}

// next returns the time until something has to be looked at although no call arrives,
// or less than none if nothing has.
func (n *nursery) next() time.Duration {
	if n == nil || len(n.pending)+len(n.waiting) == 0 {
		return -time.Millisecond
	}
	return n.wait
}

// look looks at what may have become harmless, and at pipes.
func (n *nursery) look(listener int) {
	most := maxWait
	if len(n.waiting) > 0 {
		most = pipeWait
	}
	n.wait = min(2*n.wait, most)
	defer n.alone()()
	n.settle()
	n.answerWaiting(listener)
}

// answerWaiting answers the calls whose pipes have another end now.
func (n *nursery) answerWaiting(listener int) {
	n.waiting = slices.DeleteFunc(n.waiting, func(w waiter) bool {
		to, err := openPipe(w.fd, w.flags)
		switch {
		case errors.Is(err, unix.ENXIO) && isValid(listener, w.id):
			return false
		case err == nil:
			_ = give(listener, w.id, to, w.flags) // it fails only if the caller is gone
		default:
			respond(listener, w.id, 0, err)
		}
		unix.Close(w.fd)
		return true
	})
}

// close gives back what the nursery has open.
func (n *nursery) close() {
	for _, w := range n.waiting {
		unix.Close(w.fd)
	}
	for _, fd := range [...]int{n.root, n.lock} {
		if fd >= 0 {
			unix.Close(fd)
		}
	}
	n.veil.close()
}

// taken takes over what the nursery has laid aside, and returns the paths that the command
// tried to change although they are held.
func (sb *confined) taken() (held []string) {
	if sb.nursery == nil {
		return nil
	}
	if sb.veil.isSpent() {
		sb.Degrade(sandbox.NewUnreadable)
	}
	held, sb.laid = sb.nursery.finish()
	sb.nursery = nil
	for _, m := range sb.laid {
		if isDirectory(m.Path) && !isLink(m.Path) {
			_ = merge(m.Path, m.To) // what cannot be moved is found by the survey
		}
	}
	return held
}
