//go:build linux

package sandbox

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/fault"
)

// maxLeftovers is how many of the processes that were killed are named, and
// commandLineBytes how much of the command line of each, in bytes.
const (
	maxLeftovers     = 20
	commandLineBytes = 200
)

// live are the commands of this process that run outside of namespaces, and the
// children that must outlive their calls.
var live struct {
	sync.Mutex
	calls []*Process
	kept  []int
}

// Keep excepts a child of this process from what [Process.Finish] ends. start
// starts it and gives its number.
func Keep(start func() (pid int, err error)) (int, error) {
	live.Lock()
	defer live.Unlock()
	pid, err := start()
	if err == nil {
		live.kept = append(live.kept, pid)
	}
	return pid, err
}

// killTime is how long Finish keeps killing processes that keep making others.
const killTime = 5 * time.Second

// Finish ends whatever the command left running, and the command itself, and
// gives the command lines of what was left.
func (p *Process) Finish() ([]string, error) {
	var err error
	p.system.once.Do(func() {
		if p.system.kind == Namespaces {
			p.finishInside()
		} else {
			err = p.finishTree()
		}
		close(p.system.release)
		if !p.system.alone {
			<-p.system.thread
		}
		p.closeBroker()
	})
	return p.system.left, err
}

// finishTree ends the tree of a command outside of namespaces.
func (p *Process) finishTree() error {
	ended := false
	select {
	case <-p.ended:
		ended = true
		p.collect()
	default:
	}
	if ended && !hasChildren() {
		p.forget() // the most frequent case, and the cheapest
		return nil
	}
	deadline := time.Now().Add(killTime)
	for wait := time.Millisecond / 4; p.sweep(!ended); wait = min(2*wait, 20*time.Millisecond) {
		if time.Now().After(deadline) {
			return fault.New(fault.Internal, fault.T("some processes of the command do not end", "命令的某些进程无法结束"))
		}
		time.Sleep(wait) //nolint:forbidigo // no event tells that the whole tree has ended and makes no more
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

// collect takes the status of the command, which gives its number free.
func (p *Process) collect() {
	var ws unix.WaitStatus
	for {
		if _, err := unix.Wait4(p.pid, &ws, 0, nil); err != unix.EINTR {
			break
		}
	}
	p.state = stateOf(ws)
}

func (p *Process) forget() {
	live.Lock()
	defer live.Unlock()
	live.calls = slices.DeleteFunc(live.calls, func(q *Process) bool { return q == p })
}

// sweep kills what is alive of the command's tree, the command itself only if its
// number is still its own, and reports whether anything was.
func (p *Process) sweep(command bool) (alive bool) {
	live.Lock()
	defer live.Unlock()
	table := processes()
	tree := p.orphans(table)
	if command {
		tree = append(tree, p.pid)
	}
	for i := 0; i < len(tree); i++ {
		pid := tree[i]
		for _, child := range table {
			if child.parent == pid && !slices.Contains(tree, child.pid) {
				tree = append(tree, child.pid)
			}
		}
		s, ok := status(pid)
		switch {
		case !ok:
		case s.state != 'Z':
			alive = true
			if pid != p.pid {
				p.note(pid)
			}
			_ = unix.Kill(pid, unix.SIGKILL) // the next sweep sees whether it worked
		case pid != p.pid && s.parent == unix.Getpid():
			_, _ = unix.Wait4(pid, nil, unix.WNOHANG, nil) // nobody asks how it ended
		}
	}
	return alive
}

// note remembers the command line of a process that is about to be killed.
func (p *Process) note(pid int) {
	line := commandLine(pid)
	if line != "" && len(p.system.left) < maxLeftovers && !slices.Contains(p.system.left, line) {
		p.system.left = append(p.system.left, line)
	}
}

// orphans are the children of this process that came to it when their parents
// in the command's tree ended: it is their subreaper. They are in another
// session than it, as no process can enter one that exists. Among several calls
// the mark in the environment tells whose they are, and one that lost the mark
// falls to the last call that ends.
func (p *Process) orphans(table []procStatus) []int {
	own := unix.Getpid()
	session, err := unix.Getsid(0)
	if err != nil {
		return nil
	}
	var found []int
	for _, s := range table {
		if s.parent != own || s.session == session || s.start < p.system.start || slices.Contains(live.kept, s.pid) ||
			slices.ContainsFunc(live.calls, func(q *Process) bool { return q.pid == s.pid }) {
			continue
		}
		if len(live.calls) == 1 || markOf(s.pid) == p.system.mark {
			found = append(found, s.pid)
		}
	}
	return found
}

// procStatus is a part of /proc/PID/stat; see proc(5).
type procStatus struct {
	pid     int
	state   byte
	parent  int
	session int
	start   uint64
}

func status(pid int) (procStatus, bool) {
	data, err := readAll(fmt.Sprintf("/proc/%d/stat", pid), 1<<10)
	if err != nil {
		return procStatus{}, false
	}
	// The name of the program is in parentheses and may contain anything.
	i := bytes.LastIndexByte(data, ')')
	if i < 0 {
		return procStatus{}, false
	}
	fields := strings.Fields(string(data[i+1:]))
	if len(fields) < 20 {
		return procStatus{}, false
	}
	parent, _ := strconv.Atoi(fields[1])
	session, _ := strconv.Atoi(fields[3])
	start, _ := strconv.ParseUint(fields[19], 10, 64)
	return procStatus{pid: pid, state: fields[0][0], parent: parent, session: session, start: start}, true
}

func startTime(pid int) uint64 {
	s, _ := status(pid)
	return s.start
}

// processes lists what runs, as far as /proc shows it.
func processes() []procStatus {
	names, err := namesIn("/proc")
	if err != nil {
		return nil
	}
	var all []procStatus
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if s, ok := status(pid); ok {
			all = append(all, s)
		}
	}
	return all
}

func commandLine(pid int) string {
	data, err := readAll(fmt.Sprintf("/proc/%d/cmdline", pid), commandLineBytes)
	if err != nil {
		return ""
	}
	return strings.ToValidUTF8(strings.TrimSpace(strings.ReplaceAll(string(data), "\x00", " ")), "�")
}

func markOf(pid int) string {
	data, err := readAll(fmt.Sprintf("/proc/%d/environ", pid), 1<<20)
	if err != nil {
		return ""
	}
	for entry := range bytes.SplitSeq(data, []byte{0}) {
		if value, ok := bytes.CutPrefix(entry, []byte(markVariable+"=")); ok {
			return string(value)
		}
	}
	return ""
}

// readAll reads a file of the kernel's, at most that many bytes of it.
func readAll(name string, most int) ([]byte, error) {
	fd, err := unix.Open(name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	var data []byte
	buf := make([]byte, min(most, 4<<10)) // most of these files are short
	for len(data) < most {
		n, err := unix.Read(fd, buf)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return data, err
		}
		if n <= 0 {
			break
		}
		data = append(data, buf[:n]...)
	}
	return data[:min(len(data), most)], nil
}

// Count is how many processes the command has at the moment.
func (p *Process) Count() int {
	live.Lock()
	defer live.Unlock()
	table := processes()
	tree := []int{p.pid}
	if p.system.kind != Namespaces {
		tree = append(tree, p.orphans(table)...)
	}
	for i := 0; i < len(tree); i++ {
		for _, s := range table {
			if s.parent == tree[i] && s.state != 'Z' {
				tree = append(tree, s.pid)
			}
		}
	}
	return len(tree)
}
