package workspace

import (
	"path"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/workspace/known"
)

// Class says what becomes of a change to a path, because another program executes
// what is there or obeys it, without the person asking for that.
type Class int

// The classes, in rising strictness.
const (
	Free    Class = iota
	Asked         // editors, agents, shells and the like obey it: a person is asked
	Refused       // git's insides, and helve's own
)

// obeyed are the paths that are [Asked], wherever in the tree they stand, with
// everything below them: those of the table in package known. Instructions to agents,
// such as CLAUDE.md, are not in it: they run nothing.
var obeyed = sync.OnceValue(known.Obeyed)

// obeyedNames is [obeyed] for looking names up.
type obeyedNames struct {
	before     map[string][][]string // by a last name: the names that must be before it
	first      map[string]bool       // first names of paths with several
	suffixes   []string
	extensions map[string]bool // of last names and suffixes that do not begin with a dot
	bare       map[string]bool // last names without a dot
}

var obeyedTable = sync.OnceValue(func() *obeyedNames {
	t := &obeyedNames{before: map[string][][]string{}, first: map[string]bool{}, extensions: map[string]bool{}, bare: map[string]bool{}}
	for _, p := range obeyed() {
		if suffix, ok := strings.CutPrefix(p, "*"); ok {
			t.suffixes = append(t.suffixes, suffix)
			t.extensions[suffix] = true
			continue
		}
		names := strings.Split(p, "/")
		last := names[len(names)-1]
		t.before[last] = append(t.before[last], names[:len(names)-1])
		if len(names) > 1 {
			t.first[names[0]] = true
		}
		if slices.ContainsFunc(names, isMarked) {
			continue
		}
		switch ext := path.Ext(last); ext {
		case "":
			t.bare[last] = true
		default:
			t.extensions[ext] = true
		}
	}
	return t
})

// Obeyed returns the class of a path, by its names alone, and the part of the path
// that has it: of "a/.vscode/x" that is "a/.vscode". The path may be absolute or
// relative to a root. Names count in every spelling that some file system takes for
// the same. Everything in git's directory is Refused here; see [Root.Resolve] for
// what tools may change there.
func Obeyed(name string) (c Class, top string) {
	names := pathNames(strings.ReplaceAll(name, `\`, "/"))
	for i := range names {
		if c := obeyedAt(names[:i+1]); c != Free {
			return c, strings.Join(names[:i+1], "/")
		}
	}
	return Free, ""
}

// leadsToObeyed reports whether a path that is Free is the beginning of one that is
// not, such as .github: whoever puts a directory there puts everything in it there.
func leadsToObeyed(name string) bool {
	names := pathNames(name)
	return len(names) > 0 && obeyedTable().first[foldName(names[len(names)-1])]
}

// obeyedAt returns the class of the last of names, if none before it has one.
func obeyedAt(names []string) Class {
	t := obeyedTable()
	last := names[len(names)-1]
	if t.isOrdinary(last) && !slices.ContainsFunc(names[max(0, len(names)-3):len(names)-1], isMarked) {
		return Free
	}
	folded := foldName(last)
	switch {
	case sameName(folded, ".git") || sameName(folded, ".helve"):
		return Refused
	case t.has(folded, names), slices.ContainsFunc(t.suffixes, func(suffix string) bool { return strings.HasSuffix(folded, suffix) }):
		return Asked
	}
	if strings.Contains(folded, "~") { // it may be an alias of any of them
		for want := range t.before {
			if sameName(folded, want) && t.has(want, names) {
				return Asked
			}
		}
	}
	return Free
}

// has reports whether last, folded, is obeyed after the names before it.
func (t *obeyedNames) has(last string, names []string) bool {
	return slices.ContainsFunc(t.before[last], func(want []string) bool {
		before := names[:len(names)-1]
		return len(before) >= len(want) && slices.EqualFunc(before[len(before)-len(want):], want, func(got, want string) bool {
			return sameName(foldName(got), want)
		})
	})
}

// isOrdinary reports whether a name can only be obeyed for the names before it, as
// most names in a tree.
func (t *obeyedNames) isOrdinary(name string) bool {
	if isMarked(name) {
		return false
	}
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return !t.bare[strings.ToLower(name)]
	}
	return !t.extensions[strings.ToLower(name[i:])]
}

// isMarked reports whether a name begins with a dot, or some file system may take it
// for one that does.
func isMarked(name string) bool {
	if name == "" || name[0] == '.' || name[len(name)-1] == '.' || name[len(name)-1] == ' ' {
		return true
	}
	for i := range len(name) {
		if c := name[i]; c == '~' || c == ':' || c >= utf8.RuneSelf {
			return true
		}
	}
	return false
}
