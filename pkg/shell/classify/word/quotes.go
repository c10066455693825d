package word

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// The parser and a shell take some text differently: one of them quotes it, the other
// one expands it. Where both may be right, the command cannot be judged.

// Ambiguous returns the texts among the parts of a word that the parser kept as text and
// of which the shell may still run something: a process substitution in the pattern of =~
// or in ${...}, for example. In a POSIX shell $'...' may be two things.
func Ambiguous(parts []syntax.WordPart, posix bool) []string {
	var texts []string
	for i, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			if startsCommand(p.Value) {
				texts = append(texts, p.Value)
			}
		case *syntax.SglQuoted:
			if before, ok := LiteralPart(parts, i-1); ok && posix && strings.HasSuffix(before, "$") && strings.Contains(p.Value, `\`) {
				texts = append(texts, "$'"+p.Value+"'")
			}
		}
	}
	return texts
}

// LiteralPart returns the text of the i-th part, if it is one.
func LiteralPart(parts []syntax.WordPart, i int) (string, bool) {
	if i < 0 {
		return "", false
	}
	l, ok := parts[i].(*syntax.Lit)
	if !ok {
		return "", false
	}
	return l.Value, true
}

// startsCommand reports whether unquoted text holds the beginning of a
// substitution that no backslash quotes.
func startsCommand(text string) bool {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '`', strings.IndexByte("$<>", c) >= 0 && i+1 < len(text) && text[i+1] == '(', c == '$' && i+1 < len(text) && text[i+1] == '{':
			return true
		}
	}
	return false
}

// AmbiguousQuoted returns the ambiguous texts in the parameters among the parts of a text
// in double quotes, of a here-document or of an expression. In "${x:-'a'}" the single
// quotes quote for the parser and are text for the shell, so they may hold nothing that
// would mean something else then.
func AmbiguousQuoted(parts []syntax.WordPart) []string {
	var texts []string
	for _, part := range parts {
		p, ok := part.(*syntax.ParamExp)
		if !ok {
			continue
		}
		var words [3]*syntax.Word
		if p.Exp != nil {
			words[0] = p.Exp.Word
		}
		if p.Repl != nil {
			words[1], words[2] = p.Repl.Orig, p.Repl.With
		}
		for _, w := range words {
			if w != nil {
				texts = append(texts, quotesWithin(w.Parts)...)
			}
		}
	}
	return texts
}

// quotesWithin returns the ambiguous texts of a word in ${...} that is in double quotes
// itself.
func quotesWithin(parts []syntax.WordPart) []string {
	var texts []string
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.SglQuoted:
			if strings.ContainsAny(p.Value, "$`\"\\{}()<>\n") {
				texts = append(texts, "'"+p.Value+"'")
			}
		case *syntax.DblQuoted:
			for _, q := range p.Parts {
				if l, ok := q.(*syntax.Lit); ok && strings.ContainsAny(l.Value, `'{}`) {
					texts = append(texts, `"`+l.Value+`"`)
				}
			}
		}
	}
	return append(texts, AmbiguousQuoted(Flat(nil, parts))...)
}

// Flat appends the parts of a word, with those of double quotes in their place.
func Flat(to, parts []syntax.WordPart) []syntax.WordPart {
	for _, p := range parts {
		if q, ok := p.(*syntax.DblQuoted); ok && !q.Dollar {
			to = Flat(to, q.Parts)
		} else {
			to = append(to, p)
		}
	}
	return to
}

// EndsAlike reports whether the shell sees the end of an extended glob where the
// parser does, which counts every parenthesis: also one that is quoted, or part of
// a parameter.
func EndsAlike(pattern string) bool {
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
