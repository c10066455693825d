package patch

import (
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// isRule reports whether a line consists of five or more signs and a word; without one,
// of five to nine, as longer ones underline titles.
func isRule(text string, sign byte, word string) bool {
	text = strings.TrimRight(text, " \t\r")
	n := 0
	for n < len(text) && text[n] == sign {
		n++
	}
	return n >= 5 && (n <= 9 || word != "") && strings.EqualFold(strings.TrimLeft(text[n:], " "), word)
}

func isSearch(text string) bool {
	text = strings.TrimSuffix(strings.TrimRight(text, " \t\r"), ">")
	return isRule(text, '<', "SEARCH") || isRule(text, '-', "SEARCH")
}

func isDivider(text string) bool { return isRule(text, '=', "") }

func isReplace(text string) bool {
	return isRule(text, '>', "REPLACE") || isRule(text, '+', "REPLACE")
}

// dashes separate a block's header from its lines in Roo Code's dialect.
const dashes = "-------"

// isHeader reports whether a line is one of a block's header, below SEARCH.
func isHeader(text string) bool {
	text = strings.TrimLeft(text, " \t")
	return strings.HasPrefix(text, ":start_line:") || strings.HasPrefix(text, ":end_line:")
}

// isConflict reports whether a line is one that version control puts around a
// conflict.
func isConflict(text string) bool {
	return strings.HasPrefix(text, "<<<<<<< ") || strings.HasPrefix(text, ">>>>>>> ") || strings.HasPrefix(text, "||||||| ")
}

// unescaped returns a line of a section that is written with a backslash because it
// would otherwise be a marker, without it.
func unescaped(text string) string {
	rest, ok := strings.CutPrefix(text, `\`)
	if !ok {
		return text
	}
	if isHeader(rest) {
		return rest
	}
	for _, marker := range []string{"<<<<<<<", "=======", ">>>>>>>", "|||||||", "+++++++", dashes} {
		if strings.HasPrefix(rest, marker) {
			return rest
		}
	}
	return text
}

// blockParser reads blocks of SEARCH and REPLACE. The path is on a line above them
// or an argument.
type blockParser struct {
	rows  []row
	at    int
	files []File
}

func parseBlocks(rows []row, path string) ([]File, error) {
	p := &blockParser{rows: rows}
	last := 0 // the line after the last block
	for ; p.at < len(rows); p.at++ {
		if !isSearch(rows[p.at].text) {
			if r := rows[p.at]; isReplace(r.text) || isDivider(r.text) && p.looksLost() {
				return nil, r.expected(fault.T(`"<<<<<<< SEARCH" before it`))
			}
			continue
		}
		if named := p.pathAbove(last, path != ""); named != "" {
			path = named
		}
		start := rows[p.at]
		if path == "" {
			return nil, start.expected(fault.T("the path of the file on the line before, or the argument path"))
		}
		h, err := p.block()
		if err != nil {
			return nil, err
		}
		p.take(path, start.no, h)
		last = p.at + 1
	}
	for i := range p.files {
		if f := &p.files[i]; len(f.Hunks) == 1 && onlyInserts(f.Hunks[0]) {
			f.Action = Add // nothing is searched for
		}
	}
	return p.files, nil
}

// looksLost reports whether REPLACE follows, so that a divider here belongs to a
// block without a beginning.
func (p *blockParser) looksLost() bool {
	for _, r := range p.rows[p.at+1:] {
		if isReplace(r.text) {
			return true
		}
		if isSearch(r.text) {
			return false
		}
	}
	return false
}

func onlyInserts(h Hunk) bool {
	for _, l := range h.Lines {
		if l.Op != Insert {
			return false
		}
	}
	return true
}

// pathAbove returns the path on the line before the block, or "". Dots alone stand for
// what is left out. If a path is already known, the line may also be other text.
func (p *blockParser) pathAbove(from int, known bool) string {
	for i := p.at - 1; i >= from; i-- {
		text := p.rows[i].trimmed()
		if strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~") || strings.Trim(text, ".") == "" {
			continue
		}
		path := strings.TrimSpace(strings.Trim(text, "#*`: \t\"'"))
		if known && (strings.ContainsAny(path, " \t") || !strings.ContainsAny(path, "./")) {
			return ""
		}
		return path
	}
	return ""
}

// block reads one block from SEARCH to REPLACE.
func (p *blockParser) block() (Hunk, error) {
	h := Hunk{Line: p.rows[p.at].no, OldLines: -1, NewLines: -1}
	p.at++
	headed, separated := false, false
	for ; p.at < len(p.rows) && !separated; p.at++ { // line numbers as Roo Code writes them
		text := p.rows[p.at].trimmed()
		if n, ok := strings.CutPrefix(text, ":start_line:"); ok {
			line, err := strconv.Atoi(strings.Trim(n, " \t[]"))
			if err != nil || line < 0 || line > 1<<30 {
				return h, p.rows[p.at].expected(fault.T("a line number"))
			}
			h.Numbered, h.OldStart = line > 0, line
		} else if separated = text == dashes && headed; !separated && !isHeader(text) {
			break
		}
		headed = true
	}
	h.Dashes = !headed && p.at < len(p.rows) && p.rows[p.at].head() == dashes
	old, err := p.until(isDivider, `"======="`, nil)
	if err != nil {
		return h, err
	}
	if headed && p.at < len(p.rows) && p.rows[p.at].head() == dashes {
		return h, p.rows[p.at].expected(fault.T("the new lines, or this line escaped as in %q", `\`+dashes))
	}
	known := make(map[string]bool, len(old))
	for _, l := range old {
		known[l] = true
	}
	new, err := p.until(isReplace, `">>>>>>> REPLACE"`, func(text string) bool { return isConflict(text) && !known[text] })
	if err != nil {
		return h, err
	}
	p.at--
	h.Lines = compared(old, new)
	return h, nil
}

// until reads the lines up to the one that ends them. Another marker within them, or
// a line that may not be written, would make it unclear which lines are meant.
func (p *blockParser) until(end func(string) bool, want string, refused func(string) bool) ([]string, error) {
	var lines []string
	for ; p.at < len(p.rows); p.at++ {
		text := p.rows[p.at].text
		switch {
		case end(text):
			p.at++
			return lines, nil
		case isSearch(text), isDivider(text), isReplace(text), isHeader(text), refused != nil && refused(text):
			return nil, p.rows[p.at].expected(fault.T("%s, or this line escaped as in %q", want, `\`+strings.TrimRight(text, " \t\r")))
		}
		lines = append(lines, unescaped(text))
	}
	return nil, after(p.rows).expected(fault.T("%s", want))
}

// take adds a hunk to its file.
func (p *blockParser) take(path string, line int, h Hunk) {
	for i := range p.files {
		if p.files[i].Path == path {
			p.files[i].Hunks = append(p.files[i].Hunks, h)
			return
		}
	}
	p.files = append(p.files, File{Action: Modify, Path: path, Hunks: []Hunk{h}, Dialect: SearchReplace, Line: line})
}
