package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// confineArgument makes this program the one that confines tests; their directory and
// flags follow.
const confineArgument = "confine-tests"

// address limits the address space of the tests: a changed loop may allocate without end.
const address = 16 << 30

// confinement returns a warning if tests cannot be confined.
func confinement() string {
	if os.Geteuid() != 0 {
		return "the tests are not confined, which takes root: one with a change may delete your files"
	}
	return ""
}

// place is the path of the directory and home of the confined tests. It is not below
// /tmp, as some tests need a directory elsewhere.
const place = "/srv"

// confined returns a command that runs the program "tests" of a directory in a mount
// namespace in which only that directory and a /tmp in it can be written to, and in
// namespaces of processes and of their shared memory that end with it.
func confined(ctx context.Context, dir string, flags []string) *exec.Cmd {
	if os.Geteuid() != 0 {
		c := unconfined(ctx, dir, flags)
		c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		return c
	}
	c := exec.CommandContext(ctx, "/proc/self/exe", append([]string{confineArgument, dir}, flags...)...)
	c.Env = append(os.Environ(), "TMPDIR=/tmp", "HOME="+filepath.Join(place, homeName))
	// A change may have the tests kill their process group, which a namespace does not end.
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWIPC | syscall.CLONE_NEWPID, Pdeathsig: syscall.SIGKILL}
	return c
}

// becomeConfined makes everything read-only but a directory and runs its tests.
func becomeConfined(args []string) error {
	steps := []struct {
		name string
		do   func() error
	}{
		{"private", func() error { return unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "") }},
		{"bind", func() error { return unix.Mount(args[0], place, "", unix.MS_BIND, "") }},
		{"temp", func() error { return unix.Mount(filepath.Join(place, tempName), "/tmp", "", unix.MS_BIND, "") }},
		{"read-only", func() error {
			return unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY})
		}},
		{"writable", func() error { return errors.Join(makeWritable(place), makeWritable("/tmp")) }},
		{"proc", func() error { return unix.Mount("proc", "/proc", "proc", 0, "") }},
		// Tests that start namespaces take numbers for those of other processes.
		{"numbers", func() error { return os.WriteFile("/proc/sys/kernel/ns_last_pid", []byte("20000"), 0) }},
		{"limit", func() error {
			return unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: address, Max: address})
		}},
	}
	for _, s := range steps {
		if err := s.do(); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	// The tests are a child and not this process: the first one of a namespace ignores
	// signals that it does not handle, and must reap what others leave.
	c := exec.CommandContext(context.Background(), filepath.Join(place, binaryName), args[1:]...)
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	return c.Run()
}

func makeWritable(mount string) error {
	return unix.MountSetattr(unix.AT_FDCWD, mount, 0, &unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY})
}
