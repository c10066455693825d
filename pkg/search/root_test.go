package search_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/search"
	"github.com/helve-dev/helve/pkg/search/walk"
)

// roots opens a directory as each kind of root that the platform has.
func roots(t testing.TB, dir string) map[string]search.Root {
	t.Helper()
	std, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { std.Close() })
	all := map[string]search.Root{"std": walk.Std(std)}
	if fd, ok := descriptor(t, dir); ok {
		all["fd"] = fd
	}
	return all
}

func root(t testing.TB, dir string) search.Root {
	t.Helper()
	all := roots(t, dir)
	if r, ok := all["fd"]; ok {
		return r
	}
	return all["std"]
}

// tree writes files, given as path and content, and returns their directory.
func tree(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		put(t, dir, name, content)
	}
	return dir
}

func put(t testing.TB, dir, name, content string) {
	t.Helper()
	full := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// forest writes a tree of random texts and ignore files.
func forest(t testing.TB, r *rand.Rand, files int) string {
	t.Helper()
	dir := t.TempDir()
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	for range files {
		name := pick("a", "b", "src", "lib", ".hid", "a-b")
		for r.IntN(3) > 0 {
			name += "/" + pick("a", "b", "x", "deep", "a.b")
		}
		name += "/" + pick("f", "g", "é", "Z") + pick(".go", ".c", ".txt", "")
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.IsDir() {
			continue
		}
		if os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755) != nil {
			continue
		}
		put(t, dir, name, randomText(r))
		if r.IntN(10) == 0 {
			put(t, dir, filepath.Dir(name)+"/"+pick(".gitignore", ".ignore"),
				pick("*.c\n", "/f.go\n", "deep/\n", "!*.go\n*.txt\n", "a/**/g*\n", "x\n!x\n", "# nothing\n", "**/b/\n"))
		}
	}
	return dir
}

func randomText(r *rand.Rand) string {
	words := []string{
		"foo", "Foo", "bar", "foo_bar", "return", "func", "x", "世界", "größe", "GRÖSSE", "k", "K", "\u212a", "12", "a.b", "(", ")", "  ", "\t",
		"error", "nil", "été", "Ω", "end", "begin", "//", "int main(void)",
	}
	var b strings.Builder
	lines := r.IntN(60)
	if r.IntN(50) == 0 {
		lines = 17_000 // does not fit into a buffer
	}
	for range lines {
		for range r.IntN(7) {
			b.WriteString(words[r.IntN(len(words))])
			b.WriteString([]string{" ", "", "_", "-"}[r.IntN(4)])
		}
		b.WriteByte('\n')
	}
	if r.IntN(3) == 0 {
		b.WriteString("no break at the end, foo")
	}
	return b.String()
}

// latin decodes a part of a text in ISO-8859-1.
func latin(raw []byte, _ bool) ([]byte, int) {
	out := make([]byte, 0, 2*len(raw))
	for _, b := range raw {
		out = utf8.AppendRune(out, rune(b))
	}
	return out, len(raw)
}

func isWindows() bool { return runtime.GOOS == "windows" }
