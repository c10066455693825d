//go:build linux && (amd64 || arm64)

package linux

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// victim has the targets of the probes.
type victim struct {
	Workspace, Secret, Outside, Pipe, Socket, Abstract string
	TCP, UDP, PID, SharedMemory                        int
}

// probes returns attempts to get out. One without an error has succeeded.
func probes(g victim) []struct {
	name string
	try  func() error
} {
	type probe = struct {
		name string
		try  func() error
	}
	readFile := func(name string) func() error {
		return func() error { _, err := os.ReadFile(name); return err }
	}
	sys := func(number uintptr, args ...uintptr) func() error {
		return func() error {
			args = append(args, 0, 0, 0, 0, 0, 0)
			if _, _, errno := unix.Syscall6(number, args[0], args[1], args[2], args[3], args[4], args[5]); errno != 0 {
				return errno
			}
			return nil
		}
	}
	socket := func(family, kind, protocol int) func() error {
		return func() error {
			fd, err := unix.Socket(family, kind, protocol)
			if err == nil {
				unix.Close(fd)
			}
			return err
		}
	}
	dial := func(network, address string) func() error {
		return func() error {
			c, err := net.DialTimeout(network, address, time.Second)
			if err != nil {
				return err
			}
			defer func() { _ = c.Close() }() // the write has told
			_, err = c.Write([]byte("x"))
			return err
		}
	}
	create := func(name string) func() error {
		return func() error { return os.WriteFile(name, []byte("x"), 0o600) }
	}
	proc := fmt.Sprintf("/proc/%d/", g.PID)
	beside := filepath.Join(filepath.Dir(g.Outside), "made")
	return []probe{
		{"read a secret", readFile(g.Secret)},
		{"read a secret through a link", func() error {
			_ = os.Symlink(g.Secret, "link") // without it there is nothing to read
			_, err := os.ReadFile("link")
			return err
		}},
		{"read a secret through /proc/self/root", readFile("/proc/self/root" + g.Secret)},
		{"read a secret through /proc/self/cwd", readFile("/proc/self/cwd/../secret/key")},
		{"link a secret into the workspace", func() error { return os.Link(g.Secret, "hard") }},
		{"read /etc/shadow", readFile("/etc/shadow")},
		{"read another process's environment", readFile(proc + "environ")},
		{"read another process's memory", readFile(proc + "maps")},
		{"open another process's memory", func() error { _, err := os.OpenFile(proc+"mem", os.O_RDWR, 0); return err }},
		{"read through another process's root", readFile(proc + "root" + g.Secret)},
		{"write outside", create(beside)},
		{"write outside through /proc/self/root", create("/proc/self/root" + beside)},
		{"append outside", func() error { _, err := os.OpenFile(g.Outside, os.O_APPEND|os.O_WRONLY, 0); return err }},
		{"truncate outside", func() error { return os.Truncate(g.Outside, 0) }},
		{"remove outside", func() error { return os.Remove(g.Outside) }},
		{"rename outside", func() error { return os.Rename(g.Outside, g.Outside+"2") }},
		{"move in from outside", func() error { return os.Rename(g.Outside, "in") }},
		{"move out", func() error { return os.Rename("a", beside) }},
		{"hard link from outside", func() error { return os.Link(g.Outside, "hard") }},
		{"make a directory outside", func() error { return os.Mkdir(beside, 0o700) }},
		{"make a link outside", func() error { return os.Symlink("x", beside) }},
		{"write to a pipe outside", func() error { _, err := os.OpenFile(g.Pipe, os.O_RDWR|unix.O_NONBLOCK, 0); return err }},
		{"chmod outside", func() error { return os.Chmod(g.Outside, 0o640) }},
		{"chown outside", func() error { return os.Chown(g.Outside, 1, 1) }},
		{"set times outside", func() error { return os.Chtimes(g.Outside, time.Unix(1, 0), time.Unix(1, 0)) }},
		{"set an attribute outside", func() error { return unix.Setxattr(g.Outside, "user.x", []byte("x"), 0) }},
		{"write a hook", create(".git/hooks/pre-commit")},
		{"write git's settings", create(".git/config")},
		{"swap .git", func() error { return os.Rename(".git", "git") }},
		{"write to /proc/sys", create("/proc/sys/kernel/core_pattern")},
		{"write to /sys", create("/sys/kernel/mm/transparent_hugepage/enabled")},
		{"open a disk", func() error {
			for _, name := range []string{"vda", "sda", "nvme0n1", "loop0"} {
				if f, err := os.OpenFile("/dev/"+name, os.O_RDWR, 0); err == nil {
					f.Close()
					return nil
				}
			}
			return os.ErrNotExist
		}},
		{"make a device", func() error { return unix.Mknod("device", unix.S_IFBLK|0o600, int(unix.Mkdev(254, 0))) }},
		{"TCP to the host", dial("tcp", fmt.Sprintf("127.0.0.1:%d", g.TCP))},
		{"UDP to the host", dial("udp", fmt.Sprintf("127.0.0.1:%d", g.UDP))},
		{"a path socket of the host", dial("unix", g.Socket)},
		{"an abstract socket of the host", dial("unix", g.Abstract)},
		{"a raw socket", socket(unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP)},
		{"a packet socket", socket(unix.AF_PACKET, unix.SOCK_RAW, 0)},
		{"a vsock", socket(unix.AF_VSOCK, unix.SOCK_STREAM, 0)},
		{"an MPTCP socket", func() error {
			fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, unix.IPPROTO_MPTCP)
			if err != nil {
				return err
			}
			return unix.Connect(fd, &unix.SockaddrInet4{Port: g.TCP, Addr: [4]byte{127, 0, 0, 1}})
		}},
		{"signal another process", func() error { return unix.Kill(g.PID, 0) }},
		{"limit another process", func() error { return unix.Prlimit(g.PID, unix.RLIMIT_CORE, &unix.Rlimit{}, nil) }},
		{"slow another process down", func() error { return unix.Setpriority(unix.PRIO_PROCESS, g.PID, 0) }},
		{"name memory to share", sharedMemory(g)},
		{"set attributes by a newer call", sys(463, ^uintptr(0), 0)},
		{"ptrace", sys(unix.SYS_PTRACE, unix.PTRACE_ATTACH, uintptr(g.PID))},
		{"trace oneself", sys(unix.SYS_PTRACE, unix.PTRACE_TRACEME)},
		{"mount", func() error { return unix.Mount("tmpfs", "/mnt", "tmpfs", 0, "") }},
		{"make mounts writable", func() error {
			return unix.MountSetattr(unix.AT_FDCWD, "/", 0, &unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY})
		}},
		{"unmount", func() error { return unix.Unmount(".git/hooks", unix.MNT_DETACH) }},
		{"unshare the user", func() error { return unix.Unshare(unix.CLONE_NEWUSER) }},
		{"unshare mounts", func() error { return unix.Unshare(unix.CLONE_NEWNS) }},
		{"clone a user", func() error {
			c := exec.Command("/bin/true")
			c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWUSER}
			return c.Run()
		}},
		{"enter a namespace", sys(unix.SYS_SETNS, 0, 0)},
		{"chroot", func() error { return unix.Chroot(".") }},
		{"io_uring", func() error {
			var params [120]byte
			return sys(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&params)))()
		}},
		{"keyctl", sys(unix.SYS_KEYCTL, 0, ^uintptr(2), 0)},
		{"bpf", sys(unix.SYS_BPF, 0, 0, 0)},
		{"perf", sys(unix.SYS_PERF_EVENT_OPEN, 0, 0, 0, ^uintptr(0))},
		{"userfaultfd", sys(unix.SYS_USERFAULTFD, 0)},
		{"open by handle", sys(unix.SYS_OPEN_BY_HANDLE_AT, 0, 0)},
		{"type into a terminal", func() error {
			fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY, 0)
			if err != nil {
				return err
			}
			defer unix.Close(fd)
			b := byte('x')
			return sys(unix.SYS_IOCTL, uintptr(fd), unix.TIOCSTI, uintptr(unsafe.Pointer(&b)))()
		}},
		{"regain rights", func() error {
			header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
			all := [2]unix.CapUserData{{Effective: 1 << unix.CAP_SYS_ADMIN, Permitted: 1 << unix.CAP_SYS_ADMIN}}
			return unix.Capset(&header, &all[0])
		}},
		{"set the clock", sys(unix.SYS_CLOCK_SETTIME, 0, 0)},
	}
}

// sharedMemory looks for a System V segment that the tests made.
func sharedMemory(g victim) func() error {
	return func() error {
		_, err := unix.SysvShmGet(g.SharedMemory, 0, 0)
		return err
	}
}

// attempt is the program that runs in the sandbox.
func attempt(args []string) int {
	var g victim
	if err := json.Unmarshal([]byte(args[0]), &g); err != nil {
		return 2
	}
	runtime.LockOSThread()
	for _, p := range probes(g) {
		word := "DONE"
		if err := p.try(); err != nil {
			word = strings.ReplaceAll(err.Error(), "\n", " ")
		}
		fmt.Printf("%s\t%s\n", p.name, word)
	}
	return 0
}
