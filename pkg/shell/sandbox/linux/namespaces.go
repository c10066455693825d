//go:build linux && (amd64 || arm64)

package linux

import (
	"errors"
	"fmt"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// startNamespaces starts the child, the first process of new namespaces, which builds
// the sandbox and starts the command in it.
func (p *process) startNamespaces(sb *confined, pl plan, c sandbox.Command) error {
	hand, err := newHand(&pl)
	if err != nil {
		return fault.System(err, "socketpair")
	}
	defer hand.close()
	var status, gate [2]int
	if err := unix.Pipe2(status[:], unix.O_CLOEXEC); err != nil {
		return fault.System(err, "pipe")
	}
	if err := unix.Pipe2(gate[:], unix.O_CLOEXEC); err != nil {
		unix.Close(status[0])
		unix.Close(status[1])
		return fault.System(err, "pipe")
	}
	ch, err := newChild(&pl, c, status[1], gate[0], hand.child)
	if err == nil {
		err = p.forkChild(ch, status[0])
	}
	// The child has the only other copies, so that reading status ends with it.
	unix.Close(status[1])
	unix.Close(gate[0])
	if err == nil {
		err = p.awaitStart(ch, status[0], gate[1], c)
	} else {
		err = notSetUp(err)
	}
	unix.Close(gate[1])
	if err != nil {
		unix.Close(status[0])
		return err
	}
	p.status = status[0]
	if err := p.take(sb, pl, hand); err != nil {
		p.reapNamespaces()
		unix.Close(p.status)
		return notSetUp(err)
	}
	return nil
}

// take takes what the child has handed out.
func (p *process) take(sb *confined, pl plan, h hand) (err error) {
	if pl.Share {
		if p.loopback, err = h.loopback(); err != nil {
			return err
		}
	}
	if pl.Port != 0 {
		if p.listener, err = h.listener(); err != nil {
			return err
		}
	}
	if !pl.Shield.Births {
		return nil
	}
	f, err := h.receive("filter")
	if err != nil {
		return err
	}
	defer f.Close()
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return err
	}
	return p.startBroker(sb, fd, shield{Births: true})
}

// forkChild makes the child in new namespaces. status is where its messages come.
func (p *process) forkChild(ch *child, status int) error {
	live.Lock()
	defer live.Unlock()
	pid, errno := ch.fork(unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS)
	runtime.KeepAlive(ch)
	if errno != 0 {
		return fmt.Errorf("clone: %w", errno)
	}
	p.pid = int(pid)
	if len(ch.enter.steps) > 0 {
		if p.pid, errno = forkedInside(p.pid, status); errno != 0 {
			return errNotEntered
		}
	}
	live.kept = append(live.kept, p.pid)
	return nil
}

// awaitStart maps the child's users, lets it go on, and returns when the command runs.
func (p *process) awaitStart(ch *child, status, gate int, c sandbox.Command) error {
	var err error
	if len(ch.enter.steps) == 0 { // else they are mapped
		err = mapUsers(p.pid)
	}
	if err == nil {
		_, err = unix.Write(gate, []byte{1})
	}
	var n message
	if err == nil {
		n, err = readMessage(status)
	}
	if err == nil && n.kind == started {
		return nil
	}
	p.reapNamespaces()
	switch {
	case err != nil:
		return notSetUp(err)
	case n.kind == startFailed:
		return notStarted(syscall.Errno(n.value), c)
	case n.value < 0:
		return notSetUp(ch.arrange.err(int(n.value)+len(ch.arrange.steps), syscall.Errno(n.more)))
	}
	return notSetUp(ch.build.err(int(n.value), syscall.Errno(n.more)))
}

// readMessage reads what the child reports.
func readMessage(status int) (n message, err error) {
	for {
		size, err := unix.Read(status, unsafe.Slice((*byte)(unsafe.Pointer(&n)), unsafe.Sizeof(n)))
		switch {
		case err == unix.EINTR:
		case err != nil:
			return n, err
		case size != int(unsafe.Sizeof(n)):
			return n, errors.New("the process that builds the sandbox ended early")
		default:
			return n, nil
		}
	}
}

// awaitNamespaces waits for the end of the command.
func (p *process) awaitNamespaces() {
	n, err := readMessage(p.status)
	unix.Close(p.status)
	if err == nil && n.kind == ended {
		p.state, p.alone = stateOf(unix.WaitStatus(n.value)), n.more == 1 && !p.overlay
	} else { // the child was killed, and everything with it
		p.state = sandbox.State{ExitCode: -1, Signal: "SIGKILL"}
	}
	close(p.ended)
}

// finishNamespaces kills the child, and with it every process of the namespace. When
// the command left no process, the child ends by itself, and the thread that made
// it waits until the kernel has taken the namespaces down; the caller need not.
func (p *process) finishNamespaces() {
	select {
	case <-p.ended:
		if p.alone {
			return
		}
		p.noteLeftovers(true)
	default:
		p.noteLeftovers(false)
	}
	p.reapNamespaces()
	<-p.ended
}

// noteLeftovers remembers the processes below the child. The first of them is the
// command itself, unless it has ended.
func (p *process) noteLeftovers(ended bool) {
	for i, pid := range withDescendants([]int{p.pid}, processes()) {
		if i > 1 || i == 1 && ended {
			p.note(pid)
		}
	}
}

// reapNamespaces kills the child and waits for its end, and so for the end of all
// other processes and of the mounts.
func (p *process) reapNamespaces() {
	_ = unix.Kill(p.pid, unix.SIGKILL) // fails only if it has ended
	for {
		if _, err := unix.Wait4(p.pid, nil, 0, nil); err != unix.EINTR {
			break
		}
	}
	live.Lock()
	live.kept = remove(live.kept, p.pid)
	live.Unlock()
}
