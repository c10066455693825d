package outline

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault/similar"
)

// Symbol is a definition with the name that tells it from others of the same name.
type Symbol struct {
	Path string // with what it is in: "Server.Run"
	Definition
}

func symbolOf(path []*Definition) Symbol {
	names := make([]string, len(path))
	for i, d := range path {
		names[i] = d.Name
	}
	return Symbol{strings.Join(names, "."), *path[len(path)-1]}
}

// Find returns the definitions that a name stands for: all of a path such as
// "Server.Run", or its last parts. Parts may be joined as the language does, as in
// "Server::run". A complete path is preferred to an end of a longer one, and a
// definition with a body to its declaration.
func Find(defs []Definition, name string) []Symbol {
	wanted := parts(name)
	var whole, ends []Symbol
	for path := range All(defs) {
		d := path[len(path)-1]
		has := pathParts(path)
		switch {
		case strings.TrimSpace(name) == d.Name && len(path) == 1 || slices.Equal(has, wanted):
			whole = append(whole, symbolOf(path))
		case len(wanted) > 0 && len(has) >= len(wanted) && slices.Equal(has[len(has)-len(wanted):], wanted), strings.TrimSpace(name) == d.Name:
			ends = append(ends, symbolOf(path))
		}
	}
	if len(whole) > 0 {
		return bodies(whole)
	}
	return bodies(ends)
}

// bodies returns what is more than a declaration, or all if nothing is.
func bodies(found []Symbol) []Symbol {
	some := slices.DeleteFunc(slices.Clone(found), func(s Symbol) bool { return s.declared })
	if len(some) == 0 {
		return found
	}
	return some
}

// pathParts returns the parts of the names that lead to a definition. What implements
// a trait has the name of the type.
func pathParts(path []*Definition) (all []string) {
	for _, d := range path {
		if d.Kind == heading || d.Kind == section {
			all = append(all, d.Name)
			continue
		}
		name := d.Name
		if d.Kind == "impl" {
			if _, of, found := strings.Cut(name, " for "); found {
				name = of
			}
		}
		all = append(all, parts(name)...)
	}
	return all
}

// parts splits a name as callers write it, such as "(*Server).Run()" or "a::b".
func parts(name string) []string {
	name = strings.TrimSuffix(strings.TrimSpace(name), "()")
	if strings.HasPrefix(name, "operator") {
		return []string{name}
	}
	return strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(".:#/\\*&()", r) })
}

// Alike returns the definitions, at most some, whose names are most like one that
// stands for none: those that have its last part in another place or in other case,
// then those that contain it, then those that differ in a few letters.
func Alike(defs []Definition, name string, most int) []Symbol {
	wanted := parts(name)
	if len(wanted) == 0 {
		return nil
	}
	last := strings.ToLower(wanted[len(wanted)-1])
	var ranked [3][]Symbol
	for path := range All(defs) {
		all := parts(path[len(path)-1].Name)
		if len(all) == 0 {
			continue
		}
		own := strings.ToLower(all[len(all)-1])
		switch {
		case own == last:
			ranked[0] = append(ranked[0], symbolOf(path))
		case strings.Contains(own, last) || len(own) > 3 && strings.Contains(last, own):
			ranked[1] = append(ranked[1], symbolOf(path))
		case similar.Name(last, []string{own}) != "":
			ranked[2] = append(ranked[2], symbolOf(path))
		}
	}
	found := slices.Concat(ranked[:]...)
	return found[:min(len(found), most)]
}

// Around returns the innermost definition that has a line, and whether there is one.
func Around(defs []Definition, line int) (s Symbol, ok bool) {
	for path := range All(defs) {
		if d := path[len(path)-1]; d.Start() <= line && line <= d.End {
			s, ok = symbolOf(path), true
		}
	}
	return s, ok
}
