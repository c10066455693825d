package program

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify/finding"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// languages are the interpreters of languages that are not looked into.
func languages() []Row {
	return []Row{
		{names: "python", versions: true, does: hidden, alone: "--version -V --help -version", judge: language}, // -v starts it
		{
			names: "pypy ruby perl lua luajit deno bun tclsh wish rscript julia java jshell groovy scala " +
				"kotlin guile racket sbcl clisp ghci runghc ocaml erl escript elixir iex swift raku ipython irb ts-node tsx bc dc octave gnuplot m4",
			versions: true, does: hidden, alone: "--version -V -v --help -version", judge: language,
		},
		{names: "node nodejs", versions: true, does: hidden, alone: "--version -v --help", judge: language, asks: options{"c", "check"}},
		{names: "php", versions: true, does: hidden, alone: "--version -v --help -m -i", judge: language, asks: options{"l", "syntax-check"}},
	}
}

// editors wait for a person and run commands of their own.
func editors() []Row {
	return []Row{
		{names: "vim vi nvim ex view vimdiff gvim emacs nano ed red pico micro hx kak joe", judge: editor},
	}
}

// databases are clients that work on a database.
func databases() []Row {
	return []Row{
		{names: "psql mysql mariadb mongosh mongo redis-cli sqlplus clickhouse-client cqlsh influx", does: database, operands: words},
		{names: "sqlite3", does: hidden, judge: sqlite, shows: showsSchema},
		{names: "duckdb", does: hidden, judge: sqlite},
	}
}

// language judges an interpreter: it hides what a program does that is named or
// written out, and cannot be judged when the program comes from elsewhere.
func language(c Call) (f findings) {
	code, valued := optionsOf(c.Name)
	for i := 0; i < len(c.Args); i++ {
		switch w := c.Args[i]; {
		case i == 0 && w.MayBeOption():
			f.computedProgram(c.Name, w)
			return f
		case w.Text == "-": // what follows are the arguments of what is fed
			f = append(f, interprets(c)...)
			return f
		case word.Listed("deno bun", c.Name) && w.Text == "run":
		case !dashed(w):
			f.starts(w)
			return f
		case w.Text == "-m": // a module
			if i+2 < len(c.Args) && c.Args[i+1].Text == "pip" {
				f.run(c.Args[i+1:])
			}
			return f
		case word.Listed(code, w.Text):
			if i+1 < len(c.Args) && !c.Args[i+1].Lit {
				f.computedProgram(c.Name, c.Args[i+1])
			}
			return f
		case word.Listed(valued, w.Text) && i+1 < len(c.Args):
			i++
			f.starts(c.Args[i]) // -r and its like load one
		}
	}
	f = append(f, interprets(c)...)
	return f
}

// interprets judges an interpreter that takes its program from its input.
func interprets(c Call) (f findings) {
	switch {
	case c.Name == "bc": // it starts no programs
	case c.In.Kind == FileInput && c.In.File.Known():
		f.starts(c.In.File)
	case c.In.Kind == CommandInput, c.In.Kind == FileInput:
		f.runsInput(c.Name)
	}
	return f
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

func editor(c Call) (f findings) {
	f.raise(policy.Write, finding.Opaque, fault.T("%s edits files and waits for a person", c.Name))
	for _, w := range c.Args {
		switch {
		case !w.Known(), len(w.Text) > 1 && strings.IndexByte("-+!", w.Text[0]) >= 0:
			f.evaluates(c.Name)
		default:
			f.writes(w)
		}
	}
	if c.In.Kind != NoInput {
		f.evaluates(c.Name)
	}
	return f
}

// showsSchema reports whether sqlite3 only lists what is in a file. It makes one that is not
// there.
func showsSchema(c Call) bool {
	at := 0
	for at < len(c.Args) && word.Listed("-readonly -batch -header -noheader -csv -json -line -list -column -table -markdown", c.Args[at].Text) {
		at++
	}
	return len(c.Args) == at+2 && !dashed(c.Args[at]) && (c.Files.SurelyExists(c.Args[at]) || hasOption(c.Args[:at], "-readonly")) &&
		c.Args[at].Known() && c.Args[at+1].Known() &&
		word.Listed(".schema .tables .indexes .indices .databases .dump .fullschema", c.Args[at+1].Text)
}

// sqlite finds the commands .shell and .system, and extensions.
func sqlite(c Call) (f findings) {
	for _, w := range c.Args {
		if text := strings.TrimSpace(w.Text); strings.HasPrefix(text, ".sh") || strings.HasPrefix(text, ".sy") || strings.Contains(text, "load_extension") {
			f.evaluates(c.Name)
		}
	}
	return f
}
