package grep

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/search"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// world returns a call in a workspace of some files, and what its session was shown of
// a file.
func world(t *testing.T, files map[string]string) (*tool.Call, func(path string) []state.Range) {
	t.Helper()
	dir, base := t.TempDir(), t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	root, err := workspace.Open(dir, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	kept, err := state.Open(base, dir, state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	call := tool.NewCall(&tool.Env{
		Root:  func() (*workspace.Root, error) { return root, nil },
		State: sync.OnceValues(func() (*state.Dir, error) { return kept, nil }),
		Now:   time.Now, Session: "s",
	}, Tool, nil)
	return call, func(path string) (lines []state.Range) {
		s, err := kept.Session("s")
		if err != nil {
			t.Fatal(err)
		}
		entries, err := s.Shown(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			lines = append(lines, e.Ranges...)
		}
		return lines
	}
}

// Lines are recorded if they are shown whole and still there.
func TestSeen(t *testing.T) {
	long := strings.Repeat("x", 300) + "needle" + strings.Repeat("y", 300)
	call, seen := world(t, map[string]string{
		"lines": "one\ntwo\nneedle\nfour\nfive\nsix\nneedle\n", "changed": "one\nneedles\nthree\n", "shorter": "one\n", "secret": "needle\n",
		"crlf": "one\r\nneedle\r\nthree\r\n", "mark": "\xef\xbb\xbfneedle\n", "utf16": "\xff\xfen\x00e\x00e\x00d\x00l\x00e\x00\n\x00", "bytes": "needle\n\xff\xfe needle\n",
		"long": long + "\nneedle\n", "other": strings.Repeat("z", 600) + "\nneedle\n", "bin": "needle\x00\n", "end": "one\nneedle", "cr": "one\rneedle\r",
	})
	call.Hidden = func(path string) bool { return path == "secret" }
	cut := search.Line{Line: 1, Text: "…xxneedleyy…"}
	at := func(line int, text string) search.Line { return search.Line{Line: line, Text: text} }
	for _, tt := range []struct {
		path  string
		lines []search.Line
		want  []state.Range
	}{
		{"lines", []search.Line{at(2, "two"), at(3, "needle"), at(4, "four"), at(7, "needle")}, []state.Range{{Start: 2, End: 4}, {Start: 7, End: 7}}},
		{"changed", []search.Line{at(1, "one"), at(2, "needle")}, nil},
		{"shorter", []search.Line{at(1, "one"), at(3, "needle")}, nil},
		{"gone", []search.Line{at(1, "needle")}, nil},
		{"secret", []search.Line{at(1, "needle")}, nil},
		{"crlf", []search.Line{at(1, "one"), at(2, "needle")}, []state.Range{{Start: 1, End: 2}}},
		{"mark", []search.Line{at(1, "needle")}, []state.Range{{Start: 1, End: 1}}},
		{"utf16", []search.Line{at(1, "needle")}, []state.Range{{Start: 1, End: 1}}},
		{"bytes", []search.Line{at(1, "needle"), {Line: 2, Text: "\ufffd\ufffd needle", Lossy: true}}, []state.Range{{Start: 1, End: 1}}},
		{"long", []search.Line{cut, at(2, "needle")}, []state.Range{{Start: 2, End: 2}}},
		{"other", []search.Line{cut, at(2, "needle")}, nil}, // the line that was cut is another one now
		{"bin", []search.Line{at(1, "needle")}, nil},
		{"end", []search.Line{at(2, "needle")}, []state.Range{{Start: 2, End: 2}}},
		{"cr", []search.Line{at(1, "one\rneedle")}, nil}, // the record counts its lines otherwise
		{"lines/in", []search.Line{at(1, "needle")}, nil},
	} {
		remember(call, []search.FileMatches{{Path: tt.path, Lines: tt.lines}})
		if d := cmp.Diff(tt.want, seen(tt.path)); d != "" {
			t.Errorf("%s: %s", tt.path, d)
		}
	}
	if w := call.Warnings(); len(w) > 0 {
		t.Error(w)
	}
}

// What is recorded is bounded in files and bytes.
func TestSeenBounds(t *testing.T) {
	files := map[string]string{"a": "needle\n" + strings.Repeat("x", seenBytes-2*len("needle\n")), "b": "needle\n", "c": "needle\n", "larger": "needle\n" + strings.Repeat("x", seenBytes)}
	var many []search.FileMatches
	for i := range seenFiles + 2 {
		name := fmt.Sprintf("%02d", i)
		files[name] = "needle\n"
		many = append(many, search.FileMatches{Path: name, Lines: []search.Line{{Line: 1, Text: "needle"}}})
	}
	call, seen := world(t, files)
	remember(call, many)
	for i, f := range many {
		if got := seen(f.Path) != nil; got != (i < seenFiles) {
			t.Errorf("%s: %v", f.Path, got)
		}
	}
	many = many[:0]
	for _, name := range []string{"larger", "a", "b", "c"} {
		many = append(many, search.FileMatches{Path: name, Lines: []search.Line{{Line: 1, Text: "needle"}}})
	}
	remember(call, many)
	for name, want := range map[string]bool{"larger": false, "a": true, "b": true, "c": false} {
		if got := seen(name) != nil; got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// A record that cannot be written is one warning, and the search has its result.
func TestSeenFails(t *testing.T) {
	call, _ := world(t, map[string]string{"a": "needle\n", "b": "needle\n"})
	call.Env.Session = "not/valid"
	line := []search.Line{{Line: 1, Text: "needle"}}
	remember(call, []search.FileMatches{{Path: "a", Lines: line}, {Path: "b", Lines: line}})
	if w := call.Warnings(); len(w) != 1 {
		t.Error(w)
	}
}
