package classify

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// arithmetic notes the variables in an expression: bash evaluates their values as
// expressions too, and runs a command substitution in a subscript of one. See
// "Shell Arithmetic" in the bash manual.
func (a *analysis) arithmetic(x syntax.ArithmExpr) {
	if x == nil {
		return
	}
	const by = "$((...))"
	syntax.Walk(x, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Word:
			a.joins(n)
			a.withinQuotes(n.Parts)
		case *syntax.SglQuoted:
			if n.Dollar {
				a.evaluates(by)
			}
			a.evaluateText(by, n.Value)
		case *syntax.Lit:
			a.evaluateText(by, n.Value)
		case *syntax.ParamExp:
			if isNumber(n) {
				return false
			}
			if n.Param != nil {
				a.number(n.Param.Value)
			}
		case *syntax.CmdSubst, *syntax.ProcSubst:
			if v, ok := printsNumber(n); ok {
				a.number(v.names[0])
				return false
			}
			a.raise(Write, Opaque, fault.T("the output of a command is evaluated as an arithmetic expression"))
			return false
		}
		return true
	})
}

// joins notes the variables whose values are put together with other text before
// they are evaluated: a part of a name or an operator may be in each.
func (a *analysis) joins(w *syntax.Word) {
	parts := flat(nil, w.Parts)
	if len(parts) < 2 {
		return
	}
	for i, part := range parts {
		if p, ok := part.(*syntax.ParamExp); ok && p.Param != nil {
			a.joined[variable(p.Param.Value)] = true
		}
		if before, ok := literal(parts, i-1); ok && expands(part) && endsInName(before) {
			a.evaluatesComputed("$((...))") // even a number makes another name of it
		}
	}
}

func expands(part syntax.WordPart) bool {
	switch part.(type) {
	case *syntax.ParamExp, *syntax.ArithmExp, *syntax.CmdSubst:
		return true
	}
	return false
}

// endsInName reports whether text ends in the name of a variable, or in a part of one.
func endsInName(text string) bool {
	rest := strings.TrimRight(text, "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
	return strings.Trim(text[len(rest):], "0123456789") != "" && (text[len(rest)] < '0' || text[len(rest)] > '9')
}

// number notes a variable in an expression, which may also set it.
func (a *analysis) number(name string) {
	a.setsVariable(name, word.Word{})
	a.evaluate(name)
}

// comparison judges [[ x -eq y ]], whose sides are evaluated like arithmetic.
func (a *analysis) comparison(t *syntax.BinaryTest) {
	switch t.Op {
	case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
	default:
		return
	}
	for _, side := range [...]syntax.TestExpr{t.X, t.Y} {
		if w, ok := side.(*syntax.Word); ok {
			a.arithmetic(w)
		}
	}
}

// parameter judges ${...}.
func (a *analysis) parameter(p *syntax.ParamExp) {
	name := ""
	if p.Param != nil {
		name = p.Param.Value
	}
	a.arithmetic(p.Index)
	if p.Slice != nil {
		a.arithmetic(p.Slice.Offset)
		a.arithmetic(p.Slice.Length)
	}
	switch {
	case p.Excl && p.Names == 0 && !keysOf(p):
		a.raise(Destructive, Obfuscated, fault.T("${!%s} uses the value of a variable as the name of another", name))
	case p.Flags != nil || p.NestedParam != nil || len(p.Modifiers) > 0:
		a.evaluates("${" + name + "}")
	case p.Exp == nil:
	case p.Exp.Op == syntax.AssignUnset || p.Exp.Op == syntax.AssignUnsetOrNull:
		a.raise(Destructive, Obfuscated, fault.T("${%s=...} sets a variable from within a word", name))
		a.setsVariable(name, word.Word{})
	case p.Exp.Op == syntax.OtherParamOps && a.transforms(p.Exp.Word):
		a.raise(Destructive, Obfuscated, fault.T("${%s@P} evaluates the value of a variable", name))
	}
}

// transforms reports whether the operator of ${x@op} evaluates the value.
func (a *analysis) transforms(op *syntax.Word) bool {
	switch l := op.Lit(); l {
	case "Q", "U", "u", "L", "a", "K", "k", "E", "A":
		return false
	}
	return true
}

// keysOf reports whether p is ${!array[@]}.
func keysOf(p *syntax.ParamExp) bool {
	w, ok := p.Index.(*syntax.Word)
	return ok && (w.Lit() == "@" || w.Lit() == "*")
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

// letClause judges let. Its arguments are words: outside of quotes, what the parser
// takes for an operator of the expression is a pipe, a list or a redirection.
func (a *analysis) letClause(n *syntax.LetClause) {
	for _, x := range n.Exprs {
		syntax.Walk(x, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.BinaryArithm:
				if strings.ContainsAny(n.Op.String(), "|&<>") {
					a.evaluates("let")
				}
			case *syntax.ParenArithm:
				a.evaluates("let")
			case *syntax.Word:
				return false
			}
			return true
		})
		a.arithmetic(x)
	}
}
