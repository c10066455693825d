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
		return nil, fault.New(fault.OutOfRange, fault.T("insert_line is %d, but the file has %d lines", "insert_line 为 %d，但文件只有 %d 行", after, lines)).
			WithHint(fault.T("pass %d to add to its end", "传入 %d 可追加到末尾", lines))
	}
	if e.New == "" {
		return nil, noChange()
	}
	if d.shown != nil {
		return nil, fault.New(fault.Stale, fault.T("the file has changed since it was read, so line %d may be another one", "文件在读取后已改变，第 %d 行可能已不是原来那一行", after)).
			WithHint(fault.T("read it again, or pass old_text and new_text", "请重新读取，或传入 old_text 和 new_text"))
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
