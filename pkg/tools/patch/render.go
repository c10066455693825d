package patch

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/edit"
	"github.com/helve-dev/helve/pkg/files/patch"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
)

// render says what the caller does not know: where its hunks are now, and what became of
// those that were not taken as they are.
func render(r Result, v screen.View) string {
	var b strings.Builder
	for _, f := range r.Files {
		b.WriteString(line(f, v) + "\n")
		if !r.DryRun {
			b.WriteString(textfile.Hunks(v, f.hunks, unknown(f)))
		}
	}
	if r.DryRun {
		b.WriteString(v.Say(fault.T("nothing was changed: this was a dry run")) + "\n" + r.Diff)
	}
	b.WriteString(tool.Feedback{Formatted: r.Formatted, Diagnostics: r.Diagnostics, Pending: r.Pending}.Text(v))
	return b.String()
}

// line says what became of a file.
func line(f File, v screen.View) string {
	s := string(f.Action) + " " + f.Path
	if f.From != "" {
		s += v.Say(fault.T(" from %s", f.From))
	}
	at := make([]edit.LineRange, len(f.Hunks))
	for i, h := range f.Hunks {
		at[i] = h.New
	}
	switch {
	case len(at) > 0:
		s += v.Say(fault.T(": %s", textfile.Places(at, len(at)))) + textfile.Grown(v, f.LinesAdded, f.LinesRemoved)
	case f.LinesAdded+f.LinesRemoved > 0:
		s += v.Say(fault.T(": +%d -%d lines", f.LinesAdded, f.LinesRemoved))
	}
	return s
}

// unknown returns the lines of which the caller does not know what was there, or what is
// there now.
func unknown(f File) (at []edit.LineRange) {
	if f.Action == patch.Add && f.LinesRemoved > 0 { // it replaced a file
		at = append(at, edit.LineRange{Start: 1, End: f.LinesAdded})
	}
	for _, h := range f.Hunks {
		if h.Strategy != edit.Exact || h.Fuzz > 0 {
			at = append(at, h.New)
		}
	}
	return at
}
