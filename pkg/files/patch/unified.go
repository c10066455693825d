package patch

import (
	"io/fs"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// unifiedParser reads the output of diff -u and git diff. It skips what is between
// the files, such as the message of a commit.
type unifiedParser struct {
	rows  []row
	at    int
	path  string // for hunks without a file header
	files []File
	head  *fileHeader
}

func parseUnified(rows []row, path string) ([]File, error) {
	p := &unifiedParser{rows: rows, path: path}
	for p.at < len(rows) {
		if err := p.step(); err != nil {
			return nil, err
		}
	}
	if err := p.flush(); err != nil {
		return nil, err
	}
	if len(p.files) == 0 {
		return nil, after(rows).expected(fault.T("a hunk"))
	}
	return p.files, nil
}

// step reads one line outside of hunks, or one hunk.
func (p *unifiedParser) step() error {
	r := p.rows[p.at]
	text := r.head()
	switch {
	case strings.HasPrefix(text, "diff --git "):
		if err := p.flush(); err != nil {
			return err
		}
		p.head = newGitHeader(r)
	case strings.HasPrefix(text, "diff --cc "), strings.HasPrefix(text, "diff --combined "):
		return r.expected(fault.T("an ordinary diff, as a combined one has two old sides"))
	case strings.HasPrefix(text, "*** ") && strings.HasPrefix(p.text(1), "--- "):
		return r.expected(fault.T(`a unified diff with "--- " and "+++ " (diff -u), not a context diff`))
	case strings.HasPrefix(text, "--- ") && (strings.HasPrefix(p.text(1), "+++ ") || strings.HasPrefix(p.text(1), "@@")):
		if p.head == nil || p.head.from != "" || p.head.to != "" || len(p.head.list.hunks) > 0 {
			if err := p.flush(); err != nil {
				return err
			}
			p.head = &fileHeader{line: r}
		}
		p.head.from, p.head.last = name(text[4:]), r.no
	case strings.HasPrefix(text, "+++ "):
		if p.head == nil || p.head.to != "" || len(p.head.list.hunks) > 0 {
			if err := p.flush(); err != nil {
				return err
			}
			p.head = &fileHeader{line: r}
		}
		p.head.to, p.head.last = name(text[4:]), r.no
	case strings.HasPrefix(text, "@@"):
		return p.hunk()
	case text == "GIT binary patch", strings.HasPrefix(text, "Binary files ") && strings.HasSuffix(text, " differ"):
		return unsupported(r, fault.T("a binary patch"))
	case p.head != nil && len(p.head.list.hunks) == 0 && p.head.git:
		if err := p.head.extended(r); err != nil {
			return err
		}
		fallthrough
	default:
		if p.head != nil && p.head.to != "" && len(p.head.list.hunks) == 0 && text != "" && strings.ContainsAny(text[:1], " +-") {
			return p.hunk() // the line "@@" is missing
		}
	}
	p.at++
	return nil
}

// text returns the line so many lines ahead, "" after the last.
func (p *unifiedParser) text(ahead int) string {
	if p.at+ahead < len(p.rows) {
		return p.rows[p.at+ahead].text
	}
	return ""
}

// hunk reads a hunk with its header.
func (p *unifiedParser) hunk() error {
	r := p.rows[p.at]
	if p.head == nil {
		if p.path == "" {
			return r.expected(fault.T(`"--- " and "+++ " with the path of the file before the hunk, or the argument path`))
		}
		p.head = &fileHeader{line: r, from: p.path, to: p.path, verbatim: true}
	}
	h := Hunk{Line: r.no, OldLines: -1, NewLines: -1}
	if strings.HasPrefix(r.text, "@@") {
		var err error
		if h, err = parseHeader(r); err != nil {
			return err
		}
		p.at++
	}
	p.head.list.begin(h)
	for p.at < len(p.rows) && !p.ends() {
		p.head.list.current().add(p.rows[p.at])
		p.at++
	}
	if p.at < len(p.rows) && strings.HasPrefix(p.rows[p.at].text, "@@") {
		return nil // an empty hunk may be an anchor of the next one
	}
	p.head.list.end()
	return nil
}

// ends reports whether the current line no longer belongs to the hunk.
func (p *unifiedParser) ends() bool {
	text, next := p.text(0), p.text(1)
	switch {
	case strings.HasPrefix(text, "@@"), strings.HasPrefix(text, "diff --git "):
		return true
	case strings.HasPrefix(text, "diff -"):
		return strings.HasPrefix(next, "--- ")
	case strings.HasPrefix(text, "Index: "):
		return strings.HasPrefix(next, "====")
	case strings.HasPrefix(text, "--- "):
		return strings.HasPrefix(next, "+++ ") && !p.promised()
	case strings.HasPrefix(text, "From "):
		hash, _, _ := strings.Cut(text[5:], " ")
		return len(hash) == 40 && strings.Trim(hash, "0123456789abcdef") == ""
	case strings.TrimRight(text, " \r") == "--":
		return p.signature()
	}
	return false
}

// promised reports whether the lines up to the next header are exactly those that
// the hunk's header still promises. Then "--- " and "+++ " are a removed and an
// added line.
func (p *unifiedParser) promised() bool {
	h := p.head.list.current()
	if !h.Numbered {
		return false
	}
	old, new := count(h.Lines)
	old, new = h.OldLines-old, h.NewLines-new
	for i := p.at; old > 0 || new > 0; i++ {
		if i == len(p.rows) || p.rows[i].text == "" {
			return false
		}
		switch p.rows[i].text[0] {
		case ' ':
			old, new = old-1, new-1
		case '-':
			old--
		case '+':
			new--
		case '\\':
		default:
			return false
		}
		if old < 0 || new < 0 {
			return false
		}
		if old == 0 && new == 0 {
			if i+1 == len(p.rows) {
				return true
			}
			rest := p.rows[i+1].text
			return rest == "" || strings.HasPrefix(rest, "@@") || strings.HasPrefix(rest, "diff ") ||
				strings.HasPrefix(rest, "--- ") || strings.HasPrefix(rest, `\ `) || strings.HasPrefix(rest, "-- ")
		}
	}
	return false
}

// signature reports whether the current "--" begins the signature of a mail: the
// version of git follows, and nothing else of the hunk.
func (p *unifiedParser) signature() bool {
	version := strings.TrimSpace(p.text(1))
	if version == "" || strings.Trim(version[:1], "0123456789") != "" || !strings.Contains(version, ".") {
		return false
	}
	for i := 2; p.at+i < len(p.rows); i++ {
		if text := p.text(i); strings.HasPrefix(text, "From ") {
			return true
		} else if strings.TrimSpace(text) != "" {
			return false
		}
	}
	return true
}

// flush completes the file that is being read.
func (p *unifiedParser) flush() error {
	if p.head == nil {
		return nil
	}
	p.head.list.end()
	if h := p.head.list.empty(); h != nil {
		return p.rowAfter(h.Line).expected(hunkLine())
	}
	f, err := p.head.file(p)
	if err != nil {
		return err
	}
	p.files = append(p.files, f)
	p.head = nil
	return nil
}

// rowAfter returns the line after a line of the patch.
func (p *unifiedParser) rowAfter(no int) row {
	for _, r := range p.rows {
		if r.no > no {
			return r
		}
	}
	return after(p.rows)
}

// file returns what the header and the hunks mean.
func (h *fileHeader) file(p *unifiedParser) (File, error) {
	f := File{Dialect: Unified, Line: h.line.no, Hunks: h.list.hunks}
	if h.git {
		f.Dialect = Git
	}
	from, to := h.paths()
	if h.mode != nil {
		if t := *h.mode & fs.ModeType; t != 0 {
			return f, unsupported(h.line, fault.T("a patch of a link or submodule"))
		}
		f.Mode = h.mode
	}
	switch {
	case h.created || from == "" && to != "":
		f.Action, f.Path = Add, to
	case h.deleted || to == "" && from != "":
		f.Action, f.Path, f.Mode = Delete, from, nil
	case h.copied:
		f.Action, f.Path, f.From = Add, to, from
	case h.renamed:
		f.Action, f.Path, f.From = Move, to, from
	case len(f.Hunks) == 0 && f.Mode != nil:
		f.Action, f.Path = Chmod, to
	default:
		f.Action, f.Path = Modify, to
		if len(f.Hunks) == 0 {
			return f, p.rowAfter(max(h.line.no, h.last)).expected(fault.T(`a hunk that starts with "@@"`))
		}
	}
	if f.Path == "" || (h.copied || h.renamed) && f.From == "" {
		return f, h.line.expected(fault.T("the path of the file"))
	}
	if f.Action == Add && f.From == "" {
		return f, onlyOp(f.Hunks, Insert)
	}
	if f.Action == Delete {
		return f, onlyOp(f.Hunks, Remove)
	}
	return f, nil
}

// onlyOp refuses hunks of a new or deleted file that have other lines than op. It
// marks blank lines that have lost their mark.
func onlyOp(hunks []Hunk, op Op) error {
	for i := range hunks {
		for k := range hunks[i].Lines {
			switch l := &hunks[i].Lines[k]; {
			case l.Op == op:
			case l.Bare && strings.TrimSpace(l.Text) == "":
				l.Op, l.Bare = op, false
			default:
				return row{hunks[i].Line, string(l.Op) + l.Text}.expected(fault.T(
					`only lines that start with %q in the hunks of a file that is new or deleted`, string(op)))
			}
		}
	}
	return nil
}
