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
	code, valued := optionsOf(c.name)
	for i := 0; i < len(c.args); i++ {
		switch w := c.args[i]; {
		case i == 0 && w.MayBeOption():
			a.computedProgram(c.name, w)
			return
		case w.Text == "-": // what follows are the arguments of what is fed
			a.interprets(c)
			return
		case hasField("deno bun", c.name) && w.Text == "run":
		case !dashed(w):
			a.startsFile(w)
			return
		case w.Text == "-m": // a module
			return
		case hasField(code, w.Text):
			if i+1 < len(c.args) && !c.args[i+1].Lit {
				a.computedProgram(c.name, c.args[i+1])
			}
			return
		case hasField(valued, w.Text) && i+1 < len(c.args):
			i++
			a.startsFile(c.args[i]) // -r and its like load one
		}
	}
	a.interprets(c)
}

// interprets judges an interpreter that takes its program from its input.
func (a *analysis) interprets(c call) {
	if (c.in.kind == fromCommand || c.in.kind == fromFile) && c.name != "bc" { // bc starts no programs
		a.runsInput(c.name)
	}
}

// optionsOf returns the options of an interpreter behind which a program follows, and
// those behind which another value does.
func optionsOf(language string) (code, valued string) {
	switch strings.TrimRight(language, "0123456789.") {
	case "python", "pypy", "ipython":
		return "-c", "-W -X"
	case "node", "nodejs", "ts-node", "tsx", "bun":
		return "-e -p -pe --eval --print", "-r --require --import"
	case "perl":
		return "-e -E -pe -ne -le -lne", "-I"
	case "ruby":
		return "-e -pe -ne -le -lne", "-I -r"
	case "php":
		return "-r", "-d -c"
	}
	return "-c -e -E -r -p --eval --print", ""
}

func (a *analysis) computedProgram(name string, w word.Word) {
	a.raise(Destructive, Obfuscated, fault.T("%s is given a computed program: %s", name, w.Source))
}

func (a *analysis) editor(c call) {
	a.raise(Write, Opaque, fault.T("%s edits files and waits for a person", c.name))
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
