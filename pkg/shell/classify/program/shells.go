package program

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify/finding"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// shells are the programs that run text in the language of a shell.
func shells() []Row {
	return []Row{
		{names: "bash rbash", asks: options{short: "n"}, judge: func(c Call) findings { return shell(c, finding.Bash) }},
		{names: "sh dash ash", asks: options{short: "n"}, judge: func(c Call) findings { return shell(c, finding.POSIX) }},
		{names: "zsh", judge: func(c Call) findings { return shell(c, finding.Zsh) }},
		{names: "ksh mksh fish csh tcsh nu elvish xonsh", judge: func(c Call) findings { return shell(c, finding.Other) }},
		// Windows' and macOS' own, and programs that run whatever they are named.
		{
			names: "powershell pwsh cmd rundll32 regsvr32 mshta wscript cscript certutil bitsadmin wmic schtasks reg msiexec forfiles " +
				"osascript launchctl sc net del erase rd format diskpart",
			does: unfollowed, operands: words,
		},
	}
}

// shell judges a shell that is given a script, a file or its standard input.
func shell(c Call, d finding.Dialect) (f findings) {
	args, script, ok := f.shellOptions(c)
	fed := slices.ContainsFunc(c.Args[:len(c.Args)-len(args)], func(w word.Word) bool { // -s
		return len(w.Text) > 1 && w.Text[0] == '-' && w.Text[1] != '-' && strings.Contains(w.Text, "s")
	})
	for _, w := range args[min(1, len(args)):] {
		f.sets("@", w) // a positional parameter
	}
	switch {
	case !ok:
	case script && len(args) == 0:
		f.strangeOption(c.Name, word.Literal("-c"))
	case script && !args[0].Known():
		f.raise(policy.Destructive, finding.Obfuscated, fault.T("%s -c runs computed text: %s", c.Name, args[0].Source))
	case script && c.Appended && strings.Contains(args[0].Text, "$"):
		// The arguments that follow are unknown, and the text may run them.
		f.script(args[0].Text, d)
		f.raise(policy.Destructive, finding.Obfuscated, fault.T("%s -c is given arguments that are not known", c.Name))
	case script:
		f.script(args[0].Text, d)
	case len(args) > 0 && !fed:
		f.starts(args[0])
		f.opaque(c.Name)
	default:
		f = append(f, standardInput(c, d)...)
	}
	return f
}

// shellOptions judges the options of a shell. It returns the arguments behind
// them and whether the first of these is a script. It is not ok if that is all
// there is to judge.
func (f *findings) shellOptions(c Call) (rest []word.Word, script, ok bool) {
	for i := 0; i < len(c.Args); i++ {
		w := c.Args[i]
		switch {
		case !w.Known():
			f.strangeOption(c.Name, w)
			return nil, false, false
		case w.Text == "--" || w.Text == "-":
			return c.Args[i+1:], script, true
		case w.Text == "--version" || w.Text == "--help":
			return nil, false, false
		case w.Text == "--norc" || w.Text == "--noprofile" || w.Text == "--posix" || w.Text == "--restricted":
		case strings.HasSuffix(w.Text, "o") && strings.Trim(w.Text[1:], "eufvxo") == "" && strings.IndexByte("-+", w.Text[0]) >= 0 && i+1 < len(c.Args) && shellOption(c.Args[i+1].Text),
			(w.Text == "-O" || w.Text == "+O") && i+1 < len(c.Args) && shoptOption(c.Args[i+1]):
			i++
		case len(w.Text) > 1 && (w.Text[0] == '-' || w.Text[0] == '+'):
			if strings.Trim(w.Text[1:], "befhmnptuvxBCEPcsl") != "" {
				f.strangeOption(c.Name, w) // -a exports variables, -i and the long ones read start files, -k takes arguments for assignments
				return nil, false, false
			}
			script = script || strings.Contains(w.Text, "c")
		default:
			return c.Args[i:], script, true
		}
	}
	return nil, script, true
}

// standardInput judges a shell that runs what it reads.
func standardInput(c Call, d finding.Dialect) (f findings) {
	switch c.In.Kind {
	case NoInput:
		f.opaque(c.Name)
	case TextInput:
		f.script(c.In.Text, d)
	case FileInput:
		if !c.In.File.Known() {
			f.runsInput(c.Name)
			return f
		}
		f.starts(c.In.File)
		f.opaque(c.Name)
	default:
		f.runsInput(c.Name)
	}
	return f
}
