//go:build unix

package job

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// detach starts the supervisor in a session of its own, so that the end of the
// caller's session does not end it.
func detach(program string, in, out *os.File) (*os.Process, error) {
	var process *os.Process
	_, err := sandbox.Keep(func() (int, error) {
		null, err := sandbox.OpenNull()
		if err != nil {
			return 0, err
		}
		defer null.Close()
		process, err = os.StartProcess(program, []string{"helve", Argument}, &os.ProcAttr{
			Dir: "/", Env: []string{"HELVE=1"}, Files: []*os.File{in, out, null}, Sys: &syscall.SysProcAttr{Setsid: true},
		})
		if err != nil {
			return 0, err
		}
		return process.Pid, nil
	})
	return process, err
}

// thisProcess identifies this process.
func thisProcess() Process {
	pid := os.Getpid()
	return Process{PID: pid, Start: startOf(pid)}
}

// alive reports whether the process still runs.
func (p Process) alive() bool {
	if p.PID <= 0 || unix.Kill(p.PID, 0) == unix.ESRCH {
		return false
	}
	return p.Start == 0 || startOf(p.PID) == p.Start
}
