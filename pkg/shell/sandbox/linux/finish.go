//go:build linux && (amd64 || arm64)

package linux

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// maxLeftovers limits the killed processes that are named, and commandLineBytes the
// command line of each.
const (
	maxLeftovers     = 20
	commandLineBytes = 200
)

// live has the commands of this process that run outside of namespaces, and the children
// that Finish must not kill.
var live struct {
	sync.Mutex
	calls []*process
	kept  []int
}

// Keep implements [sandbox.System].
func (System) Keep(start func() (pid int, err error)) (int, error) {
	live.Lock()
	defer live.Unlock()
	pid, err := start()
	if err == nil {
		live.kept = append(live.kept, pid)
	}
	return pid, err
}

// remove returns the numbers of processes without one.
func remove(pids []int, one int) []int {
	return slices.DeleteFunc(pids, func(pid int) bool { return pid == one })
}

// killTime limits the time that Finish spends on processes that keep starting others.
const killTime = 5 * time.Second

// Finish implements [sandbox.Process].
func (p *process) Finish() ([]string, error) {
	var err error
	p.once.Do(func() {
		if p.kind == sandbox.Namespaces {
			p.finishNamespaces()
		} else {
			err = p.finishTree()
		}
		p.sweeper.end()
		close(p.release)
		if !p.alone {
			<-p.thread
		}
		p.dismiss()
		if p.slot != nil {
			p.slot.free()
		}
	})
	return p.left, err
}

// finishTree ends the tree of a command outside of namespaces.
func (p *process) finishTree() error {
	ended := false
	select {
	case <-p.ended:
		ended = true
		p.collect()
	default:
	}
	if ended && granted().Adopts && !hasChildren() {
		p.cleared = true // the usual case needs no look at /proc
		p.forget()
		return nil
	}
	deadline := time.Now().Add(killTime)
	for wait := time.Millisecond / 4; p.sweep(!ended); wait = min(2*wait, 20*time.Millisecond) {
		if time.Now().After(deadline) {
			return notEnded()
		}
		time.Sleep(wait) //nolint:forbidigo // there is no event for the end of a whole tree
	}
	if !ended {
		<-p.ended
		p.collect()
	}
	p.forget()
	return nil
}

// hasChildren reports whether this process has any child, alive or not.
func hasChildren() bool {
	for {
		err := unix.Waitid(unix.P_ALL, 0, nil, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			return err != unix.ECHILD
		}
	}
}

// collect reaps the command, after which its number may be given to another process.
func (p *process) collect() {
	var ws unix.WaitStatus
	for {
		if _, err := unix.Wait4(p.pid, &ws, 0, nil); err != unix.EINTR {
			break
		}
	}
	p.state = stateOf(ws)
}

// forget removes the command from the live ones.
func (p *process) forget() {
	live.Lock()
	defer live.Unlock()
	live.calls = slices.DeleteFunc(live.calls, func(q *process) bool { return q == p })
}

// sweep kills the processes of the command's tree and reports whether any was alive.
// The command itself is killed only if it has not been reaped.
func (p *process) sweep(command bool) (alive bool) {
	live.Lock()
	defer live.Unlock()
	table := processes()
	tree := p.orphans(table)
	if command {
		tree = append(tree, p.pid)
	}
	for _, pid := range withDescendants(tree, table) {
		s, ok := status(pid)
		switch {
		case !ok:
		case s.state != 'Z':
			alive = true
			if pid != p.pid {
				p.note(pid)
			}
			_ = unix.Kill(pid, unix.SIGKILL) // the next sweep looks again
		case pid != p.pid && s.parent == unix.Getpid():
			_, _ = unix.Wait4(pid, nil, unix.WNOHANG, nil) // its status is of no interest
		}
	}
	return alive
}

// note remembers the command line of a process that is about to be killed.
func (p *process) note(pid int) {
	line := commandLine(pid)
	if line != "" && len(p.left) < maxLeftovers && !slices.Contains(p.left, line) {
		p.left = append(p.left, line)
	}
}

// orphans returns the processes of the command's tree whose parents ended. This
// process is their subreaper, so they are its children. They are in another session
// than this process, because no process can join an existing session. If several
// calls run, the mark in the environment identifies them; a process that dropped
// the mark is killed by the last call. Where this process cannot be a subreaper,
// others adopt them, and the mark alone identifies them.
func (p *process) orphans(table []procStatus) []int {
	own, adopted := unix.Getpid(), granted().Adopts
	session, err := unix.Getsid(0)
	if err != nil {
		return nil
	}
	var found []int
	for _, s := range table {
		if adopted && s.parent != own || s.pid == own || s.session == session || s.start < p.start || slices.Contains(live.kept, s.pid) ||
			slices.ContainsFunc(live.calls, func(q *process) bool { return q.pid == s.pid }) {
			continue
		}
		if adopted && len(live.calls) == 1 || markOf(s.pid) == p.mark {
			found = append(found, s.pid)
		}
	}
	return found
}

// Memory implements [sandbox.Process].
func (p *process) Memory() int64 {
	var own, shared int64
	tree := p.tree()
	for _, pid := range tree {
		a, s := memoryOf(pid)
		own, shared = own+a, max(shared, s)
	}
	return own + max(shared, p.withoutDisk(tree))
}

// Written implements [sandbox.Process]. A process has what the children wrote for whose end
// it waited.
func (p *process) Written() (bytes int64, ok bool) {
	for _, pid := range p.tree() {
		if n, known := writtenBy(pid); known {
			bytes, ok = bytes+n, true
		}
	}
	return bytes, ok
}

// withoutDisk returns how many bytes the processes of a tree have in files that take memory:
// in those of the sandbox's own file systems; elsewhere in /dev/shm, where others may have
// put them, too.
func (p *process) withoutDisk(tree []int) (bytes int64) {
	if p.kind != sandbox.Namespaces {
		return max(heldBy(sharedDir)-p.shared, 0)
	}
	for _, pid := range tree {
		root := fmt.Sprintf("/proc/%d/root", pid)
		if unix.Access(root+"/", unix.F_OK) != nil {
			continue // it has ended, or this user may not look at it
		}
		for _, dir := range append(slices.Clip(replaced), sharedDir) {
			bytes += heldBy(root + dir)
		}
		break
	}
	return bytes
}

// heldBy returns how many bytes the files of a small file system in memory take.
func heldBy(dir string) int64 {
	var st unix.Statfs_t
	if unix.Statfs(dir, &st) != nil || st.Type != unix.TMPFS_MAGIC {
		return 0
	}
	return int64(st.Blocks-st.Bfree) * st.Bsize
}

// Count implements [sandbox.Process].
func (p *process) Count() int { return len(p.tree()) }

// tree returns the processes of the command.
func (p *process) tree() []int {
	live.Lock()
	defer live.Unlock()
	table := processes()
	tree := []int{p.pid}
	if p.kind != sandbox.Namespaces {
		tree = append(tree, p.orphans(table)...)
	}
	return withDescendants(tree, table)
}
