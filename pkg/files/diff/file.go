package diff

import (
	"fmt"
	"io/fs"
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/workspace"
)

// File names the two sides of a diff. Paths are relative and separated by "/"; a side without
// a path does not exist. They are escaped by [workspace.Escape]; a diff quotes them like git.
type File struct {
	From, To         string
	FromMode, ToMode fs.FileMode // zero means a regular file that is not executable
}

// Modified returns the names of a file that keeps its path.
func Modified(path string) File { return File{From: path, To: path} }

// Created returns the names of a file that did not exist before.
func Created(path string) File { return File{To: path} }

// Deleted returns the names of a file that no longer exists.
func Deleted(path string) File { return File{From: path} }

// Renamed returns the names of a file that has moved.
func Renamed(from, to string) File { return File{From: from, To: to} }

// header returns the lines above the hunks. It uses git's extended form where the plain
// form cannot express what happened to the file, and is empty when nothing did.
// git-diff(1) describes the format under "Generating patch text with -p".
func (f File) header(old string, changes []change, d Diff) string {
	before, after := gitMode(f.FromMode), gitMode(f.ToMode)
	var b strings.Builder
	// A file that is or becomes empty needs the extended form too: its hunk alone
	// would read as a creation or deletion.
	emptied := len(changes) > 0 && d.Added == 0 && d.Removed == CountLines(old)
	if f.From != f.To || before != after || old == "" && len(changes) > 0 || emptied {
		from, to := f.From, f.To
		if from == "" {
			from = to
		}
		if to == "" {
			to = from
		}
		fmt.Fprintf(&b, "diff --git %s %s\n", bare("a/"+from), bare("b/"+to))
		switch {
		case f.From == "":
			fmt.Fprintf(&b, "new file mode %s\n", after)
		case f.To == "":
			fmt.Fprintf(&b, "deleted file mode %s\n", before)
		default:
			if before != after {
				fmt.Fprintf(&b, "old mode %s\nnew mode %s\n", before, after)
			}
			if f.From != f.To {
				fmt.Fprintf(&b, "rename from %s\nrename to %s\n", bare(f.From), bare(f.To))
			}
		}
	}
	if len(changes) > 0 {
		fmt.Fprintf(&b, "--- %s\n+++ %s\n", side("a/", f.From), side("b/", f.To))
	}
	return b.String()
}

// gitMode returns a mode as git stores it: executable or not.
func gitMode(m fs.FileMode) string {
	if m&0o100 != 0 {
		return "100755"
	}
	return "100644"
}

// side returns a path as it follows "---" or "+++". A tab ends a name that has
// spaces, as git writes it and patch expects it.
func side(prefix, path string) string {
	if path == "" {
		return "/dev/null"
	}
	name := quote(prefix+path, false)
	if name[0] != '"' && strings.Contains(name, " ") {
		name += "\t"
	}
	return name
}

// bare returns a path for a line that only spaces delimit. Git accepts spaces in
// such a path; patch accepts them only when it is quoted.
func bare(path string) string { return quote(path, strings.Contains(path, " ")) }

// quote returns a path as git writes it with core.quotePath=false: in C's
// notation if it has control characters, quotes, backslashes or bytes that are
// not UTF-8, or if always is set.
func quote(path string, always bool) string {
	path = workspace.Unescape(path)
	plain := !always
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(path); {
		r, size := utf8.DecodeRuneInString(path[i:])
		switch {
		case r == utf8.RuneError && size == 1, r < 0x20, r == 0x7f:
			plain = false
			b.WriteString(escape(path[i]))
		case r == '"', r == '\\':
			plain = false
			b.WriteByte('\\')
			b.WriteByte(path[i])
		default:
			b.WriteString(path[i : i+size])
		}
		i += size
	}
	if plain {
		return path
	}
	b.WriteByte('"')
	return b.String()
}

// escape returns one byte in C's notation.
func escape(c byte) string {
	const letters = "abtnvfr" // for 7 to 13
	if c >= 7 && c <= 13 {
		return `\` + letters[c-7:c-6]
	}
	return fmt.Sprintf(`\%03o`, c)
}
