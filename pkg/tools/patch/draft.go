package patch

import (
	"io/fs"

	"github.com/helve-dev/helve/pkg/files/diff"
	"github.com/helve-dev/helve/pkg/files/edit"
	"github.com/helve-dev/helve/pkg/files/patch"
	"github.com/helve-dev/helve/pkg/files/shown"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
)

// draft is the workspace as the patch makes it, before anything is written: later
// parts of a patch build on earlier ones.
type draft struct {
	call  *tool.Call
	trial bool                // nothing is recorded
	files map[string]*version // by real path
	order []*version
}

// version is a file of the draft.
type version struct {
	file  *textfile.File // as it is on the disk
	there bool           // exists in the draft
	text  string
	raw   []byte
	mode  fs.FileMode     // 0 keeps it
	from  string          // the real path that it was moved from
	moved bool            // to another path, and so not deleted
	whole bool            // all of it is from the patch
	own   []shown.Version // what earlier parts of the patch made, the newest first
}

// load returns the file at path in the draft. If it goes, a link at the end of the
// path is not followed.
func (d *draft) load(path string, goes bool) (*version, error) {
	f, err := textfile.Load(d.call, path)
	if err == nil && goes {
		f, err = entry(d.call, f)
	}
	if err != nil {
		return nil, err
	}
	if v, ok := d.files[f.Real]; ok {
		return v, nil
	}
	v := &version{file: f, there: f.Exists, text: f.Text(), raw: f.Raw}
	d.files[f.Real] = v
	d.order = append(d.order, v)
	return v, nil
}

// entry returns the link at the end of a path as a file without text, or f if there
// is none.
func entry(call *tool.Call, f *textfile.File) (*textfile.File, error) {
	root, path, err := call.Confined(f.Path)
	if err != nil {
		return nil, err
	}
	real, err := root.Resolve(path, schema.RemovePath)
	if err != nil || real.String() == f.Real {
		return f, err
	}
	return &textfile.File{
		Path: f.Path, Real: real.String(), Exists: true,
		Problem: isLink(f.Path),
	}, nil
}

// apply makes the changes of one file in the draft.
func (d *draft) apply(f patch.File) (File, diff.Diff, error) {
	out := File{Path: f.Path, Action: f.Action, From: f.From, Hunks: []patch.Applied{}}
	to, err := d.load(f.Path, f.Action == patch.Delete)
	if err != nil {
		return out, diff.Diff{}, err
	}
	out.Path = clean(d.call, f.Path)
	src := to
	if f.From != "" {
		if src, err = d.load(f.From, f.Action == patch.Move); err != nil {
			return out, diff.Diff{}, err
		}
		out.From = clean(d.call, f.From)
	}
	if err := allowed(f, src, to); err != nil {
		return out, diff.Diff{}, err
	}
	var done made
	if src.file.Document != nil || !src.there {
		if done, err = src.patched(f); err == nil {
			err = known(f, src, to, done)
		}
		if err != nil {
			d.learn(src, f, err)
			return out, diff.Diff{}, err
		}
	} else if len(f.Hunks) > 0 || f.Action == patch.Modify {
		if err := src.file.Converted(); err != nil {
			return out, diff.Diff{}, err
		}
		return out, diff.Diff{}, src.file.Problem
	}
	if line, words := edit.Placeholder(done.text, done.Text); line > 0 {
		return out, diff.Diff{}, placeholder(out.Path, line, words)
	}
	shown := difference(f, out, to, done)
	out.LinesAdded, out.LinesRemoved, out.hunks = shown.Added, shown.Removed, shown.Hunks
	if done.Hunks != nil {
		out.Hunks = done.Hunks
	}
	if f.Action == patch.Delete {
		to.there, to.text = false, ""
		return out, shown, nil
	}
	raw, err := encoded(f, src, done.next)
	if err != nil {
		return out, diff.Diff{}, err
	}
	if f.Action == patch.Move {
		to.from, src.there, src.moved = src.file.Real, false, true
	}
	to.own = src.wrote(done.Result)
	to.there, to.text, to.raw = true, done.next, raw
	if src.file.Document == nil && src.there {
		to.text = ""
	}
	to.whole = f.Action == patch.Add && f.From == ""
	if f.Mode != nil {
		to.mode = *f.Mode
	}
	out.SHA = text.Sum(raw)
	return out, shown, nil
}

// encoded returns the bytes of the new text, in the encoding of the file that it was
// made from.
func encoded(f patch.File, src *version, next string) ([]byte, error) {
	switch {
	case src.file.Document == nil && src.there: // not text: it is moved, or its mode changed
		return src.raw, nil
	case src.file.Document == nil, f.Action == patch.Add && f.From == "":
		return []byte(next), nil
	}
	return src.file.Document.Encode(next)
}

// blank reports whether there is an empty file, which an empty SEARCH fills.
func (v *version) blank() bool {
	return v.there && v.file.Problem == nil && v.file.Exists && len(v.raw) == 0
}

// allowed checks that files exist, or do not, as the patch assumes.
func allowed(f patch.File, src, to *version) error {
	switch {
	case f.Action == patch.Add && to.there && f.Dialect != patch.Envelope && !(f.Dialect == patch.SearchReplace && to.blank()):
		return taken(to.file.Path)
	case f.Action == patch.Add && f.From == "":
	case !src.there:
		if src.file.Exists {
			return gone(src.file.Path)
		}
		return src.file.Problem
	}
	if f.Action == patch.Move && src != to && to.there && f.Dialect != patch.Envelope {
		return taken(to.file.Path)
	}
	return nil
}

func difference(f patch.File, out File, to *version, done made) diff.Diff {
	file := diff.Modified(out.Path)
	switch f.Action {
	case patch.Add:
		if !to.there {
			file = diff.Created(out.Path)
		}
	case patch.Delete:
		file = diff.Deleted(out.Path)
	case patch.Move:
		file = diff.Renamed(out.From, out.Path)
	}
	if f.Mode != nil {
		file.ToMode = *f.Mode
	}
	if f.Action == patch.Delete || f.Action == patch.Add {
		return diff.Unified(file, to.text, done.Text, diff.Limit{})
	}
	return diff.FromSplices(file, done.text, done.Splices, diff.Limit{})
}

// changes returns the changes that make the draft real: moves first, so that what is
// written to their old paths afterwards is not moved.
func (d *draft) changes() []journal.Change {
	var moves, rest []journal.Change
	for _, v := range d.order {
		switch {
		case v.there && v.from != "":
			moves = append(moves, journal.Change{Op: journal.Move, From: v.from, Path: v.file.Real, Overwrite: v.file.Exists})
			if old := d.files[v.from]; string(old.file.Raw) != string(v.raw) || v.mode != 0 {
				rest = append(rest, journal.Change{Op: journal.Write, Path: v.file.Real, Content: v.raw, Mode: v.mode})
			}
		case v.there && (!v.file.Exists || string(v.file.Raw) != string(v.raw) || v.mode != 0):
			c := v.file.Change(v.raw)
			c.Mode = v.mode
			rest = append(rest, c)
		case !v.there && v.file.Exists && !v.moved:
			rest = append(rest, journal.Change{Op: journal.Delete, Path: v.file.Real, Expect: v.file.SHA})
		}
	}
	return append(moves, rest...)
}

// record notes what the session knows of the files now: what it knew before, and what
// the patch wrote.
func (d *draft) record() {
	for _, v := range d.order {
		if !v.there || string(v.file.Raw) == string(v.raw) && v.from == "" {
			continue
		}
		from := v.file
		if v.from != "" {
			from = d.files[v.from].file
			textfile.RecordMove(d.call, from.Real, v.file.Real)
		}
		if !from.Exists || v.whole {
			textfile.Record(d.call, v.file.Real, text.Sum(v.raw), v.raw, nil)
			continue
		}
		from.RecordPatched(v.file.Real, v.raw)
	}
}

// clean returns a path of the patch as results show it.
func clean(call *tool.Call, path string) string {
	if root, err := call.Env.Root(); err == nil {
		if c, err := root.Clean(path); err == nil {
			return c.String()
		}
	}
	return path
}
