package edit

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

func TestApply(t *testing.T) {
	tests := []struct {
		name     string
		path     string
		src      string
		edit     Edit
		want     string
		strategy Strategy
	}{
		// Exact text.
		{"word", "", "a b c\n", Edit{Old: "b", New: "x"}, "a x c\n", Exact},
		{"lines", "", "a\nb\nc\n", Edit{Old: "a\nb\n", New: "x\n"}, "x\nc\n", Exact},
		{"delete", "", "a\nb\nc\n", Edit{Old: "b\n"}, "a\nc\n", Exact},
		{"no final newline", "", "a\nb", Edit{Old: "b", New: "x\ny"}, "a\nx\ny", Exact},
		{"final newline added", "", "a\nb", Edit{Old: "b", New: "b\n"}, "a\nb\n", Exact},
		{"not UTF-8", "", "a\xff\xfeb\nold\n", Edit{Old: "old", New: "new"}, "a\xff\xfeb\nnew\n", Exact},
		{"dollar stays", "", "x = 1\n", Edit{Old: "1", New: "$& $1 \\n"}, "x = $& $1 \\n\n", Exact},

		// Line endings.
		{"CRLF", "", "a\r\nb\r\nc\r\n", Edit{Old: "a\nb", New: "a\nx\ny"}, "a\r\nx\r\ny\r\nc\r\n", Exact},
		{"CRLF given for LF", "", "a\nb\nc\n", Edit{Old: "a\r\nb", New: "a\r\nx"}, "a\nx\nc\n", Exact},
		{"CR only", "", "a\rb\rc", Edit{Old: "b\nc", New: "x\ny\n"}, "a\rx\ry\r", Exact},
		{"mixed endings stay with their lines", "", "a\r\nb\nc\r\nd\n", Edit{Old: "a\nb\nc\nd\n", New: "a\nb\nx\nd\n"}, "a\r\nb\nx\nd\n", Exact},
		{"mixed endings, word inside of a line", "", "a\r\nb b2\nc\r\n", Edit{Old: "b2", New: "x\ny"}, "a\r\nb x\ny\nc\r\n", Exact},
		{"lone CR in a file of LF", "", "a\rb\nc\n", Edit{Old: "b", New: "x"}, "a\rx\nc\n", Exact},
		{"at the end of a CRLF file without one", "", "a\r\nb", Edit{Old: "b", New: "b\nc"}, "a\r\nb\r\nc", Exact},
		{"match ends before a CRLF", "", "a\r\nb\r\n", Edit{Old: "a", New: "x"}, "x\r\nb\r\n", Exact},
		{"CRLF, blank lines", "", "\r\na\r\n\r\nb\r\n", Edit{Old: "a\n\nb", New: "a\n\nx"}, "\r\na\r\n\r\nx\r\n", Exact},
		{"CRLF, white space on a blank line", "", "a\r\n\r\nb\r\n", Edit{Old: "a\n\nb", New: "a\n  \nb"}, "a\r\n  \r\nb\r\n", Exact},

		// Trailing white space.
		{"rtrim", "", "a b  \n\tc\t\nd\n", Edit{Old: "a b\n\tc\n", New: "a b\n\tx\n"}, "a b  \n\tx\nd\n", Rtrim},
		{"rtrim, other way round", "", "a b\nc\nd\n", Edit{Old: "a b  \nc ", New: "a b  \nx"}, "a b\nx\nd\n", Rtrim},
		{"rtrim at the end of the file", "", "a\nb c ", Edit{Old: "a\nb c\n", New: "a\nx\n"}, "a\nx", Rtrim},
		{"rtrim, lines deleted", "", "a \nb \nc\n", Edit{Old: "a\nb\n"}, "c\n", Rtrim},
		{"rtrim, the edit changes the end of a line", "", "a b\t\nc d\n", Edit{Old: "a b\nc d\n", New: "a b  \nx\n"}, "a b  \nx\n", Rtrim},
		{"rtrim, blank lines stay", "", "a b \n\t\nc d\n", Edit{Old: "a b\n\nc d\n", New: "a b\n  \nx\n"}, "a b \n\t\nx\n", Rtrim},
		{"rtrim, white space after some lines is meant", "", "a b\nc d\n", Edit{Old: "a b  \nc d\n", New: "a b  \nx  \n"}, "a b\nx  \n", Rtrim},
		{"rtrim, white space after all lines is not", "", "a b\n\nc d\n", Edit{Old: "a b \n\nc d \n", New: "a b \n\nx \n"}, "a b\n\nx\n", Rtrim},

		// Typography.
		{"curly quotes in the file", "", "say “hello” now\nnext\n", Edit{Old: "say \"hello\" now\n", New: "say \"hello\" then\n"}, "say “hello” then\nnext\n", Unicode},
		{"curly quotes by the caller", "", "x = 'a';\ny = 2\n", Edit{Old: "x = ‘a’;", New: "x = 'b';"}, "x = 'b';\ny = 2\n", Unicode},
		{"no-break space inside of a line", "", "the end\u00a0of it all, truly\n", Edit{Old: "end of it", New: "start of it"}, "the start\u00a0of it all, truly\n", Unicode},
		{"decomposed", "", "cafe\u0301 au lait\nb\n", Edit{Old: "café au lait", New: "café noir"}, "cafe\u0301 noir\nb\n", Unicode},
		{"dash", "", "a – b, and so on\n", Edit{Old: "a - b, and so on", New: "a - c, and so on"}, "a – c, and so on\n", Unicode},
		{"zero width", "", "ab\u200bcdef gh\nx\n", Edit{Old: "abcdef gh\n", New: "abcdef xx\n"}, "ab\u200bcdef xx\nx\n", Unicode},
		{"sign that the caller composes of two", "", "if a ≠ b then c\n", Edit{Old: "if a =\u0338 b then c", New: "if a = b then c"}, "if a = b then c\n", Unicode},

		// Indentation.
		{"tabs in the file", "a.go", "f {\n\tif x {\n\t\ty()\n\t}\n}\n",
			Edit{Old: "    if x {\n        y()\n    }\n", New: "    if x {\n        z()\n        if w {\n            v()\n        }\n    }\n"},
			"f {\n\tif x {\n\t\tz()\n\t\tif w {\n\t\t\tv()\n\t\t}\n\t}\n}\n", Indent},
		{"spaces in the file", "a.js", "f {\n    if x {\n        y()\n    }\n}\n",
			Edit{Old: "\tif x {\n\t\ty()\n\t}\n", New: "\tif x {\n\t\ty()\n\t\tif (z) {\n\t\t\tz()\n\t\t}\n\t}\n"},
			"f {\n    if x {\n        y()\n        if (z) {\n            z()\n        }\n    }\n}\n", Indent},
		{"dedented block", "a.py", "class A:\n    def f(self):\n        return 1\n",
			Edit{Old: "def f(self):\n    return 1\n", New: "def f(self):\n    if x:\n        return 2\n    return 1\n"},
			"class A:\n    def f(self):\n        if x:\n            return 2\n        return 1\n", Indent},
		{"two spaces for four", "a.js", "a {\n    b {\n        c()\n    }\n}\n",
			Edit{Old: "  b {\n    c()\n  }\n", New: "  b {\n    c()\n    d {\n      e()\n    }\n  }\n"},
			"a {\n    b {\n        c()\n        d {\n            e()\n        }\n    }\n}\n", Indent},
		{"less deep than any old line", "a.go", "\tif a {\n\t\tb := c()\n\t}\n",
			Edit{Old: "        b := c()\n", New: "    if d {\n        b := c()\n    }\n"},
			"\tif a {\n\tif d {\n\t\tb := c()\n\t}\n\t}\n", Indent},
		{"one space off is kept", "a.py", "class A:\n     x = 12345\n", Edit{Old: "    x = 12345\n", New: "    x = 12345\n     # odd\n"},
			"class A:\n     x = 12345\n      # odd\n", Indent},
		{"new text was indented right", "a.go", "f {\n\tabcdef()\n\tghi()\n}\n", Edit{Old: "    abcdef()\n    ghi()\n", New: "\tabcdef()\n\tjkl()\n"},
			"f {\n\tabcdef()\n\tjkl()\n}\n", Indent},
		{"new text was indented right, with a blank line", "a.go", "f {\n\tabcdef()\n\n\tghi()\n}\n", Edit{Old: "    abcdef()\n\n    ghi()\n", New: "\tabcdef()\n\n\tjkl()\n"},
			"f {\n\tabcdef()\n\n\tjkl()\n}\n", Indent},
		{"blank lines stay blank", "a.go", "f {\n\tabc()\n\n\tdef()\n}\n", Edit{Old: "  abc()\n\n  def()\n", New: "  abc()\n  \n  ghi()\n\n  def()\n"},
			"f {\n\tabc()\n\n\tghi()\n\n\tdef()\n}\n", Indent},
		{"CRLF and tabs", "a.go", "f {\r\n\tabc()\r\n\tdef()\r\n}\r\n", Edit{Old: "    abc()\n    def()\n", New: "    abc()\n    ghi()\n    def()\n"},
			"f {\r\n\tabc()\r\n\tghi()\r\n\tdef()\r\n}\r\n", Indent},
		{"inconsistent indentation", "a.js", "a();\n\t\tb();\n  c();\n", Edit{Old: "  a();\n  b();\n  c();\n", New: "  a();\n  B();\n  c();\n"},
			"a();\n\t\tB();\n  c();\n", IndentLoose},
		{"white space inside", "a.js", "let a   = 1;\nlet bb\t= 2;\n", Edit{Old: "let a = 1;\nlet bb = 2;\n", New: "let a = 1;\nlet bb = 3;\n"},
			"let a   = 1;\nlet bb = 3;\n", Whitespace},
		{"white space inside of a short line", "a.txt", "name: x\ncity:  Paris\n", Edit{Old: "city: Paris\n", New: "city: Rome\n"}, "name: x\ncity: Rome\n", Whitespace},
		{"white space inside, in Chinese", "a.md", "- 名称: 甲\n- 城市:  北京\n", Edit{Old: "- 城市: 北京", New: "- 城市: 上海"}, "- 名称: 甲\n- 城市: 上海\n", Whitespace},
		{"white space inside, in YAML", "a.yaml", "a:\n    key:   value\n    x: 1\n", Edit{Old: "  key: value\n  x: 1\n", New: "  key: value\n  x: 2\n"}, "a:\n    key:   value\n    x: 2\n", Whitespace},
		{"tabs for spaces inside", "a.c", "a();\nif\t(  c\t) {\n", Edit{Old: "if ( c ) {\n", New: "if ( d ) {\n"}, "a();\nif ( d ) {\n", Whitespace},

		// Ways of copying.
		{"line numbers with bars", "", "foo\n\tbar\n", Edit{Old: "1 | foo\n2 | \tbar\n", New: "1 | foo\n2 | \tbaz\n"}, "foo\n\tbaz\n", LineNumbers},
		{"line numbers, new lines numbered anew", "", "foo\nbar\n", Edit{Old: "1|foo\n2|bar", New: "1|foo\n2|new\n3|bar"}, "foo\nnew\nbar\n", LineNumbers},
		{"line numbers, new lines without", "", "foo\nbar\n", Edit{Old: "1|foo\n2|bar", New: "1|foo\nnew\n2|bar"}, "foo\nnew\nbar\n", LineNumbers},
		{"entities", "a.jsx", "if (a < b && c) {\n", Edit{Old: "if (a &lt; b &amp;&amp; c) {", New: "if (a &gt; b) {"}, "if (a > b) {\n", Entities},
		{"entities that are in the file", "a.html", "<p>a &lt; b</p>\n", Edit{Old: "a &lt; b", New: "a &gt; b"}, "<p>a &gt; b</p>\n", Exact},
		{"entities, others stay", "a.html", "<b>&copy;</b>\n", Edit{Old: "&lt;b>&copy;&lt;/b>", New: "&lt;i>&nbsp;&copy;&lt;/i>"}, "<i>&nbsp;&copy;</i>\n", Entities},
		{"in quotation marks", "", "\tfoo_bar()\nbaz()\n", Edit{Old: "\"foo_bar()\nbaz()\"", New: "\"foo_bar()\nqux()\""}, "\tfoo_bar()\nqux()\n", Quoted},
		{"in quotation marks and escaped", "", "say(\"a\")\nbaz()\n", Edit{Old: `"say(\"a\")\nbaz()\n"`, New: `"say(\"b\")\nbaz()\n"`}, "say(\"b\")\nbaz()\n", Quoted},
		{"in quotation marks, deleted", "", "foo_bar()\nbaz()\n", Edit{Old: "'foo_bar()'", New: ""}, "baz()\n", Quoted},
		{"in a fence", "", "a\nfoo_bar()\nb\n", Edit{Old: "```go\nfoo_bar()\n```", New: "```go\nbaz()\n```"}, "a\nbaz()\nb\n", Quoted},
		{"escaped brackets", "", "a <b> c\n", Edit{Old: `a \u003cb\u003e c`, New: `a \u003ci\u003e c`}, "a <i> c\n", Unescape},
		{"escaped CRLF", "", "aa\r\nbb\r\n", Edit{Old: `aa\r\nbb`, New: `aa\r\ncc`}, "aa\r\ncc\r\n", Unescape},
		{"escape that is cut off", "", "a\"b \\u00\n", Edit{Old: `a\"b \u00`, New: `c \r\q\`}, "c \\r\\q\\\n", Unescape},
		{"lone CR as line end", "", "x\naaa\rbbb\rccc\n", Edit{Old: "aaa\nbbb\nccc\n", New: "aaa\nBBB\nccc\n"}, "x\naaa\rBBB\rccc\n", LoneCR},
		{"lone CR among CRLF", "", "x\r\naaa\rbbb\r\n", Edit{Old: "aaa\nbbb", New: "aaa\nnew\nbbb"}, "x\r\naaa\rnew\rbbb\r\n", LoneCR},
		{"a blank line is missing", "", "aaaa()\n\nbbbb()\ncccc()\n", Edit{Old: "aaaa()\nbbbb()\ncccc()\n", New: "aaaa()\nbbbb()\nxxxx()\n"}, "aaaa()\n\nbbbb()\nxxxx()\n", BlankLines},
		{"a blank line is missing before the changed line", "", "aaaa()\n\nbbbb()\n", Edit{Old: "aaaa()\nbbbb()\n", New: "aaaa()\nxxxx()\n"}, "aaaa()\n\nxxxx()\n", BlankLines},
		{"a blank line is missing after the changed lines", "", "aaaa()\n\nbbbb()\n", Edit{Old: "aaaa()\nbbbb()\n", New: "xxxx()\nyyyy()\nbbbb()\n"}, "xxxx()\nyyyy()\n\nbbbb()\n", BlankLines},
		{"a blank line is missing, lines deleted", "", "aaaa()\n\nbbbb()\n\ncccc()\n", Edit{Old: "aaaa()\nbbbb()\ncccc()\n", New: "aaaa()\ncccc()\n"}, "aaaa()\n\ncccc()\n", BlankLines},
		{"a blank line is missing, the edit adds one", "", "aaaa()\n\n\nbbbb()\n", Edit{Old: "aaaa()\nbbbb()\n", New: "aaaa()\n\nbbbb()\nc\n"}, "aaaa()\n\nbbbb()\nc\n", BlankLines},
		{"blank lines too many", "a.py", "class A:\n    aaaa()\n    bbbb()\n", Edit{Old: "  aaaa()\n\n  bbbb()\n", New: "  aaaa()\n\n  xxxx()\n"}, "class A:\n    aaaa()\n    xxxx()\n", BlankLines},
		{"line numbers", "", "a\nb\nc\n", Edit{Old: "2|b\n3|c\n", New: "2|x\n3|c\n"}, "a\nx\nc\n", LineNumbers},
		{"line numbers of cat", "", "func a\n\tb\n", Edit{Old: "     1\tfunc a\n     2\t\tb", New: "func x\n\tb"}, "func x\n\tb\n", LineNumbers},
		{"line numbers with a space", "", "foo\nbar\n", Edit{Old: "1: foo\n2: bar", New: "1: foo\n2: baz"}, "foo\nbaz\n", LineNumbers},
		{"line numbers at the end without a newline", "", "foo\nbar", Edit{Old: "1: foo\n2: bar", New: "1: foo\n2: baz"}, "foo\nbaz", LineNumbers},
		{"line numbers, lines deleted", "", "a\nb\nc\n", Edit{Old: "2|b\n"}, "a\nc\n", LineNumbers},
		{"blank edges", "", "a\nfoo\nb\n", Edit{Old: "\nfoo\n\n", New: "\nbar\n\n"}, "a\nbar\nb\n", EdgeBlank},
		{"blank line too many behind", "", "a\nfoo\nb\n", Edit{Old: "foo\n\n", New: "\nbar\n\n"}, "a\n\nbar\nb\n", EdgeBlank},
		{"blank line too many before", "", "foo\nb\n", Edit{Old: "\nfoo\n", New: "\nbar\n\n"}, "bar\n\nb\n", EdgeBlank},
		{"escapes", "", "print(\"a\")\nx\n", Edit{Old: `print(\"a\")\nx`, New: `print(\"b\")\nx`}, "print(\"b\")\nx\n", Unescape},
		{"two blank lines too many before", "", "foofoo\nb\n", Edit{Old: "\n\nfoofoo\n", New: "\n\nbar\n"}, "bar\nb\n", EdgeBlank},
		{"a blank line is missing, all deleted", "", "x\naaaa()\n\nbbbb()\ny\n", Edit{Old: "aaaa()\nbbbb()\n"}, "x\ny\n", BlankLines},
		{"a blank line is missing, a line added", "", "aaaa()\n\nbbbb()\n", Edit{Old: "aaaa()\nbbbb()\n", New: "aaaa()\nnew()\nbbbb()\n"}, "aaaa()\n\nnew()\nbbbb()\n", BlankLines},
		{"a blank line is missing after a deleted line", "", "aaaa()\nbbbb()\n\ncccc()\n", Edit{Old: "aaaa()\nbbbb()\ncccc()\n", New: "aaaa()\ncccc()\n"}, "aaaa()\ncccc()\n", BlankLines},
		{"a blank line is missing after the first, deleted line", "", "aaaa()\n\nbbbb()\n", Edit{Old: "aaaa()\nbbbb()\n", New: "bbbb()\n"}, "bbbb()\n", BlankLines},
		{"a blank line is missing, the edit adds one at the end", "", "aaaa()\n\nbbbb()\nc\n", Edit{Old: "aaaa()\nbbbb()\n", New: "aaaa()\nxxxx()\n\n"}, "aaaa()\n\nxxxx()\n\nc\n", BlankLines},
		{"a blank line is missing, the edit adds one at the beginning", "", "c\naaaa()\n\nbbbb()\n", Edit{Old: "aaaa()\nbbbb()\n", New: "\naaaa()\nxxxx()\n"}, "c\n\naaaa()\n\nxxxx()\n", BlankLines},
		{"escape at the very end", "", "aaa <\n", Edit{Old: `aaa \u003c`, New: `bbb \u003c`}, "bbb <\n", Unescape},
		{"in quotation marks, the last of them on a line of its own", "", "foo_bar()\nbaz()\nqux()\n", Edit{Old: "\"foo_bar()\nbaz()\n\"", New: "\"x()\n\""}, "x()\nqux()\n", Quoted},

		// Parts of lines, and what is around them.
		{"no-break space at the beginning of the file", "", "end\u00a0of it all, truly\n", Edit{Old: "end of it", New: "start of it"}, "start\u00a0of it all, truly\n", Unicode},
		{"no-break space before the longest word", "", "x a\u00a0of them y\n", Edit{Old: "a of them", New: "b of them"}, "x b\u00a0of them y\n", Unicode},
		{"no-break space beside bytes that are no text", "", "x \xff\u00a0longword\u00a0\xfe y\n", Edit{Old: "\xff longword \xfe", New: "\xff shortword \xfe"}, "x \xff\u00a0shortword\u00a0\xfe y\n", Unicode},
		{"the middle of an indentation, several lines", "a.go", "        foo(a, b)\n", Edit{Old: "    foo(a, b)", New: "    foo(a)\n    bar()"}, "        foo(a)\n        bar()\n", Indent},
		{"the middle of an indentation, part of a line", "a.go", "        foo(a, b)\n", Edit{Old: "    foo(a", New: "    foo(c,\n    d"}, "        foo(c,\n    d, b)\n", Exact},
		{"CR given for CR", "", "a\rb\rc", Edit{Old: "b\rc", New: "x"}, "a\rx", Exact},
		{"a lone CR in the new text", "", "a\nb\n", Edit{Old: "b", New: "x\ry"}, "a\nx\ry\n", Exact},
		{"mixed endings, a line above the first", "", "a b\r\nc d\ne\n", Edit{Old: "a b\nc d\n", New: "x\na b\nc d\n"}, "x\r\na b\r\nc d\ne\n", Exact},
		{"rtrim, both have white space after all lines", "", "a b \nc d\t\n", Edit{Old: "a b  \nc d  \n", New: "a b  \nx  \n"}, "a b \nx  \n", Rtrim},
		{"a line replaced by a deeper one", "a.go", "\tif a {\n\t\tbbb()\n\t}\n", Edit{Old: "  if a {\n    bbb()\n  }\n", New: "  if a {\n    bbb()\n      ccc()\n"}, "\tif a {\n\t\tbbb()\n\t\t\tccc()\n", Indent},
		{"lines that the file indents in two ways", "a.js", "aaaa();\n\t\tbbbb();\n  cccc();\n", Edit{Old: "  aaaa();\n  bbbb();\n  cccc();\n", New: "  aaaa();\n  B();\n  C();\n"}, "aaaa();\n\t\tB();\n  C();\n", IndentLoose},
		{"an empty file", "", "", Edit{New: "x\ny"}, "x\ny", Exact},

		// Choice.
		{"all, side by side", "", "aaaa\n", Edit{Old: "aa", New: "b", ReplaceAll: true}, "bb\n", Exact},
		{"all, which is one that is only similar", "a.go", "\tfoo(bar)\n", Edit{Old: "  foo(bar)\n", New: "  foo(baz)\n", ReplaceAll: true}, "\tfoo(baz)\n", Indent},
		{"all, each with its own indentation", "a.py", "if a:\n    foo()\n    bar()\nwhile b:\n        foo()\n        bar()\n", Edit{Old: "foo()\nbar()", New: "if x:\n    baz()\nbar()", ReplaceAll: true}, "if a:\n    if x:\n        baz()\n    bar()\nwhile b:\n        if x:\n            baz()\n        bar()\n", Indent},
		{"all, with tabs and with spaces", "a.go", "{\n\tfoo(bar)\n}\n{\n        foo(bar)\n}\n", Edit{Old: "\t\t\tfoo(bar)\n", New: "\t\t\tfoo(baz)\n", ReplaceAll: true}, "{\n\tfoo(baz)\n}\n{\n        foo(baz)\n}\n", Indent},
		{"all", "", "a b a\n", Edit{Old: "a", New: "xx", ReplaceAll: true}, "xx b xx\n", Exact},
		{"all, as many as expected", "", "a b a\n", Edit{Old: "a", New: "xx", Expected: 2}, "xx b xx\n", Exact},
		{"second", "", "a b a\n", Edit{Old: "a", New: "x", Occurrence: 2}, "a b x\n", Exact},
		{"by line", "", "a\nb\na\n", Edit{Old: "a", New: "x", LineHint: 3}, "a\nb\nx\n", Exact},
		{"behind an anchor", "", "a\nb\na\nc\na\n", Edit{Old: "a", New: "x", After: "b\n"}, "a\nb\nx\nc\na\n", Exact},
		{"within an anchor", "", "a\n[b a]\na\n", Edit{Old: "a", New: "x", Within: "[b a]"}, "a\n[b x]\na\n", Exact},
		{"all similar, as many as expected", "a.go", "\tfoo(bar)\nx\n\tfoo(bar)\n", Edit{Old: "  foo(bar)\n", New: "  foo(baz)\n", Expected: 2}, "\tfoo(baz)\nx\n\tfoo(baz)\n", Indent},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := Apply(tt.src, []Edit{tt.edit}, Options{Path: tt.path})
			if err != nil {
				t.Fatalf("%v\n%+v", err, fault.As(err).Details)
			}
			if d := cmp.Diff(tt.want, r.Text); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
			if r.Edits[0].Strategy != tt.strategy {
				t.Errorf("strategy %s, want %s", r.Edits[0].Strategy, tt.strategy)
			}
		})
	}
}

func TestRefuses(t *testing.T) {
	tests := []struct {
		name string
		path string
		src  string
		edit Edit
		want fault.Code
	}{
		{"empty old text", "", "a\n", Edit{New: "x"}, fault.InvalidArguments},
		{"negative count", "", "a\n", Edit{Old: "a", New: "x", Occurrence: -1}, fault.InvalidArguments},
		{"contradiction", "", "a\n", Edit{Old: "a", New: "x", Occurrence: 1, ReplaceAll: true}, fault.InvalidArguments},
		{"not there", "", "a\n", Edit{Old: "b", New: "x"}, fault.TextNotFound},
		{"twice", "", "a\nb\na\n", Edit{Old: "a", New: "x"}, fault.TextAmbiguous},
		{"overlapping itself", "", "xaaay\n", Edit{Old: "aa", New: "b"}, fault.TextAmbiguous},
		{"twice after trimming", "", "a \nb\na \n", Edit{Old: "a\n", New: "x\n"}, fault.TextAmbiguous},
		{"occurrence too high", "", "a\nb\na\n", Edit{Old: "a", New: "x", Occurrence: 3}, fault.OutOfRange},
		{"fewer than expected", "", "a\nb\na\n", Edit{Old: "a", New: "x", Expected: 3}, fault.TextAmbiguous},
		{"all, only similar", "a.go", "\tfoo( bar )\nx\n\tfoo( bar  )\n", Edit{Old: "\tfoo(  bar )\n", New: "\tx\n", ReplaceAll: true}, fault.TextAmbiguous},
		{"same", "", "a\n", Edit{Old: "a", New: "a"}, fault.NoChange},
		{"same but for line endings", "", "a\nb\n", Edit{Old: "a\nb", New: "a\r\nb"}, fault.NoChange},
		{"same as the file", "a.go", "\tabcdef()\n", Edit{Old: "    abcdef()\n", New: "\tabcdef()\n"}, fault.NoChange},
		{"made before", "", "a := 1\nb := calculate(2)\n", Edit{Old: "b := calculate(1)", New: "b := calculate(2)"}, fault.AlreadyApplied},
		{"insertion made before", "", "import a\nimport b\n", Edit{Old: "import a\n", New: "import a\nimport b\n"}, fault.AlreadyApplied},
		{"word lengthened before", "", "the counter\n", Edit{Old: "count", New: "counter"}, fault.AlreadyApplied},
		{"placeholder", "", "a\nb\nc\n", Edit{Old: "b", New: "// ... existing code ..."}, fault.Placeholder},
		{"cut diff", "", "a\nb\n", Edit{Old: "b", New: "# [diff truncated: 1 of 3 hunks shown; +1 -1 lines in all]"}, fault.Placeholder},
		{"interior line drifted", "a.go", "if a {\n\tb()\n\tc()\n\td()\n}\n", Edit{Old: "if a {\n\tb()\n\tX()\n\td()\n}\n", New: "if a {\n}\n"}, fault.TextNotFound},
		{"loose indentation in Python", "a.py", "if a:\n        b()\n    c()\n", Edit{Old: "if a:\n    b()\n    c()\n", New: "if a:\n    c()\n"}, fault.IndentAmbiguous},
		{"white space in YAML, indented in another way", "a.yaml", "a:\n    key:   value\n  x: 1\n", Edit{Old: "  key: value\n  x: 1\n", New: "  key: other\n"}, fault.IndentAmbiguous},
		{"white space inside, twice", "a.txt", "city:  Paris\nx\ncity:   Paris\n", Edit{Old: "city: Paris\n", New: "x\n"}, fault.TextAmbiguous},
		{"white space inside, too short to tell", "a.txt", "a  b\nc\n", Edit{Old: "a b\n", New: "x\n"}, fault.TextNotFound},
		{"old text without quotation marks twice", "", "foo_bar()\nfoo_bar()\n", Edit{Old: "\"foo_bar()\"", New: "\"x\""}, fault.TextNotFound},
		{"quotation marks, but not those of the new text", "", "foo_bar()\n", Edit{Old: "\"foo_bar()\"", New: "x"}, fault.TextNotFound},
		{"quotation marks, within a line", "", "x = foo_bar()\n", Edit{Old: "\"foo_bar()\"", New: "\"x\""}, fault.TextNotFound},
		{"a numbered new line that is no old one", "", "aaa\nbbb\n", Edit{Old: "1|aaa\n2|bbb\n", New: "1|aaa\n2|ccc\nddd\n"}, fault.TextNotFound},
		{"escapes beside real line endings", "", "aaa\nbbb\nccc\n", Edit{Old: "aaa\\nbbb\nccc", New: "x"}, fault.TextNotFound},
		{"entities, twice", "", "a < b\na < b\n", Edit{Old: "a &lt; b", New: "x"}, fault.TextNotFound},
		{"other blank lines, twice", "", "aaaa()\n\nbbbb()\naaaa()\n\n\nbbbb()\n", Edit{Old: "aaaa()\nbbbb()\n", New: "x\n"}, fault.TextAmbiguous},
		{"other blank lines, a line drifted", "", "aaaa()\n\nbbbb()\ncccc()\n", Edit{Old: "aaaa()\nbbbX()\ncccc()\n", New: "x\n"}, fault.TextNotFound},
		{"lone CR, twice", "", "aaa\rbbb\naaa\rbbb\n", Edit{Old: "aaa\nbbb", New: "x\ny"}, fault.TextNotFound},
		{"no way to indent", "a.go", "\tabcdef()\n", Edit{Old: "  abcdef()\n", New: "\tx()\n\ty()\n"}, fault.IndentAmbiguous},
		{"anchor not there", "", "a\n", Edit{Old: "a", New: "x", After: "zzz"}, fault.TextNotFound},
		{"not behind the anchor", "", "a\nb\n", Edit{Old: "a", New: "x", After: "b"}, fault.TextNotFound},
		{"anchor twice", "", "b\nc\nb\na\n", Edit{Old: "a", New: "x", After: "b"}, fault.TextAmbiguous},
		{"no candidate", "", "a\n", Edit{Accept: "c1:zz", New: "x"}, fault.InvalidArguments},
		{"candidate of another text", "", "a\n", Edit{Accept: "c1:0123456789abcdef:1-1", New: "x"}, fault.Stale},
		{"an empty file left so", "", "", Edit{}, fault.NoChange},
		{"an empty file, by line", "", "", Edit{New: "x", LineHint: 1}, fault.InvalidArguments},
		{"an empty file, a placeholder", "", "", Edit{New: "// ... existing code ..."}, fault.Placeholder},
		{"a candidate and all", "", "a\n", Edit{Accept: "c1:0123:1-1", New: "x", ReplaceAll: true}, fault.InvalidArguments},
		{"a candidate and a number", "", "a\n", Edit{Accept: "c1:0123:1-1", New: "x", Occurrence: 1}, fault.InvalidArguments},
		{"a candidate and a line", "", "a\n", Edit{Accept: "c1:0123:1-1", New: "x", LineHint: 1}, fault.InvalidArguments},
		{"a candidate behind an anchor", "", "a\n", Edit{Accept: "c1:0123:1-1", New: "x", After: "a"}, fault.InvalidArguments},
		{"a candidate within an anchor", "", "a\n", Edit{Accept: "c1:0123:1-1", New: "x", Within: "a"}, fault.InvalidArguments},
		{"a candidate in other words", "", "a\n", Edit{Accept: "c01:0123:1-1", New: "x"}, fault.InvalidArguments},
		{"a candidate before the first line", "", "a\n", Edit{Accept: "c1:0123:0-1", New: "x"}, fault.InvalidArguments},
		{"a candidate that ends before it starts", "", "a\n", Edit{Accept: "c1:0123:5-4", New: "x"}, fault.InvalidArguments},
		{"made before, in the first line", "", "b := calculate(2)\nx\n", Edit{Old: "b := calculate(1)", New: "b := calculate(2)"}, fault.AlreadyApplied},
		{"made before, in a part of a line", "", "x := calculate_everything(2) + 1\n", Edit{Old: "calculate_everything(9)", New: "calculate_everything(2)"}, fault.AlreadyApplied},
		{"not made, its new text is a short part of a line", "", "x := compute(2) + 1\n", Edit{Old: "compute(9)", New: "compute(2)"}, fault.TextNotFound},
		{"other blank lines, and too little to tell", "", "a\n\nb\n", Edit{Old: "a\nb\n", New: "x\n"}, fault.TextNotFound},
		{"other bytes that are no text, before", "", "\xff\u00a0longword z\n", Edit{Old: "\xfe longword", New: "x"}, fault.TextNotFound},
		{"other bytes that are no text, behind", "", "longword\u00a0\xff z\n", Edit{Old: "longword \xfe", New: "x"}, fault.TextNotFound},
		{"white space in YAML, indented in another way, line by line", "a.yaml", "a:\n    key:   value\n  x: 1\n", Edit{Old: "  key: value\n  x: 1\n", New: "  key: other\n  x: 1\n"}, fault.IndentAmbiguous},
		{"blank text", "", "a\n\t\nb\n", Edit{Old: "  \n  \n", New: "x\n"}, fault.TextNotFound},
		{"numbers with a gap", "", "a\nb\n", Edit{Old: "1|a\n3|b\n", New: "x\n"}, fault.TextNotFound},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := Apply(tt.src, []Edit{tt.edit}, Options{Path: tt.path})
			if !fault.Is(err, tt.want) {
				t.Fatalf("got %v, want %s; text %q", err, tt.want, r.Text)
			}
			if r.Text != tt.src {
				t.Errorf("the text changed: %q", r.Text)
			}
			e := fault.As(err)
			if e.Message.In(fault.Chinese) == e.Message.In(fault.English) || strings.Contains(e.Message.In(fault.Chinese)+e.Hint.In(fault.English), "%!") {
				t.Errorf("bad message: %s; %s", e.Message.In(fault.Chinese), e.Hint)
			}
		})
	}
}
