package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

func TestSimilar(t *testing.T) {
	ws, _ := workspaceDir(t)
	tree(t, ws, "README.md", "src/main.go", "src/handler.go", "src/Handler_test.go", "src/deep/er/config.yaml", "docs/guide.md",
		"lib/helper.js", "node_modules/pkg/zebra.js", ".git/zebra.js", "loop -> .", "out -> /etc", "src/名字.txt")
	r, err := opened(ws, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	tests := []struct {
		name   string
		want   []string
		parent string
	}{
		{"readme.md", []string{"README.md"}, "."},
		{"README.txt", []string{"README.md"}, "."},
		{"src/mian.go", []string{"src/main.go"}, "src"},
		{"src/handlers.go", []string{"src/handler.go"}, "src"},
		{"scr/main.go", []string{"src/main.go"}, "."},
		{"SRC/Main.go", []string{"src/main.go"}, "."},
		{"main.go", []string{"src/main.go"}, "."},
		{"src/config.yaml", []string{"src/deep/er/config.yaml"}, "src"},
		{"src/deep/helper.js", []string{"lib/helper.js"}, "src/deep"},
		{"src/deep/x/y/zzz", nil, "src/deep"},
		{"src/名宇.txt", []string{"src/名字.txt"}, "src"},
		{"zebra.js", nil, "."},
		{"out/passwd", nil, "."}, // nothing is looked up outside
		{"README.md/x", nil, "."},
		{"../x", nil, "."},
	}
	for _, tt := range tests {
		got, parent := r.Similar(tt.name)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("Similar(%q) (-want +got)\n%s", tt.name, diff)
		}
		if parent != tt.parent {
			t.Errorf("Similar(%q) is nearest to %q, want %q", tt.name, parent, tt.parent)
		}
	}
}

func TestSimilarIsBounded(t *testing.T) {
	ws, _ := workspaceDir(t)
	for i := range 30 {
		tree(t, ws, fmt.Sprintf("file%02d.go", i))
	}
	for i := range 200 { // more than are looked at, and what is wanted comes last
		for j := range 5000 / 200 {
			tree(t, ws, fmt.Sprintf("d%03d/x%d", i, j))
		}
	}
	tree(t, ws, "d000/e/f/g/wanted.txt")
	r, err := opened(ws, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if got, _ := r.Similar("file99.go"); len(got) != 3 {
		t.Errorf("got %q", got)
	}
	if got, _ := r.Similar("wanted.txt"); got != nil {
		t.Errorf("got %q beyond the budget", got)
	}
}

func TestSimilarLooksFar(t *testing.T) {
	ws, _ := workspaceDir(t)
	for i := range 100 {
		for j := range 40 {
			tree(t, ws, fmt.Sprintf("d%02d/x%d", i, j))
		}
	}
	tree(t, ws, "d00/e/f/wanted.txt") // comes after the 4100 entries above it
	r, err := opened(ws, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if got, _ := r.Similar("wanted.txt"); len(got) != 1 {
		t.Errorf("got %q", got)
	}
}

func TestNotFound(t *testing.T) {
	ws, _ := workspaceDir(t)
	tree(t, ws, "src/main.go", "dangling -> src/gone.go")
	r, err := opened(ws, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	type message struct {
		English, Chinese, Hint string
		Details                any
	}
	for name, want := range map[string]message{
		"src/mainn.go": {"file not found: src/mainn.go", "文件不存在: src/mainn.go", "did you mean src/main.go?",
			Missing{[]string{"src/main.go"}, "src"}},
		"src/x/y": {"file not found: src/x/y", "文件不存在: src/x/y", "nothing similar was found; list src to see what is there",
			Missing{nil, "src"}},
		"dangling": {"file not found: dangling", "文件不存在: dangling", "it is a link to src/gone.go, which does not exist",
			Missing{nil, "."}},
	} {
		_, err := r.Open(name)
		if !errors.Is(err, fs.ErrNotExist) || !fault.Is(err, fault.NotFound) {
			t.Fatal(err)
		}
		e := fault.As(err)
		got := message{e.Message.In(fault.English), e.Message.In(fault.Chinese), e.Hint.String(), e.Details}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}
