package journal

import (
	"io/fs"
	"path/filepath"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

// Op is a kind of change, as a caller asks for it and as it is recorded. It is finer
// than schema.PathUse, by which others decide whether a change may be made.
type Op string

// The changes that callers ask for. A Write is recorded as Create or Modify, or
// as Chmod if only the mode differs.
const (
	Write   Op = "write"
	Delete  Op = "delete"
	Move    Op = "move"
	Chmod   Op = "mode"
	Mkdir   Op = "mkdir"
	Symlink Op = "symlink"
	// MoveOut moves a file, a link or a directory with everything in it out of the
	// workspace, and MoveIn moves one in from elsewhere.
	MoveOut Op = "stow"
	MoveIn  Op = "place"
	// Extend appends to a file that may be too large for memory, and Replace changes parts
	// of one or all of it. Each must be the only change of its group.
	Extend  Op = "extend"
	Replace Op = "replace"
)

// The changes that are recorded in addition to Delete, Move, Chmod and Mkdir. A
// Symlink is recorded as Create.
const (
	Create Op = "create"
	Modify Op = "modify"
	Rmdir  Op = "rmdir"
)

// Absent is the Expect of a change whose path must be free.
const Absent = "absent"

// Change is one change that a caller asks for. Fields that do not name its Op are
// ignored.
type Change struct {
	Op   Op
	Path string // what changes; of a Move, the target

	From      string // Move: the file, link or directory to move
	Overwrite bool   // Move: replace a file or link at Path

	Content []byte // Write; Replace without Splices: all new bytes of the file
	// Splices are the changes of a Replace, in the order of the file; of an Extend, the one
	// at its end.
	Splices []Splice
	// Found describes the file that the caller looked at, for Extend and Replace. If the
	// path holds another file by now, the error is stale.
	Found fs.FileInfo
	// Sum is the SHA-256 of what an Extend makes of the file, if it is known. With Found,
	// Expect may be that of the file before, all 64 digits, if it is known.
	Sum string
	// Mode is the permission bits. 0 means for a Write the mode that the file has,
	// or the default; for a Mkdir the default. A Chmod needs them.
	Mode   fs.FileMode
	Target string // Symlink
	Source string // MoveIn: the absolute path of the entry to move, outside of the workspace

	// Expect guards Write, Delete, MoveOut and the From of a Move. It is the
	// SHA-256, or at least its first 16 digits, of the bytes that the change was
	// made from; of a directory to MoveOut, its digest; or Absent. If the path
	// holds anything else, nothing changes and the error is stale. Empty means no
	// check.
	Expect string
}

// paths returns the paths that a change needs locked.
func (c Change) paths() []string {
	if c.Op == Move {
		return []string{c.From, c.Path}
	}
	return []string{c.Path}
}

// want is a change with the further conditions of an undo.
type want struct {
	Change
	exact    bool   // the path must be in state before
	state    *State // nil: nothing is there
	lasting  bool   // of state, only the mode counts
	blob     string // the content is the saved bytes with this SHA-256
	snapshot string // MoveIn: the snapshot to move in, instead of Source
	held     *State // what the snapshot must be
	force    bool   // accept whatever is at the path
	others   int    // of a Write: see step.Others
	back     bool   // of an Extend or Replace: blob is a delta, to be applied backwards
	becomes  *State // of such a one: what the file must be then
	optional bool   // a directory to remove only if it is empty, or to make only if it is missing
	entry    int    // index of the entry being undone
}

func wants(changes []Change) []want {
	all := make([]want, len(changes))
	for i, c := range changes {
		all[i] = want{Change: c}
	}
	return all
}

func (w want) check() error {
	for _, p := range w.paths() {
		if err := checkPath(p); err != nil {
			return err
		}
	}
	if len(w.Content) > state.MaxBlob {
		return fault.New(fault.TooLarge, fault.T("%s: %d bytes are more than the %d that a file can be changed to", w.Path, len(w.Content), state.MaxBlob))
	}
	var bad string
	switch {
	case w.Mode&^fs.ModePerm != 0, w.Op == Chmod && w.Mode == 0 && !w.exact:
		bad = "mode"
	case w.Op == Symlink && w.Target == "":
		bad = "target"
	case w.Op == MoveIn && w.snapshot == "" && !filepath.IsAbs(w.Source):
		bad = "source"
	case w.Expect != "" && w.Expect != Absent && (len(w.Expect) < 16 || len(w.Expect) > 64):
		bad = "expected SHA-256"
	default:
		switch w.Op {
		case Write, Delete, Move, Chmod, Mkdir, Symlink, MoveOut, MoveIn, Extend, Replace:
			return nil
		case Rmdir: // of an undo only
			if w.exact || w.optional {
				return nil
			}
		}
		bad = "kind of change"
	}
	return fault.New(fault.InvalidArguments, fault.T("%s: not a usable %s", w.Path, bad))
}
