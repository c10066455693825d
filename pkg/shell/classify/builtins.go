package classify

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// builtins are what shells do themselves.
func builtins() []program {
	return []program{
		{
			names:   ": echo break continue exit return shift times type help jobs dirs caller umask ulimit logout unalias",
			builtin: true, operands: words,
		},
		{names: "false true", builtin: true, operands: words},
		{names: "test [", builtin: true, judge: (*analysis).test},
		{names: "pwd", builtin: true, operands: words, harmless: options{"LP", "logical physical help version"}},
		{names: "cd pushd popd", builtin: true, judge: (*analysis).changeDirectory},
		{names: "set", builtin: true, judge: (*analysis).set},
		{names: "shopt", builtin: true, judge: (*analysis).shopt},
		{names: "eval", builtin: true, judge: (*analysis).eval},
		{names: ". source", builtin: true, judge: (*analysis).dot},
		{names: "alias hash", builtin: true, judge: (*analysis).alias},
		{names: "trap", builtin: true, judge: (*analysis).trap},
		{names: "bind complete compgen compopt enable fc fg bg suspend", builtin: true, judge: (*analysis).redefine},
		{names: "history", builtin: true, judge: (*analysis).history},
		{names: "printf", builtin: true, judge: (*analysis).printf},
		{names: "read mapfile readarray unset wait getopts", builtin: true, judge: (*analysis).variableNames},
		{names: "let", builtin: true, judge: (*analysis).let},
		{
			names: "declare typeset local export readonly", builtin: true,
			judge: (*analysis).declareWords,
		},
		{names: "nameref", judge: func(a *analysis, c call) { a.declaration(c.name, c.args) }}, // of ksh alone
		{names: "disown", builtin: true, does: stays, operands: words},
		{names: "builtin", builtin: true, judge: func(a *analysis, c call) { a.command(c.args, c.context) }},
		{names: "command", builtin: true, judge: (*analysis).commandBuiltin},
		{names: "exec", builtin: true, judge: (*analysis).exec},
	}
}

// test judges test and "[": -v evaluates a subscript in its operand, and an
// expansion may become -v.
func (a *analysis) test(c call) {
	for i, w := range c.args {
		switch {
		case w.Glob && w.Lit:
			if matches, err := path.Match(w.Text, "-v"); matches || err != nil || strings.Contains(w.Text, "(") && w.MayBeOption() {
				a.evaluatesComputed(c.name)
			}
		case !w.Known() && w.Split:
			a.splits(c.name, w)
		case i+1 == len(c.args):
		case w.Text == "-v":
			a.variableName(c.name, c.args[i+1])
		case !w.Known() && w.Prefix() == "": // an operator behind it has no subscript
			if next := c.args[i+1]; next.Known() {
				a.variableName(c.name, next)
			} else if !next.Split {
				a.evaluatesComputed(c.name)
			}
		}
	}
}

// splits judges an unquoted expansion among the words of test, which may become
// -v and a subscript.
func (a *analysis) splits(by string, w word.Word) {
	name := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(w.Source, "$"), "{"), "}")
	switch {
	case strings.HasPrefix(name, "#") || name == "?" || name == "$" || name == "!":
	case strings.HasPrefix(w.Source, "$") && (variable(name) == positional || len(namesIn(name)) == 1 && namesIn(name)[0] == name):
		a.spread = append(a.spread, name)
	default:
		a.evaluatesComputed(by)
	}
}

func (a *analysis) changeDirectory(c call) {
	args := c.args
	for len(args) > 0 && (args[0].Text == "-L" || args[0].Text == "-P" || args[0].Text == "--" || args[0].Text == "-e") {
		args = args[1:]
	}
	switch {
	case c.name == "popd" || c.name == "pushd" && len(args) == 0:
		a.lost = true
	case len(args) == 0:
		a.chdir(word.Literal(cmp.Or(a.o.Home, word.UnnamedHome)))
	default:
		a.chdir(args[0])
	}
}

// set judges the options of the shell. Those that only report or stop are
// harmless.
func (a *analysis) set(c call) {
	for i := 0; i < len(c.args); i++ {
		w := c.args[i]
		if !w.Known() {
			if w.MayBeOption() {
				a.dynamic("set", w)
			}
			continue
		}
		if w.Text == "--" || w.Text == "" || w.Text[0] != '-' && w.Text[0] != '+' {
			return
		}
		if strings.ContainsAny(w.Text[1:], "kmHi") {
			a.evaluates("set")
		}
		if strings.HasSuffix(w.Text, "o") && i+1 < len(c.args) {
			i++
			if !shellOption(c.args[i].Text) {
				a.evaluates("set")
			}
		}
	}
}

// shellOption reports whether an option of set -o only makes the shell report or
// stop.
func shellOption(name string) bool {
	switch name {
	case "pipefail", "errexit", "nounset", "xtrace", "verbose", "noglob", "noclobber", "posix", "errtrace", "functrace", "noexec":
		return true
	}
	return false
}

// shopt judges the options that shopt sets or unsets.
func (a *analysis) shopt(c call) {
	if !slices.ContainsFunc(c.args, func(w word.Word) bool { return w.Text == "-s" || w.Text == "-u" || !w.Known() }) {
		return
	}
	for _, w := range c.args {
		if !shoptOption(w) {
			a.evaluates("shopt")
		}
	}
}

// shoptOption reports whether a word of shopt, or behind -O, leaves it as it is
// which commands run.
func shoptOption(w word.Word) bool {
	return w.Known() && !strings.HasPrefix(w.Text, "expand_aliases") && !strings.HasPrefix(w.Text, "sourcepath")
}

// eval judges eval, which joins its arguments with spaces and runs them.
func (a *analysis) eval(c call) {
	texts := make([]string, len(c.args))
	for i, w := range c.args {
		if !w.Known() {
			a.raise(Destructive, Obfuscated, fault.T("eval runs computed text: %s", w.Source))
			return
		}
		texts[i] = w.Text
	}
	a.evaluates("eval")
	a.source(strings.Join(texts, " "), c.dialect)
}

// dot judges source. What activates a virtual environment of the workspace is a
// script like any other.
func (a *analysis) dot(c call) {
	if len(c.args) > 0 && c.args[0].Known() {
		dir, file := path.Split(c.args[0].Text)
		paths := a.resolve(c.args[0])
		if strings.HasPrefix(file, "activate") && (strings.HasSuffix(dir, "/bin/") || strings.HasSuffix(dir, "/Scripts/")) &&
			len(paths) > 0 && !slices.ContainsFunc(paths, func(p string) bool { return !a.within(p) }) {
			a.startsFile(c.args[0])
			a.opaque(c.name + " " + c.args[0].Text)
			return
		}
	}
	a.raise(Destructive, Opaque, fault.T("%s runs a file in the shell itself", c.name))
}

// redefine judges what changes the meaning of later commands. Without arguments
// it lists.
func (a *analysis) redefine(c call) {
	if len(c.args) > 0 {
		a.raise(Destructive, Obfuscated, fault.T("%s changes what the shell runs later", c.name))
	}
}

// alias judges alias and hash, which show the entries that are only named.
func (a *analysis) alias(c call) {
	if slices.ContainsFunc(c.args, func(w word.Word) bool { return !w.Known() || strings.ContainsAny(w.Text, "=-") }) {
		a.redefine(c)
	}
}

func (a *analysis) trap(c call) {
	if len(c.args) == 1 && (c.args[0].Text == "-l" || c.args[0].Text == "-p") {
		return
	}
	if len(c.args) > 0 && c.args[0].Lit {
		a.source(c.args[0].Text, c.dialect)
	}
	a.redefine(c)
}

func (a *analysis) history(c call) {
	if len(c.args) > 0 {
		a.raise(Destructive, Protected, fault.T("history %s changes the history or writes it to a file", c.args[0].Source))
	}
}

// declareWords judges declare and its like when they are called as any other
// command, so that the assignments are words.
func (a *analysis) declareWords(c call) {
	for _, w := range c.args {
		if name, text, ok := strings.Cut(w.Text, "="); ok {
			a.assign(name, valueOfWord(word.Word{Text: text, Lit: w.Lit, Glob: w.Glob}))
		}
	}
	a.declaration(c.name, c.args)
}

// printf judges printf, which sets the variable that -v names.
func (a *analysis) printf(c call) {
	for i, w := range c.args {
		if i > 0 && c.args[0].Text != "-v" {
			break
		}
		if i == 0 && w.MayBeOption() {
			a.dynamic("printf", w)
		}
		if w.Text == "-v" && i+1 < len(c.args) {
			a.variableName("printf -v", c.args[i+1])
			a.assignsUnknown(c.args[i+1].Text)
			return
		}
		if v, ok := strings.CutPrefix(w.Text, "-v"); ok && v != "" {
			a.variableName("printf -v", word.Literal(v))
			a.assignsUnknown(v)
		}
	}
}

// assignsUnknown judges that a variable gets a value that is not known.
func (a *analysis) assignsUnknown(name string) {
	a.setsVariable(name, word.Word{})
	a.assign(name, value{kind: unknown})
}

// variableNames judges builtins whose operands are names of variables.
func (a *analysis) variableNames(c call) {
	for i, w := range c.args {
		before := ""
		if i > 0 {
			before = c.args[i-1].Text
		}
		if !w.Known() {
			if c.name != "wait" || !w.Quoted {
				a.variableName(c.name, w)
			}
			continue
		}
		if strings.HasPrefix(w.Text, "-") {
			if (c.name == "mapfile" || c.name == "readarray") && strings.Contains(w.Text, "C") {
				a.evaluates(c.name)
			}
			if _, array, ok := strings.Cut(w.Text, "a"); ok && c.name == "read" { // read -ra, read -aname
				a.assignsUnknown(array)
			}
			continue
		}
		a.variableName(c.name, w)
		switch {
		case c.name == "read" && (before == "-p" || before == "-d"): // text
		case c.name == "unset" && w.Text != "PATH": // without PATH programs are looked for in the current directory
		case c.name == "wait" && before != "-p":
		default:
			a.assignsUnknown(w.Text)
		}
	}
}

func (a *analysis) let(c call) {
	for _, w := range c.args {
		if !w.Known() {
			a.evaluates("let")
		}
		a.evaluateText("let", w.Text)
	}
}

// commandBuiltin judges command, which looks a program up or runs it.
func (a *analysis) commandBuiltin(c call) {
	args := c.args
	for len(args) > 0 && strings.HasPrefix(args[0].Text, "-") {
		switch args[0].Text {
		case "-v", "-V":
			return
		case "-p", "--":
			args = args[1:]
		default:
			a.strangeOption("command", args[0])
			return
		}
	}
	a.command(args, c.context)
}

func (a *analysis) exec(c call) {
	args := c.args
	for len(args) > 0 && strings.HasPrefix(args[0].Text, "-") {
		switch args[0].Text {
		case "-a":
			args = args[min(2, len(args)):]
		case "-c", "-l", "-cl", "-lc", "--":
			args = args[1:]
		default:
			a.strangeOption("exec", args[0])
			return
		}
	}
	a.command(args, c.context)
}
