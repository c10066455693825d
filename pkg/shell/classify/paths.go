package classify

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
	"github.com/helve-dev/helve/pkg/workspace"
)

// maxDirectories is how many directories a shell may be in, after its cd
// commands, before the judgement treats the directory as unknown.
const maxDirectories = 16

// chdir judges cd and its like. A cd may fail, or run in a subshell, so the shell
// may still be in each directory where it was.
func (a *analysis) chdir(dir word.Word) {
	if !dir.Known() || dir.Text == "-" {
		a.lost = true
		return
	}
	for _, p := range a.resolve(dir) {
		if !a.within(p) {
			a.flag(Outside)
		}
		if slices.Contains(a.cwds, p) {
			continue
		}
		if len(a.cwds) == maxDirectories {
			a.lost = true
			return
		}
		a.cwds = append(a.cwds, p)
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
					a.lost = a.lost || i < 3 // the name, or behind builtin or command
				}
			}
		}
		return !a.lost
	})
}

// resolve returns the absolute paths that a word may name. Of a word that is
// partly computed they are the directories that are certain. None means that
// nothing is.
func (a *analysis) resolve(w word.Word) []string {
	p := strings.ReplaceAll(w.Prefix(), `\`, "/")
	if !w.Known() {
		// Only whole directories of the known part are certain, and none is if
		// the rest may climb out of them.
		rest := w.Text[len(w.Prefix()):]
		if strings.Contains(rest, "..") || w.Split && w.Prefix() == "" {
			return nil
		}
		p = p[:strings.LastIndexByte(p, '/')+1]
	}
	if strings.HasPrefix(p, "/") {
		return []string{a.follow(path.Clean(p))}
	}
	if drive, below, ok := strings.Cut(p, ":"); ok && len(drive) == 1 && len(a.o.Root) > 1 && a.o.Root[1] == ':' {
		// Where the root has a drive. A path without a slash depends on where that
		// drive is, and is nowhere here.
		if !strings.HasPrefix(below, "/") {
			below = "//" + below
		}
		return []string{a.follow(path.Clean(drive + ":" + below))}
	}
	if a.lost {
		return nil
	}
	all := make([]string, 0, len(a.cwds))
	for _, cwd := range a.cwds {
		all = append(all, a.follow(path.Join(cwd, p)))
	}
	return all
}

func (a *analysis) follow(abs string) string {
	if a.o.Resolve != nil {
		return path.Clean(a.o.Resolve(abs))
	}
	return abs
}

func (a *analysis) within(abs string) bool { return workspace.Within(abs, a.o.Root) }

func (a *analysis) scratch(abs string) bool {
	return slices.ContainsFunc(a.o.Scratch, func(dir string) bool { return workspace.Within(abs, dir) })
}

// reads judges a path that is read. It only adds flags: reading changes nothing,
// and the sandbox withholds what must not be read.
func (a *analysis) reads(w word.Word) {
	a.touches(w, schema.ReadPath)
	for _, p := range a.resolve(w) {
		if !a.within(p) && !a.scratch(p) && p != "/dev/null" {
			a.flag(Outside)
		}
		if sensitiveFile(p) {
			a.flag(Sensitive)
		}
	}
	if !w.Known() && sensitivePattern(w) {
		a.flag(Sensitive)
	}
	if strings.Contains(w.Text, "..") {
		// It may climb out through a link.
		for _, p := range a.resolve(w) {
			if !a.within(p) {
				a.flag(Outside)
			}
		}
	}
}

// writes judges a path that is created or changed.
func (a *analysis) writes(w word.Word) {
	if a.specialPath(w) {
		return
	}
	a.raise(Write, "", fault.T("%s is written", w.Source))
	a.touches(w, schema.WritePath)
	paths := a.resolve(w)
	switch {
	case len(paths) == 0 && w.Known():
		a.raise(Destructive, DynamicArgs, fault.T("%s is written in a directory that is not known", w.Source))
	case !w.Known():
		a.computedPath(w)
	}
	for _, p := range paths {
		a.written = append(a.written, p)
		switch {
		case a.guardedPath(p):
			a.v.Guarded = append(a.v.Guarded, p)
			a.raise(Destructive, Protected, fault.T("%s is a protected path", w.Source))
		case !a.within(p) && !a.scratch(p):
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
	for _, p := range a.entries(w) {
		if w.Known() && a.within(p) && a.o.Loss(p, false) == Destructive {
			a.raise(Destructive, "", fault.T("%s is overwritten, and undo cannot restore it", w.Source))
		}
	}
}

// empties judges a file of which the content is lost.
func (a *analysis) empties(by string, w word.Word) {
	a.overwrites(w)
	if a.o.Loss == nil || len(a.entries(w)) == 0 || !w.Known() || slices.ContainsFunc(a.entries(w), func(p string) bool { return !a.within(p) }) {
		a.raise(Destructive, "", fault.T("%s empties %s", by, w.Source))
	}
}

func (a *analysis) computedPath(w word.Word) {
	a.raise(Write, DynamicArgs, fault.T("the path that is written is computed: %s", w.Source))
}

func (a *analysis) outside(w word.Word) {
	a.raise(Destructive, Outside, fault.T("%s is outside the workspace", w.Source))
}
