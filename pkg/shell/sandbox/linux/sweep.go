//go:build linux && (amd64 || arm64)

package linux

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/workspace"
	"github.com/helve-dev/helve/pkg/workspace/gitdir"
)

// A sweeper looks for what was planted while a command runs, where no [nursery] keeps it from
// coming into being. What is there at two looks in turn goes aside: a file that is being
// written, or is gone soon, is left alone, and one that is made again and again is not. So it
// may be there for the time of two looks. The command can change the tree at any moment,
// so a file is renamed in an open directory, to which no link leads, and stays in that.
type sweeper struct {
	sb    *confined
	root  int // the workspace
	seen  []string
	moved []sandbox.Moved
	stop  chan struct{}
	done  chan struct{}
}

// firstSweep is the time before the first look, sweepPause that between two. A look takes at
// most one part of sweepShare of the time.
const (
	firstSweep = time.Second
	sweepPause = 500 * time.Millisecond
	sweepShare = 20
)

// mostAside limits the numbers behind the names of what goes aside.
const mostAside = 100

// newSweeper returns a sweeper that is at work; nil where none is needed or can be.
func (sb *confined) newSweeper() *sweeper {
	if sb.watch == nil || sb.snapshot == nil || sb.nursery != nil {
		return nil
	}
	root, err := unix.Open(sb.Profile.Workspace, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	s := &sweeper{sb: sb, root: root, stop: make(chan struct{}), done: make(chan struct{})}
	go s.work()
	return s
}

func (s *sweeper) work() {
	defer close(s.done)
	for wait := firstSweep; ; {
		select {
		case <-s.stop:
			return
		case <-time.After(wait):
		}
		begin := time.Now()
		s.look()
		wait = max(sweepPause, sweepShare*time.Since(begin))
	}
}

// end waits for the end of the work, and hands over what went aside.
func (s *sweeper) end() {
	if s == nil {
		return
	}
	close(s.stop)
	<-s.done
	unix.Close(s.root)
	s.sb.laid = append(s.sb.laid, s.moved...)
}

// look sets aside what was found before and is found again.
func (s *sweeper) look() {
	found := append(s.sb.Profile.Survey.Planted(workspace.SurveyOf(s.sb.Profile.Workspace), s.sb.unchanged), s.sb.snapshot.altered()...)
	found = slices.DeleteFunc(found, s.sb.Profile.ChangesIn) // git may be writing it
	for _, path := range found {
		if slices.Contains(s.seen, path) {
			s.aside(path)
		}
	}
	s.seen = found
}

// altered returns the files that are not what the snapshot has of them.
func (t *snapshot) altered() (paths []string) {
	for name, old := range t.before {
		now, err := saveEntry(name, true)
		if err != nil || !now.exists || !old.exists || !old.mode.IsRegular() || old.mode == now.mode && bytes.Equal(old.data, now.data) {
			continue
		}
		if !slices.Contains(t.records, name) || !gitdir.Recorded(old.data, now.data) {
			paths = append(paths, name)
		}
	}
	return paths
}

// aside renames what is at a path, and puts back what was there before the command. What it
// cannot rename stays until the command ends.
func (s *sweeper) aside(path string) {
	rel, ok := workspace.RelOS(path, s.sb.Profile.Workspace)
	if !ok {
		return
	}
	how := unix.OpenHow{Flags: unix.O_PATH | unix.O_DIRECTORY | unix.O_CLOEXEC, Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS}
	dir, err := unix.Openat2(s.root, filepath.Dir(rel), &how)
	if err != nil {
		return
	}
	defer unix.Close(dir)
	name := filepath.Base(rel)
	to := name + s.sb.snapshot.suffix
	for n := 1; ; n++ {
		err = unix.Renameat2(dir, name, dir, to, unix.RENAME_NOREPLACE)
		if err != unix.EEXIST || n == mostAside {
			break
		}
		to = name + s.sb.snapshot.suffix + "-" + strconv.Itoa(n)
	}
	if err != nil {
		return
	}
	s.moved = append(s.moved, sandbox.Moved{Path: path, To: filepath.Join(filepath.Dir(path), to)})
	if old := s.sb.snapshot.before[path]; old.exists && old.mode.IsRegular() {
		putBackIn(dir, name, old)
	}
}

// putBackIn makes a file again, unless the command was faster. What is missing then is put
// back when the command ends.
func putBackIn(dir int, name string, m savedEntry) {
	fd, err := unix.Openat(dir, name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return
	}
	f := os.NewFile(uintptr(fd), name)
	_, _ = f.Write(m.data)
	_ = f.Chmod(m.mode.Perm())
	_ = f.Close()
}
