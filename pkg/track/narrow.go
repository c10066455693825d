package track

import (
	"errors"
	"io/fs"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/workspace"
)

// A workspace with more than [mostEntries] files is not scanned before each command only to
// find that out again: git's index says so, or a note of the last scan that gave up. What a
// command names is covered all the same.

// largeNote is the file of [keptDir] that says when a scan found too many files, and
// largeTime the time for which it is believed.
const (
	largeNote = keptDir + "/large"
	largeTime = time.Hour
)

// most returns how many files and directories are scanned.
func (w Workspace) most() int {
	if w.Most > 0 {
		return w.Most
	}
	return mostEntries
}

// isLarge reports whether the workspace surely has, or had lately, too many files.
func (w Workspace) isLarge(git *repository) (bool, error) {
	if git != nil && len(git.index.Entries) > w.most() {
		return true, nil
	}
	data, err := w.State.ReadFile(largeNote)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	at, err := time.Parse(time.RFC3339, string(data))
	age := w.State.Now().Sub(at)
	return err == nil && 0 <= age && age < largeTime, nil // a damaged one is worth nothing
}

// noteLarge keeps, or forgets, that a scan found too many files.
func (w Workspace) noteLarge(is bool) error {
	if is {
		return w.State.Put(largeNote, w.State.Now().AppendFormat(nil, time.RFC3339))
	}
	return w.State.Remove(largeNote)
}

// narrow is a choice of paths, with everything in them. A nil one takes all.
type narrow struct {
	named map[string]bool
	above map[string]bool // directories above
}

// narrowTo returns the choice of some paths, as the system has them.
func narrowTo(paths []string) *narrow {
	n := &narrow{map[string]bool{}, map[string]bool{}}
	for _, path := range paths {
		n.named[path] = true
		for dir := parent(path); dir != ""; dir = parent(dir) {
			n.above[dir] = true
		}
	}
	return n
}

// takes reports whether a path is chosen, or leads to one that is.
func (n *narrow) takes(path string) bool {
	if n == nil || n.above[path] {
		return true
	}
	for ; path != ""; path = parent(path) {
		if n.named[path] {
			return true
		}
	}
	return false
}

// widely scans a workspace that may be too large; see [Run.only].
func (r *Run) widely(scan func() (*tree, error)) (*tree, error) {
	large, err := r.w.isLarge(r.git)
	if err != nil {
		return nil, err
	}
	if !large {
		t, err := scan()
		if !fault.Is(err, fault.TooLarge) {
			return t, err
		}
		if err := r.w.noteLarge(true); err != nil {
			return nil, err
		}
	}
	if len(r.w.Named) == 0 {
		return nil, r.w.tooMany()
	}
	r.only = r.w.Named
	shown := make([]string, 0, mostNamed)
	for _, path := range r.only[:min(len(r.only), mostNamed)] {
		shown = append(shown, workspace.Escape(path))
	}
	r.warnings = append(r.warnings, fault.T("the workspace has more than %d files: undo covers only what the command names: %s", r.w.most(), strings.Join(shown, ", ")))
	return scan()
}

// stranger reports whether a narrow scan found something at a path where there was nothing
// that may have been elsewhere in the workspace before: undo would delete it.
func (d *differ) stranger(c *change) bool {
	if d.run.only == nil || c.before != nil || c.after == nil {
		return false
	}
	a, start := c.after, d.before.at.UnixNano()-int64(clockTick)
	return a.Links > 1 || a.Modified < start || a.born != 0 && a.born < start
}
