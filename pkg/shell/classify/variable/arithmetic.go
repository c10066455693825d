package variable

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify/finding"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// Arithmetic notes the variables in an expression: bash evaluates their values as
// expressions too, and runs a command substitution in a subscript of one. See
// "Shell Arithmetic" in the bash manual.
func (s *State) Arithmetic(x syntax.ArithmExpr) (f []finding.Finding) {
	if x == nil {
		return nil
	}
	const by = "$((...))"
	syntax.Walk(x, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Word:
			f = append(f, s.joins(n)...)
			f = append(f, finding.Ambiguous(word.AmbiguousQuoted(n.Parts))...)
		case *syntax.SglQuoted:
			if n.Dollar {
				f = append(f, finding.Evaluates(by))
			}
			f = append(f, s.Expression(by, n.Value)...)
		case *syntax.Lit:
			f = append(f, s.Expression(by, n.Value)...)
		case *syntax.ParamExp:
			if isNumber(n) {
				return false
			}
			if n.Param != nil {
				f = append(f, s.number(n.Param.Value)...)
			}
		case *syntax.CmdSubst, *syntax.ProcSubst:
			if v, ok := printsNumber(n); ok {
				f = append(f, s.number(v.names[0])...)
				return false
			}
			f = append(f, finding.Of(policy.Write, finding.Opaque, fault.T("the output of a command is evaluated as an arithmetic expression")))
			return false
		}
		return true
	})
	return f
}

// joins notes the variables whose values are put together with other text before
// they are evaluated: a part of a name or an operator may be in each.
func (s *State) joins(w *syntax.Word) (f []finding.Finding) {
	parts := word.Flat(nil, w.Parts)
	if len(parts) < 2 {
		return nil
	}
	for i, part := range parts {
		if p, ok := part.(*syntax.ParamExp); ok && p.Param != nil {
			s.joined.add(canonical(p.Param.Value))
		}
		if before, ok := word.LiteralPart(parts, i-1); ok && expands(part) && endsInName(before) {
			f = append(f, finding.EvaluatesComputed("$((...))")) // even a number makes another name of it
		}
	}
	return f
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
func (s *State) number(name string) []finding.Finding {
	s.evaluate(name)
	return s.Decides(name, word.Word{})
}

// Comparison judges [[ x -eq y ]], whose sides are evaluated like arithmetic.
func (s *State) Comparison(t *syntax.BinaryTest) (f []finding.Finding) {
	switch t.Op {
	case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
	default:
		return nil
	}
	for _, side := range [...]syntax.TestExpr{t.X, t.Y} {
		if w, ok := side.(*syntax.Word); ok {
			f = append(f, s.Arithmetic(w)...)
		}
	}
	return f
}

// Parameter judges ${...}.
func (s *State) Parameter(p *syntax.ParamExp) (f []finding.Finding) {
	name := ""
	if p.Param != nil {
		name = p.Param.Value
	}
	f = append(f, s.Arithmetic(p.Index)...)
	if p.Slice != nil {
		f = append(f, s.Arithmetic(p.Slice.Offset)...)
		f = append(f, s.Arithmetic(p.Slice.Length)...)
	}
	switch {
	case p.Excl && p.Names == 0 && !keysOf(p):
		f = append(f, finding.Of(policy.Destructive, finding.Obfuscated, fault.T("${!%s} uses the value of a variable as the name of another", name)))
	case p.Flags != nil || p.NestedParam != nil || len(p.Modifiers) > 0:
		f = append(f, finding.Evaluates("${"+name+"}"))
	case p.Exp == nil:
	case p.Exp.Op == syntax.AssignUnset || p.Exp.Op == syntax.AssignUnsetOrNull:
		f = append(f, finding.Of(policy.Destructive, finding.Obfuscated, fault.T("${%s=...} sets a variable from within a word", name)))
		f = append(f, s.Decides(name, word.Word{})...)
	case p.Exp.Op == syntax.OtherParamOps && transforms(p.Exp.Word):
		f = append(f, finding.Of(policy.Destructive, finding.Obfuscated, fault.T("${%s@P} evaluates the value of a variable", name)))
	}
	return f
}

// transforms reports whether the operator of ${x@op} evaluates the value.
func transforms(op *syntax.Word) bool { return !word.Listed("Q U u L a K k E A", op.Lit()) }

// keysOf reports whether p is ${!array[@]}.
func keysOf(p *syntax.ParamExp) bool {
	w, ok := p.Index.(*syntax.Word)
	return ok && (w.Lit() == "@" || w.Lit() == "*")
}

// Let judges let. Its arguments are words: outside of quotes, what the parser
// takes for an operator of the expression is a pipe, a list or a redirection.
func (s *State) Let(n *syntax.LetClause) (f []finding.Finding) {
	for _, x := range n.Exprs {
		syntax.Walk(x, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.BinaryArithm:
				if strings.ContainsAny(n.Op.String(), "|&<>") {
					f = append(f, finding.Evaluates("let"))
				}
			case *syntax.ParenArithm:
				f = append(f, finding.Evaluates("let"))
			case *syntax.Word:
				return false
			}
			return true
		})
		f = append(f, s.Arithmetic(x)...)
	}
	return f
}
