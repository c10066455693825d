package journal

import (
	"io/fs"
	"path/filepath"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

// Op is a kind of change, as asked for and as recorded.
type Op string

// The changes that can be asked for. A Write is recorded as Create or Modify,
// or as Chmod where only the mode differs.
const (
	Write   Op = "write"
	Delete  Op = "delete"
	Move    Op = "move"
	Chmod   Op = "mode"
	Mkdir   Op = "mkdir"
	Symlink Op = "symlink"
	// MoveOut takes a file, a link or a directory with all that is in it out of the
	// workspace as it is, and MoveIn brings one in from elsewhere.
	MoveOut Op = "stow"
	MoveIn  Op = "place"
)

// The changes that are recorded beside Delete, Move, Chmod and Mkdir. A link
// that is made is a Create.
const (
	Create Op = "create"
	Modify Op = "modify"
	Rmdir  Op = "rmdir"
)

// Absent is the Expect of a change whose path must be free.
const Absent = "absent"

// Change is one wanted change. Fields that an Op does not name are ignored.
type Change struct {
	Op   Op
	Path string // what changes; where a Move leads to

	From      string // Move: the file, link or directory to move
	Overwrite bool   // Move: replace a file or link at Path

	Content []byte // Write
	// Mode is permission bits. Of a Write 0 keeps what the file has or takes the
	// default, of a Mkdir it takes the default; a Chmod needs them.
	Mode   fs.FileMode
	Target string // Symlink
	Source string // MoveIn: absolute path outside of the workspace; what stands there is moved

	// Expect guards Write, Delete, MoveOut and the From of a Move: the SHA-256, or
	// its first 16 digits or more, of the bytes that the change was made from, or
	// Absent; of a directory to MoveOut, its digest. If something else stands there,
	// nothing changes and the error is stale. Empty does not check.
	Expect string
}

// paths are those a change needs locked.
func (c Change) paths() []string {
	if c.Op == Move {
		return []string{c.From, c.Path}
	}
	return []string{c.Path}
}

// want is a change with what only an undo asks for.
type want struct {
	Change
	exact    bool   // state is what must stand at the path before
	state    *State // nil: nothing
	lasting  bool   // of state, only the mode counts
	blob     string // the content is the saved bytes with this SHA-256
	snapshot string // what is brought in is on the shelf already,
	held     *State // and must be this
	force    bool   // take whatever stands there for what must
	optional bool   // a directory that goes only if it is empty, and comes only if it is missing
	entry    int    // which of the entries being undone it is for
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
		return fault.New(fault.TooLarge, fault.T("%s: %d bytes are more than the %d that a file can be changed to",
			"%s：%d 字节超过可写入的 %d 字节上限", w.Path, len(w.Content), state.MaxBlob))
	}
	var bad string
	switch {
	case w.Mode&^fs.ModePerm != 0, w.Op == Chmod && w.Mode == 0:
		bad = "mode"
	case w.Op == Symlink && w.Target == "":
		bad = "target"
	case w.Op == MoveIn && w.snapshot == "" && !filepath.IsAbs(w.Source):
		bad = "source"
	case w.Expect != "" && w.Expect != Absent && (len(w.Expect) < 16 || len(w.Expect) > 64):
		bad = "expected SHA-256"
	default:
		switch w.Op {
		case Write, Delete, Move, Chmod, Mkdir, Symlink, MoveOut, MoveIn:
			return nil
		case Rmdir: // of an undo only
			if w.exact || w.optional {
				return nil
			}
		}
		bad = "kind of change"
	}
	return fault.New(fault.InvalidArguments, fault.T("%s: not a usable %s", "%s：不可用的 %s", w.Path, bad))
}
