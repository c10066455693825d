//go:build linux

package sandbox

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/fault"
)

// startInside starts the first process of new namespaces, which builds the
// sandbox and starts the command in it.
func (p *Process) startInside(pl plan, c Command) error {
	var status, gate [2]int
	if err := unix.Pipe2(status[:], unix.O_CLOEXEC); err != nil {
		return fault.System(err, "pipe")
	}
	if err := unix.Pipe2(gate[:], unix.O_CLOEXEC); err != nil {
		unix.Close(status[0])
		unix.Close(status[1])
		return fault.System(err, "pipe")
	}
	in, err := newInitial(&pl, c, status[1], gate[0])
	if err == nil {
		err = p.forkInitial(in)
	}
	// So that the end of the process is the end of its news.
	unix.Close(status[1])
	unix.Close(gate[0])
	if err == nil {
		err = p.first(in, status[0], gate[1], c)
	} else {
		err = unavailable(err)
	}
	unix.Close(gate[1])
	if err != nil {
		unix.Close(status[0])
		return err
	}
	p.system.status = status[0]
	return nil
}

// forkInitial makes the process.
func (p *Process) forkInitial(in *initial) error {
	live.Lock()
	defer live.Unlock()
	pid, errno := in.fork(unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS)
	runtime.KeepAlive(in)
	if errno != 0 {
		return fmt.Errorf("clone: %w", errno)
	}
	p.pid = int(pid)
	live.kept = append(live.kept, p.pid)
	return nil
}

// first lets the process go on and gives what became of it until the command
// runs.
func (p *Process) first(in *initial, status, gate int, c Command) error {
	err := mapUsers(p.pid)
	if err == nil {
		_, err = unix.Write(gate, []byte{1})
	}
	var n news
	if err == nil {
		n, err = next(status)
	}
	if err == nil && n.kind == ready {
		return nil
	}
	p.collectInside()
	switch {
	case err != nil:
		return unavailable(err)
	case n.kind == refused:
		return startFailure(syscall.Errno(n.value), c)
	case n.value < 0:
		return unavailable(in.arrange.err(int(n.value)+len(in.arrange.steps), syscall.Errno(n.more)))
	}
	return unavailable(in.build.err(int(n.value), syscall.Errno(n.more)))
}

// next reads what the first process says.
func next(status int) (n news, err error) {
	for {
		size, err := unix.Read(status, unsafe.Slice((*byte)(unsafe.Pointer(&n)), unsafe.Sizeof(n)))
		switch {
		case err == unix.EINTR:
		case err != nil:
			return n, err
		case size != int(unsafe.Sizeof(n)):
			return n, errEarly
		default:
			return n, nil
		}
	}
}

type earlyEnd string

func (e earlyEnd) Error() string { return string(e) }

const errEarly = earlyEnd("the process that builds the sandbox ended early")

// followInside waits for the end of the command.
func (p *Process) followInside() {
	n, err := next(p.system.status)
	unix.Close(p.system.status)
	if err == nil && n.kind == ended {
		p.state, p.system.alone = stateOf(unix.WaitStatus(n.value)), n.more == 1 && !p.system.layers
	} else { // it was killed with everything in it
		p.state = State{ExitCode: -1, Signal: "SIGKILL"}
	}
	close(p.ended)
}

// mapUsers maps the ids of this process to themselves in the namespace of a
// child: all that there are for root, so that files keep their owners, and the
// own one for others. See user_namespaces(7).
func mapUsers(pid int) error {
	proc := "/proc/" + strconv.Itoa(pid)
	for _, f := range [...][2]string{
		{"/uid_map", identity("/proc/self/uid_map", unix.Geteuid())},
		{"/setgroups", "deny"},
		{"/gid_map", identity("/proc/self/gid_map", unix.Getegid())},
	} {
		fd, err := unix.Open(proc+f[0], unix.O_WRONLY|unix.O_CLOEXEC, 0)
		if err == nil {
			_, err = unix.Write(fd, []byte(f[1]))
			unix.Close(fd)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f[0][1:], err)
		}
	}
	return nil
}

// identity gives the lines of such a map.
func identity(file string, own int) string {
	if unix.Geteuid() == 0 {
		if lines := parseIDMap(file); lines != "" {
			return lines
		}
	}
	return fmt.Sprintf("%d %d 1\n", own, own)
}

// parseIDMap maps all ids that a file such as /proc/self/uid_map maps.
func parseIDMap(file string) string {
	data, err := readAll(file, 64<<10)
	if err != nil {
		return ""
	}
	var lines strings.Builder
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		if len(f) != 3 {
			return ""
		}
		inside, err1 := strconv.ParseUint(f[0], 10, 32)
		size, err2 := strconv.ParseUint(f[2], 10, 32)
		if err1 != nil || err2 != nil {
			return ""
		}
		fmt.Fprintf(&lines, "%d %d %d\n", inside, inside, size)
	}
	return lines.String()
}

// finishInside ends the first process of the namespace, and so all of them. When
// it is the last one, it ends by itself, and taking the namespaces down with it
// is nothing to wait for: it is left to the thread that made it.
func (p *Process) finishInside() {
	select {
	case <-p.ended:
		if p.system.alone {
			return
		}
		p.noteLeftovers(true)
	default:
		p.noteLeftovers(false)
	}
	p.collectInside()
	<-p.ended
}

// noteLeftovers remembers what runs below the first process. The first one there is the
// command itself while it has not ended.
func (p *Process) noteLeftovers(ended bool) {
	table := processes()
	tree := []int{p.pid}
	for i := 0; i < len(tree); i++ {
		for _, s := range table {
			if s.parent == tree[i] && s.state != 'Z' {
				tree = append(tree, s.pid)
			}
		}
	}
	for i, pid := range tree {
		if i > 1 || i == 1 && ended {
			p.note(pid)
		}
	}
}

// collectInside waits for the end of the first process, and so for that of all
// others and of the mounts.
func (p *Process) collectInside() {
	_ = unix.Kill(p.pid, unix.SIGKILL) // fails only when it has ended
	for {
		if _, err := unix.Wait4(p.pid, nil, 0, nil); err != unix.EINTR {
			break
		}
	}
	live.Lock()
	live.kept = slices.DeleteFunc(live.kept, func(pid int) bool { return pid == p.pid })
	live.Unlock()
}
