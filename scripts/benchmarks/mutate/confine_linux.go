package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// confineArgument makes this program the one that confines tests; the directory that
// stays writable and the command follow.
const confineArgument = "confine-tests"

// address is how much address space the tests may use: a loop that was changed may
// allocate without end.
const address = 16 << 30

// confinement returns a warning if tests cannot be confined.
func confinement() string {
	if os.Geteuid() != 0 {
		return "the tests are not confined, which takes root: one with a change may delete your files"
	}
	return ""
}

// confined returns a command that runs in a mount namespace in which only one directory
// can be written to, and in a process namespace that ends with it.
func confined(ctx context.Context, writable string, args []string) *exec.Cmd {
	if os.Geteuid() != 0 {
		return exec.CommandContext(ctx, args[0], args[1:]...)
	}
	c := exec.CommandContext(ctx, "/proc/self/exe", append([]string{confineArgument, writable}, args...)...)
	c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWPID, Pdeathsig: syscall.SIGKILL}
	return c
}

// becomeConfined makes everything read-only but a directory and runs a command.
func becomeConfined(args []string) error {
	writable := args[0]
	steps := []struct {
		name string
		do   func() error
	}{
		{"private", func() error { return unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "") }},
		{"bind", func() error { return unix.Mount(writable, writable, "", unix.MS_BIND|unix.MS_REC, "") }},
		{"read-only", func() error {
			return unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY})
		}},
		{"writable", func() error {
			return unix.MountSetattr(unix.AT_FDCWD, writable, 0, &unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY})
		}},
		{"proc", func() error { return unix.Mount("proc", "/proc", "proc", 0, "") }},
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
	c := exec.CommandContext(context.Background(), args[1], args[2:]...)
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	return c.Run()
}
