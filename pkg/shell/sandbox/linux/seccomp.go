//go:build linux && (amd64 || arm64)

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
type filter struct {
	rules []callRule
	code  []unix.SockFilter // of all rules
}

// callRule is the part of a program that decides about one call: by instructions, or
// without any always alike.
type callRule struct {
	number     uint32
	always     uint32
	start, end int // of its instructions
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
	if f.rules == nil { // about as many as there will be
		f.rules, f.code = make([]callRule, 0, 160), make([]unix.SockFilter, 0, 192)
	}
	start := len(f.code)
	f.code = append(f.code, code...)
	f.rules = append(f.rules, callRule{number: uint32(number), start: start, end: len(f.code)})
}

// of returns the instructions of a rule.
func (f *filter) of(r callRule) []unix.SockFilter { return f.code[r.start:r.end] }

// call decides about a call.
func (f *filter) call(number uintptr, a uint32) {
	f.on(number)
	f.rules[len(f.rules)-1].always = a
}

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
	code := append(make([]unix.SockFilter, 0, 32), load(arg)) // which need not be on the heap
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
// ends before the number is skipped. The replies of a group are at its end, once for all
// calls: the kernel translates a filter for every command anew.
func (f *filter) instructions() []unix.SockFilter {
	slices.SortFunc(f.rules, func(a, b callRule) int { return cmp.Compare(a.number, b.number) })
	code := make([]unix.SockFilter, 0, 2*len(f.rules)+len(f.code))
	for rest := f.rules; len(rest) > 0; {
		size, n := 0, 0
		for ; n < len(rest) && size < groupSize; n++ {
			size += 1 + rest[n].end - rest[n].start
		}
		code = f.group(code, rest[:n], size)
		rest = rest[n:]
	}
	return append(code, reply(allow))
}

// group appends the instructions for the calls of a group, which take size instructions
// without the replies.
func (f *filter) group(code []unix.SockFilter, rules []callRule, size int) []unix.SockFilter {
	start := len(code)
	code = append(code, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JGT | unix.BPF_K, K: rules[len(rules)-1].number})
	var room [4]uint32
	replies := append(room[:0], allow)
	for _, r := range rules {
		if own := f.of(r); len(own) > 0 {
			code = append(append(code, unless(unix.BPF_JEQ, r.number, len(own))), own...)
			continue
		}
		i := slices.Index(replies, r.always)
		if i < 0 {
			i, replies = len(replies), append(replies, r.always)
		}
		to := start + 1 + size + i
		code = append(code, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: r.number, Jt: uint8(to - len(code) - 1)})
	}
	for _, a := range replies {
		code = append(code, reply(a))
	}
	code[start].Jt = uint8(len(code) - start - 1)
	return code
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
	// The runtime need not hand this thread's turn to another one meanwhile.
	n, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&program)))
	if errno == unix.EINVAL && listen {
		n, _, errno = unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_NEW_LISTENER, uintptr(unsafe.Pointer(&program)))
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
