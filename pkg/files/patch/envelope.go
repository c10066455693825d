package patch

import (
	"path"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// The frame of the dialect of OpenAI's apply_patch.
const (
	beginPatch = "*** Begin Patch"
	endPatch   = "*** End Patch"
	addFile    = "*** Add File: "
	deleteFile = "*** Delete File: "
	updateFile = "*** Update File: "
	editFile   = "*** Edit File: " // as some models write it
	moveTo     = "*** Move to: "
	endOfFile  = "*** End of File"
)

// isFileMarker reports whether a line begins the part of one file.
func isFileMarker(text string) bool {
	return strings.HasPrefix(text, addFile) || strings.HasPrefix(text, deleteFile) || strings.HasPrefix(text, updateFile) || strings.HasPrefix(text, editFile)
}

// isFrame reports whether a line belongs to the frame and so to no hunk.
func isFrame(text string) bool {
	return text == beginPatch || text == endPatch || text == endOfFile || isFileMarker(text) || strings.HasPrefix(text, moveTo)
}

// envelopeParser reads "*** Begin Patch". The complete patch may be indented or in a
// heredoc, and "*** End Patch" may be missing.
type envelopeParser struct {
	rows      []row
	at        int
	delimiter string // ends the heredoc; "" if there is none
	directory string // that the paths are relative to; "" for the root
}

func parseEnvelope(rows []row) ([]File, error) {
	p := &envelopeParser{}
	inside := false
	for i, r := range rows {
		if text := r.trimmed(); text == beginPatch || isFileMarker(text) {
			p.rows = unindented(rows[i:])
			break
		}
		dir, err := changeOfDirectory(r)
		if err != nil {
			return nil, err
		}
		p.directory = path.Join(p.directory, dir)
		if d := heredoc(r.text); d != "" {
			p.delimiter = d
		}
	}
	var files []File
	for p.at < len(p.rows) {
		r := p.rows[p.at]
		switch text := r.trimmed(); {
		case text == beginPatch:
			inside = true
			p.at++
		case isFileMarker(text):
			f, err := p.file()
			if err != nil {
				return nil, err
			}
			f.Path, f.From = p.inDirectory(f.Path), p.inDirectory(f.From)
			files = append(files, f)
			inside = true
		case text == endPatch, p.delimiter != "" && text == p.delimiter:
			inside = false
			p.at++
		case text == "" || !inside:
			p.at++
		default:
			return nil, r.expected(fault.T(`%q, %q, %q or %q`,
				strings.TrimSpace(addFile), strings.TrimSpace(updateFile), strings.TrimSpace(deleteFile), endPatch))
		}
	}
	if len(files) == 0 {
		return nil, after(rows).expected(fault.T(`%q, %q or %q with a path`,
			strings.TrimSpace(addFile), strings.TrimSpace(updateFile), strings.TrimSpace(deleteFile)))
	}
	return files, nil
}

// unindented removes the indentation of the first line from all lines.
func unindented(rows []row) []row {
	first := rows[0].text
	lead := first[:len(first)-len(strings.TrimLeft(first, " \t"))]
	if lead == "" {
		return rows
	}
	for _, r := range rows {
		if r.trimmed() != "" && !strings.HasPrefix(r.text, lead) {
			return rows // only the first line is indented
		}
	}
	out := make([]row, len(rows))
	for i, r := range rows {
		out[i] = row{r.no, strings.TrimPrefix(r.text, lead)}
	}
	return out
}

// heredoc returns the delimiter of a heredoc that a shell line begins, or "".
func heredoc(text string) string {
	_, rest, ok := strings.Cut(text, "<<")
	if !ok {
		return ""
	}
	rest = strings.TrimLeft(strings.TrimPrefix(rest, "-"), " \t")
	if rest == "" {
		return ""
	}
	if quote := rest[0]; quote == '\'' || quote == '"' {
		word, _, _ := strings.Cut(rest[1:], string(quote))
		return word
	}
	end := strings.IndexFunc(rest, func(r rune) bool {
		return !(r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z')
	})
	if end < 0 {
		end = len(rest)
	}
	return rest[:end]
}

// changeOfDirectory returns the directory of a line above the patch such as
// "cd sub && apply_patch <<EOF", or "". Paths would name other files without it, so a
// change that only a shell understands is a fault.
func changeOfDirectory(r row) (string, error) {
	shell, _, _ := strings.Cut(r.text, "<<")
	words := strings.Fields(shell)
	if len(words) == 0 || words[0] != "cd" && (heredoc(r.text) == "" || !slices.Contains(words, "cd")) {
		return "", nil
	}
	change, command, _ := strings.Cut(shell, "&&")
	dir := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(change), "cd"))
	if n := len(dir); n >= 2 && (dir[0] == '\'' || dir[0] == '"') && dir[n-1] == dir[0] {
		dir = dir[1 : n-1]
	} else if strings.ContainsAny(dir, " \t") {
		dir = ""
	}
	if words[0] != "cd" || dir == "" || dir[0] == '-' || strings.ContainsAny(dir, "$`\\*?[]{}()~;|&<>'\"\x00") || len(strings.Fields(command)) > 1 {
		return "", r.expected(fault.T("paths from the workspace root, and no cd"))
	}
	return dir, nil
}

// inDirectory returns a path of the patch as one from the root.
func (p *envelopeParser) inDirectory(name string) string {
	if p.directory == "" || name == "" || path.IsAbs(name) {
		return name
	}
	return path.Join(p.directory, name)
}

// file reads the part of one file.
func (p *envelopeParser) file() (File, error) {
	r := p.rows[p.at]
	p.at++
	text := r.trimmed()
	f := File{Dialect: Envelope, Line: r.no}
	for _, m := range []struct {
		marker string
		action Action
	}{{addFile, Add}, {deleteFile, Delete}, {updateFile, Modify}, {editFile, Modify}} {
		if path, ok := strings.CutPrefix(text, m.marker); ok {
			f.Action, f.Path = m.action, strings.TrimSpace(path)
		}
	}
	if f.Path == "" {
		return f, r.expected(fault.T("the path of the file"))
	}
	switch f.Action {
	case Add:
		h, err := p.content()
		f.Hunks = []Hunk{h}
		return f, err
	case Delete:
		return f, nil
	}
	if p.at < len(p.rows) {
		if to, ok := strings.CutPrefix(p.rows[p.at].trimmed(), moveTo); ok {
			f.Action, f.From, f.Path = Move, f.Path, strings.TrimSpace(to)
			p.at++
		}
	}
	p.skipNames()
	list, err := p.hunks()
	if err != nil {
		return f, err
	}
	f.Hunks = list.hunks
	if len(f.Hunks) == 0 && f.Action == Modify {
		return f, p.here().expected(fault.T(`a hunk that starts with "@@"`))
	}
	return f, nil
}

// here returns the current line, or the one after the last.
func (p *envelopeParser) here() row {
	if p.at < len(p.rows) {
		return p.rows[p.at]
	}
	return after(p.rows)
}

// skipNames skips "--- a/x" and "+++ b/x", which some models add.
func (p *envelopeParser) skipNames() {
	if p.at+1 < len(p.rows) && strings.HasPrefix(p.rows[p.at].text, "--- ") && strings.HasPrefix(p.rows[p.at+1].text, "+++ ") {
		p.at += 2
	}
}

// stops reports whether the current line no longer belongs to the hunk.
func (p *envelopeParser) stops() bool {
	r := p.rows[p.at]
	if text := r.head(); isFrame(text) || p.delimiter != "" && text == p.delimiter {
		return true
	}
	if r.trimmed() != endPatch {
		return false
	}
	// It may be context, unless it is the last line.
	for _, later := range p.rows[p.at+1:] {
		if text := later.trimmed(); text != "" && text != p.delimiter {
			return false
		}
	}
	return true
}

// content reads the lines of a new file.
func (p *envelopeParser) content() (Hunk, error) {
	h := Hunk{Line: p.here().no, OldLines: -1, NewLines: -1}
	p.skipNames()
	if p.at < len(p.rows) && strings.HasPrefix(p.rows[p.at].text, "@@ -0,0 ") {
		p.at++
	}
	start, marked := p.at, false
	for ; p.at < len(p.rows) && !p.stops(); p.at++ {
		marked = marked || strings.HasPrefix(p.rows[p.at].text, "+")
	}
	body := p.rows[start:p.at]
	for len(body) > 0 && body[len(body)-1].trimmed() == "" {
		body = body[:len(body)-1]
	}
	if p.at < len(p.rows) && p.rows[p.at].head() == endOfFile {
		p.at++
	}
	for _, r := range body {
		text, ok := strings.CutPrefix(r.text, "+")
		switch {
		case strings.HasPrefix(text, `\ No newline`) && !ok && len(h.Lines) > 0:
			h.Lines[len(h.Lines)-1].NoEOL = true
			continue
		case marked && !ok && r.trimmed() != "":
			return h, r.expected(fault.T(`a line of the new file that starts with "+"`))
		}
		h.Lines = append(h.Lines, Line{Op: Insert, Text: text})
	}
	return h, nil
}

// hunks reads the hunks of one file.
func (p *envelopeParser) hunks() (hunkList, error) {
	var list hunkList
	for p.at < len(p.rows) {
		r := p.rows[p.at]
		switch {
		case r.head() == endOfFile:
			p.at++
			if n := len(list.hunks); n > 0 {
				list.hunks[n-1].AtEnd = true
			}
			list.end()
			continue
		case p.stops():
			list.end()
			err := p.complete(&list)
			return list, err
		case strings.HasPrefix(r.text, "@@"):
			h, err := parseHeader(r)
			if err != nil {
				return list, err
			}
			list.begin(h)
		case list.current() == nil && r.trimmed() == "":
		case list.current() == nil:
			list.begin(Hunk{Line: r.no, OldLines: -1, NewLines: -1})
			fallthrough
		default:
			list.current().add(r)
		}
		p.at++
	}
	list.end()
	err := p.complete(&list)
	return list, err
}

// complete leaves out hunks that hold only blank lines and name no place, which models put
// between others and after them. It refuses a list with another empty hunk: that one may be
// cut off.
func (p *envelopeParser) complete(list *hunkList) error {
	holds := func(l Line) bool { return l.Op != Context || strings.TrimSpace(l.Text) != "" }
	if slices.ContainsFunc(list.hunks, func(h Hunk) bool { return slices.ContainsFunc(h.Lines, holds) }) {
		list.hunks = slices.DeleteFunc(list.hunks, func(h Hunk) bool {
			i := slices.IndexFunc(p.rows, func(r row) bool { return r.no > h.Line })
			return !slices.ContainsFunc(h.Lines, holds) && len(h.Anchors) == 0 && i >= 0 && p.rows[i].trimmed() == ""
		})
	}
	if h := list.empty(); h != nil {
		for _, r := range p.rows {
			if r.no > h.Line {
				return r.expected(hunkLine())
			}
		}
		return after(p.rows).expected(hunkLine())
	}
	return nil
}
