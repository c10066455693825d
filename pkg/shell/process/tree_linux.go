package process

import (
	"bytes"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

type treeSystem struct {
	fd int // of the child, which holds its number; -1 if the system has none
}

// Adopt makes this process the parent of those of its descendants whose parents end. It
// returns false where the system refuses that.
func Adopt() bool { return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == nil }

// StartTree starts a child in a session of its own. It is asked to end when this process
// is killed. The goroutine stays on its thread from now on, and must not end before the
// child does.
func StartTree(c Child) (*Tree, error) {
	runtime.LockOSThread() // Pdeathsig is sent at the end of the thread that made the child
	t := &Tree{mark: c.Mark}
	pid, err := syscall.ForkExec("/proc/self/exe", []string{"helve", c.Argument}, &syscall.ProcAttr{
		Dir: "/", Env: c.Env, Files: []uintptr{c.Stdin.Fd(), c.Stdout.Fd(), c.Stderr.Fd()},
		Sys: &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGTERM},
	})
	if err != nil {
		return nil, err
	}
	t.pid = pid
	if t.fd, err = unix.PidfdOpen(pid, 0); err != nil {
		t.fd = -1
	}
	return t, nil
}

// Wait waits until the child has ended, and returns its exit status, -1 when it was
// killed. What it started may still run.
func (t *Tree) Wait() (status int) {
	for {
		var ws unix.WaitStatus
		pid, err := unix.Wait4(-1, &ws, 0, nil) // those that were adopted, too
		switch {
		case err == unix.EINTR:
		case err != nil:
			return -1
		case pid == t.pid:
			return ws.ExitStatus()
		}
	}
}

// Signal asks the child to end, or kills it. It may be called at any time before
// [Tree.End].
func (t *Tree) Signal(kill bool) {
	signal := unix.SIGTERM
	if kill {
		signal = unix.SIGKILL
	}
	if t.fd >= 0 {
		_ = unix.PidfdSendSignal(t.fd, signal, nil, 0) // fails only if it has ended
		return
	}
	_ = unix.Kill(t.pid, signal) // see above
}

// End kills what the child has left. It is called after [Tree.Wait].
func (t *Tree) End() {
	EndChildren()
	if t.mark != "" {
		EndMarked(t.mark)
	}
	if t.fd >= 0 {
		unix.Close(t.fd)
	}
}

// EndChildren kills the children of this process and, after [Adopt], all that descends
// from them. Nobody else must wait for them.
func EndChildren() {
	for pause := time.Millisecond; endChildren(); pause = min(2*pause, 100*time.Millisecond) {
		time.Sleep(pause) //nolint:forbidigo // the kernel is ending them; then their children become children of this process
	}
}

// endChildren kills the children of this process, and reports whether there were any
// that it may kill.
func endChildren() (some bool) {
	own := strconv.Itoa(os.Getpid())
	for _, pid := range numbers() {
		if stat := statOf(pid); len(stat) > 1 && stat[1] == own && unix.Kill(pid, unix.SIGKILL) == nil {
			some = true
		}
	}
	for {
		pid, err := unix.Wait4(-1, nil, unix.WNOHANG, nil)
		if err != unix.EINTR && pid <= 0 {
			return some
		}
	}
}

// numbers returns the numbers of all processes.
func numbers() (pids []int) {
	names, err := fs.Glob(os.DirFS("/proc"), "[0-9]*")
	if err != nil {
		return nil
	}
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// EndMarked kills the processes that have one of these variables in the environment that
// they were started with, "NAME=value", waits a moment for their ends, and returns how
// many there were. It finds what is left when those that should have ended it were
// killed themselves.
func EndMarked(marks ...string) (found int) {
	var killed []int // descriptors
	for _, pid := range numbers() {
		if pid == os.Getpid() {
			continue
		}
		fd, err := unix.PidfdOpen(pid, 0) // the number may be given to another process
		if err != nil {
			continue
		}
		environ, err := fs.ReadFile(os.DirFS("/proc"), strconv.Itoa(pid)+"/environ")
		if err == nil && slices.ContainsFunc(bytes.Split(environ, []byte{0}), func(entry []byte) bool { return slices.Contains(marks, string(entry)) }) {
			if unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0) == nil { // else it has ended
				killed = append(killed, fd)
				continue
			}
		}
		unix.Close(fd)
	}
	for _, fd := range killed {
		_, _ = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(dying/time.Millisecond)) // what takes longer has its signal all the same
		unix.Close(fd)
	}
	return len(killed)
}

// dying limits the wait for the end of a process that was killed.
const dying = time.Second
