package program

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify/finding"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// builtins returns the commands of the shells themselves.
func builtins() []Row {
	return []Row{
		{
			names:   ": echo break continue exit return shift times type help dirs caller umask ulimit logout unalias",
			builtin: true, operands: words,
		},
		{names: "jobs", builtin: true, judge: jobs},
		{names: "false true", builtin: true, operands: words},
		{names: "test [", builtin: true, judge: test},
		{names: "pwd", builtin: true, operands: words, harmless: options{"LP", "logical physical help version"}},
		{names: "cd pushd popd", builtin: true, judge: changeDirectory},
		{names: "set", builtin: true, judge: set},
		{names: "shopt", builtin: true, judge: shopt},
		{names: "eval", builtin: true, judge: eval},
		{names: ". source", builtin: true, judge: dot},
		{names: "alias hash", builtin: true, judge: alias},
		{names: "trap", builtin: true, judge: trap},
		{names: "bind complete compgen compopt enable fc fg bg suspend", builtin: true, judge: redefine},
		{names: "history", builtin: true, judge: history},
		{names: "printf", builtin: true, judge: printf},
		{names: "read mapfile readarray unset wait getopts", builtin: true, judge: variableNames},
		{names: "let", builtin: true, judge: let},
		{
			names: "declare typeset local export readonly", builtin: true,
			judge: declare,
		},
		{names: "nameref", judge: declare}, // of ksh alone
		{names: "disown", builtin: true, does: stays, operands: words},
		{names: "builtin", builtin: true, judge: func(c Call) (f findings) { f.run(c.Args); return f }},
		{names: "command", builtin: true, judge: commandBuiltin},
		{names: "exec", builtin: true, judge: exec},
	}
}

// jobs judges jobs, which runs a command behind -x.
func jobs(c Call) (f findings) {
	for i, w := range c.Args {
		switch {
		case w.MayBeOption():
			f.strangeOption(c.Name, w)
		case dashed(w) && strings.Contains(w.Text, "x"):
			f.run(c.Args[i+1:])
			return f
		}
	}
	return f
}

// test judges test and "[": -v evaluates a subscript in its operand, and an
// expansion may become -v.
func test(c Call) (f findings) {
	for i, w := range c.Args {
		switch {
		case w.Glob && w.Lit:
			if matches, err := path.Match(w.Text, "-v"); matches || err != nil || strings.Contains(w.Text, "(") && w.MayBeOption() {
				f.add(finding.EvaluatesComputed(c.Name))
			}
		case !w.Known() && w.Split:
			f.add(finding.Finding{Kind: finding.Operator, Name: c.Name, Word: w})
		case i+1 == len(c.Args):
		case w.Text == "-v":
			f.variable(c.Name, c.Args[i+1])
		case !w.Known() && w.Prefix() == "": // an operator behind it has no subscript
			if next := c.Args[i+1]; next.Known() {
				f.variable(c.Name, next)
			} else if !next.Split {
				f.add(finding.EvaluatesComputed(c.Name))
			}
		}
	}
	return f
}

func changeDirectory(c Call) (f findings) {
	args := c.Args
	for len(args) > 0 && (args[0].Text == "-L" || args[0].Text == "-P" || args[0].Text == "--" || args[0].Text == "-e") {
		args = args[1:]
	}
	switch {
	case c.Name == "popd" || c.Name == "pushd" && len(args) == 0:
		f.path(finding.Directory, word.Literal("-"))
	case len(args) == 0:
		f.path(finding.Directory, word.Literal(cmp.Or(c.Files.Home(), word.UnnamedHome)))
	default:
		f.path(finding.Directory, args[0])
	}
	return f
}

// set judges the options of the shell. Those that only report or stop are
// harmless.
func set(c Call) (f findings) {
	for i := 0; i < len(c.Args); i++ {
		w := c.Args[i]
		if !w.Known() {
			if w.MayBeOption() {
				f.dynamic("set", w)
			}
			continue
		}
		if w.Text == "--" || w.Text == "" || w.Text[0] != '-' && w.Text[0] != '+' {
			return f
		}
		if strings.ContainsAny(w.Text[1:], "kmHi") {
			f.evaluates("set")
		}
		if w.Text[0] == '-' && strings.Contains(w.Text, "a") {
			f.raise(policy.Write, finding.Environment, fault.T("set %s gives programs every variable that is set", w.Text))
			f.mark(finding.Opaque)
		}
		if strings.HasSuffix(w.Text, "o") && i+1 < len(c.Args) {
			i++
			if !shellOption(c.Args[i].Text) {
				f.evaluates("set")
			}
		}
	}
	return f
}

// shellOption reports whether an option of set -o only makes the shell report or
// stop.
func shellOption(name string) bool {
	return word.Listed("pipefail errexit nounset xtrace verbose noglob noclobber posix errtrace functrace noexec", name)
}

// shopt judges the options that shopt sets or unsets.
func shopt(c Call) (f findings) {
	if !slices.ContainsFunc(c.Args, func(w word.Word) bool { return w.Text == "-s" || w.Text == "-u" || !w.Known() }) {
		return f
	}
	for _, w := range c.Args {
		if !shoptOption(w) {
			f.evaluates("shopt")
		}
	}
	return f
}

// shoptOption reports whether a word of shopt, or behind -O, leaves it as it is
// which commands run.
func shoptOption(w word.Word) bool {
	return w.Known() && !strings.HasPrefix(w.Text, "expand_aliases") && !strings.HasPrefix(w.Text, "sourcepath")
}

// eval judges eval, which joins its arguments with spaces and runs them.
func eval(c Call) (f findings) {
	for _, w := range c.Args {
		if !w.Known() {
			f.raise(policy.Destructive, finding.Obfuscated, fault.T("eval runs computed text: %s", w.Source))
			return f
		}
	}
	f.evaluates("eval")
	f.script(joinWords(c.Args), c.Dialect)
	return f
}

// dot judges source. What activates a virtual environment of the workspace is a
// script like any other.
func dot(c Call) (f findings) {
	if len(c.Args) > 0 && c.Args[0].Known() {
		dir, file := path.Split(c.Args[0].Text)
		paths := c.Files.Resolve(c.Args[0])
		if strings.HasPrefix(file, "activate") && (strings.HasSuffix(dir, "/bin/") || strings.HasSuffix(dir, "/Scripts/")) &&
			len(paths) > 0 && !slices.ContainsFunc(paths, func(p string) bool { return !c.Files.Within(p) }) {
			f.starts(c.Args[0])
			f.opaque(c.Name + " " + c.Args[0].Text)
			return f
		}
	}
	f.raise(policy.Destructive, finding.Opaque, fault.T("%s runs a file in the shell itself", c.Name))
	return f
}

// redefine judges what changes the meaning of later commands. Without arguments
// it lists.
func redefine(c Call) (f findings) {
	if len(c.Args) > 0 {
		f.raise(policy.Destructive, finding.Obfuscated, fault.T("%s changes what the shell runs later", c.Name))
	}
	return f
}

// alias judges alias and hash, which show the entries that are only named.
func alias(c Call) (f findings) {
	if slices.ContainsFunc(c.Args, func(w word.Word) bool { return !w.Known() || strings.ContainsAny(w.Text, "=-") }) {
		f = append(f, redefine(c)...)
	}
	return f
}

func trap(c Call) (f findings) {
	if len(c.Args) == 1 && (c.Args[0].Text == "-l" || c.Args[0].Text == "-p") {
		return f
	}
	if len(c.Args) > 0 && c.Args[0].Lit {
		f.script(c.Args[0].Text, c.Dialect)
	}
	f = append(f, redefine(c)...)
	return f
}

func history(c Call) (f findings) {
	if len(c.Args) > 0 {
		f.raise(policy.Destructive, finding.Protected, fault.T("history %s changes the history or writes it to a file", c.Args[0].Source))
	}
	return f
}

// declare judges declare and its like when they are called as any other command.
func declare(c Call) (f findings) {
	f.add(finding.Finding{Kind: finding.Declare, Name: c.Name, Words: c.Args})
	return f
}

// printf judges printf, which sets the variable that -v names.
func printf(c Call) (f findings) {
	for i, w := range c.Args {
		if i > 0 && c.Args[0].Text != "-v" {
			break
		}
		if i == 0 && w.MayBeOption() {
			f.dynamic("printf", w)
		}
		if w.Text == "-v" && i+1 < len(c.Args) {
			f.variable("printf -v", c.Args[i+1])
			f.sets(c.Args[i+1].Text, word.Word{})
			return f
		}
		if v, ok := strings.CutPrefix(w.Text, "-v"); ok && v != "" {
			f.variable("printf -v", word.Literal(v))
			f.sets(v, word.Word{})
		}
	}
	return f
}

// variableNames judges builtins whose operands are names of variables.
func variableNames(c Call) (f findings) {
	for i, w := range c.Args {
		before := ""
		if i > 0 {
			before = c.Args[i-1].Text
		}
		if !w.Known() {
			if c.Name != "wait" || !w.Quoted {
				f.variable(c.Name, w)
			}
			continue
		}
		if strings.HasPrefix(w.Text, "-") {
			if (c.Name == "mapfile" || c.Name == "readarray") && strings.Contains(w.Text, "C") {
				f.evaluates(c.Name)
			}
			if _, array, ok := strings.Cut(w.Text, "a"); ok && c.Name == "read" { // read -ra, read -aname
				f.sets(array, word.Word{})
			}
			continue
		}
		f.variable(c.Name, w)
		switch {
		case c.Name == "read" && (before == "-p" || before == "-d"): // text
		case c.Name == "unset" && w.Text != "PATH": // without PATH programs are looked for in the current directory
		case c.Name == "wait" && before != "-p":
		default:
			f.sets(w.Text, word.Word{})
		}
	}
	return f
}

func let(c Call) (f findings) {
	for _, w := range c.Args {
		if !w.Known() {
			f.evaluates("let")
		}
		f.add(finding.Finding{Kind: finding.Expression, Name: "let", Word: w})
	}
	return f
}

// commandBuiltin judges command, which looks a program up or runs it.
func commandBuiltin(c Call) (f findings) {
	args := c.Args
	for len(args) > 0 && strings.HasPrefix(args[0].Text, "-") {
		switch args[0].Text {
		case "-v", "-V":
			return f
		case "-p", "--":
			args = args[1:]
		default:
			f.strangeOption("command", args[0])
			return f
		}
	}
	f.run(args)
	return f
}

func exec(c Call) (f findings) {
	args := c.Args
	for len(args) > 0 && strings.HasPrefix(args[0].Text, "-") {
		switch args[0].Text {
		case "-a":
			args = args[min(2, len(args)):]
		case "-c", "-l", "-cl", "-lc", "--":
			args = args[1:]
		default:
			f.strangeOption("exec", args[0])
			return f
		}
	}
	f.run(args)
	return f
}
