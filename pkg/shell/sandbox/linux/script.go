//go:build linux && (amd64 || arm64)

package linux

import (
	"fmt"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// script is a list of system calls with everything that they point to. The process
// that builds a sandbox is a fork of this one without its runtime: it must not
// allocate memory, take a lock or wait for another goroutine. So this process
// prepares the calls, and the fork only makes them.
type script struct {
	steps []step
	keep  []any  // what steps point to
	texts []byte // the last element of keep, with room for further texts
}

// step is one system call of a script.
type step struct {
	number  uintptr
	args    [6]uintptr
	from    *int32   // if not nil, the first argument is taken from there
	into    *int32   // if not nil, the result is stored there
	ignored errnoSet // errors that do no harm
	skip    int      // how many steps to skip after one of those
	what    string   // what the step does, for a person
	path    string   // what it is done to
}

// errnoSet is a set of errors.
type errnoSet uint8

const (
	ifMissing      errnoSet = 1 << iota // ENOENT, ENOTDIR: it does not exist
	ifUnreachable                       // EACCES, ELOOP: the command cannot reach it either
	ifExists                            // EEXIST: it was created before
	ifUnprivileged                      // EPERM: there is nothing to give up
	ifUnknown                           // EINVAL: the kernel does not have it
)

//go:nosplit
//go:norace
func (p errnoSet) has(errno syscall.Errno) bool {
	switch errno {
	case unix.ENOENT, unix.ENOTDIR:
		return p&ifMissing != 0
	case unix.EACCES, unix.ELOOP:
		return p&ifUnreachable != 0
	case unix.EEXIST:
		return p&ifExists != 0
	case unix.EPERM:
		return p&ifUnprivileged != 0
	case unix.EINVAL:
		return p&ifUnknown != 0
	}
	return false
}

// run makes the calls on the current thread. It returns the index of the step that
// failed and its error. It also runs where there is no runtime, so it must call
// nothing that needs one and must not grow the stack.
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
		case t.ignored.has(errno):
			i += t.skip
		default:
			return i, errno
		}
	}
	return 0, 0
}

// err returns what run returned as an error with the name of the step.
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

// call adds a step. The pointer is valid until the next step is added.
func (s *script) call(what, path string, number uintptr, args ...uintptr) *step {
	s.steps = append(s.steps, step{number: number, what: what, path: path})
	t := &s.steps[len(s.steps)-1]
	copy(t.args[:], args)
	return t
}

// ignore lets the script go on after some errors, without the next skip steps.
func (t *step) ignore(p errnoSet, skip int) *step {
	t.ignored, t.skip = p, skip
	return t
}

// on takes the first argument of the step from the result of another one.
func (t *step) on(from *int32) *step {
	t.from = from
	return t
}

// text returns the address of a copy of a string that ends in NUL.
func (s *script) text(text string) uintptr {
	if size := len(text) + 1; cap(s.texts)-len(s.texts) < size {
		s.texts = make([]byte, 0, max(size, 4<<10))
		s.keep = append(s.keep, s.texts)
	}
	at := len(s.texts)
	s.texts = append(append(s.texts, text...), 0) // there is room, so the address stays
	return uintptr(unsafe.Pointer(&s.texts[at]))
}

// pointer returns the address of a value that the script keeps.
func pointer[T any](s *script, v *T) uintptr {
	s.keep = append(s.keep, v)
	return uintptr(unsafe.Pointer(v))
}

// atCWD is AT_FDCWD as an argument.
const atCWD = ^uintptr(-unix.AT_FDCWD - 1)

// mount adds a call of mount(2).
func (s *script) mount(what, source, target, kind string, flags uintptr, options string) {
	s.call(what, target, unix.SYS_MOUNT, s.text(source), s.text(target), s.text(kind), flags, s.text(options))
}

// openTree adds a call that copies the mounts at a path without attaching the copy.
// It returns the step and where the descriptor will be.
func (s *script) openTree(path string) (*step, *int32) {
	fd := new(int32)
	t := s.call("open_tree", path, unix.SYS_OPEN_TREE, atCWD, s.text(path), unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE|unix.AT_SYMLINK_NOFOLLOW)
	t.into = fd
	return t, fd
}

// moveMount adds a call that attaches such a copy.
func (s *script) moveMount(fd *int32, path string) {
	s.call("move_mount", path, unix.SYS_MOVE_MOUNT, 0, s.text(""), atCWD, s.text(path), unix.MOVE_MOUNT_F_EMPTY_PATH).on(fd)
}

// readOnly adds a call that makes a mount read-only: the mount of a descriptor, or
// without one the mount at a path.
func (s *script) readOnly(path string, fd *int32, flags uintptr) {
	s.restrictMount(path, fd, flags, unix.MOUNT_ATTR_RDONLY)
}

// restrictMount adds a call that sets attributes of a mount, named as in readOnly.
func (s *script) restrictMount(path string, fd *int32, flags uintptr, attributes uint64) {
	attr := &unix.MountAttr{Attr_set: attributes}
	size := unsafe.Sizeof(*attr)
	if fd != nil {
		s.call("read-only", path, unix.SYS_MOUNT_SETATTR, 0, s.text(""), flags|unix.AT_EMPTY_PATH, pointer(s, attr), size).on(fd)
		return
	}
	s.call("read-only", path, unix.SYS_MOUNT_SETATTR, atCWD, s.text(path), flags, pointer(s, attr), size)
}
