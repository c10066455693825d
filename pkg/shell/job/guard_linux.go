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

// guard stands above the supervisor where the kernel does not end a job's
// processes with it. It becomes the parent of what the supervisor leaves behind
// when that is killed, and ends it; the supervisor in turn is told to end when
// this process is killed. In namespaces of its own a job needs none of that.
func guard(spec *Spec, out io.WriteCloser) (guarded bool, status int) {
	line, ok := out.(*os.File)
	if spec.Kind == sandbox.Namespaces || spec.Watched || !ok {
		return false, 0
	}
	spec.Watched = true
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		tell(out, word{}, err)
		return true, 1
	}
	runtime.LockOSThread() // a child is told of the end of the thread that made it
	specRead, specWrite, err := os.Pipe()
	if err != nil {
		tell(out, word{}, err)
		return true, 1
	}
	pid, err := syscall.ForkExec("/proc/self/exe", []string{"helve", Argument}, &syscall.ProcAttr{
		Dir: "/", Env: os.Environ(), Files: []uintptr{specRead.Fd(), line.Fd(), 2},
		Sys: &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM},
	})
	specRead.Close()
	if err != nil {
		specWrite.Close()
		tell(out, word{}, err)
		return true, 1
	}
	text, err := schema.Marshal(spec)
	if err == nil {
		_, err = specWrite.Write(text)
	}
	if errors.Join(err, specWrite.Close(), out.Close()) != nil {
		_ = unix.Kill(pid, unix.SIGKILL) // what it heard is not the whole
	}
	return true, reapAll(pid)
}

// reapAll waits for the supervisor, and then ends whatever is left of the tree.
// The status is the supervisor's.
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
			// Those that they leave come here in turn.
		}
		return max(status, 0)
	}
}

// endChildren kills the children of this process and reports whether there were
// any.
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
			_ = unix.Kill(pid, unix.SIGKILL) // it ended by itself, then
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

// endMarked kills the processes that carry the mark of a job: what is left when
// its supervisor and the process above that were killed at once.
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
		fd, err := unix.PidfdOpen(pid, 0) // so that the number is not given to another meanwhile
		if err != nil {
			continue
		}
		environ, err := fs.ReadFile(os.DirFS("/proc"), e.Name()+"/environ")
		if err == nil && slices.ContainsFunc(bytes.Split(environ, []byte{0}), func(entry []byte) bool { return bytes.Equal(entry, mark) }) {
			_ = unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0) // it ended by itself, then
		}
		unix.Close(fd)
	}
}

// statOf are the fields of /proc/PID/stat behind the name; see proc(5).
func statOf(pid int) []string {
	data, err := fs.ReadFile(os.DirFS("/proc"), strconv.Itoa(pid)+"/stat")
	if err != nil {
		return nil
	}
	i := bytes.LastIndexByte(data, ')')
	return strings.Fields(string(data[i+1:]))
}

func startOf(pid int) uint64 {
	stat := statOf(pid)
	if len(stat) < 20 {
		return 0
	}
	start, err := strconv.ParseUint(stat[19], 10, 64)
	if err != nil {
		return 0
	}
	return start
}

// terminate asks the process to end. The process is held while it is asked once
// more whether it is still the one that is meant.
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
