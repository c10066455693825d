package workspace

import (
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestEscape(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("names are text there")
	}
	for _, c := range []struct{ raw, shown string }{
		{"plain", "plain"},
		{"名字.txt", "名字.txt"},
		{"caf\xe9", `caf\xe9`},
		{`caf\xe9`, `caf\x5cxe9`},
		{`caf\x5cxe9`, `caf\x5cx5cxe9`},
		{"\xff\xfe/\x80", `\xff\xfe/\x80`},
		{`\xff` + "\xff", `\x5cxff\xff`},
		{`a\x41`, `a\x41`}, // 41 needs no escape
		{`a\xFF`, `a\xFF`}, // nor are escapes upper case
		{`a\x`, `a\x`},
		{`\`, `\`},
		{"\xc3", `\xc3`}, // half of a character
		{"\ufffd", "\ufffd"},
	} {
		if got := Escape(c.raw); got != c.shown {
			t.Errorf("Escape(%q) = %q, want %q", c.raw, got, c.shown)
		}
		if got := Unescape(c.shown); got != c.raw {
			t.Errorf("Unescape(%q) = %q, want %q", c.shown, got, c.raw)
		}
	}
}

// FuzzEscape: every name has one form, which is text, and which is taken back.
func FuzzEscape(f *testing.F) {
	for _, seed := range []string{"", "a", "\xff", `\xff`, `\x5cxff`, "a/\xe9/b", `\x5`, `\x8`, "\xe2\x82"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		if runtime.GOOS == "windows" {
			return
		}
		shown := Escape(raw)
		if !utf8.ValidString(shown) || Unescape(shown) != raw {
			t.Errorf("%q is shown as %q, which is %q", raw, shown, Unescape(shown))
		}
		if strings.Count(shown, "/") != strings.Count(raw, "/") || strings.ContainsRune(shown, 0) != strings.ContainsRune(raw, 0) {
			t.Errorf("%q is shown as %q", raw, shown)
		}
		// What a caller writes leads to the same entry as its proper form.
		if again := Escape(Unescape(raw)); Unescape(again) != Unescape(raw) {
			t.Errorf("%q and %q differ", raw, again)
		}
		// An escape stands for no byte that matters to the system.
		for _, c := range []string{"/", "\x00", "."} {
			if strings.Count(Unescape(raw), c) != strings.Count(raw, c) {
				t.Errorf("%q has other %q than %q", raw, c, Unescape(raw))
			}
		}
	})
}

// TestEscapedPaths: names that differ in one byte are different files under every
// spelling, and what lists them shows what opens them.
func TestEscapedPaths(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("names are text there")
	}
	everyMode(t, func(t *testing.T, open func(string, Options) asked) {
		ws, _ := workspaceDir(t)
		r := open(ws, Options{})
		raw := []string{"a\xff", `a\xff`, `a\x5cxff`, "a\xfe"}
		for _, dir := range []string{"d\xe9", `d\xe9`} {
			for _, name := range raw {
				if _, err := r.WriteFile(Escape(dir+"/"+name), []byte(dir+name), WriteOptions{Parents: true}); err != nil {
					t.Fatal(err)
				}
				wantText(t, ws+"/"+dir+"/"+name, dir+name)
				if clean, err := r.Clean(Escape(ws + "/" + dir + "/" + name)); err != nil || clean != Escape(dir+"/"+name) {
					t.Errorf("Clean of the absolute path: %q, %v", clean, err)
				}
				if abs := r.Path(Escape(dir + "/" + name)); abs != ws+"/"+dir+"/"+name {
					t.Errorf("Path: %q", abs)
				}
				if rel, ok := r.Rel(ws + "/" + dir + "/" + name); !ok || rel != Escape(dir+"/"+name) {
					t.Errorf("Rel: %q, %v", rel, ok)
				}
			}
			entries, err := r.ReadDir(Escape(dir))
			var listed []string
			for _, e := range entries {
				listed = append(listed, Unescape(e.Name))
			}
			slices.Sort(listed)
			if want := slices.Sorted(slices.Values(raw)); err != nil || !slices.Equal(listed, want) {
				t.Errorf("%q lists %q, %v; want %q", dir, listed, err, want)
			}
		}
		// A link's target has the bytes themselves.
		if err := r.Tree().Symlink("d\xe9/a\xff", Escape("l\xff")); err != nil {
			t.Fatal(err)
		}
		if real, err := r.Resolve(Escape("l\xff"), "read"); err != nil || real != Escape("d\xe9/a\xff") {
			t.Errorf("the link leads to %q, %v", real, err)
		}
		if err := r.Rename(Escape("d\xe9/a\xff"), Escape("moved\xe9"), false); err != nil {
			t.Error(err)
		}
		wantText(t, ws+"/moved\xe9", "d\xe9a\xff")
		if err := r.Remove(Escape("moved\xe9")); err != nil {
			t.Error(err)
		}
	})
}
