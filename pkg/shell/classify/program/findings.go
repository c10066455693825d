package program

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify/finding"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// findings collects the findings of one call in their order.
type findings []finding.Finding

func (f *findings) add(all ...finding.Finding) {
	if *f == nil {
		*f = make(findings, 0, max(4, len(all))) // most calls have a few
	}
	*f = append(*f, all...)
}

func (f findings) followedBy(others findings) findings {
	if f == nil {
		return others
	}
	return append(f, others...)
}

func (f *findings) path(k finding.Kind, w word.Word) { f.add(finding.Finding{Kind: k, Word: w}) }

func (f *findings) reads(w word.Word) { f.path(finding.Read, w) }

func (f *findings) writes(w word.Word) { f.path(finding.Write, w) }

func (f *findings) builds(c Call, w word.Word) {
	f.add(finding.Finding{Kind: finding.Build, Word: w, Words: c.Args})
}

func (f *findings) overwrites(w word.Word) { f.path(finding.Overwrite, w) }

func (f *findings) writesBelow(w word.Word) { f.path(finding.WriteBelow, w) }

// sets adds a variable that gets a value, variable one that a builtin is given by name.
func (f *findings) sets(name string, value word.Word) {
	f.add(finding.Finding{Kind: finding.Set, Name: name, Word: value})
}

func (f *findings) variable(builtin string, w word.Word) {
	f.add(finding.Finding{Kind: finding.Variable, Name: builtin, Word: w})
}

// run adds a command that is run with these arguments alone, runMore one that gets
// others, which are not known, and reads nothing.
func (f *findings) run(argv []word.Word) { f.add(finding.Finding{Kind: finding.Run, Words: argv}) }

func (f *findings) runMore(argv []word.Word) {
	f.add(finding.Finding{Kind: finding.RunMore, Words: argv, NoInput: true})
}

func (f *findings) script(text string, d finding.Dialect) {
	f.add(finding.Finding{Kind: finding.Script, Word: word.Literal(text), Dialect: d})
}

func (f *findings) mark(flag finding.Flag) { f.add(finding.Mark(flag)) }

func (f *findings) network() { f.add(finding.Finding{Kind: finding.Connects}) }

func (f *findings) forbid(why fault.Text) {
	f.add(finding.Finding{Kind: finding.Forbidden, Reason: &finding.Reason{Why: why}})
}

func (f *findings) raise(r policy.Risk, flag finding.Flag, why fault.Text) {
	f.add(finding.Of(r, flag, why))
}

// general raises the risk for a reason that a path which follows says better.
func (f *findings) general(r policy.Risk, why fault.Text) {
	one := finding.Of(r, "", why)
	one.General = true
	f.add(one)
}

func (f *findings) evaluates(name string) { f.add(finding.Evaluates(name)) }

func (f *findings) writesFile(program string, option word.Word) {
	f.general(policy.Write, fault.T("%s %s writes a file", program, option.Source))
}

func (f *findings) mayRun(program string, option word.Word) {
	f.raise(policy.Destructive, finding.Obfuscated, fault.T("%s %s may run another program", program, option.Source))
}

func (f *findings) unknownOption(program string, w word.Word) {
	f.raise(policy.Write, finding.UnknownFlags, fault.T("%s %s is not known to be harmless", program, w.Source))
	f.mark(finding.Opaque)
}

// strangeOption adds an option that makes it uncertain which program would run.
func (f *findings) strangeOption(program string, w word.Word) {
	f.raise(policy.Destructive, finding.Obfuscated, fault.T("%s %s: with this option it is not certain what would run", program, w.Source))
}

// dynamic adds a word that the shell may turn into an option.
func (f *findings) dynamic(program string, w word.Word) {
	f.raise(policy.Write, finding.DynamicArgs, fault.T("%s may become an option of %s", w.Source, program))
}

func (f *findings) computedProgram(name string, w word.Word) {
	f.raise(policy.Destructive, finding.Obfuscated, fault.T("%s is given a computed program: %s", name, w.Source))
}

func (f *findings) programRuns(program word.Word) {
	f.raise(policy.Destructive, finding.Obfuscated, fault.T("the program %s may run commands", program.Source))
}

func (f *findings) runsInput(name string) {
	f.raise(policy.Destructive, finding.Obfuscated, fault.T("%s runs whatever it is fed", name))
}

// starts adds a script that is started.
func (f *findings) starts(w word.Word) {
	if strings.HasPrefix(w.Text, "/dev/") || strings.HasPrefix(w.Text, "/proc/") {
		f.runsInput(w.Text)
	}
	f.path(finding.Start, w)
}
