//go:build linux && (amd64 || arm64)

package linux

import (
	"fmt"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// evaluate runs a filter as seccomp(2) says, with the number, the architecture
// and the lower halves of the first two arguments of a call; the third is the second again.
func evaluate(code []unix.SockFilter, number, arch, arg0, arg1 uint32) (uint32, error) {
	data := map[uint32]uint32{dataNumber: number, dataArch: arch, dataArg0: arg0, dataArg1: arg1, dataArg2: arg1}
	var loaded uint32
	for i := 0; i < len(code); i++ {
		c := code[i]
		var holds bool
		switch c.Code {
		case unix.BPF_RET | unix.BPF_K:
			return c.K, nil
		case unix.BPF_LD | unix.BPF_W | unix.BPF_ABS:
			value, ok := data[c.K]
			if !ok {
				return 0, fmt.Errorf("instruction %d loads from %d", i, c.K)
			}
			loaded = value
			continue
		case unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K:
			holds = loaded == c.K
		case unix.BPF_JMP | unix.BPF_JGT | unix.BPF_K:
			holds = loaded > c.K
		case unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K:
			holds = loaded >= c.K
		case unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K:
			holds = loaded&c.K != 0
		default:
			return 0, fmt.Errorf("instruction %d is %#x", i, c.Code)
		}
		if holds {
			i += int(c.Jt)
		} else {
			i += int(c.Jf)
		}
	}
	return 0, fmt.Errorf("no answer")
}

// TestFilter asks filters about every call.
func TestFilter(t *testing.T) {
	args := []uint32{0, 1, unix.O_CREAT | unix.O_RDWR, unix.O_PATH | unix.O_CREAT, unix.AF_INET, unix.AF_VSOCK, unix.TIOCSTI, tiocLinux, fileIoctls[0], namingIoctls[0], unix.CLONE_NEWUSER, unix.CLONE_NEWUSER | unix.CLONE_VM, 1 << 31}
	for _, s := range []shield{
		{Families: allowedFamilies(sandbox.Namespaces, sandbox.NoNetwork, 7)},
		{Families: allowedFamilies(sandbox.Landlock, sandbox.NoNetwork, 7), WithoutNamespaces: true},
		{Families: allowedFamilies(sandbox.Landlock, sandbox.Full, 9), WithoutNamespaces: true, Metadata: true},
		{Families: allowedFamilies(sandbox.Namespaces, sandbox.NoNetwork, 7), Births: true},
	} {
		code := s.code()
		answer := func(number, arch, arg0, arg1 uint32) uint32 {
			got, err := evaluate(code, number, arch, arg0, arg1)
			if err != nil {
				t.Fatalf("%+v: call %d: %v", s, number, err)
			}
			return got
		}
		rules := map[uint32]callRule{}
		f := s.rules()
		for _, r := range f.rules {
			if _, twice := rules[r.number]; twice {
				t.Errorf("call %d is answered twice", r.number)
			}
			rules[r.number] = r
		}
		for number := range uint32(firstUnknown + 200) {
			for _, arg := range args {
				want := uint32(allow)
				if r, ok := rules[number]; ok {
					var err error
					if want = r.always; len(f.of(r)) > 0 {
						want, err = evaluate(f.of(r), number, auditArch, arg, arg)
					}
					if err != nil {
						t.Fatal(err)
					}
				}
				if number >= firstUnknown {
					want = lack
				}
				if got := answer(number, auditArch, arg, arg); got != want {
					t.Errorf("%+v: call %d of %#x: %#x, not %#x", s, number, arg, got, want)
				}
			}
		}
		for what, got := range map[string]uint32{
			"foreign": answer(unix.SYS_READ, unix.AUDIT_ARCH_PPC64LE, 0, 0), "x32": answer(0x40000000|unix.SYS_READ, auditArch, 0, 0),
		} {
			if got != lack {
				t.Errorf("%s: %#x", what, got)
			}
		}
		for what, is := range map[string]bool{
			"trace me":        answer(unix.SYS_PTRACE, auditArch, unix.PTRACE_TRACEME, 0) == deny,
			"write memory":    answer(unix.SYS_PTRACE, auditArch, unix.PTRACE_POKEDATA, 0) == deny,
			"seize":           answer(unix.SYS_PTRACE, auditArch, unix.PTRACE_SEIZE, 0) == deny,
			"stop threads":    answer(unix.SYS_PTRACE, auditArch, unix.PTRACE_ATTACH, 0) == allow,
			"read":            answer(unix.SYS_READ, auditArch, 0, 0) == allow,
			"clone of a user": answer(unix.SYS_CLONE, auditArch, unix.CLONE_NEWUSER, 0) == deny,
			"fork":            answer(unix.SYS_CLONE, auditArch, uint32(unix.SIGCHLD), 0) == allow,
			"vsock":           answer(unix.SYS_SOCKET, auditArch, unix.AF_VSOCK, 0) == deny,
			"chmod asks":      (answer(unix.SYS_FCHMODAT, auditArch, 0, 0) == ask) == s.Metadata,
			"mkdir asks":      (answer(unix.SYS_MKDIRAT, auditArch, 0, 0) == ask) == s.Births,
			"openat2":         (answer(unix.SYS_OPENAT2, auditArch, 0, 0) == lack) == s.Births,
			"creating asks":   (answer(unix.SYS_OPENAT, auditArch, 0, unix.O_CREAT) == ask) == s.Births,
			"writing asks":    (answer(unix.SYS_OPENAT, auditArch, 0, unix.O_WRONLY) == ask) == s.Births,
			"reading":         answer(unix.SYS_OPENAT, auditArch, 0, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC) == allow,
			"without a name":  answer(unix.SYS_OPENAT, auditArch, 0, unix.O_TMPFILE|unix.O_RDWR) == allow,
			"shared memory":   (answer(unix.SYS_SHMGET, auditArch, 0, 0) == deny) == s.WithoutNamespaces,
		} {
			if !is {
				t.Errorf("%+v: %s", s, what)
			}
		}
	}
}
