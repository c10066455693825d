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

// feed is what a command finds on its standard input.
type feed struct {
	kind feedKind
	text string // of a here-document or here-string
}

type feedKind int

const (
	fromNothing feedKind = iota // an empty input
	fromText                    // literal text
	fromCommand                 // the output of another command, or text with expansions
	fromFile                    // a file
)

// source judges a command line or the text of a script.
func (a *analysis) source(src string, d Dialect) {
	if a.depth >= maxNesting {
		a.raise(Destructive, TooComplex, fault.T("commands within commands are nested deeper than %d", "命令嵌套超过 %d 层", maxNesting))
		return
	}
	if !a.precheck(src) {
		return
	}
	lang := syntax.LangBash
	switch d {
	case POSIX:
		lang = syntax.LangPOSIX
	case Zsh, Other:
		a.raise(Write, Unparsed, fault.T("this shell's grammar is not known here", "无法解析该 shell 的语法"))
		a.flag(Opaque)
	}
	parsed, err := syntax.NewParser(syntax.Variant(lang)).Parse(strings.NewReader(src), "")
	if err != nil {
		a.raise(Destructive, Syntax, fault.T("the shell would not understand the command as it is", "命令存在语法错误，无法判断"))
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

// walker visits every node of a script, however deep in words, here-documents,
// arithmetic or subscripts, so that no place is forgotten.
type walker struct {
	a       *analysis
	dialect Dialect
	stack   []frame
	feeds   map[*syntax.Stmt]feed // of the statements that a pipe leads to
	defined []string              // functions that are surely defined
}

type frame struct {
	node syntax.Node
	in   feed
}

func (w *walker) walk(root syntax.Node) {
	syntax.Walk(root, func(n syntax.Node) bool {
		if n == nil {
			w.stack = w.stack[:len(w.stack)-1]
			return true
		}
		f := frame{node: n}
		if len(w.stack) > 0 {
			f.in = w.stack[len(w.stack)-1].in
		}
		w.stack = append(w.stack, w.visit(n, f))
		return true
	})
}

func (w *walker) visit(n syntax.Node, f frame) frame {
	a := w.a
	switch n := n.(type) {
	case *syntax.Stmt:
		f.in = w.stmt(n, f.in)
	case *syntax.BinaryCmd:
		if n.Op == syntax.Pipe || n.Op == syntax.PipeAll {
			w.pipe(n)
		}
	case *syntax.FuncDecl:
		w.function(n)
		f.in = feed{kind: fromCommand} // whatever is there when it is called
	case *syntax.WhileClause, *syntax.ForClause:
		a.loseDirectory(n)
	case *syntax.CallExpr:
		w.call(n, f.in)
	case *syntax.DeclClause:
		w.declare(n)
	case *syntax.LetClause:
		for _, x := range n.Exprs {
			a.arithmetic(x)
		}
	case *syntax.ProcSubst:
		if n.Op == syntax.CmdOut { // it is fed what is written there
			f.in = feed{kind: fromCommand}
		}
	case *syntax.CoprocClause:
		// Which words are its name and which the command is not decided alike.
		a.raise(Destructive, Background, fault.T("coproc runs a process in the background", "coproc 会在后台运行进程"))
	}
	w.expand(n)
	return f
}

// expand judges the nodes by which words are computed.
func (w *walker) expand(n syntax.Node) {
	a := w.a
	switch n := n.(type) {
	case *syntax.WordIter:
		a.setsVariable(n.Name.Value, word.Word{})
		a.assign(n.Name.Value, kindOfAll(n.Items))
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
	case *syntax.CmdSubst:
		if n.Backquotes {
			a.backquotes(n)
		}
	}
}

// stmt judges what is around a command and gives its input.
func (w *walker) stmt(s *syntax.Stmt, in feed) feed {
	a := w.a
	if s.Background || s.Coprocess || s.Disown {
		a.raise(Write, Background, fault.T("a command is left running in the background", "有命令留在后台运行"))
	}
	if piped, ok := w.feeds[s]; ok {
		in = piped
	}
	for _, r := range s.Redirs {
		in = w.redirect(s, r, in)
	}
	return in
}

func (w *walker) redirect(s *syntax.Stmt, r *syntax.Redirect, in feed) feed {
	a := w.a
	if r.N != nil && strings.HasPrefix(r.N.Value, "{") { // the variable gets the descriptor
		a.setsVariable(strings.Trim(r.N.Value, "{}"), word.Word{})
	}
	target := a.reader().Word(r.Word)
	if a.specialPath(target) {
		return in
	}
	switch r.Op {
	case syntax.RdrIn:
		a.reads(target)
		return feed{kind: fromFile}
	case syntax.Hdoc, syntax.DashHdoc:
		return a.document(r)
	case syntax.WordHdoc:
		if target.Lit {
			return feed{kind: fromText, text: target.Text}
		}
		return feed{kind: fromCommand}
	case syntax.DplIn:
		return in
	case syntax.DplOut:
		if duplicates(target) {
			return in
		}
	}
	// What is left opens a file for writing.
	if r.Op != syntax.AppOut && r.Op != syntax.AppAll && a.emptiesOnly(s) {
		a.raise(Destructive, "", fault.T("the redirection empties %s", "该重定向会清空 %s", target.Source))
	}
	a.writes(target)
	return in
}

// duplicates reports whether the target of >& is a descriptor.
func duplicates(w word.Word) bool {
	return w.Known() && w.Text != "" && strings.Trim(w.Text, "0123456789-") == ""
}

// emptiesOnly reports whether nothing is written by the statement whose output
// is redirected.
func (a *analysis) emptiesOnly(s *syntax.Stmt) bool {
	if s.Cmd == nil {
		return true
	}
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok {
		return false
	}
	if len(c.Args) == 0 {
		return true
	}
	name := a.reader().Word(c.Args[0]).Text
	return len(c.Args) == 1 && (name == ":" || name == "true")
}

func (a *analysis) document(r *syntax.Redirect) feed {
	if r.Hdoc == nil {
		return feed{kind: fromText}
	}
	delimiterQuoted := false
	for _, p := range r.Word.Parts {
		l, plain := p.(*syntax.Lit)
		delimiterQuoted = delimiterQuoted || !plain || strings.Contains(l.Value, `\`)
	}
	var b strings.Builder
	for _, p := range r.Hdoc.Parts {
		l, ok := p.(*syntax.Lit)
		switch {
		case !ok:
			return feed{kind: fromCommand}
		case delimiterQuoted:
			b.WriteString(l.Value)
		default:
			b.WriteString(word.UnescapeDouble(l.Value))
		}
	}
	return feed{kind: fromText, text: b.String()}
}

func (w *walker) pipe(n *syntax.BinaryCmd) {
	if w.feeds == nil {
		w.feeds = map[*syntax.Stmt]feed{}
	}
	w.feeds[n.Y] = feed{kind: fromCommand}
}

// function notes a function. Its body is judged where it stands, so that a call
// adds nothing.
func (w *walker) function(f *syntax.FuncDecl) {
	a := w.a
	a.loseDirectory(f)
	if len(w.stack) == 2 && f.Name != nil { // below a statement of the file itself
		w.defined = append(w.defined, f.Name.Value)
	}
	if f.Name != nil && isBomb(f) {
		a.forbid(fault.T("the function %s multiplies itself without end", "函数 %s 会无限自我复制", f.Name.Value))
	}
}

// isBomb reports whether f starts itself more than once or in the background.
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
	a.command(argv, context{in: in, dialect: w.dialect, functions: w.defined})
}
