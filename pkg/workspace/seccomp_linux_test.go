package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/fault"
)

// TestFilteredSystemCalls runs under filters as containers have them.
func TestFilteredSystemCalls(t *testing.T) {
	tests := []struct {
		name   string
		errno  unix.Errno
		calls  []uint32
		kernel bool // whether openat2 is used
	}{
		{"openat2 ENOSYS", unix.ENOSYS, []uint32{unix.SYS_OPENAT2}, false},
		{"openat2 EPERM", unix.EPERM, []uint32{unix.SYS_OPENAT2}, false},
		{"fchmodat2 EPERM", unix.EPERM, []uint32{unix.SYS_FCHMODAT2}, true},
		{"fchmodat2 ENOSYS", unix.ENOSYS, []uint32{unix.SYS_FCHMODAT2}, true},
		{"renameat2 EINVAL", unix.EINVAL, []uint32{unix.SYS_RENAMEAT2}, true},
		{"renameat2 and linkat ENOSYS", unix.ENOSYS, []uint32{unix.SYS_RENAMEAT2, unix.SYS_LINKAT}, true},
		{"faccessat2 EPERM", unix.EPERM, []uint32{unix.SYS_FACCESSAT2}, true},
		{"flock ENOSYS", unix.ENOSYS, []uint32{unix.SYS_FLOCK}, true},
		{"fsync EINVAL", unix.EINVAL, []uint32{unix.SYS_FSYNC}, true},
		{"xattr ENOTSUP", unix.ENOTSUP, []uint32{unix.SYS_FLISTXATTR}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ws, _ := workspaceDir(t)
			tree(t, ws, "old = old", "d/in = in", "d/fixed = x", "abs -> "+filepath.Join(ws, "old"), "out -> ../x", "e/")
			args := []string{ws, strconv.FormatBool(tt.kernel), strconv.Itoa(int(tt.errno))}
			for _, nr := range tt.calls {
				args = append(args, strconv.Itoa(int(nr)))
			}
			inRole(t, role(t, "filtered", args...))
			wantText(t, filepath.Join(ws, "old"), "new")
			wantText(t, filepath.Join(ws, "made/new"), "new")
			wantText(t, filepath.Join(ws, "e/d/moved"), "in")
			wantNames(t, ws, "abs", "e", "made", "old", "out")
			wantNames(t, filepath.Join(ws, "e/d"), "fixed", "moved")
			if i, err := os.Stat(filepath.Join(ws, "old")); err != nil || i.Mode() != 0o750 {
				t.Errorf("%v, %v", i.Mode(), err)
			}
		})
	}
}

func init() {
	roles["filtered"] = func(args []string) error {
		errno, err := strconv.Atoi(args[2])
		if err != nil {
			return err
		}
		var calls []uint32
		for _, arg := range args[3:] {
			nr, err := strconv.Atoi(arg)
			if err != nil {
				return err
			}
			calls = append(calls, uint32(nr))
		}
		if err := refuse(calls, unix.Errno(errno)); err != nil {
			fmt.Println("skip: no filters here:", err)
			return nil
		}
		r, err := opened(args[0], Options{})
		if err != nil {
			return err
		}
		var failed errorList
		if got := strconv.FormatBool(r.handle.std == nil); got != args[1] {
			failed.add("the kernel confines: %s", got)
		}
		ok := func(err error) {
			if err != nil {
				failed.add("%v", err)
			}
		}
		_, err = r.WriteFile("abs", []byte("new"), WriteOptions{})
		ok(err)
		_, err = r.WriteFile("made/new", []byte("new"), WriteOptions{Create: true, Parents: true})
		ok(err)
		_, err = r.WriteFile("made/new", []byte("x"), WriteOptions{Create: true})
		failed.want(err, fault.AlreadyExists)
		_, err = r.WriteFile("out", []byte("x"), WriteOptions{})
		failed.want(err, fault.OutsideWorkspace)
		ok(r.Chmod("abs", 0o750))
		failed.want(r.Rename("d/in", "old", false), fault.AlreadyExists)
		ok(r.Rename("d/in", "d/moved", false))
		failed.want(r.Rename("d", "e", false), fault.AlreadyExists)
		ok(r.Rename("d", "e/d", false))
		_, err = r.ReadDir("out")
		failed.want(err, fault.OutsideWorkspace)
		f, err := r.Open("abs")
		ok(err)
		if err == nil {
			ok(f.Close())
		}
		return failed.err()
	}
}

// refuse makes the kernel answer the calls of this process with errno.
func refuse(calls []uint32, errno unix.Errno) error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	program := []unix.SockFilter{{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 0}} // the call's number
	for _, nr := range calls {
		program = append(program,
			unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: 1, K: nr},
			unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(errno)})
	}
	program = append(program, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW})
	prog := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	if _, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC,
		uintptr(unsafe.Pointer(&prog))); errno != 0 {
		return errno
	}
	return nil
}
