package read

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/tools/internal/listing"
)

// render shows the content itself, and in a last line in brackets what there is to
// know beside it.
func render(r Result, v screen.View) string {
	var b strings.Builder
	if r.Listing != nil {
		l := listing.Listing{Entries: r.Entries, Total: r.Total, TotalExact: true}
		b.WriteString(l.Text(r.Path, screen.View{Lang: v.Lang}))
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

func notesOf(r *Result) fault.Text {
	c := r.Content
	var notes []fault.Text
	switch {
	case c.TotalLines == 0:
		notes = append(notes, fault.T("the file is empty", "文件为空"))
	case r.Truncated:
		notes = append(notes, fault.T("lines %d-%d of %d", "第 %d-%d 行，共 %d 行", c.StartLine, c.EndLine, c.TotalLines))
	}
	for _, cut := range r.LinesCut {
		notes = append(notes, fault.T("line %d is cut after %d of %d characters: range=%s", "第 %d 行仅显示 %d/%d 个字符：range=%s", cut.Line, cut.Shown, cut.Chars, cut.Rest))
	}
	if r.NextOffset > 0 {
		notes = append(notes, fault.T("continue with offset=%d", "继续请用 offset=%d", r.NextOffset))
	} else if r.NextRange != "" {
		notes = append(notes, fault.T("continue with range=%s", "继续请用 range=%s", r.NextRange))
	}
	if c.EOL == "crlf" || c.EOL == "cr" || c.EOL == "mixed" {
		notes = append(notes, fault.T("line endings: %s", "换行符：%s", c.EOL))
	}
	if c.Encoding != "utf-8" && c.Encoding != "" {
		notes = append(notes, fault.T("encoding: %s", "编码：%s", c.Encoding))
	}
	return fault.Join(notes, "; ", "；")
}
