package classify

import (
	"path"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/classify/finding"
	"github.com/helve-dev/helve/pkg/shell/classify/program"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
	"github.com/helve-dev/helve/pkg/workspace"
)

// note takes over findings that start no further command.
func (a *analysis) note(found []finding.Finding) { a.report(found, context{}) }

// report takes over what was found about a command in a context.
func (a *analysis) report(found []finding.Finding, c context) {
	for i := range found {
		f := &found[i]
		switch f.Kind {
		case finding.Risk:
			had := len(a.v.Reasons)
			if a.raise(f.Risk, f.Flag, f.Why); f.General && len(a.v.Reasons) > had {
				a.general = len(a.v.Reasons)
			}
		case finding.Forbidden:
			a.forbid(f.Why)
		case finding.Marked:
			a.flag(f.Flag)
		case finding.Connects:
			a.network()
		case finding.Run, finding.RunMore:
			inner := c
			inner.Appended = c.Appended || f.Kind == finding.RunMore
			if f.NoInput {
				inner.In = program.Input{}
			}
			outer := a.found
			a.found = f.Found
			a.command(f.Words, inner)
			a.found = outer
		case finding.Script:
			a.source(f.Word.Text, f.Dialect)
		case finding.Set:
			a.note(a.vars.Set(f.Name, f.Word))
		case finding.Export:
			a.note(a.vars.Export(f.Name, f.Word))
		case finding.Declare:
			a.note(a.vars.Declare(f.Name, f.Words))
		case finding.Variable:
			a.note(a.vars.Name(f.Name, f.Word))
		case finding.Expression:
			a.note(a.vars.Expression(f.Name, f.Word.Text))
		case finding.Operator:
			a.note(a.vars.Operator(f.Name, f.Word))
		default:
			a.reportPath(f)
		}
	}
}

// reportPath takes over a finding about paths.
func (a *analysis) reportPath(f *finding.Finding) {
	switch f.Kind {
	case finding.Read:
		a.reads(f.Word)
	case finding.Build:
		a.builds(f.Word, f.Words)
	case finding.Write:
		if f.General {
			a.changes(f.Word)
		} else {
			a.writes(f.Word)
		}
	case finding.Overwrite:
		a.overwrites(f.Word)
	case finding.Empty:
		a.empties(f.Name, f.Word)
	case finding.WriteBelow:
		for _, p := range a.files.Resolve(f.Word) {
			if a.files.outside(p) {
				a.outside(f.Word)
			}
		}
	case finding.Remove, finding.RemoveAll:
		a.touches(f.Word, schema.RemovePath)
		for _, p := range a.files.Resolve(f.Word) {
			if f.Kind == finding.RemoveAll && a.files.vital(p) {
				a.forbid(fault.T("%s %s wipes %s", f.Name, f.Word.Source, p))
			}
		}
	case finding.Delete:
		risk := Destructive
		if a.expendable(f.Words) {
			a.spared, risk = true, Write
		}
		a.raise(risk, "", deletes(f.Name, f.Words))
	case finding.Copy:
		a.copies(f)
	case finding.Move:
		a.moves(f.Words)
	case finding.MoveInto, finding.MoveIntoAny:
		a.movesInto(f.Words, f.Kind == finding.MoveIntoAny)
	case finding.Directory:
		a.chdir(f.Word)
	case finding.Start:
		for _, p := range a.files.Resolve(f.Word) {
			a.started = append(a.started, p)
			if !a.files.Within(p) {
				a.flag(Outside)
			}
		}
	case finding.Repository:
		if a.files.otherRepository(f.Words) {
			a.note([]finding.Finding{finding.OtherRepository(f.Name)})
		}
	case finding.Discard, finding.DiscardChanges, finding.DiscardStaged, finding.DiscardUntracked:
		if a.spares(f) {
			a.spared = true
		} else {
			a.raise(Destructive, "", fault.T("git %s discards work or history", f.Name))
		}
	}
}

// mostDeleted limits the paths that a reason names.
const mostDeleted = 3

// deletes says which paths a command deletes.
func deletes(program string, words []word.Word) fault.Text {
	var paths []string
	for _, w := range words {
		if !strings.HasPrefix(w.Text, "-") || !w.Known() {
			paths = append(paths, w.Source)
		}
	}
	switch n := len(paths) - mostDeleted; {
	case len(paths) == 0:
		return fault.T("%s deletes data", program)
	case n > 0:
		return fault.T("%[1]s deletes %[2]s and %[3]d more", program, strings.Join(paths[:mostDeleted], ", "), n)
	}
	return fault.T("%[1]s deletes %[2]s", program, strings.Join(paths, ", "))
}

// moves judges mv, whose operands but the last are gone from where they were.
func (a *analysis) moves(operands []word.Word) {
	to := operands[len(operands)-1]
	for _, from := range operands[:len(operands)-1] {
		a.puts("mv", path.Base(from.Prefix()), to)
		a.touches(from, schema.RemovePath)
	}
	for _, p := range a.files.Resolve(to) {
		if !a.files.Within(p) {
			a.raise(Destructive, Outside, fault.T("mv takes files out of the workspace"))
		}
	}
}

// movesInto judges where mv puts what it moves: in the last word, or in any of the others.
func (a *analysis) movesInto(words []word.Word, anywhere bool) {
	if a.o.Moves == nil {
		return
	}
	for i, from := range words {
		for j, to := range words {
			if i != j && (anywhere || j == len(words)-1) && a.losesMoved(from, to) {
				a.raise(Destructive, "", fault.T("%s is moved among build output, which is deleted unasked, and undo may not restore it", from.Source))
			}
		}
	}
}

func (a *analysis) losesMoved(from, to word.Word) bool {
	sources := a.files.entries(from)
	if len(sources) == 0 {
		sources = []string{""}
	}
	for _, into := range a.files.Resolve(to) {
		for _, p := range sources {
			if p != into && a.files.Within(into) && a.o.Moves(p, into) == Destructive {
				return true
			}
		}
	}
	return false
}

// copies judges that a program puts a file under other names.
func (a *analysis) copies(f *finding.Finding) {
	for _, p := range a.files.Resolve(f.Word) {
		if dir, _ := path.Split(p); programDirectory(dir) {
			a.raise(Destructive, PathAlias, fault.T("%s is a program that would get another name", p))
		}
		for _, to := range f.Words {
			for _, dir := range a.files.Resolve(to) {
				a.written = append(a.written, path.Join(dir, path.Base(p)))
			}
			a.puts(f.Name, path.Base(p), to)
		}
	}
}

// puts judges that a program puts a file of a name at a path, which may be that of a
// directory. mv, unlike cp, replaces nothing in one that is there.
func (a *analysis) puts(by, name string, at word.Word) {
	if a.o.Loss == nil || !at.Known() {
		return
	}
	for _, dir := range a.files.Resolve(at) {
		for _, p := range [...]string{dir, path.Join(dir, name)} {
			isDirectory := a.o.Directory != nil && a.o.Directory(p)
			if a.files.Within(p) && !(by == "mv" && isDirectory) && a.o.Loss(p, false) == Destructive {
				a.raise(Destructive, "", fault.T("%s is overwritten, and undo cannot restore it", p))
			}
		}
	}
}

// expendable reports whether all that a command deletes is known, and may be lost.
// What the command line itself put there may not.
func (a *analysis) expendable(args []word.Word) bool {
	if a.o.Loss == nil {
		return false
	}
	put := func(below string) bool {
		return slices.ContainsFunc(a.written, func(p string) bool { return workspace.Within(p, below) })
	}
	some, options := false, true
	for _, w := range args {
		if options && strings.HasPrefix(w.Text, "-") && w.Known() {
			options = w.Text != "--"
			continue
		}
		if w.Source == "{}" && a.found != nil {
			if some = a.expendableFound(); !some {
				return false
			}
			continue
		}
		entries := a.files.entries(w)
		for _, p := range entries {
			if put(p) || a.o.Loss(p, true) == Destructive {
				return false
			}
		}
		if some = len(entries) > 0; !some {
			return false
		}
	}
	return some
}

// expendableFound reports whether all entries may be lost that find finds by their name.
func (a *analysis) expendableFound() bool {
	if a.o.LossNamed == nil || len(a.written) > 0 {
		return false
	}
	dirs := a.found.Dirs
	if len(dirs) == 0 {
		dirs = []word.Word{word.Literal(".")}
	}
	for _, dir := range dirs {
		paths := a.files.Resolve(dir)
		if len(paths) == 0 || slices.ContainsFunc(paths, func(p string) bool { return !a.files.Within(p) || a.o.LossNamed(p, a.found.Name).Worse(Write) }) {
			return false
		}
	}
	return true
}

// spares reports whether nothing is lost that git discards. What the command writes
// before may be what goes.
func (a *analysis) spares(f *finding.Finding) bool {
	if f.Kind == finding.Discard || a.o.Discards == nil || len(a.written) > 0 {
		return false
	}
	d, ok := a.files.discarded(f.Words, Discard{Staged: f.Kind == finding.DiscardStaged, Untracked: f.Kind == finding.DiscardUntracked})
	return ok && !a.o.Discards(d).Worse(Write)
}
