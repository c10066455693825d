package search_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/search"
	"github.com/helve-dev/helve/pkg/search/pattern"
)

func grep(t testing.TB, root search.Root, o search.GrepOptions) search.GrepResult {
	t.Helper()
	r, err := search.Grep(context.Background(), root, o)
	if err != nil {
		t.Fatalf("%q: %v", o.Pattern, err)
	}
	return r
}

// text renders a result as grep -n does.
func text(r search.GrepResult) string {
	var b strings.Builder
	for _, f := range r.Files {
		if f.Lines == nil {
			fmt.Fprintf(&b, "%s %d\n", f.Path, f.Count)
		}
		last := 0
		for _, l := range f.Lines {
			if last > 0 && l.Line > last+1 {
				b.WriteString("--\n")
			}
			last = l.Line
			mark := "-"
			if l.Match {
				mark = ":"
			}
			fmt.Fprintf(&b, "%s%s%d%s%s\n", f.Path, mark, l.Line, mark, l.Text)
		}
	}
	return b.String()
}

func TestGrep(t *testing.T) {
	dir := tree(t, map[string]string{
		"a.go":             "package a\n\nfunc one() {}\nfunc two() {}\n",
		"b/c.txt":          "one\ntwo\nthree\nfour\nfive\nsix\none\n",
		"b/crlf.txt":       "one\r\ntwo one\r\nthree",
		"b.txt":            "zone\nOne\n",
		".hidden/x":        "one\n",
		".git/config":      "one\n",
		".helve/x":         "one\n",
		"bin":              "one\x00\n",
		"bom.txt":          "\xef\xbb\xbfone\n",
		"utf16le":          "\xff\xfeo\x00n\x00e\x00\r\x00\n\x00\x3d\xd8\x00\xde",
		"utf16be":          "\xfe\xff\x00t\x00w\x00o\x00 \x00o\x00n\x00e",
		"utf32":            "\xff\xfe\x00\x00o\x00\x00\x00n\x00\x00\x00e\x00\x00\x00",
		"latin":            "caf\xe9 one\n",
		"ignored/x.log":    "one\n",
		".gitignore":       "*.log\n",
		"ignored/.ignore":  "!keep.log\n",
		"sub/.gitignore":   "secret\n",
		"sub/secret":       "one\n",
		"ignored/keep.log": "one\n",
	})
	tests := []struct {
		name string
		o    search.GrepOptions
		want string
	}{
		{"anchored", search.GrepOptions{Pattern: "^one$"}, `b/c.txt:1:one
--
b/c.txt:7:one
b/crlf.txt:1:one
bom.txt:1:one
ignored/keep.log:1:one
utf16le:1:one
utf32:1:one
`},
		{"context", search.GrepOptions{Pattern: "one|four", Globs: []string{"c.txt"}, Before: 1, After: 1}, `b/c.txt:1:one
b/c.txt-2-two
b/c.txt-3-three
b/c.txt:4:four
b/c.txt-5-five
b/c.txt-6-six
b/c.txt:7:one
`},
		{"context apart", search.GrepOptions{Pattern: "^one", Globs: []string{"c.txt"}, After: 1, Before: 1}, `b/c.txt:1:one
b/c.txt-2-two
--
b/c.txt-6-six
b/c.txt:7:one
`},
		{"limit turns a match into context", search.GrepOptions{Pattern: "t", Globs: []string{"c.txt"}, After: 1, Limit: 1}, "b/c.txt:2:two\nb/c.txt-3-three\n"},
		{"CRLF", search.GrepOptions{Pattern: "one$", Globs: []string{"crlf.txt"}}, "b/crlf.txt:1:one\nb/crlf.txt:2:two one\n"},
		{"no CR in the text", search.GrepOptions{Pattern: `one\s$`, Globs: []string{"crlf.txt"}}, ""},
		{"any but not CR", search.GrepOptions{Pattern: `o.{4}$`, Globs: []string{"crlf.txt"}}, "b/crlf.txt:2:two one\n"},
		{"explicit file", search.GrepOptions{Scope: search.Scope{Path: "ignored/x.log"}, Pattern: "one"}, "ignored/x.log:1:one\n"},
		{"explicit binary", search.GrepOptions{Scope: search.Scope{Path: "bin"}, Pattern: "one"}, "bin:1:one\x00\n"},
		{"explicit directory", search.GrepOptions{Scope: search.Scope{Path: "sub"}, Pattern: "one"}, ""},
		{"no ignore", search.GrepOptions{Scope: search.Scope{Path: "sub", NoIgnore: true}, Pattern: "one"}, "sub/secret:1:one\n"},
		{"hidden", search.GrepOptions{Scope: search.Scope{Hidden: true}, Pattern: "one", Globs: []string{".hidden/**"}}, ".hidden/x:1:one\n"},
		{"glob from the start or the root", search.GrepOptions{Scope: search.Scope{Path: "b"}, Pattern: "one", Globs: []string{"b/*.txt", "!crlf*"}}, "b/c.txt:1:one\n--\nb/c.txt:7:one\n"},
		{"type", search.GrepOptions{Pattern: "one", Types: []string{"go"}}, "a.go:3:func one() {}\n"},
		{"files", search.GrepOptions{Pattern: "two", Mode: search.Files}, "a.go 0\nb/c.txt 0\nb/crlf.txt 0\nutf16be 0\n"},
		{"count", search.GrepOptions{Pattern: "o", Mode: search.Count, Globs: []string{"c.txt", "a.go"}}, "a.go 2\nb/c.txt 4\n"},
		{"ignore case and word", search.GrepOptions{Pattern: "ONE", Options: pattern.Options{IgnoreCase: true, Word: true}, Globs: []string{"b.txt"}}, "b.txt:2:One\n"},
		{"literal", search.GrepOptions{Pattern: "one()", Options: pattern.Options{Literal: true}}, "a.go:3:func one() {}\n"},
		{"multiline", search.GrepOptions{Pattern: `one\(\) \{\}\nfunc`, Globs: []string{"*.go"}}, "a.go:3:func one() {}\na.go:4:func two() {}\n"},
		{"multiline over CRLF", search.GrepOptions{Pattern: "one\ntwo", Globs: []string{"crlf.txt"}, After: 1}, "b/crlf.txt:1:one\nb/crlf.txt:2:two one\nb/crlf.txt-3-three\n"},
		{"surrogates", search.GrepOptions{Pattern: `\p{So}`}, "utf16le:2:\U0001f600\n"},
		{"not UTF-8", search.GrepOptions{Pattern: "one", Globs: []string{"latin"}}, "latin:1:caf\uFFFD one\n"},
		{"empty pattern", search.GrepOptions{Pattern: "", Globs: []string{"b.txt"}}, "b.txt:1:zone\nb.txt:2:One\n"},
		{"depth", search.GrepOptions{Scope: search.Scope{Depth: 1}, Pattern: "^(t|z)"}, "b.txt:1:zone\nutf16be:1:two one\n"},
	}
	for kind, r := range roots(t, dir) {
		for _, test := range tests {
			if diff := cmp.Diff(test.want, text(grep(t, r, test.o))); diff != "" {
				t.Errorf("%s, %s:\n%s", kind, test.name, diff)
			}
		}
	}
}

func TestGrepResult(t *testing.T) {
	dir := tree(t, map[string]string{
		"a":          "x foo\nfoo foo\nbar\n",
		"b":          "foo\x00",
		"c.log":      "foo",
		".gitignore": "*.log",
		".h":         "foo",
		"d/e":        "\xe9 foo\n",
	})
	got := grep(t, root(t, dir), search.GrepOptions{Pattern: "foo", Limit: 2})
	want := search.GrepResult{
		Files: []search.FileMatches{{Path: "a", Count: 2, Lines: []search.Line{
			{Line: 1, Text: "x foo", Match: true, Submatches: [][2]int{{2, 5}}},
			{Line: 2, Text: "foo foo", Match: true, Submatches: [][2]int{{0, 3}, {4, 7}}},
		}}},
		TotalMatches: 3, TotalFiles: 2, FilesSearched: 3, Truncated: true, NextOffset: 2, Shown: 2,
		Skipped: search.Skipped{Ignored: 1, Hidden: 2, Binary: 1},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	got = grep(t, root(t, dir), search.GrepOptions{Pattern: "foo", Offset: 2})
	want.Files = []search.FileMatches{{Path: "d/e", Count: 1, Lines: []search.Line{{Line: 1, Text: "\uFFFD foo", Match: true, Submatches: [][2]int{{4, 7}}, Lossy: true}}}}
	want.Truncated, want.NextOffset, want.TotalExact, want.Shown = false, 0, true, 1
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestAround checks when the lines around a match are shown without being asked for.
func TestAround(t *testing.T) {
	dir := tree(t, map[string]string{"a": "1\n2\nneedle\n4\n5\npin\n" + strings.Repeat("x", 350) + "\npin\n", "b": "pin\n"})
	for _, test := range []struct {
		o    search.GrepOptions
		want string
	}{
		{search.GrepOptions{Pattern: "needle", Around: 1}, "a-2-2\na:3:needle\na-4-4\n"},
		{search.GrepOptions{Pattern: "needle", Around: 1, Limit: 1}, "a-2-2\na:3:needle\na-4-4\n"},
		{search.GrepOptions{Pattern: "needle", Around: 1, After: 2}, "a:3:needle\na-4-4\na-5-5\n"},
		{search.GrepOptions{Pattern: "needle", Around: 4, MaxBytes: 300}, "a:3:needle\n"},
		{search.GrepOptions{Pattern: "needle", Around: 1, Mode: search.Count}, "a 1\n"},
		{search.GrepOptions{Pattern: `needle\n4`, Around: 1}, "a:3:needle\na:4:4\n"},
		{search.GrepOptions{Pattern: "pin", Around: 1, Limit: 1}, "a:6:pin\n"},
		{search.GrepOptions{Pattern: "pin", Around: 1, Offset: 2}, "b:1:pin\n"},
	} {
		if got := text(grep(t, root(t, dir), test.o)); got != test.want {
			t.Errorf("%+v: %s", test.o, got)
		}
	}
}

// TestPerFile pages through the first lines of each file.
func TestPerFile(t *testing.T) {
	line, large := "x\n", 3_000_000
	if raceDetector { // no smaller a file, as several workers search it
		line, large = strings.Repeat(" ", 18)+line, large/10
	}
	dir := tree(t, map[string]string{"a": strings.Repeat("x\n", 5), "b": "x\n", "c": "x\nx\ny\n", "large": strings.Repeat(line, large)})
	for _, pattern := range []string{"x", `x\n`} {
		want := map[string]int{"a": 2, "b": 1, "c": 2, "large": 2}
		for limit := range 9 {
			o := search.GrepOptions{Pattern: pattern, PerFile: 2, Limit: limit}
			got := map[string]int{}
			for {
				r := grep(t, root(t, dir), o)
				for _, f := range r.Files {
					got[f.Path] += len(f.Lines)
					if f.More != (got[f.Path] == 2 && (f.Path == "a" || f.Path == "large")) {
						t.Errorf("%s: more %v", f.Path, f.More)
					}
				}
				if !r.Truncated {
					break
				}
				o.Offset = r.NextOffset
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, limit %d:\n%s", pattern, limit, diff)
			}
		}
		r := grep(t, root(t, dir), search.GrepOptions{Pattern: pattern, PerFile: 2, Total: true})
		if r.TotalMatches != 5+1+2+large || !r.TotalExact || r.Shown != 7 {
			t.Errorf("%s: %d lines, %d shown", pattern, r.TotalMatches, r.Shown)
		}
	}
}

// TestUndecoded checks that a file is counted in which characters may have other bytes.
func TestUndecoded(t *testing.T) {
	dir := tree(t, map[string]string{
		"odd": "caf\xe9 \x81\n", "utf8": "café\n", "stray": "na\xefve\n" + strings.Repeat("naïve ", 9), "large": strings.Repeat("ascii\n", 1_000_000) + "caf\xe9 \x81\n",
		"ascii": "cafe\n", "latin": "caf\xe9\n", "largelatin": strings.Repeat("ascii\n", 1_000_000) + "caf\xe9\n",
	})
	decode := func(sample []byte) (search.Part, bool) {
		switch {
		case bytes.Contains(sample, []byte("ï")):
			return nil, true // UTF-8
		case bytes.Contains(sample, []byte{0x81}):
			return nil, false
		}
		return latin, true
	}
	for pattern, want := range map[string]int{"café": 2, "[ó-ö]": 2, "cafe|n[äï]ve": 2, "nothing": 0, "caf.$": 0, "na..ve|é": 2, `é\n`: 2} {
		r := grep(t, root(t, dir), search.GrepOptions{Pattern: pattern, Decode: decode, Mode: search.Files})
		if r.Skipped.Undecoded != want {
			t.Errorf("%s: %d files, want %d", pattern, r.Skipped.Undecoded, want)
		}
		if pattern == "café" {
			if diff := cmp.Diff("largelatin 0\nlatin 0\nutf8 0\n", text(r)); diff != "" {
				t.Error(diff)
			}
		}
	}
}

func TestDeny(t *testing.T) {
	dir := tree(t, map[string]string{"a": "foo", "secret/b": "foo", "c": "foo", ".gitignore": "c"})
	o := search.GrepOptions{Pattern: "foo"}
	o.Deny = func(rel string, isDir bool) bool { return rel == "secret" && isDir }
	r := grep(t, root(t, dir), o)
	if text(r) != "a:1:foo\n" || r.Skipped.Ignored != 1 || r.Skipped.Denied != 1 || r.FilesSearched != 1 {
		t.Errorf("%+v", r)
	}
	o.Path = "secret"
	if _, err := search.Grep(context.Background(), root(t, dir), o); !fault.Is(err, fault.NotFound) {
		t.Errorf("a denied start: %v", err)
	}
}

func TestFaults(t *testing.T) {
	dir := tree(t, map[string]string{"a": "x", ".git/x": "a"})
	if err := os.Symlink("a", filepath.Join(dir, "link")); err != nil && !isWindows() {
		t.Fatal(err)
	}
	tests := []struct {
		o    search.GrepOptions
		code fault.Code
	}{
		{search.GrepOptions{Pattern: "a(b"}, fault.InvalidArguments},
		{search.GrepOptions{Pattern: "a", Globs: []string{"{a"}}, fault.InvalidArguments},
		{search.GrepOptions{Pattern: "a", Types: []string{"nope"}}, fault.InvalidArguments},
		{search.GrepOptions{Pattern: "a", Scope: search.Scope{Path: "nope"}}, fault.NotFound},
		{search.GrepOptions{Pattern: "a", Scope: search.Scope{Path: "../x"}}, fault.OutsideWorkspace},
		{search.GrepOptions{Pattern: "a", Scope: search.Scope{Path: "/etc"}}, fault.OutsideWorkspace},
		{search.GrepOptions{Pattern: "a", Scope: search.Scope{Path: ".git"}}, fault.InvalidArguments},
		{search.GrepOptions{Pattern: "a", Scope: search.Scope{Path: "link"}}, fault.NotAFile},
	}
	for _, r := range roots(t, dir) {
		for _, test := range tests {
			_, err := search.Grep(context.Background(), r, test.o)
			var f *fault.Error
			if !errors.As(err, &f) || f.Code != test.code {
				t.Errorf("%q in %q: %v, want %s", test.o.Pattern, test.o.Path, err, test.code)
			} else if f.Code == fault.InvalidArguments && f.Hint.IsZero() {
				t.Errorf("%v has no hint", err)
			}
		}
	}
}

// TestLinks checks that a search follows no links, neither inside nor outside.
func TestLinks(t *testing.T) {
	if isWindows() {
		t.Skip("links need rights there")
	}
	outside := tree(t, map[string]string{"secret": "foo"})
	dir := tree(t, map[string]string{"d/a": "foo"})
	for name, target := range map[string]string{"out": outside, "file": filepath.Join(outside, "secret"), "loop": ".", "in": "d", "d/up": ".."} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for kind, r := range roots(t, dir) {
		if got := text(grep(t, r, search.GrepOptions{Pattern: "foo"})); got != "d/a:1:foo\n" {
			t.Errorf("%s: %s", kind, got)
		}
		for _, p := range []string{"out", "out/secret", "in/a", "file", "loop/d/a"} {
			o := search.GrepOptions{Pattern: "foo"}
			o.Path = p
			if r, err := search.Grep(context.Background(), r, o); err == nil {
				t.Errorf("%s: %s was searched: %+v", kind, p, r)
			}
		}
	}
}

// TestLimitEndsWork checks that a search with a limit reads few files. How many
// depends on how the workers are scheduled, so there is only one.
func TestLimitEndsWork(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	files := map[string]string{}
	for i := range 3000 {
		files[fmt.Sprintf("d%02d/f%04d", i%50, i)] = "foo\n"
	}
	dir := tree(t, files)
	r := grep(t, root(t, dir), search.GrepOptions{Pattern: "foo", Limit: 1})
	if text(r) != "d00/f0000:1:foo\n" || r.FilesSearched > 60 || !r.Truncated || r.TotalExact {
		t.Errorf("%s, %d files searched", text(r), r.FilesSearched)
	}
	all := grep(t, root(t, dir), search.GrepOptions{Pattern: "foo", Limit: 1, Total: true})
	if all.TotalMatches != 3000 || !all.TotalExact || all.FilesSearched != 3000 {
		t.Errorf("%+v", all)
	}
}

func TestCancel(t *testing.T) {
	dir := tree(t, map[string]string{"a": "foo"})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := search.Grep(ctx, root(t, dir), search.GrepOptions{Pattern: "foo"}); !fault.Is(err, fault.Canceled) {
		t.Errorf("%v", err)
	}
	o := search.GrepOptions{Pattern: "foo"}
	o.Time = time.Nanosecond
	r := grep(t, root(t, dir), o)
	if !r.TimedOut || !r.Truncated || r.TotalExact {
		t.Errorf("%+v", r)
	}
	f, err := search.Find(context.Background(), root(t, dir), search.FindOptions{Scope: o.Scope})
	if err != nil || !f.TimedOut || !f.Truncated {
		t.Errorf("%+v %v", f, err)
	}
}

// TestChanging searches a tree that is being written to. There must be no error,
// and files that do not change must be found each time.
func TestChanging(t *testing.T) {
	files := map[string]string{}
	for i := range 200 {
		files[fmt.Sprintf("stays/%d", i)] = "needle\n"
	}
	dir := tree(t, files)
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			name := filepath.Join(dir, fmt.Sprintf("comes/%d", i%20))
			_ = os.MkdirAll(name, 0o755)
			_ = os.WriteFile(filepath.Join(name, "f"), []byte(strings.Repeat("needle\n", i%1000)), 0o644)
			_ = os.WriteFile(filepath.Join(dir, "stays/grows"), []byte(strings.Repeat("x\n", i*100)), 0o644)
			_ = os.RemoveAll(filepath.Join(dir, fmt.Sprintf("comes/%d", (i+10)%20)))
		}
	}()
	r := root(t, dir)
	for range 50 {
		got := grep(t, r, search.GrepOptions{Pattern: "needle", Mode: search.Files, Globs: []string{"stays/*"}, Limit: 1000})
		if got.TotalFiles != 200 {
			t.Errorf("%d files, want 200", got.TotalFiles)
		}
		grep(t, r, search.GrepOptions{Pattern: `n\w+e`, Limit: 10, Offset: 100})
	}
	close(stop)
	<-done
}
