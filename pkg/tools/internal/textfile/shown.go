package textfile

import (
	"bytes"

	"github.com/helve-dev/helve/pkg/document/notebook"
	"github.com/helve-dev/helve/pkg/document/open"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/kind"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
)

// cellsKey ends the name under which the session record keeps what was shown of a notebook
// as cells, whose lines are not those of the file. No path has a NUL.
const cellsKey = "\x00cells"

// kind returns what the file is.
func (f *File) kind() kind.Kind {
	return kind.Of(f.Raw[:min(len(f.Raw), text.HeadBytes)], f.Path, bytes.NewReader(f.Raw), f.Bytes)
}

// The documents that can be changed in place.
const (
	WorkbookMIME = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	WordMIME     = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
)

// MIME returns the media type of the file.
func (f *File) MIME() string { return f.kind().MIME }

// Changeable reports whether the file is a document that can be changed in place.
func (f *File) Changeable() bool {
	if !f.Exists {
		return false
	}
	k := f.kind()
	return k.Class == kind.Document && Changeable(k.MIME)
}

// Changeable reports whether documents of a type can be changed in place.
func Changeable(mime string) bool { return mime == WorkbookMIME || mime == WordMIME }

// Converted returns the fault of changing a file that read converts, and that cannot be
// changed in the form in which it is shown: what looks like its text in the file may be part
// of a command.
func (f *File) Converted() error {
	k := f.kind()
	if k.Class != kind.Document || !open.Reads(k.MIME) {
		return nil
	}
	return fault.New(fault.UnsupportedContent, fault.T("%s is a document (%s), which can be read, but not edited", f.Path, k.MIME)).
		WithHint(fault.T("change it by exec with a program for such documents, such as soffice or a library of Python; or write the text that read shows to a new file"))
}

// AsShown returns the file as read shows it: one whose text are the cells of a notebook;
// else f itself. The fault is that of [File.Converted], or of a notebook that is damaged.
func (f *File) AsShown() (*File, error) {
	if !f.Exists {
		return f, nil
	}
	if err := f.Converted(); err != nil {
		return nil, err
	}
	if f.Document == nil || f.kind().Class != kind.Notebook || len(f.Raw) > notebook.MaxBytes {
		return f, nil
	}
	cells, err := notebook.Open(string(f.Raw))
	if err != nil {
		return f, nil //nolint:nilerr // read shows it as JSON, too
	}
	if f.Document.Text != string(f.Raw) {
		return nil, fault.New(fault.UnsupportedContent, fault.T("%s is a notebook in %s, and notebooks are UTF-8", f.Path, f.Document.Encoding)).
			WithHint(fault.T("write it again in UTF-8: read it with encoding=%s, and pass that to write", f.Document.Encoding))
	}
	shown := *f
	shown.Cells = cells
	return &shown, nil
}

// rendered returns the text of a notebook as read and grep show it; ok is false for any
// other file.
func rendered(path string, raw []byte) (s string, ok bool) {
	f := File{Path: path, Raw: raw, Bytes: int64(len(raw))}
	if f.kind().Class != kind.Notebook || len(raw) > notebook.MaxBytes {
		return "", false
	}
	s, err := notebook.Render(raw, func(notebook.Image) string { return "[image]" })
	return s, err == nil
}

// RecordCells is [Record] of lines of the cells of a notebook, as they are shown.
func RecordCells(call *tool.Call, real, sum string, raw []byte, ranges []state.Range) {
	Record(call, real+cellsKey, sum, raw, ranges)
}

// key returns the name of the file in the session record.
func (f *File) key(real string) string {
	if f.Cells != nil {
		return real + cellsKey
	}
	return real
}

// textIn returns the text of other bytes of the file, in the form that f is in.
func (f *File) textIn(raw []byte) (s string, ok bool) {
	if f.Cells != nil {
		cells, err := notebook.Open(string(raw))
		if err != nil {
			return "", false
		}
		return cells.Text, true
	}
	d, err := text.Decode(raw, "")
	if err != nil {
		return "", false
	}
	return d.Text, true
}
