package patch

import (
	"io/fs"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/workspace"
)

// fileHeader is the header of a file, in the format of diff -u and of git-diff(1),
// "Generating patch text with -p". A name is "" if it is missing, and "/dev/null"
// if that side does not exist.
type fileHeader struct {
	line     row
	last     int // line of the patch with the last name
	git      bool
	verbatim bool // the names have no prefixes

	gitFrom, gitTo string // of "diff --git", with prefixes
	from, to       string // of "---" and "+++", with prefixes
	before, now    string // of "rename from" and so on, without
	renamed        bool
	copied         bool
	created        bool
	deleted        bool
	mode           *fs.FileMode

	list hunkList
}

const devNull = "/dev/null"

// newGitHeader reads "diff --git a/x b/y".
func newGitHeader(r row) *fileHeader {
	h := &fileHeader{line: r, git: true}
	rest := strings.TrimSpace(strings.TrimPrefix(r.head(), "diff --git "))
	if strings.HasPrefix(rest, `"`) {
		if first, n, ok := unquote(rest); ok {
			h.gitFrom, h.gitTo = first, name(strings.TrimSpace(rest[n:]))
		}
		return h
	}
	if first, second, ok := strings.Cut(rest, ` "`); ok {
		h.gitFrom, h.gitTo = first, name(`"`+second)
		return h
	}
	// A space ends the first name, but names may have spaces too: the right split
	// gives the same name twice.
	for i := range len(rest) {
		if rest[i] != ' ' {
			continue
		}
		from, to := stripped(rest[:i], rest[i+1:])
		if from == to || h.gitFrom == "" {
			h.gitFrom, h.gitTo = rest[:i], rest[i+1:]
		}
		if from == to {
			break
		}
	}
	return h
}

// extended reads a line between "diff --git" and "---", if it is one of git's that says
// something of the file.
func (h *fileHeader) extended(r row) (err error) {
	text := r.head()
	rest := func(prefix string) bool {
		var ok bool
		if text, ok = strings.CutPrefix(text, prefix); !ok {
			text = r.head()
		}
		return ok
	}
	switch {
	case rest("rename from "), rest("rename old "):
		h.renamed, h.before = true, name(text)
	case rest("rename to "), rest("rename new "):
		h.renamed, h.now = true, name(text)
	case rest("copy from "):
		h.copied, h.before = true, name(text)
	case rest("copy to "):
		h.copied, h.now = true, name(text)
	case rest("new file mode "):
		h.created = true
		h.mode, err = parseMode(r, text)
	case rest("deleted file mode "):
		h.deleted = true
		h.mode, err = parseMode(r, text)
	case rest("new mode "):
		h.mode, err = parseMode(r, text)
	case rest("old mode "):
		_, err = parseMode(r, text)
	}
	return err
}

// parseMode reads a mode as git writes it. The type bits of the result are set if
// it is not that of a regular file.
func parseMode(r row, text string) (*fs.FileMode, error) {
	n, err := strconv.ParseUint(text, 8, 32)
	if err != nil {
		return nil, r.expected(fault.T("a mode such as 100644"))
	}
	mode := fs.FileMode(n) & fs.ModePerm
	switch n >> 12 {
	case 0o10:
	case 0o12:
		mode |= fs.ModeSymlink
	default:
		mode |= fs.ModeIrregular
	}
	return &mode, nil
}

// paths returns the two names without prefixes, "" for a side that does not exist.
func (h *fileHeader) paths() (from, to string) {
	if h.before != "" || h.now != "" {
		return h.before, h.now
	}
	from, to = h.from, h.to
	if h.verbatim {
		return from, to
	}
	if from == "" && to == "" {
		from, to = h.gitFrom, h.gitTo
	}
	if from == "" {
		from = to
		if strings.HasPrefix(from, "b/") {
			from = "a/" + from[2:]
		}
	}
	if to == "" {
		to = from
		if strings.HasPrefix(to, "a/") {
			to = "b/" + to[2:]
		}
	}
	if h.gitFrom != "" && h.gitFrom == h.gitTo {
		h.verbatim = true // git diff --no-prefix
		return exists(from), exists(to)
	}
	from, to = stripped(from, to)
	return exists(from), exists(to)
}

func exists(name string) string {
	if name == devNull {
		return ""
	}
	return name
}

// stripped removes the prefixes that diff tools put before the two names: a/ and
// b/, or those of git's diff.mnemonicPrefix.
func stripped(from, to string) (string, string) {
	f, t := prefix(from), prefix(to)
	switch {
	case from == devNull && strings.Contains("bwic", t):
		return from, to[2*len(t):]
	case to == devNull && strings.Contains("aiwco", f):
		return from[2*len(f):], to
	case f != t && f != "" && t != "":
		return from[2:], to[2:]
	}
	return from, to
}

// prefix returns the letter before the first slash of a name, if it is one that
// diff tools put there.
func prefix(name string) string {
	if len(name) > 2 && name[1] == '/' && strings.Contains("abciow", name[:1]) {
		return name[:1]
	}
	return ""
}

// name reads a path in C's quotes, or up to a tab or the time that diff writes
// after it.
func name(s string) string {
	s = strings.TrimRight(s, "\r")
	if strings.HasPrefix(s, `"`) {
		if path, _, ok := unquote(s); ok {
			return path
		}
	}
	s, _, _ = strings.Cut(s, "\t")
	for i := range len(s) {
		if s[i] == ' ' && isDate(strings.TrimLeft(s[i:], " ")) {
			return strings.TrimRight(s[:i], " ")
		}
	}
	return strings.TrimRight(s, " ")
}

// isDate reports whether s begins with "2006-01-02 15:".
func isDate(s string) bool {
	const form = "0000-00-00 00:"
	if len(s) < len(form) {
		return false
	}
	for i := range len(form) {
		if digit := s[i] >= '0' && s[i] <= '9'; digit != (form[i] == '0') || !digit && s[i] != form[i] && !(form[i] == ' ' && s[i] == 'T') {
			return false
		}
	}
	return true
}

// unquote reads a path in C's notation at the beginning of s, and returns it as
// [workspace.Escape] shows it. n is its length there.
func unquote(s string) (text string, n int, ok bool) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; c {
		case '"':
			return workspace.Escape(b.String()), i + 1, true
		case '\\':
			if i++; i == len(s) {
				return "", 0, false
			}
			if k := strings.IndexByte(`abtnvfr`, s[i]); k >= 0 {
				b.WriteByte(byte(7 + k))
				continue
			}
			if s[i] < '0' || s[i] > '7' {
				b.WriteByte(s[i])
				continue
			}
			v := 0
			end := min(len(s), i+3)
			for ; i < end && s[i] >= '0' && s[i] <= '7'; i++ {
				v = v*8 + int(s[i]-'0')
			}
			i--
			b.WriteByte(byte(v))
		default:
			b.WriteByte(c)
		}
	}
	return "", 0, false
}
