package grep

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/search"
	"github.com/helve-dev/helve/pkg/tool/screen"
)

// render shows lines below the path of their file, as grep does: "12:" before a
// match, "13-" before a line round it, and "--" where lines are left out.
func render(r Result, paint screen.Paint) string {
	var b strings.Builder
	for i := range r.Files {
		f := &r.Files[i]
		path := paint.Text(screen.Path, screen.Name(f.Path))
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
			lines(&b, f.Lines, paint)
		}
	}
	if note := noteOf(&r); note != "" {
		b.WriteString(paint.Text(screen.Faint, "["+note+"]") + "\n")
	}
	return b.String()
}

func lines(b *strings.Builder, lines []search.Line, paint screen.Paint) {
	for i := range lines {
		l := &lines[i]
		if i > 0 && l.Line > lines[i-1].Line+1 && !(l.Match && lines[i-1].Match) {
			b.WriteString("--\n")
		}
		mark := "-"
		if l.Match {
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

// noteOf says how much there is of which this is a part.
func noteOf(r *Result) string {
	switch {
	case r.TotalFiles == 0:
		return "no matches"
	case r.shown == 0:
		return "no more matches"
	case !r.Truncated:
		return ""
	}
	what, total := "files", r.TotalFiles
	if r.mode == search.Content && r.TotalMatches != nil {
		what, total = "matching lines", *r.TotalMatches
	}
	note := fmt.Sprintf("%s %d-%d", what, r.from+1, r.from+r.shown)
	if r.TotalExact {
		note += fmt.Sprintf(" of %d", total)
		if r.mode == search.Content {
			note += fmt.Sprintf(" in %d files", r.TotalFiles)
		}
	} else {
		note += ", there are more"
	}
	note += "; go on with offset=" + strconv.Itoa(r.NextOffset) + ", or narrow it with path, glob or type"
	if r.mode == search.Content {
		note += ", or see the files alone with mode=files"
	}
	return note
}
