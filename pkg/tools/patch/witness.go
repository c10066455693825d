package patch

import (
	"cmp"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/edit"
	"github.com/helve-dev/helve/pkg/files/patch"
	"github.com/helve-dev/helve/pkg/files/shown"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
)

// A hunk means the place that the session was shown, as an old text of edit does: see
// package shown.

// known refuses a change of what has changed since the session was shown it.
func known(f patch.File, src, to *version, done made) error {
	if f.Action != patch.Add || f.From != "" {
		return src.served(f, done)
	}
	if !to.file.Exists || to.text != to.file.Text() || done.Text == to.text {
		return nil
	}
	k, err := to.file.Known()
	if err != nil {
		return err
	}
	return k.Lost()
}

// wrote returns what the session knows of the text after a part of the patch.
func (v *version) wrote(done patch.Result) []shown.Version {
	own := shown.Version{Text: shown.LF(done.Text)}
	for _, h := range done.Hunks {
		own.Lines = append(own.Lines, shown.Lines(h.New).Known())
	}
	if len(own.Lines) == 0 {
		return v.own
	}
	slices.SortFunc(own.Lines, func(a, b shown.Lines) int { return a.Start - b.Start })
	return append([]shown.Version{own}, v.own...)
}

// learn records the lines of a file that the details of an error show. Of a text that
// earlier parts of the patch made, the file has no lines.
func (d *draft) learn(v *version, f patch.File, err error) {
	at, failed := v.form(f)
	if failed != nil || d.trial || !v.file.Exists || v.text != v.file.Text() {
		return
	}
	var all []textfile.Excerpt
	switch details := fault.As(err).Details.(type) {
	case patch.Failures:
		for _, h := range details.Hunks {
			for _, c := range h.Told() {
				all = append(all, textfile.Excerpt{Line: c.Start, Text: c.Text})
			}
			for _, m := range edit.Told(h.Matches) {
				all = append(all, textfile.Excerpt{Line: m.TextStart, Text: m.Text})
			}
		}
	case Stale:
		all = append(all, textfile.Excerpt{Line: details.Current.TextStart, Text: details.Current.Text})
	}
	at.file.RecordFault(all)
}

// served refuses hunks that were placed elsewhere than what the session was shown of
// their lines, or where that has changed.
func (v *version) served(f patch.File, done made) error {
	if len(done.Hunks) == 0 || !v.file.Exists {
		return nil
	}
	known, err := done.file.Known()
	if err != nil {
		return err
	}
	versions := known.Shown()
	if len(versions) == 0 {
		return nil
	}
	now := shown.LF(done.text)
	record := shown.New(now, append(slices.Clone(v.own), inLF(versions)...), func() []shown.Version { return inLF(known.All()) })
	for _, h := range done.Hunks {
		if err := servedHunk(record, now, f, h); err != nil {
			return err
		}
	}
	return nil
}

// inLF returns versions with the line endings of a Version.
func inLF(versions []shown.Version) []shown.Version {
	for i := range versions {
		versions[i].Text = shown.LF(versions[i].Text)
	}
	return versions
}

func servedHunk(record *shown.Record, now string, f patch.File, h patch.Applied) error {
	old, core := oldLines(f.Hunks[h.Index])
	if len(old) == 0 {
		return nil
	}
	locations := named(record.Trace(func(text string) []shown.Span { return blocks(text, old, core) }), f.Hunks[h.Index], core)
	place := shown.Lines(h.Old).Known()
	there := func(f shown.Location) bool {
		at := f.NowLines
		if !f.Changed && !f.Reformatted {
			line := 1 + strings.Count(now[:f.Now.Start], "\n")
			at = shown.Lines{Start: line, End: line + strings.Count(strings.TrimSuffix(now[f.Now.Start:f.Now.End], "\n"), "\n")}
		}
		return at.Start <= place.End && place.Start <= at.End
	}
	gone := slices.IndexFunc(locations, func(f shown.Location) bool { return f.Changed && !there(f) })
	switch {
	case len(locations) == 0, gone < 0 && slices.ContainsFunc(locations, there):
		return nil
	case gone >= 0 && slices.ContainsFunc(locations, there):
		return wasAmbiguous(f.Path, h, locations)
	}
	return changedSince(f.Path, now, h, locations[max(gone, 0)])
}

// named returns the location that the line number of a hunk names in the version that was
// shown last, else all.
func named(locations []shown.Location, h patch.Hunk, core shown.Lines) []shown.Location {
	for i, f := range locations {
		if h.Numbered && f.Version == locations[0].Version && f.Was.Start == h.OldStart+core.Start-1 {
			return locations[i : i+1]
		}
	}
	return locations
}

// oldLines returns the lines that a hunk expects, and which of them, from 1, it
// changes; where it only adds lines, those on both sides.
func oldLines(h patch.Hunk) (old []string, core shown.Lines) {
	for _, l := range h.Lines {
		switch {
		case l.Op == patch.Insert:
			core.Start, core.End = cmp.Or(core.Start, max(1, len(old))), max(core.End, len(old)+1)
			continue
		case l.Op == patch.Remove:
			core.Start, core.End = cmp.Or(core.Start, len(old)+1), len(old)+1
		}
		old = append(old, strings.TrimSuffix(l.Text, "\r"))
	}
	core.Start, core.End = max(1, core.Start), min(max(1, core.End), len(old))
	return old, core
}

// blocks returns where a text has the core of a block of lines, by the first strategy
// that finds the block.
func blocks(text string, block []string, core shown.Lines) []shown.Span {
	lines := strings.Split(text, "\n")
	var spans []shown.Span
	for _, s := range []edit.Strategy{edit.Exact, edit.Rtrim, edit.Unicode, edit.Indent} {
		at, from := 0, 0
		for _, i := range edit.FindLines(lines, block, s) {
			for first := i + core.Start - 1; from < first; from++ {
				at += len(lines[from]) + 1
			}
			size := core.End - core.Start
			for _, l := range lines[from : from+core.End-core.Start+1] {
				size += len(l)
			}
			spans = append(spans, shown.Span{Start: at, End: at + size})
		}
		if len(spans) > 0 {
			break
		}
	}
	return spans
}

// Stale is the details of a hunk whose place has changed.
type Stale struct {
	Index   int        `json:"index"` // of the hunk, from 0
	Was     int        `json:"was"`   // the line where it was when it was shown
	Current edit.Match `json:"current"`
}

// Shown returns the lines as they are now.
func (s Stale) Shown() fault.Text { return edit.Failure{Current: &s.Current}.Shown() }

func changedSince(path, now string, h patch.Applied, f shown.Location) error {
	lines := f.NowLines
	if !f.Changed && !f.Reformatted {
		line := 1 + strings.Count(now[:f.Now.Start], "\n")
		lines = shown.Lines{Start: line, End: line + strings.Count(strings.TrimSuffix(now[f.Now.Start:f.Now.End], "\n"), "\n")}
	}
	at := lines.Known()
	details := Stale{Index: h.Index, Was: f.Was.Start, Current: edit.Match{Start: at.Start, End: at.End, TextStart: at.Start, Text: edit.NewExcerpts().Take(now[f.Now.Start:f.Now.End])}}
	return fault.New(fault.Stale, fault.T("%s: hunk %d changes lines that were at line %d when they were read and have changed since", path, h.Index+1, f.Was.Start)).
		WithHint(fault.T("details show the lines as they are now; make the hunk from them, or read the file again")).
		WithDetails(details)
}

func wasAmbiguous(path string, h patch.Applied, locations []shown.Location) error {
	lines := make([]int, len(locations))
	for i, f := range locations {
		lines[i] = f.Was.Start
	}
	return fault.New(fault.HunkAmbiguous, fault.T("%s: the lines of hunk %d were at %s when the file was read, and some of them have changed since", path, h.Index+1, edit.LinesText(lines))).
		WithHint(fault.T("add context lines to the hunk, or read the file again")).
		WithDetails(map[string]any{"index": h.Index, "lines": lines})
}
