package classify

import (
	"cmp"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/classify/finding"
	"github.com/helve-dev/helve/pkg/shell/classify/program"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// maxNesting limits the commands within commands, as in sh -c 'sh -c ...', that are
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
	stack    []program.Input                // input of each node above
	feeds    map[*syntax.Stmt]program.Input // input of the statements behind a pipe
	document *syntax.Word                   // the here-document of the last redirection
	defined  []string                       // functions that are certainly defined
}

func (w *walker) walk(root syntax.Node) {
	syntax.Walk(root, func(n syntax.Node) bool {
		if n == nil {
			w.stack = w.stack[:len(w.stack)-1]
			return true
		}
		var in program.Input
		if len(w.stack) > 0 {
			in = w.stack[len(w.stack)-1]
		}
		w.stack = append(w.stack, w.visit(n, in))
		return true
	})
}

// visit judges a node and returns the input of the nodes in it.
func (w *walker) visit(n syntax.Node, in program.Input) program.Input {
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
		in = program.Input{Kind: program.CommandInput} // it may be called with any input
	case *syntax.WhileClause, *syntax.ForClause:
		a.loseDirectory(n)
	case *syntax.CallExpr:
		w.call(n, in)
	case *syntax.DeclClause:
		w.declare(n)
	case *syntax.LetClause:
		a.note(a.vars.Let(n))
	case *syntax.ProcSubst:
		if n.Op == syntax.CmdOut { // what is written to it is its input
			in = program.Input{Kind: program.CommandInput}
		}
	case *syntax.Redirect:
		w.document = n.Hdoc
	case *syntax.Word:
		if n == w.document {
			a.note(finding.Ambiguous(word.AmbiguousQuoted(n.Parts)))
		} else {
			a.note(finding.Ambiguous(word.Ambiguous(n.Parts, w.dialect == POSIX)))
		}
	case *syntax.DblQuoted:
		a.note(finding.Ambiguous(word.AmbiguousQuoted(n.Parts)))
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
		a.note(a.vars.Loop(n))
	case *syntax.CStyleLoop:
		for _, x := range [...]syntax.ArithmExpr{n.Init, n.Cond, n.Post} {
			a.note(a.vars.Arithmetic(x))
		}
	case *syntax.ArithmCmd:
		a.note(a.vars.Arithmetic(n.X))
	case *syntax.ArithmExp:
		a.note(a.vars.Arithmetic(n.X))
	case *syntax.ParamExp:
		a.note(a.vars.Parameter(n))
	case *syntax.BinaryTest:
		a.note(a.vars.Comparison(n))
	case *syntax.UnaryTest:
		if x, ok := n.X.(*syntax.Word); ok && n.Op == syntax.TsVarSet {
			a.note(a.vars.Name("[[ -v", a.reader().Word(x)))
		}
	case *syntax.ExtGlob:
		w.extendedGlob(n)
	case *syntax.CmdSubst:
		if n.Backquotes {
			a.backquotes(n)
		}
	}
}

// backquotes judges `...`, in which backslashes are removed once more than
// elsewhere. The shell ends it at the next backquote, also at one in quotes.
func (a *analysis) backquotes(n *syntax.CmdSubst) {
	inner := a.reader().Source(n.Pos(), n.End())
	if strings.Count(inner, "`") > 2 {
		a.raise(Destructive, Obfuscated, fault.T("backquotes within backquotes cannot be followed: use $(...)"))
		return
	}
	for i := 0; i+1 < len(inner); i++ {
		if inner[i] == '\\' && strings.IndexByte("\\$`", inner[i+1]) >= 0 {
			a.raise(Destructive, Obfuscated, fault.T("escapes within backquotes cannot be followed: use $(...)"))
			return
		}
	}
}

// extendedGlob judges a pattern such as @(a|$(cmd)), of which the parser keeps
// only the text. The shell expands what is in it.
func (w *walker) extendedGlob(g *syntax.ExtGlob) {
	a, text := w.a, g.Pattern.Value
	if !strings.ContainsAny(text, "$`'\"\\()<>\n") {
		return
	}
	p, err := syntax.NewParser().Document(strings.NewReader(text))
	if err != nil || !word.EndsAlike(text) {
		a.raise(Destructive, Obfuscated, fault.T("the pattern %s cannot be followed", g.Op.String()+text+")"))
		return
	}
	outer := a.src
	a.src = text
	(&walker{a: a, dialect: w.dialect, defined: w.defined}).walk(p)
	a.src = outer
}

// stmt judges what is around a command and returns the input of the command.
func (w *walker) stmt(s *syntax.Stmt, in program.Input) program.Input {
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
		w.feeds = map[*syntax.Stmt]program.Input{}
	}
	w.feeds[n.Y] = program.Input{Kind: program.CommandInput}
}

// function notes a function. Its body is judged where it is written, so a call
// adds nothing.
func (w *walker) function(f *syntax.FuncDecl) {
	a := w.a
	a.loseDirectory(f)
	if f.Name != nil {
		a.vars.Function(f.Name.Value)
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
func (w *walker) call(c *syntax.CallExpr, in program.Input) {
	a, r := w.a, w.a.reader()
	before := ""
	if len(c.Args) > 0 {
		before = cmp.Or(r.Word(c.Args[0]).Text, "?") // an empty name is one
	}
	for _, s := range c.Assigns {
		a.note(a.vars.Assignment(s, r, before))
	}
	if len(c.Args) == 0 {
		return
	}
	argv := make([]word.Word, len(c.Args))
	for i, arg := range c.Args {
		argv[i] = r.Word(arg)
	}
	a.vars.Call(argv[0].Text, c.Args[1:])
	a.command(argv, a.context(w.dialect, in, w.defined...))
}

// declare judges declare, export, local, readonly, typeset and nameref.
func (w *walker) declare(d *syntax.DeclClause) {
	a := w.a
	r := a.reader()
	shown := []word.Word{word.Literal(d.Variant.Value)}
	var args []word.Word
	for _, s := range d.Args {
		if s.Name == nil { // an option, or a word that becomes something
			if s.Value != nil {
				shown = append(shown, r.Word(s.Value))
				args = append(args, r.Word(s.Value))
			}
			continue
		}
		a.note(a.vars.Assignment(s, r, ""))
		name := word.Word{Text: s.Name.Value, Source: s.Name.Value, Lit: true}
		shown = append(shown, name)
		if s.Value != nil {
			v := r.Word(s.Value)
			name.Text += "=" + v.Text
			name.Source += "=" + v.Source
			name.Lit = v.Lit
		}
		args = append(args, name)
	}
	defer a.show(shown)()
	a.note(a.vars.Declaration(d.Variant.Value, args))
}
