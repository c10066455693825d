package workspace

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// foldPath splits a path into folded names. "\" separates as well.
func foldPath(p string) []string {
	names := pathNames(strings.ReplaceAll(p, `\`, "/"))
	for i, name := range names {
		names[i] = foldName(name)
	}
	return names
}

// foldName returns one spelling for all under which some file system finds the
// same entry: NTFS drops a ":" with what follows (streams such as
// "::$INDEX_ALLOCATION") and dots and spaces at the end; HFS+ drops certain
// invisible characters; APFS and HFS+ do not distinguish NFC and NFD; all of them
// ignore case.
func foldName(name string) string {
	if i := strings.IndexByte(name, ':'); i > 0 {
		name = name[:i]
	}
	if !isASCII(name) {
		name = strings.Map(func(c rune) rune {
			if hfsIgnores(c) {
				return -1
			}
			return foldRune(c)
		}, norm.NFC.String(name))
		name = norm.NFC.String(name) // the dropped characters may have been between
	} else {
		name = strings.ToLower(name)
	}
	if trimmed := strings.TrimRight(name, ". "); trimmed != "" {
		name = trimmed
	}
	return name
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// foldRune returns the same rune for all that differ in case only.
func foldRune(c rune) rune {
	least := c
	for o := unicode.SimpleFold(c); o != c; o = unicode.SimpleFold(o) {
		least = min(least, o)
	}
	return unicode.ToLower(least)
}

// hfsIgnores reports whether HFS+ skips a character when it compares names. See
// Apple's Technical Note TN1150, "Unicode Subtleties".
func hfsIgnores(c rune) bool {
	switch {
	case c >= 0x200c && c <= 0x200f, c >= 0x202a && c <= 0x202e, c >= 0x206a && c <= 0x206f, c == 0xfeff:
		return true
	}
	return false
}

// sameName reports whether two folded names may be one entry: they are equal, or
// got may be the 8.3 alias of want on NTFS or FAT.
func sameName(got, want string) bool {
	return got == want || strings.Contains(got, "~") && isShortName(got, want)
}

// isShortName reports whether got has the form of an alias of want: up to six
// characters of it, or two and four hexadecimal digits, then "~" and a number,
// then up to three characters of the extension.
func isShortName(got, want string) bool {
	base, ext, _ := cutLast(strings.TrimLeft(want, "."), '.')
	long := strings.HasPrefix(want, ".") || len(base) > 8 || len(ext) > 3 || strings.Contains(want, " ")
	if !long {
		return false
	}
	base = strings.NewReplacer(".", "", " ", "").Replace(base)
	gotBase, gotExt, _ := cutLast(got, '.')
	stem, number, ok := cutLast(gotBase, '~')
	if !ok || number == "" || strings.Trim(number, "0123456789") != "" || gotExt != ext[:min(3, len(ext))] {
		return false
	}
	if stem == base[:min(6, len(base))] {
		return true
	}
	head := base[:min(2, len(base))]
	hash, ok := strings.CutPrefix(stem, head)
	return ok && len(hash) == 4 && strings.Trim(hash, "0123456789abcdef") == ""
}

// cutLast is strings.Cut at the last sep, with all of s before if there is none.
func cutLast(s string, sep byte) (before, after string, found bool) {
	if i := strings.LastIndexByte(s, sep); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}
