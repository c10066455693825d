package track

import (
	"io/fs"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/gitindex"
	"github.com/helve-dev/helve/pkg/search/walk"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
)

// entry is a file, directory or link of the workspace as a scan found it.
type entry struct {
	path string // as the system has it; see [workspace.Escape]
	walk.Status
	target  string // of a link
	ignored bool   // by ignore rules
	born    int64  // when it was made, in a narrow scan; 0 where nothing tells
	recent  bool   // changed so shortly before the scan that its times may not tell the next change

	// Where its content is, of a file: in git's object, in the blob, or nowhere.
	object  gitindex.OID
	clean   bool // object holds it
	implied bool // the index has all of it; see [implied]
	blob    string
	gap     reason
}

func (e *entry) isDir() bool  { return e.Mode.IsDir() }
func (e *entry) isFile() bool { return e.Mode.IsRegular() }
func (e *entry) isLink() bool { return e.Mode&fs.ModeSymlink != 0 }

// same reports whether nothing of an entry was changed between two scans. The size and
// times of a directory tell about the names in it, which the scan compares itself.
func (e *entry) same(o *entry) bool {
	switch {
	case e.Mode != o.Mode:
		return false
	case e.isDir():
		return true
	case e.isLink():
		return e.target == o.target
	}
	return e.Size == o.Size && e.Modified == o.Modified && e.Changed == o.Changed && e.Inode == o.Inode
}

// moved reports whether an entry can have become o by a move. That changes the time of
// the last change on some file systems.
func (e *entry) moved(o *entry) bool {
	return e.Inode != 0 && e.Inode == o.Inode && e.Device == o.Device && e.Mode.Type() == o.Mode.Type() &&
		(e.isDir() || e.Size == o.Size && e.Modified == o.Modified && !e.recent)
}

// state returns what the journal knows of an entry. Of a file it lacks the hash.
func (e *entry) state() *journal.State {
	switch {
	case e.isDir():
		return &journal.State{Kind: journal.Dir, Mode: e.Mode.Perm()}
	case e.isLink():
		return &journal.State{Kind: journal.Link, Link: e.target}
	}
	st := &journal.State{Kind: journal.File, Mode: e.Mode.Perm(), Size: e.Size}
	if e.Size > state.MaxBlob {
		st.Time = e.Modified
	}
	return st
}

// reason is the reason why an entry is not covered.
type reason uint8

const (
	covered reason = iota
	ignoredOutput
	buildOutput
	tooLarge
	overBudget
	unreadable
	special
	lost
	elsewhere
	strange
)

func (r reason) text() fault.Text {
	switch r {
	case ignoredOutput:
		return fault.T("git ignores it")
	case buildOutput:
		return fault.T("it is made by programs, and can be made again")
	case tooLarge:
		return fault.T("it has more than %d MiB", largest>>20)
	case overBudget:
		return fault.T("the copies before one command have at most %d MiB and take at most %d s", budget>>20, int(patience.Seconds()))
	case unreadable:
		return fault.T("it could not be read")
	case special:
		return fault.T("it is no file, directory or link")
	case strange:
		return fault.T("it may have been elsewhere in the workspace before, where nothing looked")
	case elsewhere:
		return fault.T("git keeps the repository there, outside of the workspace")
	}
	return fault.T("its earlier content is no longer there")
}

// rebuilt reports whether a directory of this name holds only what programs make again.
func rebuilt(name string) bool {
	switch name {
	case "node_modules", "__pycache__", ".venv", ".tox", ".nox", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".gradle":
		return true
	}
	return false
}

// parent returns the directory of a path; "" is the root.
func parent(path string) string { return path[:max(0, strings.LastIndexByte(path, '/'))] }
