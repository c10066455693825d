package workspace

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// Show returns a path relative to the root as callers see it and may pass it: with
// the root's label, if it has one.
func (r *Root) Show(rel string) string {
	switch {
	case r.opts.Label == "":
		return rel
	case rel == ".":
		return r.opts.Label
	}
	return r.opts.Label + "/" + rel
}

// Spell returns a path relative to the root in a form that every call understands:
// brackets at its beginning do not name a project.
func (r *Root) Spell(rel string) string {
	if r.opts.Label == "" && strings.HasPrefix(rel, "[") {
		return "./" + rel
	}
	return r.Show(rel)
}

// unlabel removes the label from a path that has it.
func (r *Root) unlabel(name string) (string, error) {
	if r.opts.Label == "" {
		return name, nil
	}
	rest, ok := strings.CutPrefix(name, r.opts.Label)
	if !ok || rest != "" && rest[0] != '/' {
		return name, nil
	}
	rest = strings.TrimLeft(rest, "/")
	if rest == "" {
		return ".", nil
	}
	if first, _, _ := strings.Cut(rest, "/"); first == r.opts.Label {
		return "", r.ambiguous()
	}
	return rest, nil
}

// ambiguous returns the error of a root with an entry that is called like its label.
func (r *Root) ambiguous() error {
	return fault.New(fault.Conflict,
		fault.T("%s has an entry called %s, which is also the label of its paths", r.dir, r.opts.Label)).
		WithHint(fault.T("give the project another id, or rename that entry"))
}
