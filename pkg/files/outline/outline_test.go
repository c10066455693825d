package outline

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/files/language"
)

var update = flag.Bool("update", false, "renew the golden files")

// shown shows an outline, a definition in each line: "3-9:5 class A", where 5 is the line
// of the name if that is not the first.
func shown(defs []Definition) string {
	var b strings.Builder
	for path := range All(defs) {
		d := path[len(path)-1]
		at := ""
		if d.Line != d.Start() {
			at = fmt.Sprintf(":%d", d.Line)
		}
		fmt.Fprintf(&b, "%s%d-%d%s %s %s\n", strings.Repeat("  ", len(path)-1), d.Start(), d.End, at, d.Kind, d.Name)
	}
	return b.String()
}

// cases are small sources with what is hard to tell in each language.
func cases(tb testing.TB) map[string]string {
	tb.Helper()
	names, err := filepath.Glob("testdata/cases/*.txt")
	if err != nil || len(names) < 20 {
		tb.Fatal(names, err)
	}
	all := map[string]string{}
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(name), ".txt")] = string(raw)
	}
	return all
}

func TestGoldenCases(t *testing.T) {
	for name, source := range cases(t) {
		t.Run(name, func(t *testing.T) {
			lang := language.Of(name, []byte(source))
			if !Known(lang) {
				t.Fatalf("%q is not known", lang)
			}
			got := shown(Outline(lang, source))
			golden := filepath.Join("testdata", "cases", name+".outline")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			// Other ends of lines, and a mark before the first, change nothing.
			crlf := "\ufeff" + strings.ReplaceAll(source, "\n", "\r\n")
			if diff := cmp.Diff(got, shown(Outline(lang, crlf))); diff != "" {
				t.Errorf("with CRLF (-LF +CRLF):\n%s", diff)
			}
		})
	}
}

func TestUnknown(t *testing.T) {
	for _, lang := range []string{"", "Text", "PNG"} {
		if Known(lang) || Outline(lang, "func a() {}\nclass B {}\n") != nil {
			t.Error(lang)
		}
	}
	if got := Outline("Go", "package x\nfunc a() {}\n"+strings.Repeat(" ", maxBytes)); got != nil {
		t.Error(got)
	}
}

// Brackets that nest without end, and what is never closed, exhaust no stack.
func TestHostile(t *testing.T) {
	for _, lang := range []string{"Go", "Python", "JavaScript", "TSX", "Java", "C", "C++", "C#", "Rust", "Ruby", "PHP", "Kotlin", "Swift", "Scala", "Shell", "Markdown",
		"reStructuredText", "HTML", "JSON", "YAML", "Lua", "SQL"} {
		for _, piece := range []string{"{", "(", "[", "<a ", "<a>", "${`", "f(", "class A{", "\"${", "/*", "#if x\n", "#else\n", "<<A\n", "'", "=begin\n", "def a\n", "=", "<",
			"func f(", "template<", "a::", "@a(", "r#\"", "%w(", "```\n", "x\n-\n", "function a(){", "impl<", "# a\n", "typedef "} {
			text := "<?php " + strings.Repeat(piece, 4_000)
			if lang != "PHP" {
				text = text[6:]
			}
			lines := strings.Count(text, "\n") + 1
			for path := range All(Outline(lang, text)) {
				if d := path[len(path)-1]; d.Start() < 1 || d.End > lines {
					t.Fatalf("%s %q: %+v", lang, piece, d)
				}
			}
		}
	}
}

// A text may end anywhere.
func TestCut(t *testing.T) {
	for name, source := range cases(t) {
		lang := language.Of(name, []byte(source))
		for n := 0; n < len(source); n += 3 {
			lines := strings.Count(source[:n], "\n") + 1
			for path := range All(Outline(lang, source[:n])) {
				if d := path[len(path)-1]; d.Name == "" || d.Start() < 1 || d.Start() > d.Line || d.Line > d.End || d.End > lines {
					t.Fatalf("%s, %d bytes: %+v", name, n, d)
				}
			}
		}
	}
}

func FuzzOutline(f *testing.F) {
	f.Add("C++", "}template<x(x{")
	f.Add("SQL", "create table ;")
	for name, source := range cases(f) {
		f.Add(language.Of(name, []byte(source)), source)
	}
	f.Fuzz(func(t *testing.T, lang, source string) {
		if len(source) > 1<<16 {
			return
		}
		lines := strings.Count(strings.ReplaceAll(strings.ReplaceAll(source, "\r\n", "\n"), "\r", "\n"), "\n") + 1
		for path := range All(Outline(lang, source)) {
			d := path[len(path)-1]
			if d.Name == "" || d.Kind == "" || d.Start() < 1 || d.Start() > d.Line || d.Line > d.End || d.End > lines {
				t.Fatalf("%q: %+v of %d lines", lang, d, lines)
			}
			if len(path) > 1 && d.Line < path[len(path)-2].Start() {
				t.Fatalf("%+v before %+v, which it is in", d, path[len(path)-2])
			}
		}
	})
}

func BenchmarkOutline(b *testing.B) {
	for name, source := range cases(b) {
		lang := language.Of(name, []byte(source))
		source = strings.Repeat(source+"\n", 1+1000/strings.Count(source, "\n"))
		lines := strings.Count(source, "\n")
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Outline(lang, source)
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(b.N)/float64(lines), "ms/1000lines")
		})
	}
}
