package outline

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/files/text"
)

func TestRecommend(t *testing.T) {
	for _, tt := range []struct {
		language, text string
		want           []Range
	}{
		{"Go", `package x

import "fmt"

const one = 1

// Server serves.
type Server struct {
	a int
}

// Close closes.
func (s *Server) Close() error { return nil }

func (s Server) Open() {
}

/*
func NotThis() {}
*/
func New[T any]() *Server {
	var x = func() {}
}

type (
	a int
)

func (x *Set[K, V]) Add() {}
`, []Range{{5, 5, "const one"}, {7, 16, "struct Server and its methods"}, {18, 23, "function New"}, {25, 27, "type a"}, {29, 29, "method Set.Add"}}},
		{"Python", `import os

@decorated
class Foo(Base):
    def a(self):
        pass

    async def b(self): pass

def main():
    """
def not_this():
    """

async def other():
    class Inner: pass
`, []Range{{3, 8, "class Foo"}, {10, 13, "function main"}, {15, 16, "function other"}}},
		{"Markdown", "# One\n\ntext\n\n## Two ##\n\n```sh\n# not this\n```\n\n### Three\n#not\n", []Range{{1, 3, "One"}, {5, 9, "Two"}, {11, 12, "Three"}}},
		{"TypeScript", `import x from "y"

export default async function load<T>(a: T) {
  if (a) {
  }
}

export interface Props { }
/** doc */
export const App = (p: Props) => {
  return 1
}
const small = 1
export abstract class Base<T> extends X {
}
type Y = {
}
`, []Range{{3, 6, "function load"}, {8, 8, "interface Props"}, {9, 13, "function App"}, {14, 15, "class Base"}, {16, 17, "type Y"}}},
		{"Rust", "pub(crate) fn one() {}\n\n#[derive(Debug)]\npub struct S;\n\nimpl S {\n    fn x() {}\n}\n\nimpl<T> Display for S {\n}\n\nunsafe extern \"C\" fn two() {}\n",
			[]Range{{1, 1, "function one"}, {3, 11, "struct S and its methods"}, {13, 13, "function two"}}},
		{"C++", "#include <x>\n\nnamespace a {\n}\nint Foo::bar(int x) {\n  while (x) {\n  }\n}\nvoid Foo::baz()\n{\n}\nstatic int call(x);\n",
			[]Range{{3, 4, "namespace a"}, {5, 12, "methods of Foo"}}},
		{"Java", "package x;\n\npublic final class A {\n    private int f;\n\n    @Override\n    public int go(int a) {\n        if (a) {\n        }\n    }\n    void stop() {\n    }\n}\n",
			[]Range{{3, 4, "class A"}, {6, 10, "method go"}, {11, 13, "method stop"}}},
		{"Shell", "#!/bin/sh\nx=1\nstart() {\n  :\n}\nfunction stop {\n  :\n}\n", []Range{{3, 5, "function start"}, {6, 8, "function stop"}}},
		{"TOML", "a = 1\n[one]\nb = [\n]\n[[two]]\n", []Range{{2, 4, "[one]"}, {5, 5, "[[two]]"}}},
		{"YAML", "# c\none:\n  - a: b\ntwo: 3\n", []Range{{2, 3, "one"}, {4, 4, "two"}}},
		{"Makefile", ".PHONY: x\nA := 1\nall: x\n\tgo\nx:\n\tgo\n", []Range{{3, 4, "all"}, {5, 6, "x"}}},
		{"SQL", "create table if not exists a (\n);\nCREATE OR REPLACE VIEW b AS\nselect 1;\n", []Range{{1, 2, "table a"}, {3, 4, "view b"}}},
		{"Ruby", "module A\n  class B\n    def x?\n    end\n\n    def self.y\n    end\n  end\nend\n", []Range{{1, 1, "module A"}, {2, 2, "class B"}, {3, 4, "method x?"}, {6, 9, "method self.y"}}},
		{"TeX", "\\section{One}\nx\n\\subsection*{Two}\n", []Range{{1, 2, "One"}, {3, 3, "Two"}}},
		{"Go", "package x\n\nfunc only() {}\n", nil},
		{"", "func a() {}\nfunc b() {}\n", nil},
		{"Go", "", nil},
	} {
		t.Run(tt.language, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Recommend(tt.text, tt.language)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestRecommendOfManyDefinitions(t *testing.T) {
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, "func f%d() {\n%s}\n", i, strings.Repeat("\tx()\n", i%17))
	}
	got := Recommend(b.String(), "Go")
	if len(got) != 12 {
		t.Fatalf("%d ranges", len(got))
	}
	total := len(text.Lines(b.String()))
	for i, r := range got {
		start, end := 1, total
		if i > 0 {
			start = got[i-1].End + 1
		}
		if i < len(got)-1 {
			end = r.End
		}
		if r.Start != start || r.End != end || r.End < r.Start || !strings.Contains(r.Why, " more") {
			t.Errorf("range %d is %+v after one that ends with %d of %d lines", i, r, start-1, total)
		}
	}
	if diff := cmp.Diff(got, Recommend(b.String(), "Go")); diff != "" {
		t.Errorf("another time:\n%s", diff)
	}
}

// Ranges are always within the text, in order and without overlaps.
func FuzzRecommend(f *testing.F) {
	for _, language := range []string{"Go", "Python", "Markdown", "C++", "Rust", "YAML", "Org", "SQL", "TeX", "Shell", "HCL", "INI", "Makefile"} {
		f.Add("func (a b) c(\ntype x\nimpl<\n# a\n== b\n\\section{\ncreate view\n[x]\nresource \"a\"", language)
	}
	f.Fuzz(func(t *testing.T, source, language string) {
		last := 0
		for _, r := range Recommend(source, language) {
			if r.Start <= last || r.End < r.Start || r.Why == "" {
				t.Fatalf("%+v after line %d", r, last)
			}
			last = r.End
		}
		if total := len(text.Lines(source)); last > total {
			t.Fatalf("line %d of %d", last, total)
		}
	})
}
