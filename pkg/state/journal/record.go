package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/state"
)

// Kind is the kind of an entry in a directory.
type Kind string

// The kinds that a journal changes.
const (
	File Kind = "file"
	Link Kind = "link"
	Dir  Kind = "dir"
)

// State describes the entry at a path; nil means no entry.
type State struct {
	Kind  Kind        `json:"kind"`
	SHA   string      `json:"sha,omitzero"` // SHA-256 of a file's bytes; above state.MaxBlob only if it was at hand
	Size  int64       `json:"size,omitzero"`
	Mode  fs.FileMode `json:"mode,omitzero"`  // permission bits; 0 is unknown
	Link  string      `json:"-"`              // target of a link
	Time  int64       `json:"time,omitzero"`  // nanoseconds of the last change of a file above state.MaxBlob
	Saved bool        `json:"saved,omitzero"` // the bytes are kept as a blob
	// Meaning is a digest of the file's meaning, if not every byte counts; see [Options].
	Meaning string `json:"meaning,omitzero"`
	Tree    string `json:"tree,omitzero"` // digest of a directory that was moved out or in; Size then counts all its files
}

// plainState is a State without methods, and wireState its form in the journal.
type plainState State

type wireState struct {
	*plainState
	Link lossless `json:"link,omitzero"`
}

// MarshalJSON keeps every byte of a link's target.
func (st State) MarshalJSON() ([]byte, error) {
	plain := plainState(st)
	return json.Marshal(wireState{&plain, lossless(st.Link)})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (st *State) UnmarshalJSON(data []byte) error {
	wire := wireState{plainState: (*plainState)(st)}
	if err := json.Unmarshal(data, &wire); err != nil {
		return err
	}
	st.Link = string(wire.Link)
	return nil
}

// same reports whether two states have the same content. The mode does not count:
// a file whose mode somebody changed is still the file that was written.
func same(a, b *State) bool {
	switch {
	case a == nil || b == nil:
		return a == b
	case a.Kind != b.Kind:
		return false
	case a.Kind == File && a.SHA != "" && b.SHA != "":
		return a.SHA == b.SHA && a.Size == b.Size
	case a.Kind == File:
		return a.Size == b.Size && a.Time == b.Time && a.Time != 0
	case a.Kind == Dir:
		return a.Tree == "" || b.Tree == "" || a.Tree == b.Tree // a digest is made only where it is needed
	}
	return a.Link == b.Link
}

// alike reports whether a state means the same as another one: what an undo asks for.
func alike(a, b *State) bool {
	return same(a, b) || isKind(a, File) && isKind(b, File) && a.Meaning != "" && a.Meaning == b.Meaning
}

// sameMode reports whether two modes are equal, as far as the system keeps them.
func sameMode(a, b fs.FileMode) bool {
	if runtime.GOOS == "windows" {
		return a&0o200 == b&0o200
	}
	return a == b
}

// The states of a record.
const (
	intent   = "intent"   // the group is about to be applied
	commit   = "commit"   // all of it was applied
	abort    = "abort"    // nothing of it was, or it was taken back
	conflict = "conflict" // it was interrupted, and others changed its files since
	done     = "made"     // a group that somebody else applied, with its end
	base     = "base"     // the size of the journal when it was compacted
)

// record is a line of the journal. An intent has a whole group; its end follows in
// a record with the same ID. V, State and ID come first, so that they can be read
// without decoding the line.
type record struct {
	V     int    `json:"v"`
	State string `json:"state"`
	ID    string `json:"id"`

	Time      time.Time `json:"ts,omitzero"`
	Tool      string    `json:"tool,omitzero"`
	Session   string    `json:"session,omitzero"`
	Undoes    []string  `json:"undoes,omitempty"`
	Steps     []step    `json:"files,omitempty"`
	Observed  bool      `json:"observed,omitzero"` // somebody else made the changes, or it takes such ones back
	Run       string    `json:"run,omitzero"`      // see Author
	Command   lossless  `json:"command,omitzero"`
	Stopped   bool      `json:"stopped,omitzero"`
	Recovered bool      `json:"recovered,omitzero"` // another process recorded this end

	Entries int   `json:"entries,omitzero"` // base
	Bytes   int64 `json:"bytes,omitzero"`   // base
}

// step is one change that the file system makes completely or not at all.
type step struct {
	Op       Op       `json:"op"`
	Path     lossless `json:"path"`
	From     lossless `json:"from,omitzero"`     // move
	Pre      *State   `json:"pre,omitzero"`      // at Path before; of a move, at From
	Post     *State   `json:"post,omitzero"`     // at Path after
	Over     *State   `json:"over,omitzero"`     // what a move replaced at Path
	Optional bool     `json:"optional,omitzero"` // a directory above a file
	InPlace  bool     `json:"in_place,omitzero"` // a crash may leave it half done
	// Names are the other names of the file at Path, of which the step changes all at once.
	Names []lossless `json:"names,omitempty"`
	// Others counts its names beside these, which the step changes as well.
	Others   int    `json:"others,omitzero"`
	Snapshot string `json:"shelf,omitzero"` // move out and in: the other path; replace: what is installed
	Delta    string `json:"delta,omitzero"` // extend and replace: the blob with a delta
	Back     bool   `json:"back,omitzero"`  // it is applied backwards
	Kept     string `json:"kept,omitzero"`  // replace without a delta: the snapshot that is the old file
	Again    int64  `json:"again,omitzero"` // extend and replace, of an undo: the Time of the version that is restored
}

// spot is a path and what is there.
type spot struct {
	path  string
	state *State
}

// before returns the paths that the step changes, with their states before it.
func (s step) before() []spot {
	switch s.Op {
	case Move:
		return []spot{{string(s.From), s.Pre}, {string(s.Path), s.Over}}
	case MoveOut:
		return []spot{{string(s.Path), s.Pre}, {inSnapshots(s.Snapshot), nil}}
	case MoveIn:
		return []spot{{inSnapshots(s.Snapshot), s.Post}, {string(s.Path), nil}}
	}
	return s.each(s.Pre)
}

// after returns the paths that the step changes, with their states after it.
func (s step) after() []spot {
	switch s.Op {
	case Move:
		return []spot{{string(s.From), nil}, {string(s.Path), s.Post}}
	case MoveOut:
		return []spot{{string(s.Path), nil}, {inSnapshots(s.Snapshot), s.Pre}}
	case MoveIn:
		return []spot{{inSnapshots(s.Snapshot), nil}, {string(s.Path), s.Post}}
	}
	return s.each(s.Post)
}

// each returns all names that the step changes, in one state.
func (s step) each(st *State) []spot {
	all := []spot{{string(s.Path), st}}
	for _, name := range s.Names {
		all = append(all, spot{string(name), st})
	}
	return all
}

// lost returns the state whose bytes the step destroys, or nil.
func (s step) lost() *State {
	switch s.Op {
	case Modify, Delete:
		return s.Pre
	case Move:
		return s.Over
	}
	return nil
}

// undoable reports whether all bytes that the steps destroy are kept.
func undoable(steps []step) bool {
	for _, s := range steps {
		if lost := s.lost(); lost != nil && lost.Kind == File && !lost.Saved {
			return false
		}
	}
	return true
}

func (r record) encode() ([]byte, error) { return json.Marshal(r) }

// errNewer marks a record in the format of a later version.
var errNewer = errors.New("written by a later version")

// parse reads a record. It refuses paths that leave the workspace and steps that
// the journal cannot have made.
func parse(line []byte) (record, error) {
	var r record
	if err := json.Unmarshal(line, &r); err != nil {
		var head struct{ V int }
		if json.Unmarshal(line, &head) == nil && head.V > 1 {
			return record{}, errNewer
		}
		return record{}, err
	}
	if r.V > 1 {
		return record{}, errNewer
	}
	if err := r.check(); err != nil {
		return record{}, err
	}
	return r, nil
}

func (r record) check() error {
	if r.V != 1 {
		return fmt.Errorf("version %d", r.V)
	}
	switch r.State {
	case base:
		if r.Entries < 0 || r.Bytes < 0 {
			return errors.New("a negative size")
		}
		return nil
	case commit, abort, conflict, intent, done:
	default:
		return fmt.Errorf("state %q", r.State)
	}
	for _, id := range append([]string{r.ID}, r.Undoes...) {
		if !state.IsID(id) {
			return fmt.Errorf("id %q", id)
		}
	}
	for i, s := range r.Steps {
		if err := s.check(); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return nil
}

func (s step) check() error {
	if err := checkPath(string(s.Path)); err != nil {
		return err
	}
	if s.Op == Move {
		if err := checkPath(string(s.From)); err != nil {
			return err
		}
	} else if s.From != "" || s.Over != nil {
		return fmt.Errorf("%s from another path", s.Op)
	}
	for _, name := range s.Names {
		if err := checkPath(string(name)); err != nil {
			return err
		}
	}
	if len(s.Names) > 0 && (s.Op != Modify && s.Op != Chmod || !isKind(s.Pre, File)) || s.Others < 0 {
		return fmt.Errorf("%s of a file with more names", s.Op)
	}
	if (s.Op == MoveOut || s.Op == MoveIn || s.Op == Replace) != isSnapshot(s.Snapshot) || s.Snapshot != "" && !isSnapshot(s.Snapshot) {
		return fmt.Errorf("%s with the snapshot %q", s.Op, s.Snapshot)
	}
	if err := s.checkLarge(); err != nil {
		return err
	}
	for _, st := range []*State{s.Pre, s.Post, s.Over} {
		if err := st.check(); err != nil {
			return err
		}
	}
	kind := func(st *State, kinds ...Kind) bool {
		if st == nil {
			return len(kinds) == 0
		}
		return slices.Contains(kinds, st.Kind)
	}
	ok := false
	switch s.Op {
	case Create:
		ok = kind(s.Pre) && kind(s.Post, File, Link)
	case Modify, Extend, Replace:
		ok = kind(s.Pre, File) && kind(s.Post, File)
	case Delete:
		ok = kind(s.Pre, File, Link) && kind(s.Post)
	case Move:
		ok = kind(s.Pre, File, Link, Dir) && same(s.Pre, s.Post) && (s.Over == nil || kind(s.Over, File, Link))
	case Chmod:
		ok = kind(s.Pre, File, Dir) && same(s.Pre, s.Post)
	case Mkdir:
		ok = kind(s.Pre) && kind(s.Post, Dir)
	case Rmdir:
		ok = kind(s.Pre, Dir) && kind(s.Post)
	case MoveOut:
		ok = kind(s.Pre, File, Link, Dir) && kind(s.Post)
	case MoveIn:
		ok = kind(s.Pre) && kind(s.Post, File, Link, Dir)
	}
	if !ok {
		return fmt.Errorf("%q does not fit the states before and after", s.Op)
	}
	return nil
}

// checkLarge checks what only an Extend or a Replace has.
func (s step) checkLarge() error {
	byDelta := s.Op == Extend || s.Op == Replace && s.Kept == ""
	if byDelta != isHash(s.Delta) || !byDelta && (s.Delta != "" || s.Back) || s.Kept != "" && (s.Op != Replace || !isSnapshot(s.Kept)) {
		return fmt.Errorf("%s with the changes %q and the snapshot %q", s.Op, s.Delta, s.Kept)
	}
	return nil
}

func (st *State) check() error {
	if st == nil {
		return nil
	}
	switch {
	case st.Kind != File && st.Kind != Link && st.Kind != Dir:
		return fmt.Errorf("kind %q", st.Kind)
	case st.Mode&^fs.ModePerm != 0:
		return fmt.Errorf("mode %o", uint32(st.Mode))
	case st.SHA != "" && !isHash(st.SHA), st.Saved && st.SHA == "":
		return fmt.Errorf("hash %q", st.SHA)
	case st.Tree != "" && (!isHash(st.Tree) || st.Kind != Dir):
		return fmt.Errorf("tree %q", st.Tree)
	case st.Meaning != "" && (!isHash(st.Meaning) || st.Kind != File):
		return fmt.Errorf("meaning %q", st.Meaning)
	case st.Size < 0:
		return fmt.Errorf("size %d", st.Size)
	}
	return nil
}

func isHash(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return len(s) == 64
}

// lossless is a string that need not be UTF-8, such as a path on Unix. JSON would
// damage it, so it then becomes {"b64": "…"}.
type lossless string

func (l lossless) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(l)) {
		return json.Marshal(string(l))
	}
	return json.Marshal(struct {
		B64 []byte `json:"b64"`
	}{[]byte(l)})
}

func (l *lossless) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*l = lossless(text)
		return nil
	}
	var raw struct {
		B64 []byte `json:"b64"`
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	*l = lossless(raw.B64)
	return nil
}
