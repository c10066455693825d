package patch

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

// sketch is a file with its hunks written as a unified diff would.
type sketch struct {
	Action     Action
	Path, From string
	Mode       fs.FileMode
	Dialect    Dialect
	Hunks      []string
}

func sketched(files []File) []sketch {
	var all []sketch
	for _, f := range files {
		s := sketch{Action: f.Action, Path: f.Path, From: f.From, Dialect: f.Dialect}
		if f.Mode != nil {
			s.Mode = *f.Mode
		}
		for _, h := range f.Hunks {
			var b strings.Builder
			for _, a := range h.Anchors {
				b.WriteString("@" + a + "\n")
			}
			if h.Numbered {
				b.WriteString("#" + strings.Repeat("i", h.OldStart) + "\n")
			}
			for _, l := range h.Lines {
				b.WriteString(string(l.Op) + l.Text)
				if !l.NoEOL {
					b.WriteString("\n")
				}
			}
			if h.AtEnd {
				b.WriteString("$")
			}
			s.Hunks = append(s.Hunks, b.String())
		}
		all = append(all, s)
	}
	return all
}

func text(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

func TestParse(t *testing.T) {
	one := []string{" a\n-b\n+c\n"}
	numbered := []string{"#i\n a\n-b\n+c\n"}
	body := text(" a", "-b", "+c")
	for _, c := range []struct {
		name, patch, path string
		want              []sketch
	}{
		{"unified", text("--- a/x.go", "+++ b/x.go", "@@ -1,2 +1,2 @@") + body, "",
			[]sketch{{Action: Modify, Path: "x.go", Dialect: Unified, Hunks: numbered}}},
		{"times", text("--- x.go\t2020-01-02 03:04:05.000 +0000", "+++ x.go\t2020-01-02 03:04:05.000 +0000", "@@ -1,2 +1,2 @@") + body, "",
			[]sketch{{Action: Modify, Path: "x.go", Dialect: Unified, Hunks: numbered}}},
		{"times behind spaces", text("--- a/my x.go  2020-01-02 03:04:05", "+++ b/my x.go 2020-01-02T03:04:05", "@@ -1,2 +1,2 @@") + body, "",
			[]sketch{{Action: Modify, Path: "my x.go", Dialect: Unified, Hunks: numbered}}},
		{"no prefix", text("--- x.go", "+++ x.go", "@@") + body, "",
			[]sketch{{Action: Modify, Path: "x.go", Dialect: Unified, Hunks: one}}},
		{"a directory a", text("diff --git a/x.go a/x.go", "--- a/x.go", "+++ a/x.go", "@@") + body, "",
			[]sketch{{Action: Modify, Path: "a/x.go", Dialect: Git, Hunks: one}}},
		{"mnemonic prefix", text("--- i/x.go", "+++ w/x.go", "@@") + body, "",
			[]sketch{{Action: Modify, Path: "x.go", Dialect: Unified, Hunks: one}}},
		{"only one name", text("+++ b/x.go", "@@") + body, "",
			[]sketch{{Action: Modify, Path: "x.go", Dialect: Unified, Hunks: one}}},
		{"only the old name", text("--- a/x.go", "@@") + body, "",
			[]sketch{{Action: Modify, Path: "x.go", Dialect: Unified, Hunks: one}}},
		{"no header of the hunk", text("--- a/x.go", "+++ b/x.go") + body, "",
			[]sketch{{Action: Modify, Path: "x.go", Dialect: Unified, Hunks: one}}},
		{"hunk alone", "@@ @@\n" + body, "x.go",
			[]sketch{{Action: Modify, Path: "x.go", Dialect: Unified, Hunks: one}}},
		{"prefix of the default path stays", "@@ @@\n" + body, "a/x.go",
			[]sketch{{Action: Modify, Path: "a/x.go", Dialect: Unified, Hunks: one}}},
		{"function", "@@ func f() {\n" + body, "x.go",
			[]sketch{{Action: Modify, Path: "x.go", Dialect: Unified, Hunks: []string{"@func f() {\n" + one[0]}}}},
		{"numbers and function", "@@ -1,2 +1,2 @@ func f() {\n" + body, "x.go",
			[]sketch{{Action: Modify, Path: "x.go", Dialect: Unified, Hunks: []string{"@func f() {\n" + numbered[0]}}}},
		{"dots for numbers", "@@ ... @@\n" + body, "x.go",
			[]sketch{{Action: Modify, Path: "x.go", Dialect: Unified, Hunks: one}}},
		{"fenced in prose", "Here it is:\n\n```diff\n--- a/x.go\n+++ b/x.go\n@@ @@\n" + body + "```\n\nHope this helps.\n", "",
			[]sketch{{Action: Modify, Path: "x.go", Dialect: Unified, Hunks: one}}},
		{"two fences", "```diff\n--- a/x\n+++ b/x\n@@\n" + body + "```\nand\n~~~diff\n--- a/y\n+++ b/y\n@@\n" + body + "~~~\n", "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Unified, Hunks: one}, {Action: Modify, Path: "y", Dialect: Unified, Hunks: one}}},
		{"CRLF", strings.ReplaceAll(text("--- a/x.go", "+++ b/x.go", "@@ -1,2 +1,2 @@")+body, "\n", "\r\n"), "",
			[]sketch{{Action: Modify, Path: "x.go", Dialect: Unified, Hunks: numbered}}},
		{"CRLF content", text("--- a/x.go", "+++ b/x.go", "@@") + strings.ReplaceAll(body, "\n", "\r\n"), "",
			[]sketch{{Action: Modify, Path: "x.go", Dialect: Unified, Hunks: []string{" a\r\n-b\r\n+c\r\n"}}}},
		{"wrong counts", text("--- a/x", "+++ b/x", "@@ -1,9 +1,1 @@") + body + text("@@ -1 +1 @@") + body, "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Unified, Hunks: []string{numbered[0], numbered[0]}}}},
		{"context without its space", text("--- a/x", "+++ b/x", "@@", "a", "", "\tb", "-c", "+d", "", ""), "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Unified, Hunks: []string{" a\n \n \tb\n-c\n+d\n"}}}},
		{"prose behind as many lines as promised", text("--- a/x", "+++ b/x", "@@ -1,2 +1,2 @@") + body + text("", "That is all."), "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Unified, Hunks: numbered}}},
		{"removed line that looks like a header", text("--- a/x", "+++ b/x", "@@ -1 +1 @@", "--- a", "+++ b", "@@ -5 +5 @@", "-e", "+f"), "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Unified, Hunks: []string{"#i\n--- a\n+++ b\n", "#iiiii\n-e\n+f\n"}}}},
		{"removed line without partner", text("--- a/x", "+++ b/x", "@@", " a", "--- b", " c"), "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Unified, Hunks: []string{" a\n--- b\n c\n"}}}},
		{"two files", text("--- a/x", "+++ b/x", "@@ -1,2 +1,2 @@") + body + text("--- a/y", "+++ b/y", "@@") + body, "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Unified, Hunks: numbered}, {Action: Modify, Path: "y", Dialect: Unified, Hunks: one}}},
		{"no newline", text("--- a/x", "+++ b/x", "@@", "-b", `\ No newline at end of file`, "+c", `\ No newline at end of file`), "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Unified, Hunks: []string{"-b+c"}}}},
		{"subversion", text("Index: x", "=====", "--- x\t(revision 1)", "+++ x\t(working copy)", "@@") + body + text("Index: y", "=====", "--- y\t(revision 1)", "+++ y\t(working copy)", "@@") + body, "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Unified, Hunks: one}, {Action: Modify, Path: "y", Dialect: Unified, Hunks: one}}},
		{"recursive diff", text("diff -ru old/x new/x", "--- old/x", "+++ new/x", "@@") + body + text("diff -ru old/y new/y", "--- old/y", "+++ new/y", "@@") + body, "",
			[]sketch{{Action: Modify, Path: "new/x", Dialect: Unified, Hunks: one}, {Action: Modify, Path: "new/y", Dialect: Unified, Hunks: one}}},
		{"mails", text("From "+strings.Repeat("0a", 20)+" Mon Sep 17 00:00:00 2001", "Subject: x", "---", " x | 2 +-", "", "diff --git a/x b/x", "--- a/x", "+++ b/x", "@@ -1,2 +1,2 @@") + body +
			text("-- ", "2.39.5", "", "From "+strings.Repeat("0b", 20)+" Mon Sep 17 00:00:00 2001", "diff --git a/y b/y", "--- a/y", "+++ b/y", "@@") + body + text("-- ", "2.39.5", ""), "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Git, Hunks: numbered}, {Action: Modify, Path: "y", Dialect: Git, Hunks: one}}},

		{"new", text("diff --git a/x b/x", "new file mode 100755", "index 0000000..1111111", "--- /dev/null", "+++ b/x", "@@ -0,0 +1,2 @@", "+a", "", "+b"), "",
			[]sketch{{Action: Add, Path: "x", Mode: 0o755, Dialect: Git, Hunks: []string{"#\n+a\n+\n+b\n"}}}},
		{"new and empty", text("diff --git a/x y b/x y", "new file mode 100644", "index 0000000..e69de29"), "",
			[]sketch{{Action: Add, Path: "x y", Mode: 0o644, Dialect: Git}}},
		{"new without git", text("--- /dev/null", "+++ b/x", "@@ -0,0 +1 @@", "+a"), "",
			[]sketch{{Action: Add, Path: "x", Dialect: Unified, Hunks: []string{"#\n+a\n"}}}},
		{"deleted", text("diff --git a/x b/x", "deleted file mode 100644", "--- a/x", "+++ /dev/null", "@@ -1 +0,0 @@", "-a"), "",
			[]sketch{{Action: Delete, Path: "x", Dialect: Git, Hunks: []string{"#i\n-a\n"}}}},
		{"renamed", text("diff --git a/x b/y", "similarity index 100%", "rename from x", "rename to y"), "",
			[]sketch{{Action: Move, Path: "y", From: "x", Dialect: Git}}},
		{"renamed and changed", text("diff --git a/x b/y", "similarity index 90%", "rename from x", "rename to y", "--- a/x", "+++ b/y", "@@") + body, "",
			[]sketch{{Action: Move, Path: "y", From: "x", Dialect: Git, Hunks: one}}},
		{"copied", text("diff --git a/x b/y", "copy from x", "copy to y"), "",
			[]sketch{{Action: Add, Path: "y", From: "x", Dialect: Git}}},
		{"mode", text("diff --git a/x b/x", "old mode 100644", "new mode 100755"), "",
			[]sketch{{Action: Chmod, Path: "x", Mode: 0o755, Dialect: Git}}},
		{"mode and change", text("diff --git a/x b/x", "old mode 100644", "new mode 100755", "--- a/x", "+++ b/x", "@@") + body, "",
			[]sketch{{Action: Modify, Path: "x", Mode: 0o755, Dialect: Git, Hunks: one}}},
		{"quoted names", text(`diff --git "a/\303\244 \"q\"\t.txt" "b/\303\244 \"q\"\t.txt"`, "old mode 100644", "new mode 100755",
			`diff --git "a/\303\244" b/x`, `rename from "\303\244"`, "rename to x", `--- "a/\303\244"`, "+++ b/x", "@@") + body, "",
			[]sketch{{Action: Chmod, Path: "ä \"q\"\t.txt", Mode: 0o755, Dialect: Git}, {Action: Move, Path: "x", From: "ä", Dialect: Git, Hunks: one}}},

		{"envelope", text("*** Begin Patch", "*** Update File: x", "@@ def f():", " a", "-b", "+c", "@@", "-d", "*** End of File",
			"*** Add File: n", "+1", "", "+2", "*** Delete File: d", "*** Update File: o", "*** Move to: p", "@@", "-q", "*** Update File: r", "*** Move to: s", "*** End Patch"), "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Envelope, Hunks: []string{"@def f():\n" + one[0], "-d\n$"}},
				{Action: Add, Path: "n", Dialect: Envelope, Hunks: []string{"+1\n+\n+2\n"}}, {Action: Delete, Path: "d", Dialect: Envelope},
				{Action: Move, Path: "p", From: "o", Dialect: Envelope, Hunks: []string{"-q\n"}}, {Action: Move, Path: "s", From: "r", Dialect: Envelope}}},
		{"heredoc", "apply_patch <<'EOF'\n" + text("*** Begin Patch", "*** Update File: x", "@@") + body + "*** End Patch\nEOF\n", "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Envelope, Hunks: one}}},
		{"heredoc with a padded end", "apply_patch <<'EOF'\n" + text("*** Begin Patch", "*** Update File: x", "@@") + body + "  *** End Patch\nEOF\n", "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Envelope, Hunks: one}}},
		{"a date in a name", text("--- a/log2006-01-02 15:00.txt", "+++ b/log2006-01-02 15:00.txt", "@@") + body, "",
			[]sketch{{Action: Modify, Path: "log2006-01-02 15:00.txt", Dialect: Unified, Hunks: one}}},
		{"heredoc without end", "apply_patch <<EOF\n" + text("*** Begin Patch", "*** Update File: x", "@@") + body + "EOF\n", "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Envelope, Hunks: one}}},
		{"without frame", text("*** Update File: x", "@@") + body, "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Envelope, Hunks: one}}},
		{"padded", "  *** Begin Patch  \n  *** Update File:  x \n@@\n" + body + "  *** End Patch  \n\n", "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Envelope, Hunks: one}}},
		{"indented as a whole", "    *** Begin Patch\n    *** Update File: x\n    @@\n     a\n    -b\n    +c\n    *** End Patch\n", "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Envelope, Hunks: one}}},
		{"first hunk without header", text("*** Begin Patch", "*** Update File: x") + body + "*** End Patch\n", "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Envelope, Hunks: one}}},
		{"one envelope after the other", text("*** Begin Patch", "*** Update File: x", "@@") + body + text("*** End Patch", "*** Begin Patch", "*** Update File: y", "@@") + body + "*** End Patch\n", "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Envelope, Hunks: one}, {Action: Modify, Path: "y", Dialect: Envelope, Hunks: one}}},
		{"nested anchors", text("*** Begin Patch", "*** Update File: x", "@@ class A", "@@ def f", " a", "-b", "+c", "*** End Patch"), "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Envelope, Hunks: []string{"@class A\n@def f\n" + one[0]}}}},
		{"new file without marks", text("*** Begin Patch", "*** Add File: x", "a", "", "b", "*** End Patch"), "",
			[]sketch{{Action: Add, Path: "x", Dialect: Envelope, Hunks: []string{"+a\n+\n+b\n"}}}},
		{"frame as context", text("*** Begin Patch", "*** Update File: x", "@@", " *** End Patch", "-b", "+c", "*** End Patch"), "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Envelope, Hunks: []string{" *** End Patch\n-b\n+c\n"}}}},
		{"unified inside", text("*** Begin Patch", "*** Update File: x", "--- a/x", "+++ b/x", "@@ -1,2 +1,2 @@") + body + "*** End Patch", "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Envelope, Hunks: numbered}}},

		{"search and replace", text("src/x.py", "```python", "<<<<<<< SEARCH", "a", "b", "=======", "a", "c", ">>>>>>> REPLACE", "```"), "",
			[]sketch{{Action: Modify, Path: "src/x.py", Dialect: SearchReplace, Hunks: one}}},
		{"several", text("x.py", "<<<<<<< SEARCH", "b", "=======", "c", ">>>>>>> REPLACE", "", "then", "", "<<<<<<< SEARCH", "d", "=======", ">>>>>>> REPLACE",
			"", "**y.py**", "```", "<<<<<<< SEARCH", "=======", "new", ">>>>>>> REPLACE", "```"), "",
			[]sketch{{Action: Modify, Path: "x.py", Dialect: SearchReplace, Hunks: []string{"-b\n+c\n", "-d\n"}},
				{Action: Add, Path: "y.py", Dialect: SearchReplace, Hunks: []string{"+new\n"}}}},
		{"cline", text("Here is the change:", "------- SEARCH", "b", "=======", "c", "+++++++ REPLACE"), "x",
			[]sketch{{Action: Modify, Path: "x", Dialect: SearchReplace, Hunks: []string{"-b\n+c\n"}}}},
		{"roo", text("<<<<<<< SEARCH", ":start_line:2", ":end_line:3", "-------", "b", `\=======`, "=======", "c", ">>>>>>> REPLACE"), "x",
			[]sketch{{Action: Modify, Path: "x", Dialect: SearchReplace, Hunks: []string{"#ii\n-b\n-=======\n+c\n"}}}},
		{"backslashes that escape, and that do not", text("<<<<<<< SEARCH", `\-------`, `\section{a}`, "=======", `\section{b}`, ">>>>>>> REPLACE"), "x",
			[]sketch{{Action: Modify, Path: "x", Dialect: SearchReplace, Hunks: []string{"--------\n-\\section{a}\n+\\section{b}\n"}}}},
		{"a heading before a block", text("Title", "=====", "x.py", "<<<<<<< SEARCH", "b", "=======", "c", ">>>>>>> REPLACE", "", "Next", "=====", "end"), "",
			[]sketch{{Action: Modify, Path: "x.py", Dialect: SearchReplace, Hunks: []string{"-b\n+c\n"}}}},
		{"roo, with dashes as the first line", text("<<<<<<< SEARCH", ":start_line:2", "-------", "-------", "b", "=======", "c", ">>>>>>> REPLACE"), "x",
			[]sketch{{Action: Modify, Path: "x", Dialect: SearchReplace, Hunks: []string{"#ii\n--------\n-b\n+c\n"}}}},
		{"roo, at no line", text("<<<<<<< SEARCH", ":start_line:0", "-------", "b", "=======", "c", ">>>>>>> REPLACE"), "x",
			[]sketch{{Action: Modify, Path: "x", Dialect: SearchReplace, Hunks: []string{"-b\n+c\n"}}}},
		{"dashes as a new line", text("<<<<<<< SEARCH", "b", "=======", "-------", "c", ">>>>>>> REPLACE"), "x",
			[]sketch{{Action: Modify, Path: "x", Dialect: SearchReplace, Hunks: []string{"-b\n+-------\n+c\n"}}}},

		{"blank lines between files", text("*** Begin Patch", "*** Delete File: x", "", "*** Update File: y", "", "@@") + body + text("*** End Patch", "that is all"), "",
			[]sketch{{Action: Delete, Path: "x", Dialect: Envelope}, {Action: Modify, Path: "y", Dialect: Envelope, Hunks: one}}},
		{"only the frame is indented", text("  *** Begin Patch", "*** Update File: x", "@@", "   a", "-b", "+c", "*** End Patch"), "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Envelope, Hunks: []string{"   a\n-b\n+c\n"}}}},
		{"indented, with a blank line", "  *** Begin Patch\n  *** Update File: x\n  @@\n   a\n\n  -b\n  *** End Patch\n", "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Envelope, Hunks: []string{" a\n \n-b\n"}}}},
		{"plus signs that are a new line", text("*** Begin Patch", "*** Update File: x", " a", "+++ b"), "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Envelope, Hunks: []string{" a\n+++ b\n"}}}},
		{"a removed line at the very end", text("*** Begin Patch", "*** Update File: x", "--- y"), "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Envelope, Hunks: []string{"--- y\n"}}}},
		{"a new file with a hunk's header", text("*** Begin Patch", "*** Add File: x", "@@ -0,0 +1 @@", "+a"), "",
			[]sketch{{Action: Add, Path: "x", Dialect: Envelope, Hunks: []string{"+a\n"}}}},
		{"a new file that says its end", text("*** Begin Patch", "*** Add File: x", "+a", "", "*** End of File", "*** Delete File: y", "*** End Patch"), "",
			[]sketch{{Action: Add, Path: "x", Dialect: Envelope, Hunks: []string{"+a\n"}}, {Action: Delete, Path: "y", Dialect: Envelope}}},
		{"new files without lines", text("*** Begin Patch", "*** Add File: x", "", "*** Add File: y"), "",
			[]sketch{{Action: Add, Path: "x", Dialect: Envelope, Hunks: []string{""}}, {Action: Add, Path: "y", Dialect: Envelope, Hunks: []string{""}}}},
		{"a new file without an end of line", text("*** Begin Patch", "*** Add File: x", "+a", `\ No newline at end of file`, "*** Add File: y", `+\ No newline here`, "*** Add File: z", `\ No newline there`, "*** End Patch"), "",
			[]sketch{{Action: Add, Path: "x", Dialect: Envelope, Hunks: []string{"+a"}}, {Action: Add, Path: "y", Dialect: Envelope, Hunks: []string{"+\\ No newline here\n"}},
				{Action: Add, Path: "z", Dialect: Envelope, Hunks: []string{"+\\ No newline there\n"}}}},
		{"the end of the file before any hunk", text("*** Begin Patch", "*** Update File: x", "*** End of File", "@@") + body + "*** End Patch\n", "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Envelope, Hunks: one}}},
		{"dashes in prose", text("--- what I did", "changed", "+++ and why", "changed") + text("*** Begin Patch", "*** Update File: x", "@@") + body + "*** End Patch\n", "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Envelope, Hunks: one}}},

		{"no header of a hunk of git", text("diff --git a/x b/x", "index 1..2 100644", "--- a/x", "+++ b/x") + body, "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Git, Hunks: one}}},
		{"two names", text("diff --git a/x b/y", "new file mode 100644", "index 0000000..e69de29"), "",
			[]sketch{{Action: Add, Path: "y", Mode: 0o644, Dialect: Git}}},
		{"words of a mail that are no header", text("Binary files are not touched here.", "These two differ", "--- a/x", "+++ b/x", "@@") + body, "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Unified, Hunks: one}}},
		{"a mail without a signature", text("--- a/x", "+++ b/x", "@@") + body + text("From "+strings.Repeat("0b", 20)+" Mon Sep 17 00:00:00 2001", "--- a/y", "+++ b/y", "@@") + body, "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Unified, Hunks: one}, {Action: Modify, Path: "y", Dialect: Unified, Hunks: one}}},
		{"lines that begin as a mail", text("--- a/x", "+++ b/x", "@@", "From here on", "From "+strings.Repeat("xy", 20)+" on", "-b"), "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Unified, Hunks: []string{" From here on\n From " + strings.Repeat("xy", 20) + " on\n-b\n"}}}},
		{"a removed dash", text("--- a/x", "+++ b/x", "@@", " a", "--", "+b"), "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Unified, Hunks: []string{" a\n--\n+b\n"}}}},
		{"a removed dash before a version", text("--- a/x", "+++ b/x", "@@", " a", "--", "+b.c"), "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Unified, Hunks: []string{" a\n--\n+b.c\n"}}}},
		{"a removed dash before a number", text("--- a/x", "+++ b/x", "@@", " a", "--", "2"), "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Unified, Hunks: []string{" a\n--\n 2\n"}}}},
		{"a removed dash before a version and more", text("--- a/x", "+++ b/x", "@@", " a", "--", "2.1", "+c"), "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Unified, Hunks: []string{" a\n--\n 2.1\n+c\n"}}}},
		{"a removed dash at the end", text("--- a/x", "+++ b/x", "@@", " a", "--"), "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Unified, Hunks: []string{" a\n--\n"}}}},
		{"more lines promised than there are before the next file", text("--- a/x", "+++ b/x", "@@ -1,3 +1,3 @@", "-a", "+b", "--- a/y", "+++ b/y", "@@") + body, "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Unified, Hunks: []string{"#i\n-a\n+b\n"}}, {Action: Modify, Path: "y", Dialect: Unified, Hunks: one}}},
		{"more old lines promised than there are before the next file", text("--- a/x", "+++ b/x", "@@ -1,3 +1 @@", "-a", "+b", "--- a/y", "+++ b/y", "@@") + body, "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Unified, Hunks: []string{"#i\n-a\n+b\n"}}, {Action: Modify, Path: "y", Dialect: Unified, Hunks: one}}},
		{"a promise that the next file would keep", text("--- a/x", "+++ b/x", "@@ -1,2 +1,2 @@", "-a", "+b", "--- a/y", "+++ b/y") + body, "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Unified, Hunks: []string{"#i\n-a\n+b\n"}}, {Action: Modify, Path: "y", Dialect: Unified, Hunks: one}}},
		{"removed lines that look like a header, at the end", text("--- a/x", "+++ b/x", "@@ -1 +1 @@", "--- a", "+++ b"), "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Unified, Hunks: []string{"#i\n--- a\n+++ b\n"}}}},
		{"removed lines that look like a header, before prose", text("--- a/x", "+++ b/x", "@@ -1 +1 @@", "--- a", "+++ b", "", "That is all."), "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Unified, Hunks: []string{"#i\n--- a\n+++ b\n"}}}},
		{"removed lines that look like a header, and one more", text("--- a/x", "+++ b/x", "@@ -1,2 +1 @@", "--- a", "+++ b", "-c", "@@ -5 +4 @@", "-e", "+f"), "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Unified, Hunks: []string{"#i\n--- a\n+++ b\n-c\n", "#iiiii\n-e\n+f\n"}}}},
		{"no end of line before any line", text("--- a/x", "+++ b/x", "@@", `\ No newline at end of file`, "-b", "+c"), "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Unified, Hunks: []string{"-b\n+c\n"}}}},
		{"bare lines beyond one count that is right", text("--- a/x", "+++ b/x", "@@ -1,9 +1,2 @@", " a", "+b", "bare"), "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Unified, Hunks: []string{"#i\n a\n+b\n bare\n"}}}},
		{"a blank line that is promised", text("--- a/x", "+++ b/x", "@@ -1,2 +1,2 @@", "-a", "+b", ""), "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Unified, Hunks: []string{"#i\n-a\n+b\n \n"}}}},
		{"a blank line that one count promises", text("--- a/x", "+++ b/x", "@@ -1,9 +1,2 @@", "-a", "+b", ""), "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Unified, Hunks: []string{"#i\n-a\n+b\n"}}}},
		{"a blank line that the other count promises", text("--- a/x", "+++ b/x", "@@ -1,2 +1,9 @@", "-a", "+b", ""), "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Unified, Hunks: []string{"#i\n-a\n+b\n"}}}},
		{"numbers, then a function", text("--- a/x", "+++ b/x", "@@ -1,2 +1,2 @@", "@@ def f") + body, "",
			[]sketch{{Action: Modify, Path: "x", Dialect: Unified, Hunks: []string{"@def f\n" + numbered[0]}}}},
		{"signs exchanged", "@@ +1,2 -1,2 @@\n" + body, "x",
			[]sketch{{Action: Modify, Path: "x", Dialect: Unified, Hunks: []string{"@+1,2 -1,2\n" + one[0]}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			files, err := Parse(c.patch, c.path)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, sketched(files)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestParseFaults(t *testing.T) {
	for _, c := range []struct {
		name, patch string
		code        fault.Code
		line        int
	}{
		{"empty", "", fault.PatchSyntax, 1},
		{"prose", "change b to c\n", fault.PatchSyntax, 1},
		{"hunk of no file", "\n@@ -1 +1 @@\n-a\n+b\n", fault.PatchSyntax, 2},
		{"hunk without lines", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n@@ -2 +2 @@\n-a\n", fault.PatchSyntax, 4},
		{"no hunk", "--- a/x\n+++ b/x\nnothing\n", fault.PatchSyntax, 3},
		{"combined", "--- a/x\n+++ b/x\n@@@ -1 -1 +1 @@@\n- a\n", fault.PatchSyntax, 3},
		{"context diff", "*** x\n--- x\n***************\n*** 1 ****\n! a\n", fault.PatchSyntax, 1},
		{"mode", "diff --git a/x b/x\nold mode 100644\nnew mode rwx\n", fault.PatchSyntax, 3},
		{"binary", "diff --git a/x b/x\nindex 1..2\nGIT binary patch\nliteral 1\n", fault.UnsupportedContent, 3},
		{"binary differs", "diff --git a/x b/x\nindex 1..2\nBinary files a/x and b/x differ\n", fault.UnsupportedContent, 3},
		{"link", "diff --git a/x b/x\nnew file mode 120000\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+y\n", fault.UnsupportedContent, 1},
		{"submodule", "diff --git a/x b/x\nindex 1..2 160000\nnew file mode 160000\n", fault.UnsupportedContent, 1},
		{"context in a new file", "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n a\n+b\n", fault.PatchSyntax, 3},
		{"envelope without file", "*** Begin Patch\n*** End Patch\n", fault.PatchSyntax, 3},
		{"envelope with junk", "*** Begin Patch\n*** Change File: x\n*** End Patch\n", fault.PatchSyntax, 2},
		{"update without hunk", "*** Begin Patch\n*** Update File: x\n*** End Patch\n", fault.PatchSyntax, 3},
		{"add with unmarked lines", "*** Begin Patch\n*** Add File: x\n+a\nb\n*** End Patch\n", fault.PatchSyntax, 4},
		{"no path", "*** Begin Patch\n*** Update File:  \n@@\n-a\n", fault.PatchSyntax, 2},
		{"block of no file", "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", fault.PatchSyntax, 1},
		{"block without end", "x.py\n<<<<<<< SEARCH\na\n=======\nb\n", fault.PatchSyntax, 6},
		{"block at a line in words", "x.py\n<<<<<<< SEARCH\n:start_line:two\n-------\na\n=======\nb\n>>>>>>> REPLACE\n", fault.PatchSyntax, 3},
		{"block before the first line", "x.py\n<<<<<<< SEARCH\n:start_line:-1\n-------\na\n=======\nb\n>>>>>>> REPLACE\n", fault.PatchSyntax, 3},
		{"block beyond any line", "x.py\n<<<<<<< SEARCH\n:start_line:1073741825\n-------\na\n=======\nb\n>>>>>>> REPLACE\n", fault.PatchSyntax, 3},
		{"two dividers", "x.py\n<<<<<<< SEARCH\na\n=======\nb\n=======\nc\n>>>>>>> REPLACE\n", fault.PatchSyntax, 6},
		{"an indented number in the new lines", "x.py\n<<<<<<< SEARCH\na\n=======\n  :start_line:6  \nb\n>>>>>>> REPLACE\n", fault.PatchSyntax, 5},
		{"numbers in the new lines", "x.py\n<<<<<<< SEARCH\n:start_line:1\n-------\na\n=======\n:start_line:1\n-------\nb\n>>>>>>> REPLACE\n", fault.PatchSyntax, 7},
		{"numbers amid the old lines", "x.py\n<<<<<<< SEARCH\na\n:start_line:1\n=======\nb\n>>>>>>> REPLACE\n", fault.PatchSyntax, 4},
		{"end number amid the new lines", "x.py\n<<<<<<< SEARCH\na\n=======\nb\n:end_line:1\n>>>>>>> REPLACE\n", fault.PatchSyntax, 6},
		{"dashes before the new lines", "x.py\n<<<<<<< SEARCH\n:start_line:1\n-------\na\n=======\n-------\nb\n>>>>>>> REPLACE\n", fault.PatchSyntax, 7},
		{"SEARCH amid the old lines", "x.py\n<<<<<<< SEARCH\na\n<<<<<<< SEARCH\nb\n=======\nc\n>>>>>>> REPLACE\n", fault.PatchSyntax, 4},
		{"REPLACE amid the old lines", "x.py\n<<<<<<< SEARCH\na\n>>>>>>> REPLACE\nb\n=======\nc\n>>>>>>> REPLACE\n", fault.PatchSyntax, 4},
		{"SEARCH of another dialect amid the new lines", "x.py\n<<<<<<< SEARCH\na\n=======\n------- SEARCH\nb\n>>>>>>> REPLACE\n", fault.PatchSyntax, 5},
		{"a conflict written", "x.py\n<<<<<<< SEARCH\na\n=======\n<<<<<<< HEAD\nb\n>>>>>>> REPLACE\n", fault.PatchSyntax, 5},
		{"REPLACE without SEARCH", "x.py\na\n>>>>>>> REPLACE\nx.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", fault.PatchSyntax, 3},
		{"divider without SEARCH", "x.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\nx.py\na\n=======\nb\n>>>>>>> REPLACE\n", fault.PatchSyntax, 9},
		{"nothing after SEARCH", "x.py\n<<<<<<< SEARCH\n", fault.PatchSyntax, 3},
		{"nothing after the line's number", "x.py\n<<<<<<< SEARCH\n:start_line:1\n", fault.PatchSyntax, 4},
		{"nothing after the divider", "x.py\n<<<<<<< SEARCH\n:start_line:1\n-------\na\n=======\n", fault.PatchSyntax, 7},
		{"junk after a blank line", "*** Begin Patch\n*** Delete File: x\n\njunk\n*** End Patch\n", fault.PatchSyntax, 4},
		{"nothing after an update", "*** Begin Patch\n*** Update File: x\n", fault.PatchSyntax, 3},
		{"a hunk of an envelope without lines", "*** Begin Patch\n*** Update File: x\n@@\n*** End Patch\n", fault.PatchSyntax, 4},
		{"a promise that nothing keeps", "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n-a\n+b\n--- c\n+++ d\n", fault.PatchSyntax, 8},
		{"renamed from, but not to", "diff --git a/x b/y\nrename from x\n--- a/x\n+++ b/y\n@@\n-a\n", fault.PatchSyntax, 1},
		{"renamed to, but not from", "diff --git a/x b/y\nrename to y\n--- a/x\n+++ b/y\n@@\n-a\n", fault.PatchSyntax, 1},
		{"a bare line in a new file", "--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+a\nb\n", fault.PatchSyntax, 3},
		{"too many files", strings.Repeat("*** Delete File: x\n", 101), fault.TooLarge, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			files, err := Parse(c.patch, "")
			if !fault.Is(err, c.code) {
				t.Fatalf("got %v and %v, want %s", sketched(files), err, c.code)
			}
			if d, ok := fault.As(err).Details.(SyntaxError); c.line > 0 && (!ok || d.Line != c.line) {
				t.Errorf("line %d, want %d: %v", d.Line, c.line, err)
			}
		})
	}
}

func TestIsDate(t *testing.T) {
	for s, want := range map[string]bool{
		"2006-01-02 15:": true, "2006-01-02 15:04:05": true, "2006-01-02T15:04": true, "2006-01-02 15": false, "2006-01-02": false, "": false,
		"2006-01-02_15:": false, "2006/01/02 15:": false, "2006T01-02 15:": false, "1999-09-09 19:": true, "200x-01-02 15:": false, "20060-1-02 15:": false,
	} {
		if got := isDate(s); got != want {
			t.Errorf("%q: %t", s, got)
		}
	}
}

// TestUnquote has names as git quotes them, and such as it would not.
func TestUnquote(t *testing.T) {
	for quoted, want := range map[string]string{
		`"a b"`: "a b", `"\303\244"`: "ä", `"\a\b\t\n\v\f\r"`: "\a\b\t\n\v\f\r", `"\"\\"`: `"\`, `"\0"`: "\x00", `"\7"`: "\a", `"\8\/"`: "8/", `"\1010"`: "A0", `"\18"`: "\x018", `""`: "",
	} {
		if got, n, ok := unquote(quoted + " rest"); !ok || got != want || n != len(quoted) {
			t.Errorf("%s: %q, %d, %t", quoted, got, n, ok)
		}
	}
	for _, open := range []string{`"`, `"a`, `"a\`, `"a\"`, `"\10`} {
		if got, _, ok := unquote(open); ok {
			t.Errorf("%s ends: %q", open, got)
		}
	}
}

// TestRule has the lines that begin and end the parts of a block.
func TestRule(t *testing.T) {
	for signs, want := range map[int]bool{4: false, 5: true, 7: true, 9: true, 10: true} {
		for _, c := range []struct {
			is   func(string) bool
			sign string
			word string
		}{{isSearch, "<", " SEARCH"}, {isSearch, "-", "SEARCH>"}, {isDivider, "=", " \r"}, {isReplace, ">", " replace"}, {isReplace, "+", " REPLACE\t"}} {
			want := want && (signs < 10 || c.sign != "=") // a longer one underlines a title
			if line := strings.Repeat(c.sign, signs) + c.word; c.is(line) != want {
				t.Errorf("%q: %t", line, !want)
			}
		}
	}
}

// TestRange has the numbers in the header of a hunk, and what is none.
func TestRange(t *testing.T) {
	for text, want := range map[string][2]int{"-1": {1, 1}, "-0,0": {0, 0}, "-12,34": {12, 34}, "-1073741823,1073741823": {1<<30 - 1, 1<<30 - 1}} {
		var got [2]int
		if ok := parseRange(text, '-', &got); !ok || got != want {
			t.Errorf("%s: %v, %t", text, got, ok)
		}
	}
	for _, text := range []string{"1", "+1", "-", "-x", "-x,1", "-1,", "-1,x", "--1", "--1,1", "-1,-1", "-1073741824", "-1,1073741824", "-99999999999999999999"} {
		if ok := parseRange(text, '-', new([2]int)); ok {
			t.Errorf("%s is a range", text)
		}
	}
}

// TestStripped has names with the prefixes of diff tools, and such that only look so.
func TestStripped(t *testing.T) {
	for in, want := range map[[2]string][2]string{
		{"a/x", "b/x"}: {"x", "x"}, {"i/x", "w/y"}: {"x", "y"}, {"a/x", "a/x"}: {"a/x", "a/x"}, {"a/x", "x.go"}: {"a/x", "x.go"}, {"x.go", "b/x.go"}: {"x.go", "b/x.go"},
		{"abc.go", "bcd.go"}: {"abc.go", "bcd.go"}, {devNull, "b/x"}: {devNull, "x"}, {devNull, "x/y"}: {devNull, "x/y"}, {"a/x", devNull}: {"x", devNull}, {"x/y", devNull}: {"x/y", devNull},
	} {
		if from, to := stripped(in[0], in[1]); from != want[0] || to != want[1] {
			t.Errorf("%q: %q, %q", in, from, to)
		}
	}
}

// TestLongLine shows at most 200 bytes of the line that is wrong.
func TestLongLine(t *testing.T) {
	for n, cut := range map[int]bool{200: false, 201: true} {
		_, err := Parse(strings.Repeat("x", n), "")
		if d, ok := fault.As(err).Details.(SyntaxError); !ok || strings.HasSuffix(d.Text, "…") != cut || !strings.HasPrefix(d.Text, strings.Repeat("x", 200)) {
			t.Errorf("%d bytes: %q", n, d.Text)
		}
	}
}

// TestChangeOfDirectory has patches as a shell would be given them: their paths begin in
// the directory that it goes to.
func TestChangeOfDirectory(t *testing.T) {
	const patch = "*** Begin Patch\n*** Add File: a\n+x\n*** Update File: /ws/b\n*** Move to: c\n@@\n-x\n+y\n*** End Patch\nEOF\n"
	for line, want := range map[string]string{
		"apply_patch <<EOF": "", "cd . && apply_patch <<EOF": "", "cd sub && apply_patch <<'EOF'": "sub/", `cd "a b/c" && apply_patch <<EOF`: "a b/c/",
		"cd 'x' && apply_patch << EOF": "x/", "cd sub\napply_patch <<EOF": "sub/", "cd a\ncd b && apply_patch <<EOF": "a/b/", "cd ../up && apply_patch <<EOF": "../up/",
		"the file cd is in a": "", "bash -c x": "",
	} {
		files, err := Parse(line+"\n"+patch, "")
		if err != nil || len(files) != 2 || files[0].Path != want+"a" || files[1].From != "/ws/b" || files[1].Path != want+"c" {
			t.Errorf("%s: %+v, %v", line, files, err)
		}
	}
	for _, line := range []string{
		"cd $HOME && apply_patch <<EOF", "cd ~ && apply_patch <<EOF", "cd && apply_patch <<EOF", "cd - && apply_patch <<EOF", "cd a; apply_patch <<EOF",
		"cd a b && apply_patch <<EOF", "mkdir a && cd a && apply_patch <<EOF", "cd a && cd b && apply_patch <<EOF", "cd 'a'b && apply_patch <<EOF", "cd `pwd` && apply_patch <<EOF",
	} {
		if files, err := Parse(line+"\n"+patch, ""); !fault.Is(err, fault.PatchSyntax) {
			t.Errorf("%s: %+v, %v", line, files, err)
		}
	}
}
