package workspace

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// FuzzResolve holds the result against filepath.EvalSymlinks on the same tree.
func FuzzResolve(f *testing.F) {
	ws, _ := maze(f)
	entries, err := os.ReadDir(ws)
	if err != nil {
		f.Fatal(err)
	}
	for _, e := range entries {
		f.Add(e.Name())
		f.Add("root/" + e.Name() + "/../x")
		f.Add(ws + "/a/../" + e.Name())
	}
	for _, seed := range []string{
		"", ".", "..", "../ws", "../ws-evil/secret", "a/../../ws/file", "outdir/d/secret", "absroot/chain1", "a/b/c/deep/", "//a//b", "...",
		ws + "-evil/secret", "/proc/self/root" + ws + "/file", "indir/../outdir", "a\x00", `a\..\..\x`, "in/..", "file/../in",
		".git/config", "a/.GIT/hooks", "\xff/x", "root/root/root/root/out",
	} {
		f.Add(seed)
	}
	roots := map[string]asked{}
	for name, opener := range openers {
		r, err := opener(ws, Options{})
		if err != nil {
			f.Fatal(err)
		}
		defer r.Close()
		roots[name] = r
	}
	inside := func(p string) bool { return p == ws || strings.HasPrefix(p, ws+string(filepath.Separator)) }
	f.Fuzz(func(t *testing.T, name string) {
		for mode, r := range roots {
			clean, err := r.Clean(name)
			if err != nil {
				if _, err := r.Resolve(name, schema.ReadPath); err == nil {
					t.Errorf("%s: Resolve(%q) takes what Clean does not", mode, name)
				}
				continue
			}
			if !filepath.IsLocal(filepath.FromSlash(clean)) || strings.ContainsAny(clean, "\x00") {
				t.Fatalf("%s: Clean(%q) = %q", mode, name, clean)
			}
			real, err := r.Resolve(name, schema.ReadPath)
			want, oracleErr := filepath.EvalSymlinks(filepath.Join(ws, filepath.FromSlash(Unescape(clean))))
			switch {
			case oracleErr == nil && inside(want):
				// A path may leave and come back, which the oracle does not mind.
				if err != nil && !fault.Is(err, fault.OutsideWorkspace) {
					t.Errorf("%s: Resolve(%q): %v, want %s", mode, name, err, want)
				}
				if err == nil && filepath.Join(ws, filepath.FromSlash(Unescape(real))) != want {
					t.Errorf("%s: Resolve(%q) = %q, want %s", mode, name, real, want)
				}
			case oracleErr == nil && !fault.Is(err, fault.OutsideWorkspace):
				t.Errorf("%s: Resolve(%q) = %q, %v, but it is %s", mode, name, real, err, want)
			case err == nil:
				// Nothing is there yet. What there is of it must be inside.
				p := filepath.Join(ws, filepath.FromSlash(Unescape(real)))
				for {
					got, err := filepath.EvalSymlinks(p)
					if err == nil && inside(got) {
						break
					}
					if err == nil || !errors.Is(err, os.ErrNotExist) && runtime.GOOS != "windows" && len(filepath.Base(p)) < 256 {
						t.Fatalf("%s: Resolve(%q) = %q, of which %s is %s, %v", mode, name, real, p, got, err)
					}
					p = filepath.Dir(p)
				}
			}
			file, openErr := r.Open(name)
			if openErr != nil {
				if err == nil && oracleErr == nil {
					t.Errorf("%s: opened(%q): %v", mode, name, openErr)
				}
				continue
			}
			text, _ := io.ReadAll(io.LimitReader(file, 1<<10)) // a directory cannot be read
			if strings.Contains(string(text), secret) || err != nil {
				t.Errorf("%s: opened(%q) showed %q, where Resolve says %v", mode, name, text, err)
			}
			file.Close()
		}
	})
}

// FuzzProtected spells protected names in the ways that some file system
// forgives, and checks that folding is stable and blind to the spelling.
func FuzzProtected(f *testing.F) {
	for _, name := range append(gitLike, gitLikeToo...) {
		f.Add(name, "hooks", " .")
	}
	f.Add("a/b", ".helve", ":s")
	f.Add("ÅNGSTRÖM", ".git", "\u200c")
	f.Fuzz(func(t *testing.T, before, name, tail string) {
		if strings.ContainsAny(name+tail, "/\\\x00") || name == "" {
			t.Skip()
		}
		folded := foldName(name)
		if again := foldName(folded); again != folded {
			t.Errorf("%q folds to %q and then to %q", name, folded, again)
		}
		if !isASCII(name) || strings.ContainsAny(name, ":") {
			return
		}
		for _, spelling := range []string{strings.ToUpper(name), strings.ToLower(name), name + ".", name + " ", name + ".. .", name + ":" + tail} {
			if name != "." && name != ".." && foldName(spelling) != folded && strings.Trim(name, ". ") != "" {
				t.Errorf("%q and %q fold to %q and %q", name, spelling, folded, foldName(spelling))
			}
		}
		if !isGits(foldPath(before+"/.GiT/"+strings.ToUpper("hooks")+":"+tail), nil) {
			t.Errorf("hooks below %q are not protected", before)
		}
	})
}
