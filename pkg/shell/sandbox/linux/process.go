//go:build linux && (amd64 || arm64)

package linux

import (
	"net"
	"sync"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// process is a running command with every process that it starts.
type process struct {
	pid     int
	ended   chan struct{} // closed when state is set
	state   sandbox.State
	kind    sandbox.Kind
	mark    string        // the value of markVariable in its environment; see orphans
	start   uint64        // when it started, in the kernel's ticks
	broker  *broker       // makes calls for the command
	warden  *warden       // kills what runs outside of namespaces when this process is killed
	release chan struct{} // closed by Finish
	thread  chan struct{} // closed when the thread that started it is gone
	status  int           // the descriptor that the child of Namespaces writes messages to
	once    sync.Once
	left    []string // command lines of processes that were killed
	alone   bool     // nothing else ran in its namespaces when it ended
	cleared bool     // outside of namespaces nothing of it was left when it ended
	overlay bool     // Finish must wait until its overlay is unmounted
	sweeper *sweeper // looks for what is planted meanwhile
	slot    *slot    // that no other command has meanwhile
	shared  int64    // bytes in /dev/shm when it started
	// listener is at the port of the profile, in the network of the sandbox.
	listener net.Listener
	loopback *sandbox.Loopback // that it hands out
}

func (p *process) Pid() int                      { return p.pid }
func (p *process) Done() <-chan struct{}         { return p.ended }
func (p *process) State() (sandbox.State, error) { return p.state, nil }
