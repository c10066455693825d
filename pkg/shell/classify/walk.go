package classify

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// maxNesting is how many commands within commands, as in sh -c 'sh -c ...', are
// followed. What is nested deeper is destructive.
const maxNesting = 8

// source judges a command line or the text of a script.
func (a *analysis) source(src string, d Dialect) {
	if a.depth >= maxNesting {
		a.tooNested()
		return
	}
	if !a.precheck(src) {
		return
	}
	if d == Cmd || d == PowerShell {
		a.windowsSource(src, d)
		return
	}
	lang := syntax.LangBash
	if d == POSIX {
		lang = syntax.LangPOSIX
	}
	parsed, err := syntax.NewParser(syntax.Variant(lang)).Parse(strings.NewReader(src), "")
	if d == Other || d == Zsh && (err != nil || !plainScript(parsed)) {
		a.raise(Write, Unparsed, fault.T("the grammar of this shell is not known"))
		a.flag(Opaque)
	}
	if err != nil {
		a.raise(Destructive, Syntax, fault.T("the shell cannot parse the command"))
		return
	}
	outer := a.src
	a.src = src
	a.depth++
	w := walker{a: a, dialect: d}
	w.walk(parsed)
	a.depth--
	a.src = outer
}

func (a *analysis) tooNested() {
	a.raise(Destructive, TooComplex, fault.T("commands within commands are nested deeper than %d", maxNesting))
}

// walker visits every node of a script, also those deep in words, here-documents,
// arithmetic and subscripts.
type walker struct {
	a        *analysis
	dialect  Dialect
	stack    []feed                // input of each node above
	feeds    map[*syntax.Stmt]feed // input of the statements behind a pipe
	document *syntax.Word          // the here-document of the last redirection
	defined  []string              // functions that are certainly defined
}

func (w *walker) walk(root syntax.Node) {
	syntax.Walk(root, func(n syntax.Node) bool {
		if n == nil {
			w.stack = w.stack[:len(w.stack)-1]
			return true
		}
		var in feed
		if len(w.stack) > 0 {
			in = w.stack[len(w.stack)-1]
		}
		w.stack = append(w.stack, w.visit(n, in))
		return true
	})
}

// visit judges a node and returns the input of the nodes in it.
func (w *walker) visit(n syntax.Node, in feed) feed {
	a := w.a
	switch n := n.(type) {
	case *syntax.Stmt:
		in = w.stmt(n, in)
	case *syntax.BinaryCmd:
		if n.Op == syntax.Pipe || n.Op == syntax.PipeAll {
			w.pipe(n)
		}
	case *syntax.FuncDecl:
		w.function(n)
		in = feed{kind: fromCommand} // it may be called with any input
	case *syntax.WhileClause, *syntax.ForClause:
		a.loseDirectory(n)
	case *syntax.CallExpr:
		w.call(n, in)
	case *syntax.DeclClause:
		w.declare(n)
	case *syntax.LetClause:
		a.letClause(n)
	case *syntax.ProcSubst:
		if n.Op == syntax.CmdOut { // what is written to it is its input
			in = feed{kind: fromCommand}
		}
	case *syntax.Redirect:
		w.document = n.Hdoc
	case *syntax.Word:
		if n == w.document {
			a.withinQuotes(n.Parts)
		} else {
			w.leftovers(n.Parts)
		}
	case *syntax.DblQuoted:
		a.withinQuotes(n.Parts)
	case *syntax.CoprocClause:
		// Shells differ about which words are its name and which the command.
		a.raise(Destructive, Background, fault.T("coproc runs a process in the background"))
	}
	w.expand(n)
	return in
}

// expand judges the nodes that compute words.
func (w *walker) expand(n syntax.Node) {
	a := w.a
	switch n := n.(type) {
	case *syntax.WordIter:
		a.setsVariable(n.Name.Value, word.Word{})
		values := valueOfAll(n.Items)
		if !n.InPos.IsValid() { // without "in", it goes over the positional parameters
			values = value{kind: harmless, names: []string{positional}}
		}
		a.assign(n.Name.Value, values)
	case *syntax.CStyleLoop:
		for _, x := range [...]syntax.ArithmExpr{n.Init, n.Cond, n.Post} {
			a.arithmetic(x)
		}
	case *syntax.ArithmCmd:
		a.arithmetic(n.X)
	case *syntax.ArithmExp:
		a.arithmetic(n.X)
	case *syntax.ParamExp:
		a.parameter(n)
	case *syntax.BinaryTest:
		a.comparison(n)
	case *syntax.UnaryTest:
		if x, ok := n.X.(*syntax.Word); ok && n.Op == syntax.TsVarSet {
			a.variableName("[[ -v", a.reader().Word(x))
		}
	case *syntax.ExtGlob:
		w.extendedGlob(n)
	case *syntax.CmdSubst:
		if n.Backquotes {
			a.backquotes(n)
		}
	}
}

// stmt judges what is around a command and returns the input of the command.
func (w *walker) stmt(s *syntax.Stmt, in feed) feed {
	a := w.a
	if s.Background || s.Coprocess || s.Disown {
		a.raise(Write, Background, fault.T("a command is left running in the background"))
	}
	if piped, ok := w.feeds[s]; ok {
		in = piped
	}
	for _, r := range s.Redirs {
		in = w.redirect(s, r, in)
	}
	return in
}

func (w *walker) pipe(n *syntax.BinaryCmd) {
	if w.feeds == nil {
		w.feeds = map[*syntax.Stmt]feed{}
	}
	w.feeds[n.Y] = feed{kind: fromCommand}
}

// function notes a function. Its body is judged where it is written, so a call
// adds nothing.
func (w *walker) function(f *syntax.FuncDecl) {
	a := w.a
	a.loseDirectory(f)
	if f.Name != nil {
		a.functions[f.Name.Value] = true
		a.assign(output(f.Name.Value), value{kind: unknown})
	}
	if len(w.stack) == 2 && f.Name != nil { // below a statement of the file itself
		w.defined = append(w.defined, f.Name.Value)
	}
	if f.Name != nil && isBomb(f) {
		a.forbid(fault.T("the function %s starts itself without end", f.Name.Value))
	}
}

// isBomb reports whether f starts itself in a pipe or in the background.
func isBomb(f *syntax.FuncDecl) bool {
	self, multiplies := 0, false
	syntax.Walk(f.Body, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			if len(n.Args) > 0 && (word.Reader{}).Word(n.Args[0]).Text == f.Name.Value {
				self++
			}
		case *syntax.Stmt:
			multiplies = multiplies || n.Background
		case *syntax.BinaryCmd:
			multiplies = multiplies || n.Op == syntax.Pipe || n.Op == syntax.PipeAll
		}
		return true
	})
	return self > 0 && multiplies
}

// call judges a simple command.
func (w *walker) call(c *syntax.CallExpr, in feed) {
	a := w.a
	for _, s := range c.Assigns {
		w.assignment(s)
	}
	if len(c.Args) == 0 {
		return
	}
	r := a.reader()
	argv := make([]word.Word, len(c.Args))
	for i, arg := range c.Args {
		argv[i] = r.Word(arg)
	}
	a.calls[argv[0].Text] = a.calls[argv[0].Text].with(valueOfAll(c.Args[1:]))
	if argv[0].Text == "set" {
		a.assign(positional, valueOfAll(c.Args[1:]))
	}
	a.command(argv, context{in: in, dialect: w.dialect, functions: w.defined})
}
