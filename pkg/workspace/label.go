package workspace

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// Show gives a path that is relative to the root in the form in which a caller
// is told it, and may give it back: with the root's label, if it has one.
func (r *Root) Show(rel string) string {
	switch {
	case r.opts.Label == "":
		return rel
	case rel == ".":
		return r.opts.Label
	}
	return r.opts.Label + "/" + rel
}

// Spell gives a path that is relative to the root in a form that means it in
// every call: brackets at its beginning name no project.
func (r *Root) Spell(rel string) string {
	if r.opts.Label == "" && strings.HasPrefix(rel, "[") {
		return "./" + rel
	}
	return r.Show(rel)
}

// unlabel takes the label off a path that has it.
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

// ambiguous is the fault of a root that holds an entry of the name of its label.
func (r *Root) ambiguous() error {
	return fault.New(fault.Conflict,
		fault.T("%s holds an entry called %s, which is also how its paths are marked", "%s 中有名为 %s 的条目，与该根目录的路径标记相同", r.dir, r.opts.Label)).
		WithHint(fault.T("give the project another id, or rename that entry", "请为该项目换一个标识，或重命名该条目"))
}
