package classify

import (
	"cmp"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// isBuiltin reports whether the shell itself runs name, so that no file is
// looked up.
func isBuiltin(name string) bool {
	switch name {
	case ":", ".", "[", "alias", "bg", "bind", "break", "builtin", "caller", "cd", "command", "compgen", "complete", "compopt",
		"continue", "declare", "dirs", "disown", "echo", "enable", "eval", "exec", "exit", "export", "false", "fc", "fg",
		"getopts", "hash", "help", "history", "jobs", "kill", "let", "local", "logout", "mapfile", "popd", "printf", "pushd",
		"pwd", "read", "readarray", "readonly", "return", "set", "shift", "shopt", "source", "suspend", "test", "times",
		"trap", "true", "type", "typeset", "ulimit", "umask", "unalias", "unset", "wait":
		return true
	}
	return false
}

// builtin judges what shells do themselves, and reports whether name is that.
func (a *analysis) builtin(name string, argv []word.Word, c context) bool {
	args := argv[1:]
	switch name {
	case ":", "echo", "break", "continue", "exit", "return", "shift", "times", "type", "help", "jobs", "dirs", "caller",
		"umask", "ulimit", "logout", "unalias":
	case "cd", "pushd", "popd":
		a.changeDirectory(name, args)
	case "set":
		a.set(args)
	case "shopt":
		if !slices.ContainsFunc(args, func(w word.Word) bool { return w.Text == "-s" || w.Text == "-u" || !w.Known() }) {
			break
		}
		for _, w := range args {
			if !w.Known() || strings.HasPrefix(w.Text, "expand_aliases") || strings.HasPrefix(w.Text, "sourcepath") {
				a.evaluates("shopt")
			}
		}
	case "eval":
		a.eval(args, c)
	case ".", "source":
		a.raise(Destructive, Opaque, fault.T("%s runs a file in the shell itself", "%s 会在当前 shell 中运行文件", name))
	case "alias", "trap", "bind", "complete", "compgen", "compopt", "enable", "hash", "fc", "fg", "bg", "suspend":
		if len(args) == 0 || name == "alias" && onlyNames(args) || name == "hash" && onlyNames(args) ||
			name == "trap" && len(args) == 1 && (args[0].Text == "-l" || args[0].Text == "-p") {
			break
		}
		if name == "trap" && args[0].Lit {
			a.source(args[0].Text, c.dialect)
		}
		a.raise(Destructive, Obfuscated, fault.T("%s changes what the shell runs later", "%s 会改变 shell 之后运行的内容", name))
	case "history":
		if len(args) > 0 {
			a.raise(Destructive, Protected, fault.T("history %s changes the history or writes it to a file", "history %s 会修改历史记录或写入文件", args[0].Source))
		}
	case "printf":
		a.printf(args)
	case "test", "[":
		for i, w := range args {
			if w.Text == "-v" && i+1 < len(args) {
				a.variableName(name, args[i+1])
			}
		}
		return false // what else it does is in the table of readers
	case "read", "mapfile", "readarray", "unset", "wait", "local", "getopts":
		a.names(name, args)
	case "let":
		for _, w := range args {
			if !w.Known() || kindOfValue(w.Text) == suspicious {
				a.evaluates("let")
			}
		}
	case "declare", "typeset", "export", "readonly", "nameref":
		a.declaration(argv)
	case "disown":
		a.raise(Write, Background, fault.T("disown leaves a process behind", "disown 会留下后台进程"))
	case "builtin":
		a.command(args, c)
	case "command":
		a.commandBuiltin(args, c)
	case "exec":
		a.exec(args, c)
	default:
		return false
	}
	return true
}

func onlyNames(args []word.Word) bool {
	return !slices.ContainsFunc(args, func(w word.Word) bool { return !w.Known() || strings.ContainsAny(w.Text, "=-") })
}

func (a *analysis) changeDirectory(name string, args []word.Word) {
	for len(args) > 0 && (args[0].Text == "-L" || args[0].Text == "-P" || args[0].Text == "--" || args[0].Text == "-e") {
		args = args[1:]
	}
	switch {
	case name == "popd" || name == "pushd" && len(args) == 0:
		a.lost = true
	case len(args) == 0:
		a.chdir(word.Literal(cmp.Or(a.o.Home, word.UnnamedHome)))
	default:
		a.chdir(args[0])
	}
}

// set judges the options of the shell; those that only report or stop are
// harmless.
func (a *analysis) set(args []word.Word) {
	for i := 0; i < len(args); i++ {
		w := args[i]
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
		if strings.HasSuffix(w.Text, "o") && i+1 < len(args) {
			i++
			switch args[i].Text {
			case "pipefail", "errexit", "nounset", "xtrace", "verbose", "noglob", "noclobber", "posix", "errtrace", "functrace", "noexec":
			default:
				a.evaluates("set")
			}
		}
	}
}

// eval joins its arguments with spaces and runs them.
func (a *analysis) eval(args []word.Word, c context) {
	texts := make([]string, len(args))
	for i, w := range args {
		if !w.Known() {
			a.raise(Destructive, Obfuscated, fault.T("eval runs computed text: %s", "eval 会运行计算得来的文本：%s", w.Source))
			return
		}
		texts[i] = w.Text
	}
	a.evaluates("eval")
	a.source(strings.Join(texts, " "), c.dialect)
}

func (a *analysis) printf(args []word.Word) {
	for i, w := range args {
		if i > 0 && args[0].Text != "-v" {
			break
		}
		if !w.Known() && w.MayBeOption() && i == 0 {
			a.dynamic("printf", w)
		}
		if w.Text == "-v" && i+1 < len(args) {
			a.variableName("printf -v", args[i+1])
			name, _, _ := strings.Cut(args[i+1].Text, "[")
			a.setsVariable(name, word.Word{})
			a.assign(name, unknown)
			return
		}
		if v, ok := strings.CutPrefix(w.Text, "-v"); ok && v != "" {
			a.variableName("printf -v", word.Literal(v))
			a.setsVariable(v, word.Word{})
		}
	}
}

// names judges builtins whose operands are names of variables.
func (a *analysis) names(builtin string, args []word.Word) {
	for i, w := range args {
		if !w.Known() {
			if builtin != "wait" || !w.Quoted {
				a.variableName(builtin, w)
			}
			continue
		}
		if strings.HasPrefix(w.Text, "-") {
			if (builtin == "mapfile" || builtin == "readarray") && strings.ContainsAny(w.Text, "C") {
				a.evaluates(builtin)
			}
			continue
		}
		a.variableName(builtin, w)
		if i > 0 && (args[i-1].Text == "-p" || args[i-1].Text == "-d") && builtin == "read" {
			continue
		}
		switch {
		case builtin == "unset" && w.Text != "PATH": // without which programs are looked for in the directory at hand
		case builtin == "wait" && (i == 0 || args[i-1].Text != "-p"):
		default:
			name, _, _ := strings.Cut(w.Text, "=")
			a.setsVariable(name, word.Word{})
			a.assign(name, unknown)
		}
	}
}

// commandBuiltin judges "command", which looks a program up or runs it.
func (a *analysis) commandBuiltin(args []word.Word, c context) {
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
	a.command(args, c)
}

func (a *analysis) exec(args []word.Word, c context) {
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
	a.command(args, c)
}

// strangeOption is for an option of a wrapper: what follows it cannot be told
// from what would run.
func (a *analysis) strangeOption(program string, w word.Word) {
	a.raise(Destructive, Obfuscated, fault.T("%s %s: with this option it cannot be told what would run", "%s %s：带有该选项时无法判断会运行什么", program, w.Source))
}
