// Package textfile loads and changes text files of the workspace, for the tools
// that change files: their bytes, their text, and what the session knows of them.
// It does not decide what the change is.
package textfile

import (
	"bytes"
	"context"
	"crypto/sha256"
	"io"
	"strings"

	"github.com/helve-dev/helve/pkg/document/notebook"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
)

// File is a file as it was when it was loaded.
type File struct {
	Path     string // relative to the root, as the call named it
	Real     string // the file it leads to
	Exists   bool
	Raw      []byte
	Bytes    int64           // how many the file has; of the sample of a large one, more than Raw
	SHA      string          // see [text.Sum]; "" if the file does not exist
	Document *text.Document  // nil if the bytes are not text
	Problem  error           // why they are not
	Cells    *notebook.Cells // the text is what read shows of a notebook; see [File.AsShown]

	call *tool.Call
}

// Load reads the file at path, which need not exist. The faults are those of
// opening it, is_directory and too_large. Bytes that are not text are no fault.
func Load(call *tool.Call, path string) (*File, error) {
	root, at, err := call.Confined(path)
	if err != nil {
		return nil, err
	}
	real, err := root.Resolve(at, schema.WritePath)
	if err != nil {
		return nil, err
	}
	f := &File{Path: path, Real: real.String(), call: call}
	in, err := root.Open(at)
	if fault.Is(err, fault.NotFound) {
		f.Problem = err
		return f, nil
	}
	if err != nil {
		return nil, err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return nil, fault.System(err, path)
	}
	if info.IsDir() {
		return nil, fault.New(fault.IsDirectory, fault.T("%s is a directory", path)).
			WithHint(fault.T("name a file in it"))
	}
	raw, err := readAll(in, info.Size())
	if err != nil {
		return nil, fault.System(err, path)
	}
	if len(raw) > state.MaxBlob {
		return nil, fault.New(fault.TooLarge, fault.T("%s has %d bytes; the limit for this change is %d", path, info.Size(), state.MaxBlob)).
			WithHint(fault.T("change it with edit, whose old_text must then match exactly, or with write"))
	}
	f.Exists, f.Raw, f.Bytes, f.SHA = true, raw, int64(len(raw)), text.Sum(raw)
	f.Document, f.Problem = text.Decode(raw, "")
	return f, nil
}

// readAll reads a file of about the given size without reallocating, and at most one
// byte more than is allowed.
func readAll(in io.Reader, size int64) ([]byte, error) {
	b := bytes.NewBuffer(make([]byte, 0, min(size, state.MaxBlob)+bytes.MinRead))
	_, err := b.ReadFrom(io.LimitReader(in, state.MaxBlob+1))
	return b.Bytes(), err
}

// Text returns the text of the file, or of its cells; "" if it does not exist or is not text.
func (f *File) Text() string {
	if f.Cells != nil {
		return f.Cells.Text
	}
	if f.Document == nil {
		return ""
	}
	return f.Document.Text
}

// Forget drops the bytes and the text, so that a large file is not in memory while
// the new one is written.
func (f *File) Forget() { f.Raw, f.Document, f.Cells = nil, nil, nil }

// Expect fails if the sha of the file is not the given one; "" expects nothing.
func (f *File) Expect(sha string) error { return expect(f.Path, f.SHA, sha) }

// Expect is [File.Expect].
func (l *Large) Expect(sha string) error { return expect(l.Path, l.SHA, sha) }

func expect(path, found, sha string) error {
	given := strings.TrimPrefix(strings.ToLower(sha), "sha256:")
	if len(given) == sha256.Size*2 {
		given = given[:16] // the complete sum, of which results show the beginning
	}
	if sha == "" || given == found {
		return nil
	}
	details := map[string]any{"expected": sha, "found": found}
	if found == "" {
		details["found"] = nil
	}
	return fault.New(fault.Stale, fault.T("%s has changed: its sha is not expect_sha", path)).
		WithHint(fault.T("read it again, then pass its current sha")).
		WithDetails(details)
}

// Change returns the change that makes raw the bytes of the file, provided that the
// file is still as it was loaded.
func (f *File) Change(raw []byte) journal.Change {
	expect := journal.Absent
	if f.Exists {
		expect = f.SHA
	}
	return journal.Change{Op: journal.Write, Path: f.Real, Content: raw, Expect: expect}
}

// Replace makes raw the bytes of the file, has it checked, and returns the id that undoes it.
// The guard holds the lock of the file.
func (f *File) Replace(ctx context.Context, by string, raw []byte) (undoID string, said tool.Feedback, err error) {
	return Commit(ctx, f.call, by, f.Change(raw))
}

// Apply makes changes in the transaction of the call and passes on its warnings.
// The id undoes them all. It is empty if nothing was changed or if they cannot be
// undone.
func Apply(ctx context.Context, call *tool.Call, by string, changes ...journal.Change) (undoID string, err error) {
	_, undoID, err = apply(ctx, call, by, changes)
	return undoID, err
}

func apply(ctx context.Context, call *tool.Call, by string, changes []journal.Change) (done journal.Applied, undoID string, err error) {
	if done, err = call.Tx.Apply(ctx, by, call.Env.Session, changes...); err != nil {
		return done, "", err
	}
	for _, w := range done.Warnings {
		call.Warn(w)
	}
	if done.ID != "" && !done.Undoable {
		call.Warn(fault.T("the bytes that were overwritten or deleted are not saved: this cannot be undone"))
		return done, "", nil
	}
	return done, done.ID, nil
}

// Done renders what a tool did, with the id that undoes it.
func Done(v screen.View, what fault.Text, undoID string) string {
	if undoID != "" {
		what = fault.T("%s; undo id %s", what, undoID)
	}
	return v.Say(what) + "\n"
}
