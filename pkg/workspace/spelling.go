package workspace

import (
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// spelling returns the name under which the directory lists the entry that was found
// as name. The two differ if the file system ignores case or Unicode form. One more
// look-up, under a name that such a file system treats as the same, shows that.
func (d *directory) spelling(name string, found fs.FileInfo) string {
	if !slices.ContainsFunc(otherSpellings(name), func(other string) bool {
		i, err := d.lstat(other)
		return err == nil && sameFile(i, found)
	}) {
		return name
	}
	names, err := d.names(-1)
	if err != nil {
		return name
	}
	return listedSpelling(names, name, func(listed string) bool {
		i, err := d.lstat(listed)
		return err == nil && sameFile(i, found)
	})
}

// otherSpellings returns names that lead to the same entry as name only if the file
// system ignores case, Unicode form or 8.3 aliases.
func otherSpellings(name string) []string {
	var others []string
	add := func(other string) {
		if other != name {
			others = append(others, other)
		}
	}
	add(strings.Map(func(c rune) rune {
		if unicode.IsLower(c) {
			return unicode.ToUpper(c)
		}
		return unicode.ToLower(c)
	}, name))
	if !isASCII(name) {
		add(norm.NFD.String(name))
		add(norm.NFC.String(name))
	}
	if runtime.GOOS == "windows" && strings.Contains(name, "~") {
		others = append(others, name)
	}
	return others
}

// listedSpelling returns the listed name of the entry that was found as name: name
// itself; or the same file under a name that differs in case and Unicode form only;
// or, for an 8.3 alias, any name of the same file.
func listedSpelling(names []string, name string, same func(listed string) bool) string {
	if slices.Contains(names, name) {
		return name
	}
	folded := foldName(name)
	for _, listed := range names {
		if foldName(listed) == folded && same(listed) {
			return listed
		}
	}
	if i := slices.IndexFunc(names, same); i >= 0 {
		return names[i]
	}
	return name
}
