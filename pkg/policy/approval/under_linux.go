package approval

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// descends reads proc(5).
func descends() bool {
	proc := os.DirFS("/proc")
	self, err := fs.Stat(proc, "self/exe")
	if err != nil {
		return true
	}
	return descendsIn(proc, os.Getpid(), func(exe fs.FileInfo) bool { return os.SameFile(exe, self) })
}

// descendsIn walks up from a process. ours tells helve's own program.
func descendsIn(proc fs.FS, pid int, ours func(fs.FileInfo) bool) bool {
	const attempts = 5
	for range attempts {
		found, err := ancestor(proc, pid, ours)
		if err == nil {
			return found
		}
		if !gone(err) { // else an ancestor ended meanwhile, and its child has a new one
			return true
		}
	}
	return true
}

func ancestor(proc fs.FS, pid int, ours func(fs.FileInfo) bool) (bool, error) {
	const deepest = 10_000
	for depth := 0; pid > 0 && depth < deepest; depth++ {
		dir := strconv.Itoa(pid)
		environ, err := fs.ReadFile(proc, dir+"/environ")
		switch {
		case err == nil && marked(environ):
			return true, nil
		case err != nil && !errors.Is(err, fs.ErrPermission): // of another user, whom helve did not start
			return false, err
		}
		if exe, err := fs.Stat(proc, dir+"/exe"); depth > 0 && err == nil && ours(exe) {
			return true, nil
		}
		stat, err := fs.ReadFile(proc, dir+"/stat")
		if err != nil {
			return false, err
		}
		if pid, err = parent(stat); err != nil {
			return false, err
		}
	}
	return pid > 0, nil
}

// gone reports whether a process ended while it was looked at.
func gone(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH) }

// marked reports whether an environment holds the marker.
func marked(environ []byte) bool {
	for entry := range bytes.SplitSeq(environ, []byte{0}) {
		if value, ok := strings.CutPrefix(string(entry), "HELVE="); ok && value != "" {
			return true
		}
	}
	return false
}

// parent reads the fourth field of a stat file. The second is the program's name
// in parentheses, which may hold parentheses and spaces.
func parent(stat []byte) (int, error) {
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 2 {
		return 0, errors.New("a stat file without a parent")
	}
	return strconv.Atoi(fields[1])
}
