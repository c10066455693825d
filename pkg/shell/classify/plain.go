package classify

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/helve-dev/helve/pkg/shell/classify/program"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// plainScript reports whether zsh takes a script as bash does: simple commands in
// lists and pipes, of words in which nothing is expanded, and programs that are
// files, or builtins that do the same in both. Anything else may differ: zsh
// evaluates the arguments of printf and test, for example.
func plainScript(f *syntax.File) bool {
	for _, s := range f.Stmts {
		if !plainStatement(s) {
			return false
		}
	}
	return true
}

func plainStatement(s *syntax.Stmt) bool {
	if s.Background || s.Coprocess || s.Disown || s.Negated {
		return false
	}
	for _, r := range s.Redirs {
		if r.Hdoc != nil || r.N != nil && strings.Trim(r.N.Value, "0123456789") != "" || !plainWord(r.Word) {
			return false
		}
	}
	switch c := s.Cmd.(type) {
	case *syntax.BinaryCmd:
		return c.Op != syntax.PipeAll && plainStatement(c.X) && plainStatement(c.Y)
	case *syntax.CallExpr:
		if len(c.Assigns) > 0 || len(c.Args) == 0 {
			return false
		}
		for _, w := range c.Args {
			if !plainWord(w) {
				return false
			}
		}
		name := (word.Reader{}).Word(c.Args[0]).Text
		p := program.Lookup(name)
		return p != nil && !p.Builtin() || word.Listed("echo pwd cd true false", name)
	}
	return false
}

// plainWord reports whether no shell expands anything in a word.
func plainWord(w *syntax.Word) bool {
	for i, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			if strings.Trim(p.Value, plainBytes) != "" || i == 0 && strings.HasPrefix(p.Value, "=") {
				return false
			}
		case *syntax.SglQuoted:
			if p.Dollar {
				return false
			}
		case *syntax.DblQuoted:
			for _, q := range p.Parts {
				if l, ok := q.(*syntax.Lit); p.Dollar || !ok || strings.ContainsAny(l.Value, "\\!") {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// plainBytes mean themselves without quotes.
const plainBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,:@%+-="
