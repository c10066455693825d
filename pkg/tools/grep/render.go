package grep

import (
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/search"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/tools/internal/scope"
)

// render shows lines below the path of their file, as grep does: "12:" before a
// match, "13-" before a line around it, and "--" where lines are left out.
func render(r Result, v screen.View) string {
	var b strings.Builder
	for i := range r.Files {
		f := &r.Files[i]
		path := v.Text(screen.Path, screen.Name(f.Path))
		switch r.mode {
		case search.Files:
			b.WriteString(path + "\n")
		case search.Count:
			b.WriteString(path + ":" + strconv.Itoa(f.Count) + "\n")
		default:
			if i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(path + "\n")
			lines(&b, f.Lines, v.Paint)
			if f.More {
				b.WriteString(v.Text(screen.Faint, "["+v.Say(fault.T("more lines of this file match"))+"]") + "\n")
			}
		}
	}
	note := func(t fault.Text) {
		if !t.IsZero() {
			b.WriteString(v.Text(screen.Faint, "["+v.Say(t)+"]") + "\n")
		}
	}
	note(noteOf(&r))
	if r.TotalFiles > 0 { // a search without a match warns of all that it skipped
		note(scope.Skipped(&search.Skipped{Binary: r.Skipped.Binary}))
	}
	return b.String()
}

// lines shows lines, and above the first match in a definition its name in brackets.
func lines(b *strings.Builder, lines []search.Line, paint screen.Paint) {
	in := ""
	for i := range lines {
		l := &lines[i]
		if i > 0 && l.Line > lines[i-1].Line+1 && !(l.Match && lines[i-1].Match) {
			b.WriteString("--\n")
		}
		if l.In != "" && l.In != in {
			b.WriteString(paint.Text(screen.Faint, "["+screen.Line(l.In)+"]") + "\n")
		}
		mark := "-"
		if l.Match {
			in = l.In
			mark = ":"
		}
		b.WriteString(paint.Text(screen.Number, strconv.Itoa(l.Line)) + mark)
		at := 0
		for _, m := range l.Submatches {
			if m[0] < at || m[1] > len(l.Text) || !paint {
				continue
			}
			b.WriteString(screen.Line(l.Text[at:m[0]]) + paint.Text(screen.Match, screen.Line(l.Text[m[0]:m[1]])))
			at = m[1]
		}
		b.WriteString(screen.Line(l.Text[at:]) + "\n")
	}
}

// noteOf says which part of all results is shown. That there are none is said by a warning
// that knows why, unless the search ran out of time.
func noteOf(r *Result) fault.Text {
	switch {
	case r.TotalFiles == 0 && r.Truncated:
		return fault.T("no matches")
	case r.shown == 0 || !r.Truncated:
		return fault.Text{}
	}
	what, total := fault.T("files"), r.TotalFiles
	if r.mode == search.Content && r.TotalMatches != nil {
		what, total = fault.T("matching lines"), *r.TotalMatches
	}
	var note []fault.Text
	switch first, last := r.from+1, r.from+r.shown; {
	case !r.TotalExact:
		note = append(note, fault.T("%s %d-%d, there are more (total=true counts them)", what, first, last))
	case r.mode == search.Content:
		note = append(note, fault.T("%s %d-%d of %d in %d files", what, first, last, total, r.TotalFiles))
	default:
		note = append(note, fault.T("%s %d-%d of %d", what, first, last, total))
	}
	note = append(note, fault.T("continue with offset=%d, or narrow the search with path, glob or type", r.NextOffset))
	if r.mode == search.Content {
		note = append(note, fault.T("mode=files lists only the files"))
	}
	return fault.Join(note, "; ")
}
