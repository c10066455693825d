package workspace

import (
	"errors"
	"io/fs"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Listed returns a path with the names that directories list. Of names that are not
// there, it takes those that look the same: that differ in the Unicode form of their
// letters, as a Mac writes them, or in the kind of their spaces, as in the names of
// screenshots. From where nothing or more than one name looks the same, the path stays.
func (r *Root) Listed(p Path) Path {
	if !looksAmbiguous(p.rel) {
		return p
	}
	if _, err := r.Lstat(p); !errors.Is(err, fs.ErrNotExist) {
		return p
	}
	names := pathNames(p.rel)
	for i, name := range names {
		if name == ".." {
			return p
		}
		if _, err := r.Lstat(pathAt(joinNames(names[:i+1]))); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		listed, ok := r.lookalike(joinNames(names[:i]), name)
		if !ok {
			break
		}
		names[i] = listed
	}
	return Path{joinNames(names), p.given}
}

// lookalike returns the only name in a directory that looks like another.
func (r *Root) lookalike(dir, name string) (listed string, ok bool) {
	f, err := r.open(dir)
	if err != nil {
		return "", false
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	if err != nil {
		return "", false
	}
	look := looks(Unescape(name))
	for _, e := range entries {
		if !looksAmbiguous(e.Name()) || looks(e.Name()) != look {
			continue
		}
		if listed != "" {
			return "", false
		}
		listed = Escape(e.Name())
	}
	return listed, listed != ""
}

// looksAmbiguous reports whether another name may look like one.
func looksAmbiguous(name string) bool { return !isASCII(name) || strings.Contains(name, " ") }

// looks returns one text for all names that look the same.
func looks(name string) string {
	return strings.Map(func(c rune) rune {
		if unicode.Is(unicode.Zs, c) {
			return ' '
		}
		return c
	}, norm.NFC.String(name))
}
