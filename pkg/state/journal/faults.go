package journal

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

// Conflict is the details of an undo_conflict: what a file must be for the undo to
// be safe, and what it is. Hashes are cut to 16 digits. null means that nothing is
// there; "link", "dir" and "large" replace a hash that does not exist.
type Conflict struct {
	ID       string   `json:"id,omitzero"`
	Path     string   `json:"path"`
	Expected *string  `json:"expected"`
	Found    *string  `json:"found"`
	Newer    []string `json:"newer,omitempty"` // later changes of the path that are not undone
}

// digest returns a state as a conflict shows it.
func digest(st *State) *string {
	if st == nil {
		return nil
	}
	s := string(st.Kind)
	if st.Kind == File {
		s = "large"
		if st.SHA != "" {
			s = st.SHA[:16]
		}
	}
	return &s
}

// changed is the error of an undo that would overwrite somebody's change.
func changed(path string, want, found *State) error {
	what := fault.T("%s has changed since", path)
	switch {
	case found == nil:
		what = fault.T("%s no longer exists", path)
	case want == nil:
		what = fault.T("%s exists again", path)
	case same(want, found):
		what = fault.T("the mode of %s has changed since", path)
	}
	return fault.New(fault.UndoConflict, what).
		WithHint(fault.T("undo the newer change first, or pass force to restore it anyway")).
		WithDetails(Conflict{Path: path, Expected: digest(want), Found: digest(found)})
}

func (w want) taken(found *State) error {
	if w.exact {
		return changed(w.Path, nil, found)
	}
	return fault.New(fault.AlreadyExists, fault.T("already exists: %s", w.Path))
}

func (w want) missing(path string) error {
	if w.exact {
		return changed(path, w.state, nil)
	}
	return fault.New(fault.NotFound, fault.T("file not found: %s", path))
}

func stale(path string) error {
	return fault.New(fault.Stale, fault.T("%s was changed by another program", path)).
		WithHint(fault.T("read it again and change what it holds now")).
		WithDetails(map[string]string{"path": path})
}

// lostBytes is the error of bytes that should be restored and are not kept.
func lostBytes(path string, err error) error {
	if !fault.Is(err, fault.NotFound) {
		return err
	}
	return fault.New(fault.NoHistory, fault.T("the earlier bytes of %s are no longer kept", path)).
		WithHint(fault.T("nothing was changed; up to %d versions of a file are kept", keptVersions)).
		Because(err)
}

// neverKept is the error of undoing a change of a file too large to be kept.
func neverKept(path string, bytes int64) error {
	return fault.New(fault.NoHistory, fault.T("the earlier bytes of %s were not kept: it had %d bytes, and the limit is %d", path, bytes, keptFile))
}

// cannotKeep is the error of a file in a group that is too large to be restored.
func cannotKeep(path string, bytes int64) error {
	return fault.New(fault.TooLarge,
		fault.T("%s has %d bytes; more than %d cannot be kept, and without them a crash could leave this change half done", path, bytes, state.MaxBlob)).
		WithHint(fault.T("change it in a call of its own"))
}

// overlap is the error of a group that moves a directory and changes path in it.
func overlap(move step, path string) error {
	return fault.New(fault.Overlap, fault.T("one group moves %s and changes %s in it", cmp.Or(move.From, move.Path), path)).
		WithHint(fault.T("use two calls"))
}

// halfway is the error of a group that could be neither finished nor taken back.
func halfway(err, undoing error) error {
	return fault.New(fault.Conflict, fault.T("%v; and the changes before it could not be taken back: %v", fault.As(err).Message, fault.As(undoing).Message)).
		WithHint(fault.T("the next call that changes a file tries again; the earlier bytes are kept")).
		Because(errors.Join(err, undoing))
}

func isDirectory(path string) *fault.Error {
	return fault.New(fault.IsDirectory, fault.T("%s is a directory", path))
}

func isLink(path string) *fault.Error {
	return fault.New(fault.NotAFile, fault.T("%s is a symbolic link", path))
}

func notAnEntry(path string) error {
	return fault.New(fault.NotAFile, fault.T("%s is not a file, a directory or a link", path))
}

func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
