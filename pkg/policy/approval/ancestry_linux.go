package approval

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// descends reports whether helve is an ancestor of this process, as proc(5) shows it.
func descends() bool { return descendant(os.Getpid()) }

// descendant reports whether helve is an ancestor of a process.
func descendant(pid int) bool {
	proc := os.DirFS("/proc")
	self, err := fs.Stat(proc, "self/exe")
	if err != nil {
		return true
	}
	return descendsIn(proc, pid, func(exe fs.FileInfo) bool { return os.SameFile(exe, self) })
}

// below reports what [InRun] and [InAgent] do.
func below(name string, pids []int) bool { return belowIn(os.DirFS("/proc"), os.Getpid(), name, pids) }

// descendsIn reports whether a process or one above it is helve's. ours recognizes
// helve's own program.
func descendsIn(proc fs.FS, pid int, ours func(fs.FileInfo) bool) bool {
	found, err := anyAbove(proc, pid, func(p process) bool {
		if variable(p.environ, "HELVE") {
			return true
		}
		if exe, err := fs.Stat(proc, p.dir+"/exe"); p.depth > 0 && err == nil && ours(exe) {
			return true
		}
		stat, err := fs.ReadFile(proc, p.dir+"/stat")
		return p.depth > 0 && err == nil && startsSandbox(stat)
	})
	return found || err != nil
}

// belowIn reports whether a process or one above it has a variable, or is below one of
// some processes.
func belowIn(proc fs.FS, pid int, name string, pids []int) bool {
	found, err := anyAbove(proc, pid, func(p process) bool {
		return variable(p.environ, name) || p.depth > 0 && slices.Contains(pids, p.pid)
	})
	return found && err == nil
}

// process is a process on the way up from another one.
type process struct {
	pid     int
	dir     string // in /proc
	depth   int    // 0 is the process to begin with
	environ []byte // empty for one of another user
}

// anyAbove reports whether a process or one above it is of a kind. An error says that
// the ancestors cannot be found out.
func anyAbove(proc fs.FS, pid int, is func(process) bool) (found bool, err error) {
	const attempts = 5
	for range attempts {
		if found, err = climb(proc, pid, is); err == nil || !gone(err) {
			break
		} // an ancestor ended, so its child has a new parent: try again
	}
	return found, err
}

// climb is one attempt of [anyAbove].
func climb(proc fs.FS, pid int, is func(process) bool) (bool, error) {
	const deepest = 10_000
	for depth := 0; pid > 0; depth++ {
		if depth == deepest {
			return false, errors.New("the ancestors have no end")
		}
		dir := strconv.Itoa(pid)
		environ, err := fs.ReadFile(proc, dir+"/environ")
		if err != nil && !errors.Is(err, fs.ErrPermission) { // one of another user is not helve's
			return false, err
		}
		if is(process{pid, dir, depth, environ}) {
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
	return false, nil
}

// gone reports whether a process ended while it was examined.
func gone(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH) }

// variable reports whether an environment has a variable that is not empty.
func variable(environ []byte, name string) bool {
	for entry := range bytes.SplitSeq(environ, []byte{0}) {
		if value, ok := strings.CutPrefix(string(entry), name+"="); ok && value != "" {
			return true
		}
	}
	return false
}

// startsSandbox reports whether a stat file is of the first process of a sandbox.
func startsSandbox(stat []byte) bool {
	above, err := parent(stat)
	return err == nil && above == 0 && bytes.HasPrefix(stat, []byte("1 ("+SandboxName+") "))
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
