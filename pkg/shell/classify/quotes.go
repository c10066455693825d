package classify

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/helve-dev/helve/pkg/fault"
)

// What the parser and a shell take differently: text that one of them quotes and
// the other one expands. Where both may be right, the command cannot be judged.

// leftovers judges the parts of a word that the parser kept as text, of which the
// shell may still run something: a process substitution in the pattern of =~ or in
// ${...}, for example. In a POSIX shell $'...' may be two things.
func (w *walker) leftovers(parts []syntax.WordPart) {
	for i, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			if startsCommand(p.Value) {
				w.a.misread(p.Value)
			}
		case *syntax.SglQuoted:
			if before, ok := literal(parts, i-1); ok && strings.HasSuffix(before, "$") && w.dialect == POSIX && strings.Contains(p.Value, `\`) {
				w.a.misread("$'" + p.Value + "'")
			}
		}
	}
}

// literal returns the text of the i-th part, if it is one.
func literal(parts []syntax.WordPart, i int) (string, bool) {
	if i < 0 {
		return "", false
	}
	l, ok := parts[i].(*syntax.Lit)
	if !ok {
		return "", false
	}
	return l.Value, true
}

func (a *analysis) misread(text string) {
	a.raise(Destructive, Obfuscated, fault.T("shells differ about what %s means", text))
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

// withinQuotes judges the parameters among the parts of a text in double quotes, of
// a here-document or of an expression. In "${x:-'a'}" the single quotes quote for
// the parser and are text for the shell, so they may hold nothing that would mean
// something else then.
func (a *analysis) withinQuotes(parts []syntax.WordPart) {
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
				a.quotesWithin(w.Parts)
			}
		}
	}
}

// quotesWithin judges the parts of a word in ${...} that is in double quotes itself.
func (a *analysis) quotesWithin(parts []syntax.WordPart) {
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.SglQuoted:
			if strings.ContainsAny(p.Value, "$`\"\\{}()<>\n") {
				a.misread("'" + p.Value + "'")
			}
		case *syntax.DblQuoted:
			for _, q := range p.Parts {
				if l, ok := q.(*syntax.Lit); ok && strings.ContainsAny(l.Value, `'{}`) {
					a.misread(`"` + l.Value + `"`)
				}
			}
		}
	}
	a.withinQuotes(flat(nil, parts))
}
