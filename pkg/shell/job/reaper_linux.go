package job

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// reap turns this process into a reaper: it starts the supervisor as a child, becomes
// the parent of the processes that a killed supervisor leaves, and kills them. The
// supervisor is asked to end when the reaper is killed. In namespaces the kernel does
// all of that, and reap returns false.
func reap(spec *Spec, out io.WriteCloser) (reaper bool, status int) {
	line, ok := out.(*os.File)
	if spec.Kind == sandbox.Namespaces || spec.Reaped || !ok {
		return false, 0
	}
	spec.Reaped = true
	if unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != nil {
		return false, 0 // an emulator refuses it; the report of the sandbox says so
	}
	runtime.LockOSThread() // Pdeathsig is sent at the end of the thread that made the child
	specRead, specWrite, err := os.Pipe()
	if err != nil {
		send(out, reply{}, err)
		return true, 1
	}
	pid, err := syscall.ForkExec("/proc/self/exe", []string{"helve", Argument}, &syscall.ProcAttr{
		Dir: "/", Env: os.Environ(), Files: []uintptr{specRead.Fd(), line.Fd(), 2},
		Sys: &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM},
	})
	specRead.Close()
	if err != nil {
		specWrite.Close()
		send(out, reply{}, err)
		return true, 1
	}
	text, err := schema.Marshal(spec)
	if err == nil {
		_, err = specWrite.Write(text)
	}
	if errors.Join(err, specWrite.Close(), out.Close()) != nil {
		_ = unix.Kill(pid, unix.SIGKILL) // it has only a part of the specification
	}
	return true, reapAll(pid)
}

// reapAll waits for the supervisor, then kills whatever it left, and returns the
// supervisor's exit status.
func reapAll(supervisor int) (status int) {
	for {
		var ws unix.WaitStatus
		pid, err := unix.Wait4(-1, &ws, 0, nil)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return status
		case pid != supervisor:
			continue
		}
		status = ws.ExitStatus() // -1 when it was killed
		for endChildren() {
			// Their children become children of this process.
		}
		return max(status, 0)
	}
}

// endChildren kills the children of this process and reports whether any are left.
func endChildren() bool {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return false
	}
	own := strconv.Itoa(os.Getpid())
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if stat := statOf(pid); len(stat) > 1 && stat[1] == own {
			_ = unix.Kill(pid, unix.SIGKILL) // fails only if it has ended
		}
	}
	for {
		pid, err := unix.Wait4(-1, nil, unix.WNOHANG, nil)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return false // none are left
		case pid == 0:
			time.Sleep(time.Millisecond) //nolint:forbidigo // the kernel is ending them
			return true
		}
	}
}

// endMarked kills the processes with the mark of a job: those that are left when its
// supervisor and its reaper were killed at the same time.
func endMarked(id string) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return
	}
	mark := []byte(markVariable + "=" + id)
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		fd, err := unix.PidfdOpen(pid, 0) // the number may be given to another process
		if err != nil {
			continue
		}
		environ, err := fs.ReadFile(os.DirFS("/proc"), e.Name()+"/environ")
		if err == nil && slices.ContainsFunc(bytes.Split(environ, []byte{0}), func(entry []byte) bool { return bytes.Equal(entry, mark) }) {
			_ = unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0) // fails only if it has ended
		}
		unix.Close(fd)
	}
}

// statOf returns the fields of /proc/PID/stat after the name; see proc(5).
func statOf(pid int) []string {
	data, err := fs.ReadFile(os.DirFS("/proc"), strconv.Itoa(pid)+"/stat")
	if err != nil {
		return nil
	}
	i := bytes.LastIndexByte(data, ')')
	return strings.Fields(string(data[i+1:]))
}

// startOf returns when a process started, in the kernel's ticks, 0 if it is gone or has
// ended and nobody has asked how.
func startOf(pid int) uint64 {
	stat := statOf(pid)
	if len(stat) < 20 || stat[0] == "Z" {
		return 0
	}
	start, err := strconv.ParseUint(stat[19], 10, 64)
	if err != nil {
		return 0
	}
	return start
}

// terminate asks the process to end. A descriptor holds the process while still and
// alive make sure that it is the right one.
func (p Process) terminate(still func() bool) error {
	fd, err := unix.PidfdOpen(p.PID, 0)
	if err == unix.ENOSYS {
		if !still() || !p.alive() {
			return nil
		}
		return unix.Kill(p.PID, unix.SIGTERM)
	}
	if err != nil {
		return nil // it has ended
	}
	defer unix.Close(fd)
	if !p.alive() || !still() {
		return nil
	}
	if err := unix.PidfdSendSignal(fd, unix.SIGTERM, nil, 0); err != nil && err != unix.ESRCH {
		return err
	}
	return nil
}
