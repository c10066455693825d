package classify

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// shells are the programs that run text in the language of a shell.
func shells() []program {
	return []program{
		{names: "bash rbash", judge: func(a *analysis, c call) { a.shell(c, Bash) }},
		{names: "sh dash ash", judge: func(a *analysis, c call) { a.shell(c, POSIX) }},
		{names: "zsh", judge: func(a *analysis, c call) { a.shell(c, Zsh) }},
		{names: "ksh mksh fish csh tcsh nu elvish xonsh", judge: func(a *analysis, c call) { a.shell(c, Other) }},
		// Windows' and macOS' own, and programs that run whatever they are named.
		{
			names: "powershell pwsh cmd rundll32 regsvr32 mshta wscript cscript certutil bitsadmin wmic schtasks reg msiexec forfiles " +
				"osascript launchctl sc net del erase rd format diskpart",
			does: unfollowed, operands: words,
		},
	}
}

// shell judges a shell that is given a script, a file or its standard input.
func (a *analysis) shell(c call, d Dialect) {
	args, script, ok := a.shellOptions(c)
	fed := slices.ContainsFunc(c.args[:len(c.args)-len(args)], func(w word.Word) bool { // -s
		return len(w.Text) > 1 && w.Text[0] == '-' && w.Text[1] != '-' && strings.Contains(w.Text, "s")
	})
	for _, w := range args[min(1, len(args)):] {
		a.assign(positional, valueOfWord(w))
	}
	switch {
	case !ok:
	case script && len(args) == 0:
		a.strangeOption(c.name, word.Literal("-c"))
	case script && !args[0].Known():
		a.raise(Destructive, Obfuscated, fault.T("%s -c runs computed text: %s", c.name, args[0].Source))
	case script && c.appended && strings.Contains(args[0].Text, "$"):
		// The arguments that follow are unknown, and the text may run them.
		a.source(args[0].Text, d)
		a.raise(Destructive, Obfuscated, fault.T("%s -c is given arguments that are not known", c.name))
	case script:
		a.source(args[0].Text, d)
	case len(args) > 0 && !fed:
		a.startsFile(args[0])
		a.opaque(c.name)
	default:
		a.standardInput(c, d)
	}
}

// shellOptions judges the options of a shell. It returns the arguments behind
// them and whether the first of these is a script. It is not ok if that is all
// there is to judge.
func (a *analysis) shellOptions(c call) (rest []word.Word, script, ok bool) {
	for i := 0; i < len(c.args); i++ {
		w := c.args[i]
		switch {
		case !w.Known():
			a.strangeOption(c.name, w)
			return nil, false, false
		case w.Text == "--" || w.Text == "-":
			return c.args[i+1:], script, true
		case w.Text == "--version" || w.Text == "--help":
			return nil, false, false
		case w.Text == "--norc" || w.Text == "--noprofile" || w.Text == "--posix" || w.Text == "--restricted":
		case strings.HasSuffix(w.Text, "o") && strings.Trim(w.Text[1:], "eufvxo") == "" && strings.IndexByte("-+", w.Text[0]) >= 0 && i+1 < len(c.args) && shellOption(c.args[i+1].Text),
			(w.Text == "-O" || w.Text == "+O") && i+1 < len(c.args) && shoptOption(c.args[i+1]):
			i++
		case len(w.Text) > 1 && (w.Text[0] == '-' || w.Text[0] == '+'):
			if strings.Trim(w.Text[1:], "abefhmnptuvxBCEPcsl") != "" {
				a.strangeOption(c.name, w) // -i and the long ones read start files, -k takes arguments for assignments
				return nil, false, false
			}
			script = script || strings.Contains(w.Text, "c")
		default:
			return c.args[i:], script, true
		}
	}
	return nil, script, true
}

// standardInput judges a shell that runs what it reads.
func (a *analysis) standardInput(c call, d Dialect) {
	switch c.in.kind {
	case fromNothing:
		a.opaque(c.name)
	case fromText:
		a.source(c.in.text, d)
	default:
		a.runsInput(c.name)
	}
}

func (a *analysis) runsInput(name string) {
	a.raise(Destructive, Obfuscated, fault.T("%s runs whatever it is fed", name))
}

// startsFile notes a script that will run.
func (a *analysis) startsFile(w word.Word) {
	if strings.HasPrefix(w.Text, "/dev/") || strings.HasPrefix(w.Text, "/proc/") {
		a.runsInput(w.Text)
	}
	for _, p := range a.resolve(w) {
		a.started = append(a.started, p)
		if !a.within(p) {
			a.flag(Outside)
		}
	}
}
