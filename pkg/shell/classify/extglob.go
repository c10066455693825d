package classify

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/helve-dev/helve/pkg/fault"
)

// extendedGlob judges a pattern such as @(a|$(cmd)), of which the parser keeps
// only the text. The shell expands what is in it.
func (w *walker) extendedGlob(g *syntax.ExtGlob) {
	a, text := w.a, g.Pattern.Value
	if !strings.ContainsAny(text, "$`'\"\\()<>\n") {
		return
	}
	p, err := syntax.NewParser().Document(strings.NewReader(text))
	if err != nil || !endsAlike(text) {
		a.raise(Destructive, Obfuscated, fault.T("the pattern %s cannot be followed", g.Op.String()+text+")"))
		return
	}
	outer := a.src
	a.src = text
	(&walker{a: a, dialect: w.dialect, defined: w.defined}).walk(p)
	a.src = outer
}

// endsAlike reports whether the shell sees the end of an extended glob where the
// parser does, which counts every parenthesis: also one that is quoted, or part of
// a parameter.
func endsAlike(pattern string) bool {
	if strings.ContainsAny(pattern, "`\n") || strings.Contains(pattern, "$'") || strings.Contains(pattern, `$"`) ||
		strings.Contains(pattern, "<(") || strings.Contains(pattern, ">(") ||
		strings.Contains(pattern, "${") && strings.ContainsAny(pattern, "()") {
		return false
	}
	quote := byte(0)
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\' && quote != '\'':
			if i++; i == len(pattern) || strings.IndexByte(`()'"`, pattern[i]) >= 0 {
				return false
			}
		case quote != 0 && (c == '(' || c == ')'):
			return false
		case c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		}
	}
	return quote == 0
}
