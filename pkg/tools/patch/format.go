package patch

import (
	"context"

	"github.com/helve-dev/helve/pkg/files/diff"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
)

// format has the person's formatter go over the files of the draft, and reports whether that
// changed one. The results and the diffs are then those of the formatted files; of a file in
// several parts of the patch, the last part has all of its diff.
func (d *draft) format(ctx context.Context, files []File, diffs []diff.Diff) (formatted bool) {
	for _, v := range d.order {
		was := v.text
		if !v.file.Exists && v.from == "" {
			was = string(v.raw) // of a new file the draft has the bytes alone
		}
		if !v.there || string(v.raw) == string(v.file.Raw) || was == "" {
			continue
		}
		f, ok := textfile.Format(ctx, d.call, v.file.Real, v.raw, was)
		if !ok {
			continue
		}
		v.raw, v.text, formatted = f.Raw, f.Text, true
		last := true
		for i := len(files) - 1; i >= 0; i-- {
			file := &files[i]
			if file.Path != clean(d.call, v.file.Path) {
				continue
			}
			for h := range file.Hunks {
				file.Hunks[h].New = f.Lines(file.Hunks[h].New)
			}
			diffs[i] = diff.Diff{}
			if last {
				diffs[i] = d.whole(v, file)
			}
			file.LinesAdded, file.LinesRemoved, file.hunks = diffs[i].Added, diffs[i].Removed, diffs[i].Hunks
			file.SHA, last = text.Sum(v.raw), false
		}
	}
	return formatted
}

// whole returns the diff of a file from the disk to the draft.
func (d *draft) whole(v *version, f *File) diff.Diff {
	name, before := diff.Created(f.Path), ""
	switch {
	case v.from != "":
		name, before = diff.Renamed(f.From, f.Path), d.files[v.from].file.Text()
	case v.file.Exists:
		name, before = diff.Modified(f.Path), v.file.Text()
	}
	return diff.Unified(name, before, v.text, diff.Limit{})
}
