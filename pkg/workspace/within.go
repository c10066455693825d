package workspace

import (
	"path"
	"path/filepath"
	"strings"
)

// Within reports whether name is dir or below it. Both are slash-separated and
// of one kind: relative to the root of a workspace, where "" and "." are the
// root, or absolute. A relative path that leads out of the root is within
// nothing, and nothing is within it.
//
// It compares spellings: "." and ".." are taken out first, links are not looked
// at, and "A" is not "a".
func Within(name, dir string) bool {
	_, ok := Rel(name, dir)
	return ok
}

// Rel returns name relative to dir, "." for dir itself, if name is [Within] dir.
func Rel(name, dir string) (rel string, ok bool) {
	name, dir = path.Clean(name), path.Clean(dir)
	switch {
	case path.IsAbs(name) != path.IsAbs(dir) || leaves(name) || leaves(dir):
		return "", false
	case name == dir:
		return ".", true
	case dir == ".":
		return name, true
	}
	rest, ok := strings.CutPrefix(name, strings.TrimSuffix(dir, "/"))
	if !ok || rest[0] != '/' {
		return "", false
	}
	return rest[1:], true
}

// leaves reports whether a clean path leads out of the directory it starts in.
func leaves(name string) bool { return name == ".." || strings.HasPrefix(name, "../") }

// WithinOS is [Within] for paths as the operating system spells them, both
// absolute or both relative to the current directory. On Windows, case does not
// count, and a path with a name that Windows reserves, such as NUL, is within
// nothing.
func WithinOS(name, dir string) bool {
	_, ok := RelOS(name, dir)
	return ok
}

// RelOS returns name relative to dir, with "/" between names and "." for dir
// itself, if name is [WithinOS] dir.
func RelOS(name, dir string) (rel string, ok bool) {
	if filepath.Separator == '/' && path.IsAbs(name) && path.IsAbs(dir) {
		return Rel(name, dir)
	}
	rel, err := filepath.Rel(dir, name)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}
