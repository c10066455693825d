//go:build linux

package sandbox

import (
	"fmt"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// script is a list of system calls with everything that they point to. What
// builds a sandbox is a copy of this process without its runtime: nothing there
// may allocate memory, take a lock or wait for another goroutine, so all of that
// is done before, and the script only carried out there.
type script struct {
	steps []step
	keep  []any  // what steps point to
	texts []byte // of that, where the next text has room
}

// step is one system call of a script.
type step struct {
	number uintptr
	args   [6]uintptr
	from   *int32 // if not nil, the number there is the first argument
	into   *int32 // if not nil, takes the result
	pardon pardon // the errors that do no harm
	skip   int    // how many steps are left out after one of those
	what   string // is done, and to what, for a person
	path   string
}

// pardon is a set of errors.
type pardon uint8

const (
	ifMissing   pardon = 1 << iota // ENOENT, ENOTDIR: there is nothing there
	ifClosed                       // EACCES, ELOOP: no way leads there
	ifThere                        // EEXIST: it was made already
	ifPowerless                    // EPERM: there is nothing to give up
	ifUnknown                      // EINVAL: the kernel knows no such thing
)

//go:nosplit
//go:norace
func (p pardon) holds(errno syscall.Errno) bool {
	switch errno {
	case unix.ENOENT, unix.ENOTDIR:
		return p&ifMissing != 0
	case unix.EACCES, unix.ELOOP:
		return p&ifClosed != 0
	case unix.EEXIST:
		return p&ifThere != 0
	case unix.EPERM:
		return p&ifPowerless != 0
	case unix.EINVAL:
		return p&ifUnknown != 0
	}
	return false
}

// run carries a script out on the calling thread. It gives the first step that
// failed, with its error. Where there is no runtime, it must call nothing but
// what needs none, and keep to the stack that it has.
//
//go:nosplit
//go:norace
func (s *script) run() (failed int, errno syscall.Errno) {
	for i := 0; i < len(s.steps); i++ {
		t := &s.steps[i]
		if t.from != nil {
			t.args[0] = uintptr(*t.from)
		}
		r, _, errno := syscall.RawSyscall6(t.number, t.args[0], t.args[1], t.args[2], t.args[3], t.args[4], t.args[5])
		switch {
		case errno == 0:
			if t.into != nil {
				*t.into = int32(r)
			}
		case t.pardon.holds(errno):
			i += t.skip
		default:
			return i, errno
		}
	}
	return 0, 0
}

// err words what run gives.
func (s *script) err(failed int, errno syscall.Errno) error {
	if errno == 0 || failed < 0 || failed >= len(s.steps) {
		return nil
	}
	t := &s.steps[failed]
	if t.path == "" {
		return fmt.Errorf("%s: %w", t.what, errno)
	}
	return fmt.Errorf("%s %s: %w", t.what, t.path, errno)
}

// call adds a step. What it gives holds until the next one is added.
func (s *script) call(what, path string, number uintptr, args ...uintptr) *step {
	s.steps = append(s.steps, step{number: number, what: what, path: path})
	t := &s.steps[len(s.steps)-1]
	copy(t.args[:], args)
	return t
}

// forgive makes errors harmless that then leave out the next steps.
func (t *step) forgive(p pardon, skip int) *step {
	t.pardon, t.skip = p, skip
	return t
}

// given makes the first argument of the step what another one gave.
func (t *step) given(from *int32) *step {
	t.from = from
	return t
}

// text gives the address of a string that ends in NUL.
func (s *script) text(text string) uintptr {
	if size := len(text) + 1; cap(s.texts)-len(s.texts) < size {
		s.texts = make([]byte, 0, max(size, 4<<10))
		s.keep = append(s.keep, s.texts)
	}
	at := len(s.texts)
	s.texts = append(append(s.texts, text...), 0) // where it is, as it has room
	return uintptr(unsafe.Pointer(&s.texts[at]))
}

// pointer gives the address of something that the script keeps.
func pointer[T any](s *script, v *T) uintptr {
	s.keep = append(s.keep, v)
	return uintptr(unsafe.Pointer(v))
}

// here is AT_FDCWD as an argument.
const here = ^uintptr(-unix.AT_FDCWD - 1)

// mount adds one of mount(2).
func (s *script) mount(what, source, target, kind string, flags uintptr, options string) {
	s.call(what, target, unix.SYS_MOUNT, s.text(source), s.text(target), s.text(kind), flags, s.text(options))
}

// openTree adds a copy of the mounts at a path, attached nowhere, and gives
// where its descriptor will be.
func (s *script) openTree(path string) (*step, *int32) {
	fd := new(int32)
	t := s.call("open_tree", path, unix.SYS_OPEN_TREE, here, s.text(path), unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE|unix.AT_SYMLINK_NOFOLLOW)
	t.into = fd
	return t, fd
}

// moveMount adds that such a copy is attached.
func (s *script) moveMount(fd *int32, path string) {
	s.call("move_mount", path, unix.SYS_MOVE_MOUNT, 0, s.text(""), here, s.text(path), unix.MOVE_MOUNT_F_EMPTY_PATH).given(fd)
}

// readOnly adds that a mount is made read-only: at a path, or that of a
// descriptor.
func (s *script) readOnly(path string, fd *int32, flags uintptr) {
	attr := &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	size := unsafe.Sizeof(*attr)
	if fd != nil {
		s.call("read-only", path, unix.SYS_MOUNT_SETATTR, 0, s.text(""), flags|unix.AT_EMPTY_PATH, pointer(s, attr), size).given(fd)
		return
	}
	s.call("read-only", path, unix.SYS_MOUNT_SETATTR, here, s.text(path), flags, pointer(s, attr), size)
}
