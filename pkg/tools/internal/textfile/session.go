package textfile

import (
	"errors"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/shown"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
)

// maxSnapshot is the largest file, in bytes, of which the session record keeps what
// was shown, to tell later which lines have changed since.
const maxSnapshot = 1 << 20

// Record writes into the session record that the session was shown the file real,
// whose bytes are raw: the given ranges of its lines, or all if there are none.
// With raw nil it keeps only the sum. A failure is a warning: the call itself has
// done its work.
func Record(call *tool.Call, real, sum string, raw []byte, ranges []state.Range) {
	warn(call, record(call, real, raw, state.Entry{SHA: sum, Ranges: ranges}))
}

// Record records that the session knows all of the file, whose bytes are now raw.
func (f *File) Record(sum string, raw []byte) { Record(f.call, f.Real, sum, raw, nil) }

// Excerpt is a part of a file that the details of an error show: the text of some whole
// lines and the number, from 1, of the first.
type Excerpt struct {
	Line int
	Text string
}

// RecordFault records the lines that an error showed. That is not reading the file.
func (f *File) RecordFault(all []Excerpt) {
	var ranges []state.Range
	for _, e := range all {
		if e.Text != "" {
			n := strings.Count(strings.TrimSuffix(e.Text, "\n"), "\n")
			ranges = append(ranges, state.Range{Start: e.Line, End: e.Line + n})
		}
	}
	if len(ranges) > 0 {
		warn(f.call, record(f.call, f.key(f.Real), f.Raw, state.Entry{SHA: f.SHA, Ranges: state.Joined(ranges), By: state.Error}))
	}
}

func warn(call *tool.Call, err error) {
	if err != nil {
		call.Warn(fault.T("the session record could not be written: %s", fault.As(err).Message))
	}
}

func record(call *tool.Call, real string, raw []byte, entry state.Entry) error {
	dir, s, err := session(call)
	if err != nil {
		return err
	}
	entry.At = call.Env.Now().UTC()
	if raw != nil && len(raw) <= maxSnapshot {
		if entry.Blob, err = dir.PutBlob(raw, false); err != nil {
			return err
		}
	}
	return s.Record(real, entry)
}

// Knowledge describes the session's knowledge of a file.
type Knowledge struct {
	Known   bool // it has read it
	Current bool // what it read last are the very bytes that the file has

	file    *File
	entries []state.Entry // the newest first
	past    []state.Entry // those of which newer ones tell all
}

// Known returns what the session was shown of the file.
func (f *File) Known() (Knowledge, error) {
	entries, err := shownOf(f.call, f.key(f.Real))
	if err != nil {
		return Knowledge{}, err
	}
	k := Knowledge{file: f}
	for _, e := range entries {
		if e.Past {
			k.past = append(k.past, e)
		} else {
			k.entries = append(k.entries, e)
		}
	}
	entries = k.entries
	if i := slices.IndexFunc(entries, func(e state.Entry) bool { return e.By == "" }); i >= 0 {
		k.Known, k.Current = true, entries[i].SHA == f.SHA
	}
	return k, nil
}

func shownOf(call *tool.Call, real string) ([]state.Entry, error) {
	_, s, err := session(call)
	if err != nil {
		return nil, err
	}
	return s.Shown(real)
}

// Shown returns the versions of the file that the session was shown, the newest
// first. There are none if the file has not changed, or if no older version is kept.
func (k Knowledge) Shown() []shown.Version {
	if !slices.ContainsFunc(k.entries, func(e state.Entry) bool { return e.SHA != k.file.SHA }) {
		return nil
	}
	return k.versions(k.entries)
}

// All returns all versions that are kept: first those of which newer ones do not tell all.
func (k Knowledge) All() []shown.Version { return k.versions(k.all()) }

func (k Knowledge) all() []state.Entry { return slices.Concat(k.entries, k.past) }

func (k Knowledge) versions(entries []state.Entry) []shown.Version {
	var all []shown.Version
	for _, e := range entries {
		if v, ok := k.version(e); ok {
			all = append(all, v)
		}
	}
	return all
}

// version returns a version of the file, if its bytes are kept and are text.
func (k Knowledge) version(e state.Entry) (v shown.Version, ok bool) {
	v = shown.Version{Aside: e.By == state.Error}
	for _, r := range e.Ranges {
		v.Lines = append(v.Lines, shown.Lines(r))
	}
	if e.SHA == k.file.SHA {
		v.Text = k.file.Text()
		return v, true
	}
	dir, err := k.file.call.Env.State()
	if err != nil || e.Blob == "" {
		return v, false
	}
	raw, err := dir.Blob(e.Blob)
	if err != nil {
		return v, false // it was removed, and there is nothing to compare with
	}
	v.Text, ok = k.file.textIn(raw)
	return v, ok
}

// Before returns the bytes of the version that the session has read last; nil if they are
// not kept.
func (k Knowledge) Before() []byte {
	dir, err := k.file.call.Env.State()
	if err != nil {
		return nil
	}
	for _, e := range k.entries {
		if e.By != "" {
			continue
		}
		raw, err := dir.Blob(e.Blob)
		if e.Blob == "" || err != nil {
			return nil
		}
		return raw
	}
	return nil
}

// RecordMove records that the session knows under a new path, of a file or of a directory
// with files in it, what it knew under an old one.
func RecordMove(call *tool.Call, from, to string) {
	_, s, err := session(call)
	if err != nil {
		warn(call, err)
		return
	}
	paths, err := s.Paths()
	for _, path := range paths {
		rest, ok := strings.CutPrefix(path, from)
		if !ok || rest != "" && rest != cellsKey && rest[0] != '/' {
			continue
		}
		entries, shownErr := s.Shown(path)
		err = errors.Join(err, shownErr)
		for _, e := range slices.Backward(entries) {
			err = errors.Join(err, s.Record(to+rest, e))
		}
	}
	warn(call, err)
}

// Elsewhere returns the path of another file of which the session was shown a text, or "".
// It is for the hint of an error, so that what cannot be read is passed over.
func (f *File) Elsewhere(old string) string {
	const most = 16 << 20 // bytes
	_, s, err := session(f.call)
	if err != nil {
		return ""
	}
	paths, err := s.Paths()
	if err != nil {
		return ""
	}
	read := 0
	slices.Sort(paths)
	for _, path := range paths {
		if path == f.Real || f.call.Hidden != nil && f.call.Hidden(path) || read > most {
			continue
		}
		other, err := Load(f.call, path)
		if err != nil || !other.Exists {
			continue
		}
		read += len(other.Raw)
		if strings.Contains(shown.LF(other.Text()), shown.LF(old)) {
			return path
		}
	}
	return ""
}

// Change is a change of a file by this session.
type Change struct {
	known   Knowledge
	carried [][]state.Range // for every entry of the version before; nil if all of it is known
	empty   bool            // there was no text, so that all of it is the session's own
}

// Changing prepares the record of a change to the text next. It is called before the
// change, while the text of the file is at hand.
func (k Knowledge) Changing(next string) Change {
	empty := !k.file.Exists || k.file.Document != nil && k.file.Text() == ""
	all := k.all()
	c := Change{k, make([][]state.Range, len(all)), empty}
	for i, e := range all {
		if e.SHA == k.file.SHA && len(e.Ranges) > 0 {
			v, _ := k.version(e)
			c.carried[i] = rangesOf(shown.Carry(shown.LF(v.Text), shown.LF(next), v.Lines))
		}
	}
	return c
}

// Record records the file at the path real as it is after the change: what the
// session knew and was not changed, and own, the lines that it wrote or that the
// result shows.
func (c Change) Record(real, sum string, raw []byte, own []shown.Lines) {
	k, call := c.known, c.known.file.call
	recorded := false
	for i, e := range k.all() {
		if e.SHA != k.file.SHA || e.By == state.Error {
			continue
		}
		next := state.Entry{SHA: sum, By: e.By, Follows: e.SHA}
		if len(e.Ranges) > 0 {
			next.Ranges = slices.Concat(c.carried[i], rangesOf(own))
			if len(next.Ranges) == 0 {
				continue
			}
			next.Ranges = state.Joined(next.Ranges)
		}
		warn(call, record(call, k.file.key(real), raw, next))
		recorded = true
	}
	if !recorded && len(own) > 0 {
		by := state.Seen // changing a file is not reading it
		if k.Known || c.empty {
			by = ""
		}
		warn(call, record(call, k.file.key(real), raw, state.Entry{SHA: sum, By: by, Ranges: state.Joined(rangesOf(own))}))
	}
}

// RecordRestored records that the session took back or repeated a change of the file
// at the path real: what it knew of the bytes before, which are nil if there was no
// file, it knows of those after; of what changed it knows if it was shown.
func RecordRestored(call *tool.Call, real string, before, after []byte, shows bool) {
	f := &File{Path: real, Real: real, Exists: before != nil, call: call}
	if f.Exists {
		f.SHA, f.Raw, f.Bytes = text.Sum(before), before, int64(len(before))
		f.Document, _ = text.Decode(before, "") // nil if it is not text, which has no lines
	}
	f.recordNext(real, after, shows)
}

// RecordPatched records that the session made other bytes of the file, at the path real.
func (f *File) RecordPatched(real string, after []byte) { f.recordNext(real, after, true) }

// recordNext records what the session knows of bytes that it has put in the place of those
// of the file, in each form in which it may have read them.
func (f *File) recordNext(real string, after []byte, shows bool) {
	forms := []*File{f}
	if as, err := f.AsShown(); err == nil && as.Cells != nil {
		forms = append(forms, as)
	}
	for _, f := range forms {
		known, err := f.Known()
		if err != nil {
			warn(f.call, err)
			return
		}
		next, _ := f.textIn(after)
		next = shown.LF(next)
		var own []shown.Lines
		if shows && f.Exists {
			for _, l := range shown.Against(next, []shown.Version{{Text: shown.LF(f.Text())}}).Unseen() {
				own = append(own, l.Known())
			}
		}
		known.Changing(next).Record(real, text.Sum(after), after, own)
	}
}

func rangesOf(lines []shown.Lines) []state.Range {
	ranges := make([]state.Range, len(lines))
	for i, l := range lines {
		ranges[i] = state.Range(l)
	}
	return ranges
}

// session returns the record of what the session was shown, and the directory
// that it is in.
func session(call *tool.Call) (*state.Dir, *state.Session, error) {
	dir, err := call.Env.State()
	if err != nil {
		return nil, nil, err
	}
	s, err := dir.Session(call.Env.Session)
	return dir, s, err
}
