package glob_test

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/search/glob"
)

func TestMatch(t *testing.T) {
	tests := []struct {
		pattern, path string
		want          bool
	}{
		{"*.go", "a/b.go", true}, {"*.go", "a/b.gox", false}, {"**/*.go", "b.go", true}, {"**/*.go", "a/b/c.go", true},
		{"a/*.go", "a/b.go", true}, {"a/*.go", "a/b/c.go", false}, {"a/**/c.go", "a/c.go", true}, {"a/**/c.go", "a/x/y/c.go", true},
		{"a/**", "a", false}, {"a/**", "a/b/c", true}, {"a/", "a/b/c", true}, {"/a.go", "a.go", true}, {"/a.go", "x/a.go", false},
		{"./a/*", "a/b", true}, {"*.{go,md}", "x.md", true}, {"{a,b/{c,d}}/*.x", "b/d/e.x", true}, {"{a,b/{c,d}}/*.x", "b/e.x", false},
		{"?", "世", true}, {"[世-丘]", "世", true}, {"[!a]x", "bx", true}, {"[^a]x", "ax", false}, {`\*`, "*", true}, {`\*`, "a", false},
		{"[]]", "]", true}, {"[{]", "{", true}, {`\{a\}`, "{a}", true}, {"{,x}y", "y", true}, {"README", "doc/README", true},
		{"*a*b*", "xxaxxbxx", true}, {"**/a/**/b", "a/b", true}, {"**/a/**/b", "x/a/y/z/b", true}, {"[[:digit:]]*", "1a", true},
		{"a**b", "axxb", true}, {"x/a**b", "x/a/b", false}, {"*", ".hidden", true}, {"**", "a/b", true}, {"{,}", "0", false}, {"{,a}b", "b", true}, {"/", "a", true},
	}
	for _, test := range tests {
		g, err := glob.Compile(test.pattern)
		if err != nil {
			t.Errorf("%s: %v", test.pattern, err)
			continue
		}
		if got := g.Match(test.path); got != test.want {
			t.Errorf("%s matches %s: %v", test.pattern, test.path, got)
		}
	}
}

// TestShownBytes matches names that are not UTF-8 by the form in which they are shown.
func TestShownBytes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no names that are not UTF-8")
	}
	for _, test := range []struct {
		pattern, path string
		want          bool
	}{
		{`caf\xe9.txt`, "caf\xe9.txt", true}, {`caf\xe9.txt`, "cafxe9.txt", false}, {`caf\xe9.txt`, `caf\xe9.txt`, false},
		{`caf\x5cxe9`, `caf\xe9`, true}, {`caf\\xe9`, `caf\xe9`, true}, {`caf\x5cxe9`, "caf\xe9", false},
		{`*\xe9`, "caf\xe9", true}, {`d\xfe/**/*.{c,\xe9}`, "d\xfe/a/b.\xe9", true}, {`d\xfe/*`, "d\xff/a", false},
		{`\xc3\xa9`, "é", true}, {`\x41`, "x41", true}, {`\x41`, "A", false}, {`\xE9`, "xE9", true}, {`\xe`, "xe", true}, {`?\xe9`, "\xff\xe9", true},
	} {
		g, err := glob.Compile(test.pattern)
		if err != nil {
			t.Errorf("%s: %v", test.pattern, err)
			continue
		}
		if got := g.Match(test.path); got != test.want {
			t.Errorf("%s matches %q: %v", test.pattern, test.path, got)
		}
	}
	if w := glob.CompileBytes(`\xe9`); w.Match("\xe9") || !w.Match("xe9") {
		t.Error("git's patterns have no such escape")
	}
}

func TestBad(t *testing.T) {
	for _, p := range []string{"", "[a", "a}", "{a", `a\`, "{a,{b}", "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", "[!", "./"} {
		_, err := glob.Compile(p)
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != fault.InvalidArguments || f.Hint.IsZero() || f.Details == nil {
			t.Errorf("%q: %v", p, err)
		}
	}
}

func FuzzCompile(f *testing.F) {
	f.Add("{a,[b-d],**/x}/*", "a/b")
	f.Fuzz(func(t *testing.T, pattern, path string) {
		g, err := glob.Compile(pattern)
		if err == nil {
			g.Match(path)
		} else if !fault.Is(err, fault.InvalidArguments) {
			t.Fatal(err)
		}
	})
}

// TestMostAlternatives expands braces up to their limit and beyond.
func TestMostAlternatives(t *testing.T) {
	for p, ok := range map[string]bool{
		strings.Repeat("{0,1,2,3,4,5,6,7,8,9}", 3):          true, // 1,000
		strings.Repeat("{0,1,2,3,4,5,6,7,8,9}", 3) + "{,x}": false,
		"{" + strings.Repeat(",", 999) + "}":                true,
		"{" + strings.Repeat(",", 1000) + "}":               false,
	} {
		if _, err := glob.Compile(p); (err == nil) != ok {
			t.Errorf("%.30s: %v", p, err)
		}
	}
}
