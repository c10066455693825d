package read

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
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

func args(a Args) Args {
	if a.Limit == 0 {
		a.Limit = 2000
	}
	if a.MaxBytes == 0 {
		a.MaxBytes = 48 << 10
	}
	return a
}

// lines returns so many bytes of lines of ten bytes.
func lines(bytes int) string { return strings.Repeat("123456789\n", bytes/10) }

// Small files are whole, large ones share what is left, and the record knows the lines
// that were shown of each.
func TestSeveralShareBudget(t *testing.T) {
	call, seen := world(t, map[string]string{"large": lines(100_000), "larger": lines(200_000), "small": lines(100), "medium": lines(4000)})
	r, err := run(t.Context(), call, args(Args{Paths: []string{"large", "small", "larger", "medium"}, MaxBytes: 12_400}))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range r.Files {
		got = append(got, strings.TrimSpace(fmt.Sprintln(f.Path, len(f.Content.Content), f.Truncated, f.NextOffset, seen(f.Path))))
	}
	want := []string{"large 4150 true 416 [{1 415}]", "small 100 false 0 [{1 10}]", "larger 4150 true 416 [{1 415}]", "medium 4000 false 0 [{1 400}]"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if !r.Truncated || r.NextPaths != nil {
		t.Errorf("truncated %v, left %v", r.Truncated, r.NextPaths)
	}
	text := render(r, screen.View{})
	for _, part := range []string{"==> large <==\n123456789\n", "[lines 1-415 of 10000; continue with path=large offset=416]\n==> small <==\n", "[lines 1-415 of 20000; continue with path=larger offset=416]\n==> medium <==\n"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in the text", part)
		}
	}
}

// What is too much for one call is named, so that another one can read it.
func TestSeveralAreTooMany(t *testing.T) {
	files := map[string]string{}
	for i := range 203 {
		files[fmt.Sprintf("f%04d.txt", i)] = "x\n"
	}
	call, _ := world(t, files)
	for _, c := range []struct {
		args                    Args
		read, named, total      int
		firstNamed, inText, end string
	}{
		{Args{Path: "f000?.txt"}, 10, 0, 0, "", "", "x\n"},
		{Args{Path: "*.txt"}, 100, 100, 103, "f0100.txt", `paths=["f0100.txt","f0101.txt",`, ", …]]\n"},
		{Args{Path: "f00[01]?.txt", MaxBytes: 600}, 2, 18, 0, "f0002.txt", "[files not read: 18; continue with", ", …]]\n"},
		{Args{Paths: []string{"f0001.txt", "f0001.txt", "f0000.txt"}, MaxBytes: 1}, 1, 1, 0, "f0000.txt", `[files not read: 1; continue with paths=["f0000.txt"]]`, "]]\n"},
	} {
		r, err := run(t.Context(), call, args(c.args))
		if err != nil {
			t.Fatal(err)
		}
		text := render(r, screen.View{})
		if len(r.Files) != c.read || len(r.NextPaths) != c.named || r.NextTotal != c.total || r.Truncated != (c.named > 0) {
			t.Errorf("%+v: %d are read, %d named, of %d left", c.args, len(r.Files), len(r.NextPaths), r.NextTotal)
		}
		if c.named > 0 && r.NextPaths[0] != c.firstNamed || !strings.Contains(text, c.inText) || !strings.HasSuffix(text, c.end) {
			t.Errorf("%+v: %q ... %q", c.args, r.NextPaths, text[max(0, len(text)-200):])
		}
	}
}
