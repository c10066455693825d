package classify

import (
	"cmp"
	"fmt"
	"path"
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify/finding"
	"github.com/helve-dev/helve/pkg/shell/classify/variable"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// analysis is one judgement under way.
type analysis struct {
	o        Options
	v        Verdict
	files    files
	vars     variable.State
	seen     []string       // the texts of the reasons that v has
	general  int            // the number of reasons when a general one was the last
	depth    int            // of commands within commands
	current  int            // index in v.Commands of the command being judged, -1 for none
	src      string         // the source being walked, to show words as written
	written  []string       // files that the command writes
	built    []string       // those of them that are built out of files that were there
	started  []string       // files that the command starts by their path
	found    *finding.Found // what find hands to the command being judged
	spared   bool           // something goes that may be lost
	opened   bool           // a file that is read has a descriptor of its own
	reopened bool           // a descriptor is written to by its path
}

// unnamedRoot stands for the workspace when its path is not known.
const unnamedRoot = "/workspace"

func newAnalysis(o Options) *analysis {
	o.Root = path.Clean(cmp.Or(o.Root, unnamedRoot))
	o.Cwd = cmp.Or(o.Cwd, o.Root)
	a := &analysis{
		v: Verdict{Risk: Read, Rest: policy.Command{Risk: Read}},
		o: o, current: -1,
	}
	a.vars.Exported = o.Exported
	a.files = files{Options: &a.o, cwds: []string{path.Clean(o.Cwd)}}
	return a
}

// guarded runs f. If f panics, the command was not understood.
func (a *analysis) guarded(f func()) {
	defer func() {
		if p := recover(); p != nil {
			a.raise(Destructive, Obfuscated, fault.T("the command could not be analyzed: %s", fmt.Sprint(p)))
		}
	}()
	f()
	a.conclude()
}

// raise makes the verdict at least as bad as r.
func (a *analysis) raise(r policy.Risk, f Flag, why fault.Text) {
	a.v.Risk = policy.Worst(a.v.Risk, r)
	part := a.part()
	part.Risk = policy.Worst(part.Risk, r)
	a.flag(f)
	if len(a.v.Reasons) == maxReasons {
		return
	}
	if text := why.String(); !why.IsZero() && !slices.Contains(a.seen, text) {
		a.seen = append(a.seen, text)
		a.v.Reasons = append(a.v.Reasons, why)
	}
}

func (a *analysis) flag(f Flag) {
	if f != "" && !slices.Contains(a.v.Flags, f) {
		a.v.Flags = append(a.v.Flags, f)
	}
}

// network notes that the command reaches other machines.
func (a *analysis) network() {
	a.v.Network, a.part().Network = true, true
	a.flag(Network)
}

// part returns what is being judged: a simple command, or what is in none.
func (a *analysis) part() *policy.Command {
	if a.current < 0 {
		return &a.v.Rest
	}
	return &a.v.Commands[a.current]
}

// forbid makes the verdict one that nobody may approve.
func (a *analysis) forbid(why fault.Text) {
	a.v.HardDeny = true
	a.raise(Destructive, HardDenied, why)
}

func (a *analysis) verdict() Verdict {
	slices.Sort(a.v.Flags)
	a.v.Written = a.written
	return a.v
}

// conclude judges what only shows when everything was read.
func (a *analysis) conclude() {
	a.note(a.vars.Conclude())
	if a.opened && a.reopened {
		a.reopens(word.Literal("/dev/fd"))
	}
	if a.v.Has(Environment) {
		// No rule about the words of a command says what it does with the variable, and
		// what was looked up is not certain.
		a.current = -1
		a.v.Rest.Network = a.v.Rest.Network || a.v.Network
		if a.v.Risk == Destructive || a.spared {
			a.raise(Destructive, "", fault.T("with a variable that programs obey, it is not certain what is lost"))
		}
	}
	for _, p := range a.started {
		if times(a.written, p) > times(a.built, p) {
			a.raise(Destructive, Obfuscated, fault.T("%s is written and then run by the same command", p))
			a.flag(Opaque)
		}
	}
}

// times returns how often a list has a path.
func times(list []string, p string) (n int) {
	for _, q := range list {
		if p == q {
			n++
		}
	}
	return n
}
