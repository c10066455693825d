package workspace

import "testing"

// TestFoldedNames has names that some file system takes for another.
func TestFoldedNames(t *testing.T) {
	for name, want := range map[string]string{
		"A.Txt": "a.txt", "a. .": "a", ". .": ". .", "...": "...", "a:stream": "a", ":a": ":a", "a::$DATA": "a", "\u212a": "k", "E\u0301": "\u00e9", "e\u200d\u0301": "\u00e9", "": "",
		"\x7f": "\x7f", "\u0080": "\u0080",
	} {
		if got := foldName(name); got != want {
			t.Errorf("%q is folded to %q, want %q", name, got, want)
		}
	}
	// The characters that HFS+ ignores, and those beside them.
	for _, r := range [...][2]rune{{0x200c, 0x200f}, {0x202a, 0x202e}, {0x206a, 0x206f}, {0xfeff, 0xfeff}} {
		if !hfsIgnores(r[0]) || !hfsIgnores(r[1]) || hfsIgnores(r[0]-1) || hfsIgnores(r[1]+1) {
			t.Errorf("%x to %x", r[0], r[1])
		}
	}
}

// TestShortNames has aliases as NTFS and FAT make them.
func TestShortNames(t *testing.T) {
	for _, c := range []struct {
		got, want string
		same      bool
	}{
		{"a", "a", true}, {"a", "b", false},
		{"git~1", ".git", true}, {"git~12", ".git", true}, {"git~", ".git", false}, {"git~x", ".git", false}, {"gi~1", ".git", false}, {"git~1.x", ".git", false},
		{"config~1.wor", "config.worktree", true}, {"config~1.wo", "config.worktree", false}, {"config~1", "config.worktree", false}, {"config~1.worktree", "config.worktree", false},
		{"commond~1", "commondir", false}, {"common~1", "commondir", true},
		{"hooks~1", "hooks", false}, // it needs no alias
		{"12345678~1", "12345678", false}, {"123456~1", "123456789", true}, {"123456~1", "12345678", false},
		{"a~1.txt", "a.txt", false}, {"a~1.tex", "a.text", true}, {"ab~1", "a b", true},
		{"gi7eba~1", ".git", true}, {"gi7eb~1", ".git", false}, {"gi7ebaf~1", ".git", false}, {"gi7ebx~1", ".git", false}, {"xx7eba~1", ".git", false},
		{"a7eba~1", ".a", true}, {"~1", ".git", false},
	} {
		if got := sameName(c.got, c.want); got != c.same {
			t.Errorf("%s for %s: %t", c.got, c.want, got)
		}
	}
}

// TestMarkedNames has names that begin with a dot, or that some file system may take
// for one that does; all others are ordinary, unless their extension is obeyed.
func TestMarkedNames(t *testing.T) {
	for name, want := range map[string]bool{
		"": true, ".": true, ".a": true, "a.": true, "a ": true, "a~1": true, "a:b": true, "é": true, "a\u0080": true,
		"a": false, "a.b": false, "a b": false, "a}": false, "a\x7f": false, "a;b": false,
	} {
		if isMarked(name) != want {
			t.Errorf("%q: %t", name, !want)
		}
	}
}
