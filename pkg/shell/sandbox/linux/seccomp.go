//go:build linux

package linux

import (
	"cmp"
	"fmt"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Offsets in struct seccomp_data; see seccomp(2). Arguments are 64 bits wide. Only
// their lower halves are looked at, as the kernel does for these.
const (
	dataNumber = 0
	dataArch   = 4
	dataArg0   = 16
	dataArg1   = 24
	dataArg2   = 32
	dataArg3   = 40
)

// What a filter returns for a call.
const (
	allow = unix.SECCOMP_RET_ALLOW
	deny  = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	lack  = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	ask   = unix.SECCOMP_RET_USER_NOTIF
)

// filter builds a program of classic BPF that decides about system calls.
type filter struct{ rules []callRule }

// callRule is the part of a program that decides about one call.
type callRule struct {
	number uint32
	code   []unix.SockFilter
}

// load loads a word of struct seccomp_data.
func load(offset uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
}

// reply ends the program with a decision.
func reply(a uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: a}
}

// unless skips n instructions unless the loaded value passes the test.
func unless(test uint16, k uint32, n int) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, K: k, Jf: uint8(n)}
}

// on adds the instructions for a call.
func (f *filter) on(number uintptr, code ...unix.SockFilter) {
	if f.rules == nil {
		f.rules = make([]callRule, 0, 128) // about as many as there will be
	}
	f.rules = append(f.rules, callRule{uint32(number), code})
}

// call decides about a call.
func (f *filter) call(number uintptr, a uint32) { f.on(number, reply(a)) }

// bits denies a call if its argument has any of the bits.
func (f *filter) bits(number uintptr, arg, mask uint32) {
	f.on(number, load(arg), unless(unix.BPF_JSET, mask, 1), reply(deny), reply(allow))
}

// values denies a call if its argument is one of the values or, with others, if it is
// none of them.
func (f *filter) values(number uintptr, arg uint32, values []uint32, others bool) {
	one, rest := uint32(deny), uint32(allow)
	if others {
		one, rest = rest, one
	}
	code := []unix.SockFilter{load(arg)}
	for _, v := range values {
		code = append(code, unless(unix.BPF_JEQ, v, 1), reply(one))
	}
	f.on(number, append(code, reply(rest))...)
}

// groupSize is about how many instructions a group has. When a filter is installed,
// the kernel runs it for every call that exists, to learn which ones are always
// allowed.
const groupSize = 24

// instructions returns the instructions for all calls. They expect the number of the
// call to be loaded. Calls are sorted by number and put into groups, and a group that
// ends before the number is skipped.
func (f *filter) instructions() []unix.SockFilter {
	slices.SortFunc(f.rules, func(a, b callRule) int { return cmp.Compare(a.number, b.number) })
	code, group := make([]unix.SockFilter, 0, 4*len(f.rules)), make([]unix.SockFilter, 0, 4*groupSize)
	for i, r := range f.rules {
		group = append(group, unless(unix.BPF_JEQ, r.number, len(r.code)))
		group = append(group, r.code...)
		if len(group) >= groupSize || i == len(f.rules)-1 {
			group = append(group, reply(allow))
			code = append(code, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JGT | unix.BPF_K, K: r.number, Jt: uint8(len(group))})
			code = append(code, group...)
			group = group[:0]
		}
	}
	return append(code, reply(allow))
}

// install puts the current thread, and what it starts, under a filter for good. It
// needs no_new_privs. With listen it returns a descriptor at which the calls arrive
// that the filter hands over.
func install(code []unix.SockFilter, listen bool) (fd int, err error) {
	program := unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]}
	flags := uintptr(0)
	if listen {
		// The second flag, by which a signal does not interrupt a call that is being
		// made, is newer.
		flags = unix.SECCOMP_FILTER_FLAG_NEW_LISTENER | unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
	}
	n, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&program)))
	if errno == unix.EINVAL && listen {
		n, _, errno = unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_NEW_LISTENER, uintptr(unsafe.Pointer(&program)))
	}
	if errno != 0 {
		return -1, fmt.Errorf("seccomp: %w", errno)
	}
	if !listen {
		return -1, nil
	}
	return int(n), nil
}

// knows reports whether the kernel lets filters return a decision.
func knows(action uint32) bool {
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action)))
	return errno == 0
}

// filter adds a call that installs a filter with flags. It needs no_new_privs.
func (s *script) filter(code []unix.SockFilter, flags uintptr) *step {
	program := &unix.SockFprog{Len: uint16(len(code)), Filter: unsafe.SliceData(code)}
	return s.call("seccomp", "", unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, pointer(s, program))
}
