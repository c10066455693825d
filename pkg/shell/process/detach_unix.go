//go:build unix

package process

import (
	"os"
	"syscall"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
)

// detach starts a process in a session of its own, so that the end of the caller's
// session does not end it.
func detach(c Command, in, out *os.File) (*os.Process, error) {
	var p *os.Process
	_, err := native.Keep(func() (int, error) {
		null, err := sandbox.OpenNull()
		if err != nil {
			return 0, err
		}
		defer null.Close()
		p, err = os.StartProcess(c.Program, []string{"helve", c.Argument}, &os.ProcAttr{
			Dir: "/", Env: c.Env, Files: []*os.File{in, out, null}, Sys: &syscall.SysProcAttr{Setsid: true},
		})
		if err != nil {
			return 0, err
		}
		return p.Pid, nil
	})
	return p, err
}
