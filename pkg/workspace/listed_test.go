package workspace_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/helve-dev/helve/pkg/workspace"
)

// TestListed finds names as the disk has them by others that look the same, and no others.
func TestListed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{
		"cafe\u0301.txt", "shot 10\u202fAM.png", "\u1112\u1161\u11ab/re\u0301sume\u0301.md", "a b.txt", "two\u00a0x", "two\u202fx", "both\u0301", "bot\u0301h", "plain.txt",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	root, err := workspace.Open(dir, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	for given, want := range map[string]string{
		"caf\u00e9.txt":               "cafe\u0301.txt",
		"cafe\u0301.txt":              "cafe\u0301.txt",
		"shot 10 AM.png":              "shot 10\u202fAM.png",
		"\ud55c/r\u00e9sum\u00e9.md":  "\u1112\u1161\u11ab/re\u0301sume\u0301.md",
		"\ud55c/new.md":               "\u1112\u1161\u11ab/new.md",
		"a\u00a0b.txt":                "a b.txt",
		"two x":                       "two x", // two names look like it
		"cafe.txt":                    "cafe.txt",
		"plain.txt":                   "plain.txt",
		"no such.txt":                 "no such.txt",
		"caf\u00e9.txt/below":         "cafe\u0301.txt/below",
		"plain.txt/caf\u00e9":         "plain.txt/caf\u00e9",
		"\u1112\u1161\u11ab/a \u00e9": "\u1112\u1161\u11ab/a \u00e9",
	} {
		p, err := root.Clean(given)
		if err != nil {
			t.Fatal(err)
		}
		got := root.Listed(p).String()
		if info, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(given))); err == nil && info != nil {
			want = p.String() // the file system itself takes both for one
		}
		if got != want {
			t.Errorf("%+q is %+q, want %+q", given, got, want)
		}
	}
}
