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

// descends reports whether helve is an ancestor of this process, as proc(5) shows it.
func descends() bool {
	proc := os.DirFS("/proc")
	self, err := fs.Stat(proc, "self/exe")
	if err != nil {
		return true
	}
	return descendsIn(proc, os.Getpid(), func(exe fs.FileInfo) bool { return os.SameFile(exe, self) })
}

// descendsIn walks up from a process. ours recognizes helve's own program.
func descendsIn(proc fs.FS, pid int, ours func(fs.FileInfo) bool) bool {
	const attempts = 5
	for range attempts {
		found, err := ancestor(proc, pid, ours)
		if err == nil {
			return found
		}
		if !gone(err) { // if an ancestor ended, its child has a new parent: try again
			return true
		}
	}
	return true
}

// ancestor reports whether a process or one above it is helve's.
func ancestor(proc fs.FS, pid int, ours func(fs.FileInfo) bool) (bool, error) {
	const deepest = 10_000
	for depth := 0; pid > 0 && depth < deepest; depth++ {
		dir := strconv.Itoa(pid)
		environ, err := fs.ReadFile(proc, dir+"/environ")
		switch {
		case err == nil && marked(environ):
			return true, nil
		case err != nil && !errors.Is(err, fs.ErrPermission): // one of another user is not helve's
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

// gone reports whether a process ended while it was examined.
func gone(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH) }

// marked reports whether an environment has the variable HELVE.
func marked(environ []byte) bool {
	for entry := range bytes.SplitSeq(environ, []byte{0}) {
		if value, ok := strings.CutPrefix(string(entry), "HELVE="); ok && value != "" {
			return true
		}
	}
	return false
}

// parent returns the fourth field of a stat file. The second is the program's name
// in parentheses, which may itself hold parentheses and spaces.
func parent(stat []byte) (int, error) {
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 2 {
		return 0, errors.New("a stat file without a parent")
	}
	return strconv.Atoi(fields[1])
}
