package classify

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// languages are the interpreters of languages that are not looked into.
func languages() []program {
	return []program{
		{names: "python", versions: true, does: hidden, alone: "--version -V --help -version", judge: (*analysis).language}, // -v starts it
		{
			names: "pypy ruby perl node nodejs php lua luajit deno bun tclsh wish rscript julia java jshell groovy scala " +
				"kotlin guile racket sbcl clisp ghci runghc ocaml erl escript elixir iex swift raku ipython irb ts-node tsx bc dc octave gnuplot m4",
			versions: true, does: hidden, alone: "--version -V -v --help -version", judge: (*analysis).language,
		},
	}
}

// editors wait for a person and run commands of their own.
func editors() []program {
	return []program{
		{names: "vim vi nvim ex view vimdiff gvim emacs nano ed red pico micro hx kak joe", judge: (*analysis).editor},
	}
}

// databases are clients that work on a database.
func databases() []program {
	return []program{
		{names: "psql mysql mariadb mongosh mongo redis-cli sqlplus clickhouse-client cqlsh influx", does: database, operands: words},
		{names: "sqlite3 duckdb", does: hidden, judge: (*analysis).sqlite},
	}
}

// language judges an interpreter: it hides what a program does that is named or
// written out, and cannot be judged when the program comes from elsewhere.
func (a *analysis) language(c call) {
	for i, w := range c.args {
		if !w.Known() && i == 0 && w.MayBeOption() {
			a.computedProgram(c.name, w)
			return
		}
		if !strings.HasPrefix(w.Text, "-") {
			a.startsFile(w)
			return
		}
		if i+1 < len(c.args) && inlineCode(w.Text) {
			if !c.args[i+1].Lit {
				a.computedProgram(c.name, c.args[i+1])
			}
			return
		}
		if w.Text == "-m" || w.Text == "-" {
			break
		}
	}
	hasProgram := false
	for _, w := range c.args {
		hasProgram = hasProgram || w.Text == "-m" || inlineCode(w.Text) || !strings.HasPrefix(w.Text, "-")
	}
	if !hasProgram && (c.in.kind == fromCommand || c.in.kind == fromFile) && c.name != "bc" { // bc starts no programs
		a.runsInput(c.name)
	}
}

func inlineCode(option string) bool {
	switch option {
	case "-c", "-e", "-E", "-r", "-p", "-pe", "-ne", "-n", "-le", "-lne", "--eval", "--print", "eval", "-print", "-pi", "-i":
		return true
	}
	return false
}

func (a *analysis) computedProgram(name string, w word.Word) {
	a.raise(Destructive, Obfuscated, fault.T("%s is given a computed program: %s", "%s 的程序是计算得来的：%s", name, w.Source))
}

func (a *analysis) editor(c call) {
	a.raise(Write, Opaque, fault.T("%s edits files and waits for a person", "%s 会编辑文件并等待用户操作", c.name))
	for _, w := range c.args {
		switch {
		case !w.Known(), len(w.Text) > 1 && strings.IndexByte("-+!", w.Text[0]) >= 0:
			a.evaluates(c.name)
		default:
			a.writes(w)
		}
	}
	if c.in.kind != fromNothing {
		a.evaluates(c.name)
	}
}

// sqlite finds the commands .shell and .system, and extensions.
func (a *analysis) sqlite(c call) {
	for _, w := range c.args {
		if text := strings.TrimSpace(w.Text); strings.HasPrefix(text, ".sh") || strings.HasPrefix(text, ".sy") || strings.Contains(text, "load_extension") {
			a.evaluates(c.name)
		}
	}
}
