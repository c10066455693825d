package patch

import "strings"

// row is a line of the patch, without its "\n".
type row struct {
	no   int // from 1
	text string
}

// rowsOf splits a patch into lines. If all of them end in "\r\n", the patch was sent with
// such line endings, whatever those of the files. Otherwise a "\r" belongs to its line.
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

// trimmed returns the line without white space at its ends.
func (r row) trimmed() string { return strings.TrimSpace(r.text) }

// head returns the line without white space at its end.
func (r row) head() string { return strings.TrimRight(r.text, " \t\r") }

// after returns the row after the last one, for what is missing there.
func after(rows []row) row {
	if len(rows) == 0 {
		return row{no: 1}
	}
	return row{no: rows[len(rows)-1].no + 1}
}

// unfence returns the lines within Markdown fences, if the patch begins in one.
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

// toggled returns the fence that is open after a line, given the one open before.
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
