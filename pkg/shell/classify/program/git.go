package program

import (
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify/finding"
	"github.com/helve-dev/helve/pkg/shell/classify/git"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// versionControl is git. Others reach other machines and are not looked into.
func versionControl() []Row {
	return []Row{{names: "git", judge: judgeGit}}
}

// judgeGit judges git by what package git reports of its arguments.
func judgeGit(c Call) (f findings) {
	g := git.Read(c.Args)
	elsewhere := false
	for _, dir := range g.Dirs {
		elsewhere = elsewhere || !dir.Known()
		for _, p := range c.Files.Resolve(dir) {
			if !c.Files.Within(p) {
				f.mark(finding.Outside)
				elsewhere = true
			}
		}
	}
	for _, e := range g.Runs {
		f.gitEffect("git "+g.Command, e)
	}
	for _, e := range g.Does {
		if e.Kind == git.DiscardsIf {
			if !c.Files.MayExist(e.Word) {
				continue
			}
			e = git.Effect{Kind: git.DiscardsChanges, Word: word.Literal("checkout"), Argv: []word.Word{e.Word}}
		}
		if len(g.Dirs)+len(g.Runs) > 0 {
			e = uncertain(e)
		}
		f.gitEffect("git "+g.Command, e)
	}
	if elsewhere && slices.ContainsFunc(g.Does, func(e git.Effect) bool { return e.Kind != git.Reads }) {
		f.raise(policy.Destructive, finding.Outside, fault.T("git changes a repository outside the workspace"))
	}
	switch {
	case g.Command == "":
	case g.Reads && slices.ContainsFunc(c.Args, entersSubmodules):
		f.add(finding.OtherRepository(g.Command))
	default:
		f.add(finding.Finding{Kind: finding.Repository, Name: g.Command, Words: g.Dirs})
	}
	return f
}

// entersSubmodules reports whether an option makes git compare the files of
// submodules, with the settings of each.
func entersSubmodules(w word.Word) bool { return w.Text == "--submodule=diff" }

// uncertain returns the effect of an option that leads elsewhere: which files git
// discards is not certain then.
func uncertain(e git.Effect) git.Effect {
	switch e.Kind {
	case git.DiscardsChanges, git.DiscardsStaged, git.DiscardsUntracked:
		e.Kind = git.Discards
	}
	return e
}

func (f *findings) gitEffect(name string, e git.Effect) {
	switch w := e.Word; e.Kind {
	case git.Unclear:
		f.strangeOption("git", w)
	case git.Computed:
		f.raise(policy.Destructive, finding.Obfuscated, fault.T("the git command is computed: %s", w.Source))
	case git.MayBeOption:
		f.dynamic("git", w)
	case git.Program:
		f.mayRun(name, w)
	case git.Transport:
		f.raise(policy.Destructive, finding.Obfuscated, fault.T("git may run a program to reach %s", w.Source))
	case git.Evaluates:
		f.evaluates(name)
	case git.Unknown:
		f.unknownOption(name, w)
	case git.Reads:
		f.reads(w)
	case git.Output:
		f.writesFile(name, w)
	case git.Writes:
		f.writes(w)
	case git.WritesBelow:
		f.writesBelow(w)
	case git.Network:
		f.network()
	case git.Publishes:
		f.raise(policy.Destructive, finding.Network, fault.T("git push changes what others see"))
	case git.Changes:
		f.raise(policy.Write, finding.Opaque, fault.T("%s may run hooks and filters of the repository", name))
	case git.Discards:
		f.add(finding.Finding{Kind: finding.Discard, Name: w.Text})
	case git.DiscardsChanges:
		f.add(finding.Finding{Kind: finding.DiscardChanges, Name: w.Text, Words: e.Argv})
	case git.DiscardsStaged:
		f.add(finding.Finding{Kind: finding.DiscardStaged, Name: w.Text, Words: e.Argv})
	case git.DiscardsUntracked:
		f.add(finding.Finding{Kind: finding.DiscardUntracked, Name: w.Text, Words: e.Argv})
	case git.Submodules:
		f.raise(policy.Destructive, finding.Opaque, fault.T("git submodule %s runs commands or discards work", w.Text))
	case git.Starts:
		f.run(e.Argv)
		f.raise(policy.Destructive, finding.Opaque, fault.T("git bisect run checks out other commits and runs a command on each"))
	case git.Refused:
		f.raise(policy.Destructive, finding.Opaque, fault.T("%s changes settings or history, or is an alias for something else", name))
	}
}
