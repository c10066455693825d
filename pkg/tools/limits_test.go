package tools_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tools"
	"github.com/helve-dev/helve/pkg/workspace"
)

// world is a workspace that the built-in tools are called in.
type world struct {
	dir     string
	env     *tool.Env
	catalog *tools.Catalog
	page    string // address of a web page, where there is one
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir := t.TempDir()
	root, err := workspace.Open(dir, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	base := t.TempDir()
	kept := sync.OnceValues(func() (*state.Dir, error) { return state.Open(base, dir, state.Options{}) })
	catalog := tools.New(tools.Options{})
	return &world{dir: dir, catalog: catalog, env: &tool.Env{
		Root:  func() (*workspace.Root, error) { return root, nil },
		State: kept, Audit: kept, Now: time.Now, Session: "s",
		Journal: func() (*journal.Journal, error) {
			d, err := kept()
			if err != nil {
				return nil, err
			}
			return journal.New(d, root.Tree(), journal.Options{}), nil
		},
	}}
}

// file writes a file behind the tools' back.
func (w *world) file(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, name), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// call returns the members of the result, or the code of the fault.
func (w *world) call(t *testing.T, name string, args map[string]any) (map[string]any, fault.Code) {
	t.Helper()
	one, err := w.catalog.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	input, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	o := guard.Run(t.Context(), w.env, one, input)
	if o.Err != nil {
		return nil, o.Err.Code
	}
	var members map[string]any
	if err := json.Unmarshal(o.JSON, &members); err != nil {
		t.Fatal(err)
	}
	return members, ""
}

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return b.String()
}

// A file of 200 lines is not replaced by less than half of it unless asked to.
func TestShrink(t *testing.T) {
	for _, c := range []struct {
		was, is int
		want    fault.Code
	}{{200, 99, fault.Shrink}, {200, 100, ""}, {199, 1, ""}} {
		w := newWorld(t)
		w.file(t, "a.txt", numbered(c.was))
		if _, code := w.call(t, "write", map[string]any{"path": "a.txt", "content": numbered(c.is)}); code != c.want {
			t.Errorf("%d lines replaced by %d: %q, want %q", c.was, c.is, code, c.want)
		}
	}
}

// A read lists 500 entries of a directory.
func TestDirectoryEntries(t *testing.T) {
	w := newWorld(t)
	for i := range 501 {
		w.file(t, fmt.Sprintf("%03d.txt", i), "")
	}
	r, code := w.call(t, "read", map[string]any{"path": "."})
	if entries, _ := r["entries"].([]any); len(entries) != 500 || r["total"] != 501.0 || r["truncated"] != true {
		t.Errorf("%d entries of %v, truncated: %v, %s", len(entries), r["total"], r["truncated"], code)
	}
}

// A text of more than 1000 lines comes with what to read of it.
func TestRecommendations(t *testing.T) {
	for lines, want := range map[int]bool{1000: false, 1001: true} {
		w := newWorld(t)
		w.file(t, "a.md", "# One\n"+strings.Repeat("text\n", lines-2)+"# Two\n")
		r, code := w.call(t, "read", map[string]any{"path": "a.md"})
		if _, got := r["recommend"]; got != want || code != "" {
			t.Errorf("%d lines: %v, %s", lines, r["recommend"], code)
		}
	}
}

// An edit shows four lines on either side of the first change, 60 lines in all.
func TestSnippet(t *testing.T) {
	w := newWorld(t)
	w.file(t, "a.txt", numbered(100))
	r, code := w.call(t, "edit", map[string]any{"path": "a.txt", "old_text": "line 50\n", "new_text": "changed\n"})
	snippet, _ := r["snippet"].(map[string]any)
	if text, _ := snippet["text"].(string); snippet["start_line"] != 46.0 || strings.Count(text, "\n") != 9 {
		t.Errorf("%v, %s", snippet, code)
	}
	r, code = w.call(t, "edit", map[string]any{"path": "a.txt", "old_text": "line 20\n", "new_text": strings.Repeat("new\n", 80)})
	snippet, _ = r["snippet"].(map[string]any)
	if text, _ := snippet["text"].(string); strings.Count(text, "\n") != 60 {
		t.Errorf("%d lines, %s", strings.Count(text, "\n"), code)
	}
}

// The bounds of an argument are those of its tag.
func TestEdits(t *testing.T) {
	for n, want := range map[int]fault.Code{200: "", 201: fault.InvalidArguments} {
		w := newWorld(t)
		w.file(t, "a.txt", numbered(300))
		edits := make([]map[string]any, n)
		for i := range edits {
			edits[i] = map[string]any{"old_text": fmt.Sprintf("line %d\n", i+1), "new_text": "changed\n"}
		}
		if _, code := w.call(t, "edit", map[string]any{"path": "a.txt", "edits": edits}); code != want {
			t.Errorf("%d edits: %q, want %q", n, code, want)
		}
	}
}

// A query is bounded in bytes as well as in characters.
func TestQueryBytes(t *testing.T) {
	w := newWorld(t)
	for n, want := range map[int]fault.Code{666: fault.Unsupported, 667: fault.InvalidArguments} { // there is no engine here
		if _, code := w.call(t, "websearch", map[string]any{"query": strings.Repeat("世", n)}); code != want {
			t.Errorf("%d bytes: %q, want %q", 3*n, code, want)
		}
	}
}

// A call may take as long as its timeout argument allows, and some more.
func TestDeadlines(t *testing.T) {
	want := map[string]time.Duration{"exec": 630 * time.Second, "job": 640 * time.Second, "fetch": 180 * time.Second, "spawn": 24*time.Hour + 120*time.Second}
	for _, one := range tools.Builtin() {
		d, ok := want[one.Name]
		if !ok {
			d = 120 * time.Second
		}
		if got := one.Deadline(); got != d {
			t.Errorf("%s may take %v, want %v", one.Name, got, d)
		}
	}
}
