package tool

import "strings"

// SplitProject splits a path that names one of e's projects in brackets, as in
// [lib]/a.go, into the project's id and the path in it, which is never empty and
// never absolute. Brackets that hold no project's id are part of a name, as in
// [slug]/page.tsx.
func (e *Env) SplitProject(path string) (id, rest string, named bool) {
	inner, ok := strings.CutPrefix(path, "[")
	if !ok || e.Enter == nil {
		return "", path, false
	}
	id, rest, ok = strings.Cut(inner, "]")
	if !ok || rest != "" && rest[0] != '/' || e.Enter(id) == nil {
		return "", path, false
	}
	if rest = strings.TrimLeft(rest, "/"); rest == "" {
		rest = "."
	}
	return id, rest, true
}
