//go:build windows

// Package windows starts commands in a job object: it limits processes, not access.
package windows

import (
	"os/exec"
	"sync"

	"golang.org/x/sys/windows"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// System implements [sandbox.System].
type System struct{ sandbox.BasicSystem }

// confined is a profile that is enforced for one command at a time.
type confined struct {
	*sandbox.Confinement
	sandbox.BasicSandbox
}

// New implements [sandbox.System].
func (System) New(p sandbox.Profile, s sandbox.Support, k sandbox.Kind) (sandbox.Sandbox, error) {
	c, err := sandbox.Confine(p, s, k)
	if err != nil {
		return nil, err
	}
	return &confined{Confinement: c}, nil
}

// process is a running command with every process that it starts.
type process struct {
	pid   int
	ended chan struct{} // closed when state is set
	state sandbox.State
	job   windows.Handle
	cmd   *exec.Cmd
	once  sync.Once
}

func (p *process) Pid() int                      { return p.pid }
func (p *process) Done() <-chan struct{}         { return p.ended }
func (p *process) State() (sandbox.State, error) { return p.state, nil }
func (p *process) Count() int                    { return 1 } // the number is not known here
func (p *process) Memory() int64                 { return 0 }
func (p *process) Written() (int64, bool)        { return 0, false }
