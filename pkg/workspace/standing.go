package workspace

import (
	"slices"
	"strings"
)

// Standing returns the class that a path, relative to the root of a tree, has for a
// survey, with the part of the path that has it: [Obeyed], except that nobody works in
// dependencies and only git's directories count there.
func Standing(rel string) (c Class, top string) {
	names := pathNames(rel)
	for i := range names {
		c := obeyedAt(names[:i+1])
		if c == Refused || c == Asked && !slices.ContainsFunc(names[:i], isDependencies) {
			return c, strings.Join(names[:i+1], "/")
		}
	}
	return Free, ""
}

// Leads reports whether a directory at a path is the beginning of a path that others
// obey, such as .github: whoever moves one there moves everything in it there.
func Leads(rel string) bool { return leadsToObeyed(rel) }

// InDependencies reports whether a path lies in what package managers fill.
func InDependencies(rel string) bool { return slices.ContainsFunc(pathNames(rel), isDependencies) }

// SameName reports whether some file system may take a name for another one, which is
// in lower case.
func SameName(name, want string) bool { return sameName(foldName(name), want) }

// Harmless reports whether a file of git's settings has none but those that git writes by
// itself; so has one that does not exist.
func Harmless(file string) bool { return harmless(file) }
