package markdown

import (
	"bytes"
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

func TestBlocks(t *testing.T) {
	w := NewWriter(Window{})
	w.Heading(2, "A\\\nB")
	w.Paragraph("# no heading")
	w.Paragraph("")
	w.Item(0, "-", "one")
	w.Item(1, "3.", "two\\\nlines")
	w.Within(1, "more")
	w.Item(2, "IV.", "three")
	w.Item(0, "-", "four")
	w.Table([][]string{{"h|1", "h2"}, {"a\\\nb"}, {"c", "d"}})
	w.MoreRows(2, [][]string{{"e"}, {"f", "g", "dropped"}})
	w.Code("go", "x := `a`\n\n")
	w.Note("1", "a note\n\nof two")
	w.Note("2", "another")
	want := "## A B\n\n\\# no heading\n\n- one\n  3. two\\\n     lines\n\n     more\n     - IV. three\n- four\n\n" +
		"| h\\|1 | h2 |\n| --- | --- |\n| a<br>b | |\n| c | d |\n| e | |\n| f | g |\n\n```go\nx := `a`\n```\n\n[^1]: a note\n\n    of two\n[^2]: another\n"
	if got := string(w.Bytes()); got != want {
		t.Errorf("%s", got)
	}
	if n := strings.Count(want, "\n"); w.Lines() != n {
		t.Errorf("%d lines of %d", w.Lines(), n)
	}
}

// One long row does not make all others long.
func TestUnevenTable(t *testing.T) {
	rows := make([][]string, 10_000)
	rows[0] = make([]string, 10_000)
	for i := range rows[1:] {
		rows[1+i] = []string{"x"}
	}
	w := NewWriter(Window{})
	w.Table(rows)
	if n := len(w.Bytes()); n > 200_000 || !strings.HasSuffix(string(w.Bytes()), "\n| x |\n") {
		t.Errorf("%d bytes", n)
	}
}

func TestInline(t *testing.T) {
	var i Inline
	i.Text("bold ", Bold, "")
	i.Text("and ", Bold, "")
	i.Text("both", Bold|Italic, "")
	i.Text(" ", Bold, "")
	i.Text("a_b *c*", 0, "")
	i.Text("here", 0, "x (1).html")
	i.Text("x`y", Code, "")
	i.Math(" a^2 ")
	want := "**bold and** ***both*** a_b \\*c\\*[here](<x (1).html>)``x`y``$a^2$"
	if got := i.String(); got != want {
		t.Errorf("%s", got)
	}
}

// Emphasis that begins or ends at punctuation beside a letter would be no emphasis.
func TestEmphasis(t *testing.T) {
	for _, c := range []struct{ before, inner, after, want string }{
		{"", "Note:", "text", "**Note**:text"},
		{"", "注意：", "请", "**注意**：请"},
		{"", "Note:", " text", "**Note:** text"},
		{"say", "“so”", "now", "say“**so**”now"},
		{"a", ":", "b", "a:b"},
		{"a", ": b", "", "a: **b**"},
		{"(", "x", ")", "(**x**)"},
	} {
		var i Inline
		i.Text(c.before, 0, "")
		i.Text(c.inner, Bold, "")
		i.Text(c.after, 0, "")
		if got := i.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Text of a document stays text, wherever it stands.
func TestInjection(t *testing.T) {
	text := func(parts ...string) string { // pairs of a text and its link
		var i Inline
		for n := 0; n < len(parts); n += 2 {
			i.Text(parts[n], 0, parts[n+1])
		}
		return i.String()
	}
	lines := func(lines ...string) string {
		var i Inline
		for n, line := range lines {
			if n > 0 {
				i.Break()
			}
			i.Text(line, 0, "")
		}
		return i.String()
	}
	for _, c := range []struct {
		what string
		do   func(w *Writer)
		want string
	}{
		{"a heading after a line break", func(w *Writer) { w.Paragraph(lines("a", "  # b", "1. c", "===")) }, "a\\\n  \\# b\\\n1\\. c\\\n\\===\n"},
		{"in a quotation", func(w *Writer) { w.Quote(lines("a", "> b")) }, "> a\\\n> \\> b\n"},
		{"in an item", func(w *Writer) { w.Item(0, "-", lines("a", "- b")) }, "- a\\\n  \\- b\n"},
		{"a tab", func(w *Writer) { w.Paragraph("#\tx"); w.Paragraph("1.\tx") }, "\\#\tx\n\n1\\.\tx\n"},
		{"the definition of a reference", func(w *Writer) { w.Paragraph("[a]: http://x.example") }, "\\[a]: http://x.example\n"},
		{"a link at the start", func(w *Writer) { w.Paragraph(text("a", "u") + " [1]: b") }, "[a](u) [1]: b\n"},
		{"the end of a heading", func(w *Writer) { w.Heading(1, "Learn C #"); w.Heading(1, "C#"); w.Heading(1, "#") }, "# Learn C \\#\n\n# C#\n\n# \\#\n"},
		{"a backslash before a bar", func(w *Writer) { w.Table([][]string{{Escape(`a\|b`), "c"}}) }, "| a\\\\\\|b | c |\n| --- | --- |\n"},
		{"an image of a link", func(w *Writer) { w.Paragraph(text("Go!", "", "here", "http://x.example/y.png")) }, "Go\\![here](http://x.example/y.png)\n"},
		{"another target", func(w *Writer) { w.Paragraph(text("a](http://bad.example) b", "http://good.example")) }, "[a\\](http://bad.example) b](http://good.example)\n"},
		{"brackets in a link", func(w *Writer) { w.Paragraph(text("[1]", "u", "x", "", "a] b", "u")) }, "[[1]](u)x[a\\] b](u)\n"},
		{"a script", func(w *Writer) {
			w.Paragraph(text("a", "JavaScript:f()", "b", "", "c", "java\nscript:f()", "d", "data:text/html,x"))
		}, "abcd\n"},
		{"a target that ends with a backslash", func(w *Writer) { w.Paragraph(text("a", `file:///c:\b\`)) }, "[a](file:///c:\\\\b\\\\)\n"},
		{"code and HTML in a description", func(w *Writer) { w.Paragraph(Image("a ` <b>", "p") + "`") }, "![a ' \\<b>](p)`\n"},
	} {
		w := NewWriter(Window{})
		c.do(w)
		if got := string(w.Bytes()); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// Many brackets and many links take no time that grows with their square.
func TestManyBrackets(t *testing.T) {
	brackets := strings.Repeat("[", 2_000_000)
	if got := Escape(brackets); got != brackets {
		t.Errorf("%d bytes", len(got))
	}
	var i Inline
	for range 100_000 {
		i.Text("a!", 0, "")
		i.Text("b", 0, "u")
	}
	if got, want := i.String(), strings.Repeat(`a\![b](u)`, 100_000); got != want {
		t.Errorf("%d bytes of %d", len(got), len(want))
	}
}

// A window is full after its last line, or its bytes, and a page ends before a block.
func TestWindow(t *testing.T) {
	render := func(win Window) *Writer {
		w := NewWriter(win)
		for i := 0; i < 100 && !w.Full(); i++ {
			w.Code("", fmt.Sprintf("a%d\nb", i)) // lines 1-4, 6-9, …
		}
		return w
	}
	all := render(Window{})
	if all.Full() || all.Lines() != 499 {
		t.Fatalf("%d lines", all.Lines())
	}
	for _, c := range []struct {
		window            Window
		lines, last, want int
	}{
		{Window{Lines: 7}, 9, 7, 4},
		{Window{Lines: 9}, 14, 9, 9},
		{Window{Lines: 10}, 14, 10, 9},
		{Window{From: 6, Bytes: 10}, 9, 8, 8}, // longer than the page
		{Window{From: 6, Bytes: 20}, 14, 12, 9},
	} {
		w := render(c.window)
		if end := w.End(max(1, c.window.From), c.last); !w.Full() || w.Lines() != c.lines || end != c.want {
			t.Errorf("%+v: %d lines, a page of up to %d ends at %d", c.window, w.Lines(), c.last, end)
		}
		if !bytes.HasPrefix(all.Bytes(), w.Bytes()) {
			t.Errorf("%+v: not the beginning", c.window)
		}
	}
}

// Text comes back from a reader of Markdown as it went in.
func FuzzEscape(f *testing.F) {
	for _, seed := range []string{"2 * 3 * 4", "a_b_c", "**x**", "# x", "1. x", "a\\*", "[x](y)", "<b>", "&amp;", "$a$ $5 $6", "- x", "~~y~~", "`c`", "___", "+", "> q", "|x|", "\x00\x01"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		w := NewWriter(Window{})
		w.Paragraph(Escape(text))
		if strings.Count(string(w.Bytes()), "\n") != w.Lines() {
			t.Errorf("%q", w.Bytes())
		}
		plain := strings.Map(func(r rune) rune {
			if r == '\\' {
				return -1
			}
			return r
		}, string(w.Bytes()))
		want := strings.Map(func(r rune) rune {
			if r == '\\' {
				return -1
			}
			return r
		}, clean(strings.TrimSpace(text)))
		if strings.TrimSpace(plain) != strings.TrimSpace(want) {
			t.Errorf("%q became %q", want, plain)
		}
	})
}

// Pandoc reads back the words that were written.
func TestPandoc(t *testing.T) {
	pandoc, err := exec.LookPath("pandoc")
	if err != nil {
		t.Skip("no pandoc")
	}
	for _, text := range []string{
		"2 * 3 * 4 = 24", "snake_case and _this_ and __init__", "**stars** and *star*", "# heading", "1. item", "12) item", "- dash", "+ plus", "* star", "> quote",
		"C:\\dir\\*.txt", "[link](target) and [x]", "<b>bold</b> a < b", "&amp; R&D &lt;", "Name: ____________ Date: ____", "~~gone~~ ~home", "`code` it's", "---", "===", "~~~", "| pipe | table |",
		"a*b*c", "f(x)_i", "*", "_", "x**", "100 % ^2^", "![img](x)", "~one~", "a\\", "\\# x", "www_x_y.com", "$5 and $6",
	} {
		w := NewWriter(Window{})
		w.Paragraph(Escape(text))
		cmd := exec.Command(pandoc, "-f", "gfm-autolink_bare_uris", "-t", "plain", "--wrap=none")
		cmd.Stdin = strings.NewReader(string(w.Bytes()))
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(string(out)); got != text {
			t.Errorf("%q, written as %q, is read as %q", text, w.Bytes(), got)
		}
	}
}

// The lines of a paragraph stay what they are: none becomes a heading or an item.
func TestLines(t *testing.T) {
	if got, want := Lines([]string{"a ", "# b", "", "- c", "2. d", "===", "e\\"}), "a\n\\# b\n\\- c\n2\\. d\n\\===\ne\\"; got != want {
		t.Errorf("%q", got)
	}
}
