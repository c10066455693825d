//go:build linux && (amd64 || arm64)

package linux

import (
	"bytes"
	"path"
	"strconv"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// MemoryLeft implements [sandbox.System].
func (System) MemoryLeft() (left sandbox.Memory, ok bool) {
	const most = 64 << 10
	return memoryLeft(func(name string) ([]byte, error) { return readAll(name, most) })
}

// memoryLeft returns what is available; see proc_meminfo(5) and the kernel's
// documentation of cgroup v2.
func memoryLeft(read func(name string) ([]byte, error)) (m sandbox.Memory, ok bool) {
	text, err := read("/proc/meminfo")
	if err != nil {
		return m, false
	}
	if m.Left, ok = number(text, "MemAvailable:"); !ok {
		return m, false
	}
	m.Shared, _ = number(text, "Shmem:")
	m.Left, m.Shared = m.Left<<10, m.Shared<<10
	groups, err := read("/proc/self/cgroup")
	if err != nil {
		return m, true
	}
	_, group, found := bytes.Cut(append([]byte{'\n'}, groups...), []byte("\n0::"))
	if !found {
		return m, true
	}
	group, _, _ = bytes.Cut(group, []byte("\n"))
	for at := path.Clean("/" + string(group)); ; at = path.Dir(at) {
		if most, held, limited := groupMemory(read, path.Join("/sys/fs/cgroup", at)); limited {
			m.Left = min(m.Left, max(most-held, 0))
		}
		if at == "/" {
			return m, true
		}
	}
}

// groupMemory returns the most that a group may hold and what it holds, without files that
// the kernel can forget; limited is false for one without a limit.
func groupMemory(read func(name string) ([]byte, error), dir string) (most, held int64, limited bool) {
	limit, err1 := read(dir + "/memory.max")
	current, err2 := read(dir + "/memory.current")
	if err1 != nil || err2 != nil {
		return 0, 0, false
	}
	most, err1 = strconv.ParseInt(string(bytes.TrimSpace(limit)), 10, 64) // or "max"
	held, err2 = strconv.ParseInt(string(bytes.TrimSpace(current)), 10, 64)
	if err1 != nil || err2 != nil {
		return 0, 0, false
	}
	if stat, err := read(dir + "/memory.stat"); err == nil {
		files, _ := number(stat, "inactive_file")
		held -= files
	}
	return most, held, true
}

// number returns the number after a name at the beginning of a line.
func number(text []byte, name string) (int64, bool) {
	for line := range bytes.Lines(text) {
		if f := bytes.Fields(line); len(f) > 1 && string(f[0]) == name {
			n, err := strconv.ParseInt(string(f[1]), 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}
