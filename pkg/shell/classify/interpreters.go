package classify

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// interpreter judges programs that run text as code, and reports whether name
// is one.
func (a *analysis) interpreter(name string, argv []word.Word, c context) bool {
	switch name {
	case "sh", "bash", "dash", "ash", "rbash":
		d := POSIX
		if name == "bash" || name == "rbash" {
			d = Bash
		}
		a.shell(name, argv[1:], d, c)
		return true
	case "zsh", "ksh", "mksh", "fish", "csh", "tcsh", "nu", "elvish", "xonsh":
		a.shell(name, argv[1:], Other, c)
		return true
	case "powershell", "pwsh", "cmd", "rundll32", "regsvr32", "mshta", "wscript", "cscript", "certutil", "bitsadmin", "wmic",
		"schtasks", "reg", "msiexec", "forfiles", "osascript", "launchctl", "sc", "net", "del", "erase", "rd", "format", "diskpart":
		a.raise(Destructive, Obfuscated, fault.T("what %s runs is not followed", "无法追踪 %s 运行的内容", name))
		return true
	case "vim", "vi", "nvim", "ex", "view", "vimdiff", "gvim", "emacs", "nano", "ed", "red", "pico", "micro", "hx", "kak", "joe":
		a.editor(name, argv[1:], c)
		return true
	case "psql", "mysql", "mariadb", "mongosh", "mongo", "redis-cli", "sqlplus", "clickhouse-client", "cqlsh", "influx":
		a.network()
		a.raise(Destructive, Network, fault.T("%s works on a database elsewhere", "%s 会操作外部数据库", name))
		return true
	case "sqlite3", "duckdb":
		a.opaque(name)
		for _, w := range argv[1:] {
			if strings.HasPrefix(strings.TrimSpace(w.Text), ".sh") || strings.HasPrefix(strings.TrimSpace(w.Text), ".sy") || strings.Contains(w.Text, "load_extension") {
				a.evaluates(name)
			}
		}
		return true
	}
	if !isLanguage(name) {
		return false
	}
	a.language(name, argv[1:], c)
	return true
}

// isLanguage reports whether name runs programs in a language that is not
// looked into.
func isLanguage(name string) bool {
	for _, known := range [...]string{
		"python", "pypy", "ruby", "perl", "node", "nodejs", "php", "lua", "luajit", "deno", "bun", "tclsh", "wish", "Rscript", "rscript",
		"julia", "java", "jshell", "groovy", "scala", "kotlin", "guile", "racket", "sbcl", "clisp", "ghci", "runghc", "ocaml",
		"erl", "escript", "elixir", "iex", "swift", "raku", "ipython", "irb", "ts-node", "tsx", "osascript", "bc", "dc", "octave", "gnuplot", "m4",
	} {
		rest, ok := strings.CutPrefix(name, known)
		if ok && strings.Trim(rest, "0123456789.") == "" {
			return true
		}
	}
	return false
}

// shell judges a shell that is given something to run.
func (a *analysis) shell(name string, args []word.Word, d Dialect, c context) {
	script := false
	i := 0
options:
	for ; i < len(args); i++ {
		w := args[i]
		switch {
		case !w.Known():
			a.strangeOption(name, w)
			return
		case w.Text == "--" || w.Text == "-":
			i++
			break options
		case w.Text == "--version" || w.Text == "--help":
			return
		case w.Text == "--norc" || w.Text == "--noprofile" || w.Text == "--posix" || w.Text == "--restricted":
		case w.Text == "-o" || w.Text == "+o" || w.Text == "-O" || w.Text == "+O":
			i++
		case len(w.Text) > 1 && (w.Text[0] == '-' || w.Text[0] == '+'):
			if strings.Trim(w.Text[1:], "abefhkmnptuvxBCEHPcsl") != "" {
				a.strangeOption(name, w) // -i and the long ones read start files
				return
			}
			script = script || strings.Contains(w.Text, "c")
		default:
			break options
		}
	}
	args = args[min(i, len(args)):]
	switch {
	case script && len(args) == 0:
		a.strangeOption(name, word.Literal("-c"))
	case script && !args[0].Known():
		a.raise(Destructive, Obfuscated, fault.T("%s -c runs computed text: %s", "%s -c 会运行计算得来的文本：%s", name, args[0].Source))
	case script && c.appended && strings.Contains(args[0].Text, "$"):
		// The words that follow are unknown, and the text may run them.
		a.source(args[0].Text, d)
		a.raise(Destructive, Obfuscated, fault.T("%s -c is given arguments that are not known", "%s -c 的参数未知", name))
	case script:
		a.source(args[0].Text, d)
	case len(args) > 0:
		a.startsFile(args[0])
		a.opaque(name)
	default:
		a.standardInput(name, d, c)
	}
}

// standardInput judges a shell that runs what it is fed.
func (a *analysis) standardInput(name string, d Dialect, c context) {
	switch c.in.kind {
	case fromNothing:
		a.opaque(name)
	case fromText:
		a.source(c.in.text, d)
	default:
		a.raise(Destructive, Obfuscated, fault.T("%s runs whatever it is fed", "%s 会运行输入的任何内容", name))
	}
}

// startsFile notes a script that will run.
func (a *analysis) startsFile(w word.Word) {
	for _, p := range a.resolve(w) {
		a.started = append(a.started, p)
		if !a.within(p) {
			a.flag(Outside)
		}
	}
}

// language judges the interpreter of another language: opaque with a program of
// its own, not to be judged when the program comes from elsewhere.
func (a *analysis) language(name string, args []word.Word, c context) {
	if len(args) == 1 && (args[0].Text == "--version" || args[0].Text == "-V" || args[0].Text == "-v" && name != "python" ||
		args[0].Text == "--help" || args[0].Text == "-version") {
		return
	}
	a.opaque(name)
	for i, w := range args {
		if !w.Known() && i == 0 && w.MayBeOption() {
			a.raise(Destructive, Obfuscated, fault.T("%s is given a computed program: %s", "%s 的程序是计算得来的：%s", name, w.Source))
			return
		}
		if !strings.HasPrefix(w.Text, "-") {
			a.startsFile(w)
			return
		}
		if i+1 < len(args) && inlineCode(w.Text) {
			if !args[i+1].Lit {
				a.raise(Destructive, Obfuscated, fault.T("%s is given a computed program: %s", "%s 的程序是计算得来的：%s", name, args[i+1].Source))
			}
			return
		}
		if w.Text == "-m" || w.Text == "-" {
			break
		}
	}
	hasProgram := false
	for _, w := range args {
		hasProgram = hasProgram || w.Text == "-m" || inlineCode(w.Text) || !strings.HasPrefix(w.Text, "-")
	}
	if !hasProgram && (c.in.kind == fromCommand || c.in.kind == fromFile) && name != "bc" {
		a.raise(Destructive, Obfuscated, fault.T("%s runs whatever it is fed", "%s 会运行输入的任何内容", name))
	}
}

func inlineCode(option string) bool {
	switch option {
	case "-c", "-e", "-E", "-r", "-p", "-pe", "-ne", "-n", "-le", "-lne", "--eval", "--print", "eval", "-print", "-pi", "-i":
		return true
	}
	return false
}

func (a *analysis) editor(name string, args []word.Word, c context) {
	a.raise(Write, Opaque, fault.T("%s edits files and waits for a person", "%s 会编辑文件并等待用户操作", name))
	for _, w := range args {
		switch {
		case !w.Known(), len(w.Text) > 1 && (w.Text[0] == '-' || w.Text[0] == '+'):
			a.evaluates(name)
		default:
			a.writes(w)
		}
	}
	if c.in.kind != fromNothing {
		a.evaluates(name)
	}
}
