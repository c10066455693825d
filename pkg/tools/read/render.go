package read

import (
	"fmt"
	"strings"

	"github.com/helve-dev/helve/pkg/tools/internal/listing"
)

// render is a result as people and models read it: the content itself, and a
// last line in brackets where there is more to know.
func render(r Result) string {
	var b strings.Builder
	if r.Listing != nil {
		l := listing.Listing{Entries: r.Entries, Total: r.Total, TotalExact: true}
		b.WriteString(l.Text(r.Path, false))
	}
	if c := r.Content; c != nil {
		// a carriage return would move a terminal's cursor, and tells a model less
		// than eol does
		b.WriteString(strings.ReplaceAll(c.Content, "\r\n", "\n"))
		if notes := notesOf(&r); len(notes) > 0 {
			if s := b.String(); s != "" && !strings.HasSuffix(s, "\n") {
				b.WriteByte('\n')
			}
			fmt.Fprintf(&b, "[%s]\n", strings.Join(notes, "; "))
		}
	}
	for _, m := range r.Media {
		fmt.Fprintf(&b, "[image %s: %s, %d bytes", m.Path, m.MIME, m.Bytes)
		if m.Width > 0 {
			fmt.Fprintf(&b, ", %dx%d", m.Width, m.Height)
		}
		b.WriteString("]\n")
	}
	return b.String()
}

func notesOf(r *Result) []string {
	c := r.Content
	var notes []string
	switch {
	case c.TotalLines == 0:
		notes = append(notes, "the file is empty")
	case r.Truncated:
		notes = append(notes, fmt.Sprintf("lines %d-%d of %d", c.StartLine, c.EndLine, c.TotalLines))
	}
	for _, cut := range r.LinesCut {
		notes = append(notes, fmt.Sprintf("line %d is cut after %d of %d characters: range=%s", cut.Line, cut.Shown, cut.Chars, cut.Rest))
	}
	if r.NextOffset > 0 {
		notes = append(notes, fmt.Sprintf("go on with offset=%d", r.NextOffset))
	} else if r.NextRange != "" {
		notes = append(notes, "go on with range="+r.NextRange)
	}
	if c.EOL == "crlf" || c.EOL == "cr" || c.EOL == "mixed" {
		notes = append(notes, "line endings: "+c.EOL)
	}
	if c.Encoding != "utf-8" && c.Encoding != "" {
		notes = append(notes, "encoding: "+c.Encoding)
	}
	return notes
}
