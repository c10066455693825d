//go:build linux && (amd64 || arm64)

package linux

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// procStatus is a part of /proc/PID/stat; see proc(5).
type procStatus struct {
	pid     int
	state   byte
	parent  int
	session int
	start   uint64
}

// status returns the status of a process; ok is false when it is gone.
func status(pid int) (s procStatus, ok bool) {
	data, err := readAll(fmt.Sprintf("/proc/%d/stat", pid), 1<<10)
	if err != nil {
		return procStatus{}, false
	}
	// The name of the program is in parentheses and may contain any character.
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

// startTime returns when a process started, in the kernel's ticks.
func startTime(pid int) uint64 {
	s, _ := status(pid)
	return s.start
}

// processes returns the processes that /proc shows.
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

// withDescendants returns processes and what they started, without zombies. The table
// is not taken at one instant, so a number may appear twice in it.
func withDescendants(tree []int, table []procStatus) []int {
	for i := 0; i < len(tree); i++ {
		for _, s := range table {
			if s.parent == tree[i] && s.state != 'Z' && !slices.Contains(tree, s.pid) {
				tree = append(tree, s.pid)
			}
		}
	}
	return tree
}

// memoryOf returns how many bytes of memory a process has of its own, and how many it may
// share with others; see proc_pid_status(5).
func memoryOf(pid int) (own, shared int64) {
	data, err := readAll(fmt.Sprintf("/proc/%d/status", pid), 4<<10)
	if err != nil {
		return 0, 0 // it has ended
	}
	for line := range strings.Lines(string(data)) {
		name, value, _ := strings.Cut(line, ":")
		to := &own
		switch name {
		case "RssAnon":
		case "RssShmem":
			to = &shared
		default:
			continue
		}
		*to, _ = strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
		*to <<= 10
	}
	return own, shared
}

// writtenBy returns how many bytes a process put on disks and did not take back before they
// were there; see proc_pid_io(5).
func writtenBy(pid int) (bytes int64, ok bool) {
	data, err := readAll(fmt.Sprintf("/proc/%d/io", pid), 4<<10)
	if err != nil {
		return 0, false
	}
	wrote, ok := number(data, "write_bytes:")
	canceled, _ := number(data, "cancelled_write_bytes:")
	return wrote - canceled, ok
}

// commandLine returns the beginning of the command line of a process.
func commandLine(pid int) string {
	data, err := readAll(fmt.Sprintf("/proc/%d/cmdline", pid), commandLineBytes)
	if err != nil {
		return ""
	}
	return strings.ToValidUTF8(strings.TrimSpace(strings.ReplaceAll(string(data), "\x00", " ")), "�")
}

// Marked implements [sandbox.System].
func (System) Marked(mark string) (pids []int) {
	for _, s := range processes() {
		if s.state != 'Z' && markOf(s.pid) == mark {
			pids = append(pids, s.pid)
		}
	}
	return pids
}

// markOf returns the mark of the call that a process belongs to.
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
