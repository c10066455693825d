package workspace_test

import (
	"path/filepath"
	"runtime"
	"testing"

	"github.com/helve-dev/helve/pkg/workspace"
)

func TestWithin(t *testing.T) {
	for _, c := range []struct{ name, dir, rel string }{ // rel "" is not within
		{"a", "a", "."},
		{"a/b", "a", "b"},
		{"a/b/c", "a/b", "c"},
		{"a", "a/b", ""},
		{"ab", "a", ""},
		{"a", "ab", ""},
		{"ab/c", "a", ""},
		{"b/a", "a", ""},
		{"A/b", "a", ""},
		{`a\b`, "a", ""},

		// the root, in its two spellings
		{"a", ".", "a"},
		{"a/b", "", "a/b"},
		{".", ".", "."},
		{"", ".", "."},
		{".", "", "."},
		{".", "a", ""},
		{"", "a", ""},

		// names that only look like "." and ".."
		{"a/..b", "a", "..b"},
		{"a/...", "a", "..."},
		{"..b", ".", "..b"},
		{"..b", "..", ""},
		{".a", ".", ".a"},
		{"a/.b", "a/.", ".b"},

		// spellings that are not clean
		{"a/", "a", "."},
		{"a", "a/", "."},
		{"a//b/", "a/", "b"},
		{"./a/b", "a", "b"},
		{"a/b", "./a", "b"},
		{"a/../b", "a", ""},
		{"b/../a/c", "a", "c"},
		{"a/b/..", "a", "."},
		{"a/b/../..", "a", ""},

		// out of the root
		{"..", ".", ""},
		{"../a", ".", ""},
		{"a/../..", ".", ""},
		{"..", "..", ""},
		{"../a", "..", ""},
		{"../../a", "..", ""},
		{"a", "..", ""},

		// absolute paths
		{"/", "/", "."},
		{"/a", "/", "a"},
		{"/a/b", "/a", "b"},
		{"/a/b/", "/a/", "b"},
		{"/ab", "/a", ""},
		{"/", "/a", ""},
		{"/a/../b", "/a", ""},
		{"/../a", "/a", "."},
		{"//a", "/a", "."},

		// one absolute, one relative
		{"/a", "a", ""},
		{"/a", ".", ""},
		{"/a", "", ""},
		{"a", "/a", ""},
		{"a", "/", ""},
		{"", "/", ""},
	} {
		rel, ok := workspace.Rel(c.name, c.dir)
		if rel != c.rel && ok || ok != (c.rel != "") {
			t.Errorf("Rel(%q, %q) = %q, %t, want %q", c.name, c.dir, rel, ok, c.rel)
		}
		if got := workspace.Within(c.name, c.dir); got != ok {
			t.Errorf("Within(%q, %q) = %t, and Rel %t", c.name, c.dir, got, ok)
		}
	}
}

func TestWithinOS(t *testing.T) {
	type row struct{ name, dir, rel string } // rel "" is not within
	rows := []row{
		{"a", "a", "."},
		{"a", "", "a"},
		{"a/b", "a", "b"},
		{"ab", "a", ""},
		{"a/..b", "a", "..b"},
		{"a/b", "a/", "b"},
		{"a/../b", "a", ""},
		{"a/b/c", "a", "b/c"},
		{"..", ".", ""},
		{"../a", ".", ""},
		{"..a", ".", "..a"},
	}
	if runtime.GOOS == "windows" {
		rows = append(rows,
			row{`C:\a\b`, `C:\a`, "b"},
			row{`C:\a\b\c`, `C:\a\`, "b/c"},
			row{`C:\a\b`, `c:\A`, "b"},
			row{`c:/a/b`, `C:\a`, "b"},
			row{`C:\`, `C:\`, "."},
			row{`C:\a`, `C:\`, "a"},
			row{`C:\ab`, `C:\a`, ""},
			row{`C:\a\..\b`, `C:\a`, ""},
			row{`D:\a\b`, `C:\a`, ""},
			row{`C:a`, `C:\`, ""},
			row{`\a\b`, `C:\a`, ""},
			row{`\\server\share\a`, `\\server\share`, "a"},
			row{`\\server\other\a`, `\\server\share`, ""},
			row{`C:\a\NUL`, `C:\a`, ""},
			row{`C:\a\b:stream`, `C:\a`, ""},
		)
	} else {
		rows = append(rows,
			row{"/", "/", "."},
			row{"/a", "/", "a"},
			row{"/a/b", "/a", "b"},
			row{"/a/b", "/a/", "b"},
			row{"/a//b/", "/a", "b"},
			row{"/ab", "/a", ""},
			row{"/A/b", "/a", ""},
			row{"/a", "/a/b", ""},
			row{"/a/../b", "/a", ""},
			row{"/a/b/..", "/a", "."},
			row{"/../a", "/a", "."},
			row{`/a\b`, "/a", ""},
			row{"/a/NUL", "/a", "NUL"},
			row{"/a", "a", ""},
			row{"/a", "", ""},
			row{"a", "/", ""},
			row{"", "/", ""},
		)
	}
	for _, c := range rows {
		name, dir := filepath.FromSlash(c.name), filepath.FromSlash(c.dir)
		rel, ok := workspace.RelOS(name, dir)
		if rel != c.rel && ok || ok != (c.rel != "") {
			t.Errorf("RelOS(%q, %q) = %q, %t, want %q", name, dir, rel, ok, c.rel)
		}
		if got := workspace.WithinOS(name, dir); got != ok {
			t.Errorf("WithinOS(%q, %q) = %t, and RelOS %t", name, dir, got, ok)
		}
	}
}
