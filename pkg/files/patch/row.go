package patch

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// row is a line of the patch, without its "\n".
type row struct {
	no   int // from 1
	text string
}

// rowsOf cuts a patch into lines. When all of them end in "\r\n", that is how
// the patch was sent and says nothing about the files; else a "\r" belongs to
// its line.
func rowsOf(patch string) []row {
	patch = strings.TrimPrefix(patch, "\ufeff")
	if n := strings.Count(patch, "\n"); n > 0 && n == strings.Count(patch, "\r\n") {
		patch = strings.TrimSuffix(strings.ReplaceAll(patch, "\r\n", "\n"), "\r")
	}
	rows := make([]row, 0, strings.Count(patch, "\n")+1)
	for patch != "" {
		line, rest, _ := strings.Cut(patch, "\n")
		rows = append(rows, row{len(rows) + 1, line})
		patch = rest
	}
	return rows
}

// trimmed is the line without white space around it.
func (r row) trimmed() string { return strings.TrimSpace(r.text) }

// head is the line without the white space behind it.
func (r row) head() string { return strings.TrimRight(r.text, " \t\r") }

// SyntaxError is the details of patch_syntax.
type SyntaxError struct {
	Line int    `json:"line"` // of the patch, from 1
	Text string `json:"text"` // what stands there
}

// expected tells what should be at a line of the patch.
func (r row) expected(what fault.Text) error {
	const most = 200
	text := r.text
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return fault.New(fault.PatchSyntax, fault.T("line %d of the patch: expected %s, not %q", "补丁第 %d 行：应为%s，而不是 %q", r.no, what, text)).
		WithHint(fault.T("mend the patch and send it again; nothing was changed", "请修正补丁后重新发送；没有任何改动")).
		WithDetails(SyntaxError{Line: r.no, Text: text})
}

// after is the end of the patch, for what is missing there.
func after(rows []row) row {
	if len(rows) == 0 {
		return row{no: 1}
	}
	return row{no: rows[len(rows)-1].no + 1}
}

// unfence keeps what is between the fences of Markdown when the patch begins
// inside of one.
func unfence(rows []row, start int) []row {
	fence := ""
	for _, r := range rows[:start] {
		fence = toggled(fence, r)
	}
	if fence == "" {
		return rows
	}
	fence = ""
	var kept []row
	for _, r := range rows {
		next := toggled(fence, r)
		if fence != "" && next != "" {
			kept = append(kept, r)
		}
		fence = next
	}
	return kept
}

// toggled is the fence that is open after a line, given the one before it.
func toggled(open string, r row) string {
	if open != "" {
		if r.head() == open {
			return ""
		}
		return open
	}
	text := r.trimmed()
	for _, c := range []string{"`", "~"} {
		if n := len(text) - len(strings.TrimLeft(text, c)); n >= 3 && !strings.Contains(text[n:], c) {
			return r.text[:len(r.text)-len(strings.TrimLeft(r.text, " \t"))] + text[:n]
		}
	}
	return ""
}
