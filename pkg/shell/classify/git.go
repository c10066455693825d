package classify

import (
	"path"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/classify/git"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// versionControl is git. Others reach other machines and are not looked into.
func versionControl() []program {
	return []program{{names: "git", judge: (*analysis).git}}
}

// git judges git by what package git reports of its arguments.
func (a *analysis) git(c call) {
	g := git.Read(c.args)
	elsewhere := false
	for _, dir := range g.Dirs {
		elsewhere = elsewhere || !dir.Known()
		for _, p := range a.resolve(dir) {
			if !a.within(p) {
				a.flag(Outside)
				elsewhere = true
			}
		}
	}
	for _, e := range g.Runs {
		a.gitEffect("git "+g.Command, e, c.context)
	}
	for _, e := range g.Does {
		if e.Kind == git.DiscardsIf {
			if !a.mayBeFile(e.Word) {
				continue
			}
			e = git.Effect{Kind: git.DiscardsChanges, Word: word.Literal("checkout"), Argv: []word.Word{e.Word}}
		}
		if paths, ok := a.discarded(g, e); ok && !a.o.Discards(paths).Worse(Write) {
			continue // git's row says already that it changes files
		}
		a.gitEffect("git "+g.Command, e, c.context)
	}
	if elsewhere && slices.ContainsFunc(g.Does, func(e git.Effect) bool { return e.Kind != git.Reads }) {
		a.raise(Destructive, Outside, fault.T("git changes a repository outside the workspace"))
	}
	if g.Command != "" && (a.otherRepository(g.Dirs) || g.Reads && slices.ContainsFunc(c.args, entersSubmodules)) {
		a.raise(Write, Opaque, fault.T("the settings of another repository may name programs that git %s runs", g.Command))
	}
}

// entersSubmodules reports whether an option makes git compare the files of
// submodules, with the settings of each.
func entersSubmodules(w word.Word) bool { return w.Text == "--submodule=diff" }

// otherRepository reports whether git may work in another repository than those in
// which the command starts: whoever runs the command keeps the settings of these from
// naming programs.
func (a *analysis) otherRepository(dirs []word.Word) bool {
	if a.lost {
		return true
	}
	for _, at := range a.cwds {
		for _, dir := range dirs {
			if !dir.Known() {
				return true
			}
			if path.IsAbs(dir.Text) {
				at = path.Clean(dir.Text)
			} else {
				at = path.Join(at, dir.Text)
			}
		}
		if a.o.Exists == nil || at == a.o.Root || at == path.Clean(a.o.Cwd) {
			continue
		}
		if top := a.repository(at); top != a.repository(a.o.Root) && top != a.repository(path.Clean(a.o.Cwd)) {
			return true
		}
	}
	return false
}

// repository returns the directory of the repository that dir is in, "" if it is in
// none.
func (a *analysis) repository(dir string) string {
	for ; ; dir = path.Dir(dir) {
		if a.o.Exists(path.Join(dir, ".git")) {
			return dir
		}
		if dir == path.Dir(dir) {
			return ""
		}
	}
}

func (a *analysis) gitEffect(name string, e git.Effect, c context) {
	switch w := e.Word; e.Kind {
	case git.Unclear:
		a.strangeOption("git", w)
	case git.Computed:
		a.raise(Destructive, Obfuscated, fault.T("the git command is computed: %s", w.Source))
	case git.MayBeOption:
		a.dynamic("git", w)
	case git.Program:
		a.mayRun(name, w)
	case git.Transport:
		a.raise(Destructive, Obfuscated, fault.T("git may run a program to reach %s", w.Source))
	case git.Evaluates:
		a.evaluates(name)
	case git.Unknown:
		a.unknownOption(name, w)
	case git.Reads:
		a.reads(w)
	case git.Output:
		a.writesFile(name, w)
	case git.Writes:
		a.writes(w)
	case git.WritesBelow:
		a.writesBelow(w)
	case git.Network:
		a.network()
	case git.Publishes:
		a.raise(Destructive, Network, fault.T("git push changes what others see"))
	case git.Changes:
		a.raise(Write, Opaque, fault.T("%s may run hooks and filters of the repository", name))
	case git.Discards, git.DiscardsChanges, git.DiscardsStaged, git.DiscardsUntracked:
		a.discards(w.Text)
	case git.Submodules:
		a.raise(Destructive, Opaque, fault.T("git submodule %s runs commands or discards work", w.Text))
	case git.Starts:
		a.command(e.Argv, c)
		a.raise(Destructive, Opaque, fault.T("git bisect run checks out other commits and runs a command on each"))
	case git.Refused:
		a.raise(Destructive, Opaque, fault.T("%s changes settings or history, or is an alias for something else", name))
	}
}

// discarded returns what git takes out of the working tree of the workspace; false if that
// is not known.
func (a *analysis) discarded(g git.Call, e git.Effect) (Discard, bool) {
	d := Discard{Staged: e.Kind == git.DiscardsStaged, Untracked: e.Kind == git.DiscardsUntracked}
	switch {
	case !d.Staged && !d.Untracked && e.Kind != git.DiscardsChanges:
		return d, false
	case a.o.Discards == nil, a.o.Exists == nil, a.lost, len(g.Dirs) > 0, len(g.Runs) > 0:
		return d, false
	case len(a.written) > 0: // what the command writes before may be what goes
		return d, false
	}
	for _, dir := range a.cwds {
		if !a.within(dir) || a.repository(dir) != a.o.Root {
			return d, false
		}
	}
	for _, w := range e.Argv {
		if !w.Known() || w.Text == "" || strings.ContainsAny(w.Text, "*?[\\") || w.Text[0] == ':' {
			return d, false // a pattern of git's
		}
		for _, p := range a.resolve(w) {
			if !a.within(p) {
				return d, false
			}
			d.Paths = append(d.Paths, p)
		}
	}
	if len(e.Argv) == 0 && d.Untracked {
		d.Paths = slices.Clone(a.cwds)
	}
	return d, len(e.Argv) == 0 || len(d.Paths) > 0
}

func (a *analysis) discards(command string) {
	a.raise(Destructive, "", fault.T("git %s discards work or history", command))
}

// mayBeFile reports whether a word may name a file of the working tree.
func (a *analysis) mayBeFile(w word.Word) bool {
	if a.o.Exists == nil || !w.Known() || w.Text == "." || strings.HasPrefix(w.Text, ":") {
		return true
	}
	paths := a.resolve(w)
	return len(paths) == 0 || slices.ContainsFunc(paths, a.o.Exists)
}
