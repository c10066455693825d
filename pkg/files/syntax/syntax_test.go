package syntax

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCheck(t *testing.T) {
	tests := []struct {
		language, text string
		line           int // 0: no fault
	}{
		{"Go", "package a\n\nfunc f() {\n}\n", 0},
		{"Go", "package a\n\nfunc f() {\n", 3},
		{"Go", "package a\nfunc f() {\n\tx := \n}\n", 4},
		{"JSON", "{\"a\": [1, 2]}\n", 0},
		{"JSON", "{\n\"a\": 1,\n}\n", 3},
		{"JSON", "{\n\"a\": 1\n\"b\": 2\n}\n", 3},
		{"JSON", "", 1},
		{"JSON", "{\"a\":1}\n{\"b\":2}\n\n[3]\n", 0},
		{"JSON", "{\"a\":1}\n{\"b\":2\n", 2},
		{"JSON", "{\n\"a\":1}\n}\n", 3},
		{"JSON", "// no\n{}", 1},
		{"JSON with Comments", "// a\n{ /* b,\n */ \"a//\": [1, 2, ], // c\n}\n", 0},
		{"JSON with Comments", "{\n// a\n\"b\": 1,,\n}\n", 3},
		{"JSON with Comments", "{\n/* a\n\"b\": 1\n}\n", 2},
		{"TOML", "a = 1\n[b]\nc = \"x\"\n", 0},
		{"TOML", "a = 1\nb = \n", 2},
		{"TOML", "[a]\nb = 1\nb = 2\n", 3},
		{"XML", "<?xml version=\"1.0\" encoding=\"GBK\"?>\n<a><b/></a>\n", 0},
		{"XML", "<a>\n<b>\n</a>\n", 3},
		{"XML", "<a/>\n<b/>\n", 2},
		{"XML", "<a/>\ntext\n", 2},
		{"SVG", "<svg>&nbsp;\n</svg>", 1},
		{"YAML", "a: 1\nb:\n  - c: \"x: y\"\n    d: |\n      any: [thing\n  - e\n", 0},
		{"YAML", "a:\n- b\n- c: d\n  e: f\ng: 'it''s'\n", 0},
		{"YAML", "a: [1,\n  2, {b: c}]  # d\n---\ne: >-\n f\n\n g\n", 0},
		{"YAML", "a: b c\n  d e\nf: \"g\n  h\"\n", 0},
		{"YAML", "a:\n  b: 1\n c: 2\n", 3},
		{"YAML", "a:\n\tb: 1\n", 2},
		{"YAML", "a: [1, 2\nb: 3\n", 1},
		{"YAML", "a: \"b\nc: d\n", 1},
		{"YAML", "a: b: c\n", 1},
		{"YAML", "a: 1\nb\nc: 2\n", 2},
		{"YAML", "a: 1\n- b\n", 2},
		{"YAML", "a:\n  - b\n  c: d\n", 3},
		{"YAML", "a: b\n  c: d\n", 2},
	}
	for _, tt := range tests {
		v := Check(tt.language, tt.text)
		want := Verdict{Checked: true, OK: tt.line == 0, Line: tt.line, Message: v.Message}
		if d := cmp.Diff(want, v); d != "" || v.OK != (v.Message == "") {
			t.Errorf("%s %q: -want +got:\n%s", tt.language, tt.text, d)
		}
	}
}

func TestNotChecked(t *testing.T) {
	for _, tt := range []struct{ language, text string }{
		{"Python", "x ="},
		{"", "{"},
		{"JSON", strings.Repeat("[", 5000)},
		{"TOML", "a = " + strings.Repeat("[", 1<<20)},
		{"Go", "package a\nvar a = " + strings.Repeat("(", 1<<20)},
		{"JSON", strings.Repeat(" ", 5<<20)},
		{"YAML", "? a\n: b\n"},
		{"XML", "<!DOCTYPE a [<!ENTITY x \"y\">]>\n<a>&x;</a>"},
	} {
		if v := Check(tt.language, tt.text); v.Checked {
			t.Errorf("%s %.20q: %+v", tt.language, tt.text, v)
		}
	}
}

func FuzzCheck(f *testing.F) {
	for _, s := range []string{"{\"a\": [1, /* x */ 2,],}", "a: 1\nb:\n- \"c\n  d\"", "<a b='c'>&lt;</a>", "[a]\nb = 1", "package a", "a: [b, 'c\n']\n!x\n- &y z"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, language := range []string{"Go", "JSON", "JSON with Comments", "TOML", "XML", "YAML"} {
			v := Check(language, text)
			if v.OK && (!v.Checked || v.Line != 0 || v.Message != "") || !v.OK && v.Checked && v.Message == "" ||
				v.Line < 0 || v.Line > strings.Count(text, "\n")+2 {
				t.Errorf("%s %q: %+v", language, text, v)
			}
		}
		if plain := plainJSON(text); len(plain) != len(text) || strings.Count(plain, "\n") != strings.Count(text, "\n") {
			t.Errorf("%q moved to %q", text, plain)
		}
	})
}
