package diff

import (
	"fmt"
	"io/fs"
	"strings"
	"unicode/utf8"
)

// File names the two sides of a diff. Paths are relative and separated by "/";
// a side without a path does not exist.
type File struct {
	From, To         string
	FromMode, ToMode fs.FileMode // zero means an ordinary, not executable file
}

// Modified is a file that keeps its path.
func Modified(path string) File { return File{From: path, To: path} }

// Created is a file that was not there before.
func Created(path string) File { return File{To: path} }

// Deleted is a file that is no longer there.
func Deleted(path string) File { return File{From: path} }

// Renamed is a file that has moved.
func Renamed(from, to string) File { return File{From: from, To: to} }

// header is what stands above the hunks, in git's extended form where the
// plain one cannot tell what happened to the file. It is empty when nothing
// did. The format is that of git-diff(1), "Generating patch text with -p".
func (f File) header(old string, changes []change, d Diff) string {
	before, after := gitMode(f.FromMode), gitMode(f.ToMode)
	var b strings.Builder
	// A text that is or becomes empty without the file coming or going needs
	// the extended form too: else its hunk reads as a creation or deletion.
	emptied := len(changes) > 0 && d.Added == 0 && d.Removed == countLines(old)
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

// gitMode is a mode as git keeps it: executable or not.
func gitMode(m fs.FileMode) string {
	if m&0o100 != 0 {
		return "100755"
	}
	return "100644"
}

// side is a path behind "---" or "+++". A tab ends a name with spaces in it, as
// git writes it and patch wants it.
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

// bare is a path in a line that nothing but spaces delimit: git copes with
// spaces in it, patch only when it is quoted.
func bare(path string) string { return quote(path, strings.Contains(path, " ")) }

// quote writes a path as git does with core.quotePath=false: in C's notation
// when it has control characters, quotes, backslashes or bytes that are not
// UTF-8, or always.
func quote(path string, always bool) string {
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

// escape is one byte in C's notation.
func escape(c byte) string {
	const letters = "abtnvfr" // for 7 to 13
	if c >= 7 && c <= 13 {
		return `\` + letters[c-7:c-6]
	}
	return fmt.Sprintf(`\%03o`, c)
}
