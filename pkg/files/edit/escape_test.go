package edit

import (
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

// TestUnescape has escapes, and backslashes that are none.
func TestUnescape(t *testing.T) {
	for s, want := range map[string]string{
		`a\u003c`: "a<", `\u003`: `\u003`, `\uzzzz`: `\uzzzz`, `\ud800x`: `\ud800x`, `a\`: `a\`, `\r\n`: "\n", `\r`: `\r`, `\q\t\\`: "\\q\t\\", "": "",
	} {
		if got := unescape(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

// TestCutEscapes has texts with the literals that are in them.
func TestCutEscapes(t *testing.T) {
	for text, want := range map[string]string{
		`a`: ``, `f("x\n")\ny`: `"x\n"`, `f(\"x\n\")`: `\"x\n\"`, `f(\"a \\\"b\\\" c\")`: `\"a \\\"b\\\" c\"`,
		`don't\nwon't`: ``, `'a\n' 'b'`: `'a\n'|'b'`, `x = """a\nb"""\n`: `"""a\nb"""`, `"open\nx`: ``,
		`split(/\n/)`: `/\n/`, `a / b / c`: ``, `// x\n// y`: ``, `"a\"b" c`: `"a\"b"`, "`a\\n`": "`a\\n`", `\`: ``,
	} {
		var got []string
		cut := cutEscapes(text)
		for _, l := range cut {
			if l.mark != "" {
				got = append(got, l.raw)
			}
		}
		if strings.Join(got, "|") != want || cut.text() != text {
			t.Errorf("%s: %q", text, got)
		}
	}
}

// TestHalfEscaped has calls as models have made them, with some characters escaped once
// more than the call itself needs, or once less. There is one reading, or none is written.
func TestHalfEscaped(t *testing.T) {
	const hello = "package main\n\nfunc main() {\n\tprintln(\"hello\\n\")\n}\n"
	const plain = "package main\n\nfunc main() {\n\tprintln(1)\n}\n"
	tests := []struct {
		name, src, old, new string
		want                string // the text after it; "" if it is refused
	}{
		{"all escaped", plain, `func main() {\n\tprintln(1)\n}`, `func main() {\n\tprintln(2)\n}`, strings.Replace(plain, "1", "2", 1)},
		{"all escaped, a new literal", plain, `func main() {\n\tprintln(1)\n}`, `func main() {\n\tprintln(\"a\\n\")\n}`, strings.Replace(plain, "1", `"a\n"`, 1)},
		{"breaks escaped, a literal of the old text is not", hello, `func main() {\n\tprintln("hello\n")`, `func main() {\n\tprintln("bye\n")`, strings.Replace(hello, "hello", "bye", 1)},
		{"the same with escaped marks", hello, `func main() {\n\tprintln(\"hello\n\")`, `func main() {\n\tprintln(\"bye\n\")`, strings.Replace(hello, "hello", "bye", 1)},
		{"the same, and a literal of several lines", hello, `func main() {\n\tprintln("hello\n")`, "func main() {\\n\\tprintln(`a\\nb`)", ""},
		{"breaks escaped, a literal only in the new text", plain, `func main() {\n\tprintln(1)`, `func main() {\n\tprintln("hello\n")`, ""},
		{"the same with escaped marks, a literal only in the new text", plain, `func main() {\n\tprintln(1)`, `func main() {\n\tprintln(\"hello\n\")`, ""},
		{"marks escaped, a break only in the new text", "say(\"hi\")\n", `say(\"hi\")`, `say(\"hi\\n\")`, "say(\"hi\\n\")\n"},
		{"marks escaped, a half-escaped break only in the new text", "say(\"hi\")\n", `say(\"hi\")`, `say(\"hi\n\")`, ""},
		{"marks escaped, another line only in the new text", "say(\"hi\")\n", `say(\"hi\")`, `say(\"hi\")\nsay(\"ho\")`, ""},
		{"an expression only in the new text", "a()\nb()\n", `a()\nb()`, `a()\nb(s.split(/\n/))`, ""},
		{"a docstring of the file", "x = \"\"\"a\nb\"\"\"\ny = 1\n", `x = """a\nb"""\ny = 1`, `x = """a\nb"""\ny = 2`, "x = \"\"\"a\nb\"\"\"\ny = 2\n"},
		{"a docstring of the file, and a new literal", "x = \"\"\"a\nb\"\"\"\ny = 1\n", `x = """a\nb"""\ny = 1`, `x = """a\nb"""\ny = "c\n"`, ""},
		{"both readings are in the file", "f(\"a\nb\")\nf(\"a\\nb\")\nx \"q\"\n", `f(\"a\nb\")`, `f(\"c\nd\")`, ""},
		{"a file whose own words have backslashes", "\\section{a}\ntext one\ntext two\n", `text one\ntext two`, `text one\n\textbf{two}`, ""},
		{"a dollar only in the new text", "a = \"x\"\nb = 1\n", `a = \"x\"\nb = 1`, `a = \"x\"\nb = \${c}`, ""},
		{"deleted", hello, `\tprintln(\"hello\\n\")\n`, ``, strings.Replace(hello, "\tprintln(\"hello\\n\")\n", "", 1)},
		{"entities", "if a < b && c > d {\n", `if a &lt; b &amp;&amp; c &gt; d {`, `if a &lt;= b &amp;&amp; c &gt; d {`, "if a <= b && c > d {\n"},
		{"entities, and the character", "if (a < b) {\n", `if (a &lt; b) {`, `if (a < b) { return "&lt;" `, ""},
		{"entities in a file that has some", "if (a < b) {\n  x = '&amp;'\n", `if (a &lt; b) {`, `if (a &gt; b) {`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := Apply(tt.src, []Edit{{Old: tt.old, New: tt.new}}, Options{Path: "a.x"})
			if tt.want != "" {
				if err != nil || r.Text != tt.want {
					t.Errorf("%v: %q", err, r.Text)
				}
				return
			}
			f := failureOf(t, err, fault.TextNotFound)
			if len(f.Candidates) == 0 || !strings.Contains(fault.As(err).Hint.In(fault.English), f.Candidates[0].ID) {
				t.Fatalf("%v: %v, %+v", err, fault.As(err).Hint, f)
			}
			// The first candidate is taken as the hint says.
			if _, err := Apply(tt.src, []Edit{{Accept: f.Candidates[0].ID, New: "mended"}}, Options{Path: "a.x"}); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestEscapedInFile: a text with real breaks whose place has escapes is offered first.
func TestEscapedInFile(t *testing.T) {
	for name, c := range map[string]struct{ src, old, text string }{
		"in a literal":      {"a = \"x\\ny\"\nb\n", "a = \"x\ny\"", "a = \"x\\ny\""},
		"a program in JSON": {"{\n  \"code\": \"import os\\nprint(1)\\n\"\n}\n", "import os\nprint(1)\n", "  \"code\": \"import os\\nprint(1)\\n\""},
		"with marks":        {"{\"code\": \"a = \\\"b\\\"\\nccc = 1\"}\n", "a = \"b\"\nccc = 1", "{\"code\": \"a = \\\"b\\\"\\nccc = 1\"}"},
	} {
		_, err := Apply(c.src, []Edit{{Old: c.old, New: "new"}}, Options{Path: "a.x"})
		f := failureOf(t, err, fault.TextNotFound)
		if len(f.Candidates) == 0 || f.Candidates[0].Text != c.text && f.Candidates[0].Text != c.text+"\n" || f.Candidates[0].Causes[0] != causeEscaped {
			t.Errorf("%s: %v %+v", name, err, f)
		}
	}
}

// TestCutBreaks has calls whose new text lacks the line break that the old one ends or
// begins with.
func TestCutBreaks(t *testing.T) {
	const src = "import os\nimport re\nx = 1\n"
	for name, c := range map[string]struct {
		src, old, new, want string
		noted               bool
	}{
		"at the end":                    {src, "import re\n", "import rex", "import os\nimport rex\nx = 1\n", true},
		"at the end, part of a line":    {src, "re\n", "rex", "import os\nimport rex\nx = 1\n", true},
		"at the end of the file":        {src, "x = 1\n", "x = 2", "import os\nimport re\nx = 2\n", true},
		"at the end, several lines":     {src, "import os\nimport re\n", "import os\nimport sys", "import os\nimport sys\nx = 1\n", true},
		"at the beginning":              {src, "\nimport re\n", "import rex\n", "import os\nimport rex\nx = 1\n", true},
		"at both":                       {src, "\nimport re\n", "import rex", "import os\nimport rex\nx = 1\n", true},
		"CRLF":                          {strings.ReplaceAll(src, "\n", "\r\n"), "import re\n", "import rex", "import os\r\nimport rex\r\nx = 1\r\n", true},
		"lines are joined":              {"foo(\n  a)\n", "foo(\n", "foo(", "foo(  a)\n", false},
		"lines are joined with a space": {"a +\nb\n", "a +\n", "a - ", "a - b\n", false},
		"joined with the line before":   {"if a\n{\n", "\n{\n", " {\n", "if a {\n", false},
		"the last break is removed":     {"a\nb\n", "b\n", "b", "a\nb", false},
		"a blank line before goes":      {"a\n\nb\nc\n", "\nb\n", "d\n", "a\nd\nc\n", false},
		"deleted":                       {src, "import re\n", "", "import os\nx = 1\n", false},
		"kept":                          {src, "import re\n", "import rex\n", "import os\nimport rex\nx = 1\n", false},
	} {
		r, err := Apply(c.src, []Edit{{Old: c.old, New: c.new}}, Options{Path: "a.py"})
		if err != nil || r.Text != c.want || (len(r.Warnings) > 0) != c.noted {
			t.Errorf("%s: %q, %v, %v", name, r.Text, r.Warnings, err)
		}
	}
}
