package grep

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// A search says how many files it has opened: each once, also if it then ignores case.
func TestProgress(t *testing.T) {
	dir := t.TempDir()
	for i := range 3 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), []byte("hay\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	root, err := workspace.Open(dir, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	var mu sync.Mutex
	told := map[string]bool{}
	env := &tool.Env{Root: func() (*workspace.Root, error) { return root, nil }, Progress: func(done, total float64, message string) {
		mu.Lock()
		defer mu.Unlock()
		told[fmt.Sprintf("%v/%v %s", done, total, message)] = true
	}}
	var a Args
	if _, err := Tool.Decode([]byte(`{"pattern":"needle"}`), &a); err != nil {
		t.Fatal(err)
	}
	if _, err := run(t.Context(), tool.NewCall(env, Tool, nil), a); err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	for n := 1; n <= 3; n++ {
		want[fmt.Sprintf("%d/0 %[1]d files searched", n)] = true
	}
	if d := cmp.Diff(want, told); d != "" {
		t.Error(d)
	}
}
