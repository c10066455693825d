package classify

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// maxDirectories limits the directories in which a shell may be after its cd commands.
// With more, the directory counts as unknown.
const maxDirectories = 16

// chdir judges cd and its like. A cd may fail, or run in a subshell, so the shell
// may still be in each directory where it was.
func (a *analysis) chdir(dir word.Word) {
	if !dir.Known() || dir.Text == "-" {
		a.files.lost = true
		return
	}
	for _, p := range a.files.Resolve(dir) {
		if !a.files.Within(p) {
			a.flag(Outside)
		}
		if a.files.leaves(dir, p) {
			a.files.left = append(a.files.left, p)
		}
		if slices.Contains(a.files.cwds, p) {
			continue
		}
		if len(a.files.cwds) == maxDirectories {
			a.files.lost = true
			return
		}
		a.files.cwds = append(a.files.cwds, p)
	}
}

// loseDirectory makes the directory of the shell unknown if n changes it, because
// n may run any number of times.
func (a *analysis) loseDirectory(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CallExpr); ok {
			for i, w := range c.Args {
				switch a.reader().Word(w).Text {
				case "cd", "pushd", "popd":
					a.files.lost = a.files.lost || i < 3 // the name, or behind builtin or command
				}
			}
		}
		return !a.files.lost
	})
}

// reads judges a path that is read. It only adds flags: reading changes nothing,
// and the sandbox withholds what must not be read.
func (a *analysis) reads(w word.Word) {
	a.touches(w, schema.ReadPath)
	climbs := strings.Contains(w.Text, "..") // perhaps out through a link
	for _, p := range a.files.Resolve(w) {
		if a.files.outside(p) && p != "/dev/null" || climbs && !a.files.Within(p) {
			a.flag(Outside)
		}
		if sensitiveFile(p) {
			a.flag(Sensitive)
		}
	}
	if !w.Known() && sensitivePattern(w) {
		a.flag(Sensitive)
	}
}

// writes judges a path that is created or changed.
func (a *analysis) writes(w word.Word) {
	if a.specialPath(w) {
		return
	}
	if at := a.general; at > 0 && at == len(a.v.Reasons) {
		a.v.Reasons = a.v.Reasons[:at-1]
	}
	a.general = 0
	a.raise(Write, "", fault.T("%s is written", w.Source))
	a.changes(w)
}

// builds judges a path that a program makes out of others and that runs code of the workspace
// itself, as a compiler does: running what it made hides no more than that. If what it is
// made of is not known, or written by the same command, it is like any other file.
func (a *analysis) builds(w word.Word, from []word.Word) {
	before := len(a.written)
	a.writes(w)
	for _, source := range from {
		if !source.Known() || source.Text == "-" || slices.ContainsFunc(a.files.Resolve(source), func(p string) bool { return slices.Contains(a.written[:before], p) }) {
			return
		}
	}
	a.built = append(a.built, a.written[before:]...)
}

// changes judges a path that is created, changed or deleted.
func (a *analysis) changes(w word.Word) {
	if a.specialPath(w) {
		return
	}
	a.raise(Write, "", fault.Text{})
	a.touches(w, schema.WritePath)
	paths := a.files.Resolve(w)
	switch {
	case len(paths) == 0 && w.Known():
		a.raise(Destructive, DynamicArgs, fault.T("%s is written in a directory that is not known", w.Source))
	case !w.Known():
		a.computedPath(w)
	}
	for _, p := range paths {
		a.written = append(a.written, p)
		outside := a.files.outside(p) || a.files.leaves(w, p)
		if outside {
			a.v.Outside = append(a.v.Outside, p)
		}
		switch {
		case a.guardedPath(p):
			a.v.Guarded = append(a.v.Guarded, p)
			a.raise(Destructive, Protected, fault.T("%s is a protected path", w.Source))
		case outside:
			a.outside(w)
		}
	}
}

// overwrites judges a file whose content may be lost when it is written.
func (a *analysis) overwrites(w word.Word) {
	a.writes(w)
	if a.o.Loss == nil {
		return
	}
	for _, p := range a.files.entries(w) {
		if w.Known() && a.files.Within(p) && a.o.Loss(p, false) == Destructive {
			a.raise(Destructive, "", fault.T("%s is overwritten, and undo cannot restore it", w.Source))
		}
	}
}

// empties judges a file of which the content is lost.
func (a *analysis) empties(by string, w word.Word) {
	a.overwrites(w)
	if a.o.Loss == nil || len(a.files.entries(w)) == 0 || !w.Known() || slices.ContainsFunc(a.files.entries(w), func(p string) bool { return !a.files.Within(p) }) {
		a.raise(Destructive, "", fault.T("%s empties %s", by, w.Source))
	}
}

func (a *analysis) computedPath(w word.Word) {
	a.raise(Write, DynamicArgs, fault.T("the path that is written is computed: %s", w.Source))
}

func (a *analysis) outside(w word.Word) {
	a.raise(Destructive, Outside, fault.T("%s is outside the workspace", w.Source))
}
