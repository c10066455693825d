package read

import (
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/tools/internal/listing"
)

// render shows the content itself, and in a last line in brackets what there is to
// know beside it.
func render(r Result, v screen.View) string {
	var b strings.Builder
	for i := range r.Files {
		b.WriteString(section(&r.Files[i], v))
	}
	if n := len(r.NextPaths); n > 0 {
		left := fault.T("files not read: %d; continue with paths=%s", max(n, r.NextTotal), list(r.NextPaths))
		b.WriteString("[" + v.Say(left) + "]\n")
	}
	if r.Listing != nil {
		l := listing.Listing{Entries: r.Entries, Total: r.Total, TotalExact: true}
		b.WriteString(l.Text(r.Path, screen.View{Lang: v.Lang}))
	}
	switch {
	case r.Outline != nil:
		return outlineText(&r, v)
	case r.Content == nil && r.Document != nil:
		return r.contentsText(v)
	}
	if c := r.Content; c != nil {
		// a carriage return would move a terminal's cursor, and says less to a model
		// than eol does
		b.WriteString(strings.ReplaceAll(c.Content, "\r\n", "\n"))
		if notes := notesOf(&r); !notes.IsZero() {
			if s := b.String(); s != "" && !strings.HasSuffix(s, "\n") {
				b.WriteByte('\n')
			}
			b.WriteString("[" + v.Say(notes) + "]\n")
		}
	}
	for _, m := range r.Media {
		b.WriteString(v.ImageLine(m.Path, m.MIME, m.Bytes, m.Width, m.Height) + "\n")
	}
	return b.String()
}

// section renders one of several files below a line with its path, as head and tail do.
func section(f *File, v screen.View) string {
	head := v.Text(screen.Path, "==> "+screen.Name(f.Path)+" <==") + "\n"
	if e := f.Error; e != nil {
		head += v.Say(fault.T("error: %s (%s)\n", e.Message, string(e.Code)))
		if e.Hint != "" {
			head += v.Say(fault.T("hint: %s\n", e.Hint))
		}
		return head
	}
	text := render(*f.Result, v)
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return head + text
}

// list returns paths as the JSON of an argument.
func list(paths []string) string {
	const most = 10 // the result has them all
	more := ""
	if len(paths) > most {
		paths, more = paths[:most], ", …"
	}
	quoted := make([]string, len(paths))
	for i, p := range paths {
		quoted[i] = strconv.Quote(p)
	}
	return "[" + strings.Join(quoted, ",") + more + "]"
}

func notesOf(r *Result) fault.Text {
	c := r.Content
	var notes []fault.Text
	if d := r.Document; d != nil && d.Total != nil && d.Total.Entries > 0 {
		notes = append(notes, fault.T("%s archive, %d entries, %d bytes; read one with member=NAME", d.Format, d.Total.Entries, d.Total.Bytes))
	}
	switch {
	case r.Document != nil && r.Document.Sheets != nil: // the headings say which rows
	case c.TotalLines == nil:
		notes = append(notes, fault.T("lines %d to %d", c.StartLine, c.EndLine))
	case *c.TotalLines == 0 && r.Document == nil:
		notes = append(notes, fault.T("the file is empty"))
	case r.Truncated:
		notes = append(notes, fault.T("lines %d-%d of %d", c.StartLine, c.EndLine, *c.TotalLines))
	}
	if r.Folded > 0 {
		notes = append(notes, fault.T("%d lines like those shown are left out", r.Folded))
	}
	for _, cut := range r.LinesCut {
		notes = append(notes, fault.T("line %d is cut after %d of %d characters: range=%s", cut.Line, cut.Shown, cut.Chars, cut.Rest))
	}
	path := ""
	if r.among {
		path = "path=" + screen.Name(r.Path) + " "
	}
	if r.NextOffset > 0 {
		notes = append(notes, fault.T("continue with %soffset=%d", path, r.NextOffset))
	} else if r.NextRange != "" {
		notes = append(notes, fault.T("continue with %srange=%s", path, r.NextRange))
	}
	if r.NextPages != "" {
		notes = append(notes, fault.T("continue with %spages=%s", path, r.NextPages))
	}
	if c.EOL == "crlf" || c.EOL == "cr" || c.EOL == "mixed" {
		notes = append(notes, fault.T("line endings: %s", c.EOL))
	}
	if c.Encoding != "utf-8" && c.Encoding != "" {
		notes = append(notes, fault.T("encoding: %s", c.Encoding))
	}
	return fault.Join(notes, "; ")
}
