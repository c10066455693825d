package edit

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
)

// insert returns the replacement that puts new lines after a line.
func (d *document) insert(e Edit) ([]replacement, *fault.Error) {
	after := *e.Insert
	if lines := diff.CountLines(d.text); after > lines {
		return nil, fault.New(fault.OutOfRange, fault.T("insert_line is %d, but the file has %d lines", after, lines)).
			WithHint(fault.T("pass %d to add to its end", lines))
	}
	if e.New == "" {
		return nil, noChange()
	}
	if d.shown != nil {
		return nil, fault.New(fault.Stale, fault.T("the file has changed since it was read, so line %d may be another one", after)).
			WithHint(fault.T("read it again, or pass old_text and new_text"))
	}
	if !d.permit {
		if err := placeholder("", e.New); err != nil {
			return nil, err
		}
	}
	at := len(d.text)
	if start, ok := d.offset(after + 1); ok {
		at = start
	}
	text := d.normal(e.New)
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	count := strings.Count(text, "\n")
	if at > 0 && d.text[at-1] != '\n' { // after a last line that has no ending
		text = "\n" + strings.TrimSuffix(text, "\n")
	}
	eol := "\n"
	if d.text != "" {
		eol = d.nearby(at)
	}
	source := d.source(at)
	return []replacement{{
		strategy: Inserted, start: source, end: source, text: strings.ReplaceAll(text, "\n", eol),
		old: LineRange{after + 1, after}, lines: count,
	}}, nil
}
