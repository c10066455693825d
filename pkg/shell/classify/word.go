package classify

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// hole stands in the text of a word for what an expansion will put there. The
// byte cannot come from a command, which may not contain it.
const hole = '\x00'

// word is one argument as the shell will hand it over, as far as that can be
// told.
type word struct {
	text   string // without quotes; expansions are holes
	source string // as written
	lit    bool   // there is no expansion in it
	glob   bool   // an unquoted pattern: it may become several words, or other ones
	split  bool   // an unquoted expansion or brace: it may become several words
	quoted bool   // some of it is quoted

	bracket bool // an unquoted "[" that nothing has closed yet
}

// literal is a word that means just s.
func literal(s string) word { return word{text: s, source: s, lit: true} }

// known reports whether the word is one argument that can be told.
func (w word) known() bool { return w.lit && !w.glob }

// prefix is the part of the word before what cannot be told.
func (w word) prefix() string {
	end := len(w.text)
	if i := strings.IndexByte(w.text, hole); i >= 0 {
		end = i
	}
	if w.glob {
		if i := strings.IndexAny(w.text[:end], "*?[{+@!"); i >= 0 {
			end = i
		}
	}
	return w.text[:end]
}

// mayBeOption reports whether the word might turn into an option, or into one
// among others.
func (w word) mayBeOption() bool {
	if w.known() {
		return false
	}
	p := w.prefix()
	return w.split || p == "" || p[0] == '-'
}

// reader turns the words of one source into what the shell makes of them.
type reader struct {
	src  string
	home string // what ~ and $HOME stand for, "" when unknown
	cwd  string // what $PWD stands for, "" when unknown
}

func (r reader) word(w *syntax.Word) word {
	if w == nil || len(w.Parts) == 0 {
		return word{lit: true}
	}
	out := word{lit: true, source: r.slice(w.Pos(), w.End())}
	var b strings.Builder
	for i, p := range w.Parts {
		if l, ok := p.(*syntax.Lit); ok && i == 0 && strings.HasPrefix(l.Value, "~") {
			r.tilde(&b, &out, l, len(w.Parts) == 1)
			continue
		}
		r.part(&b, &out, p, false)
	}
	out.text = b.String()
	if hasBraces(w) {
		out.lit, out.split = false, true
		if i := strings.IndexByte(out.text, '{'); i >= 0 {
			out.text = out.text[:i] + string(hole)
		}
	}
	return out
}

// tilde expands the home directory. "~name" is another person's and counts as
// a path outside of everything.
func (r reader) tilde(b *strings.Builder, out *word, l *syntax.Lit, alone bool) {
	rest := l.Value[1:]
	end := strings.IndexByte(rest, '/')
	if end < 0 {
		end = len(rest)
	}
	switch {
	case rest[:end] != "":
		b.WriteString("/home/") // a sibling of the workspace's owner, or so
		r.lit(b, out, rest)
	case end == len(rest) && !alone: // ~"x" stays as it is
		b.WriteByte('~')
	case r.home == "":
		b.WriteString(unnamedHome)
		r.lit(b, out, rest[end:])
	default:
		b.WriteString(r.home)
		r.lit(b, out, rest[end:])
	}
}

// unnamedHome stands for a home directory whose place is not told.
const unnamedHome = "/home/user"

func (r reader) part(b *strings.Builder, out *word, p syntax.WordPart, quoted bool) {
	switch p := p.(type) {
	case *syntax.Lit:
		if quoted {
			b.WriteString(unescapeQuoted(p.Value))
		} else {
			r.lit(b, out, p.Value)
		}
	case *syntax.SglQuoted:
		out.quoted = true
		if p.Dollar {
			b.WriteString(decodeANSIC(p.Value))
		} else {
			b.WriteString(p.Value)
		}
	case *syntax.DblQuoted:
		out.quoted = true
		if p.Dollar { // translated by a catalog of messages
			out.lit = false
			b.WriteByte(hole)
			return
		}
		for _, q := range p.Parts {
			r.part(b, out, q, true)
		}
	case *syntax.ParamExp:
		if v, ok := r.variable(p); ok {
			b.WriteString(v)
			return
		}
		r.expansion(b, out, quoted)
	case *syntax.ExtGlob:
		out.glob = true
		b.WriteString(p.Op.String() + p.Pattern.Value + ")")
	case *syntax.ProcSubst:
		// Its name is a path below /dev or a pipe's, never an option.
		out.lit = false
		b.WriteString("/dev/fd/")
		b.WriteByte(hole)
	default:
		r.expansion(b, out, quoted)
	}
}

func (r reader) expansion(b *strings.Builder, out *word, quoted bool) {
	out.lit = false
	out.split = out.split || !quoted
	b.WriteByte(hole)
}

// variable is the value of the few variables that are known.
func (r reader) variable(p *syntax.ParamExp) (string, bool) {
	if !plain(p) {
		return "", false
	}
	switch p.Param.Value {
	case "HOME":
		return orElse(r.home, unnamedHome), true
	case "PWD":
		return r.cwd, r.cwd != ""
	}
	return "", false
}

// plain reports whether p is $name or ${name}.
func plain(p *syntax.ParamExp) bool {
	return p.Param != nil && p.Flags == nil && !p.Excl && !p.Length && !p.Width && !p.IsSet && p.NestedParam == nil &&
		p.Index == nil && len(p.Modifiers) == 0 && p.Slice == nil && p.Repl == nil && p.Names == 0 && p.Exp == nil
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// lit adds unquoted text: a backslash quotes what follows.
func (r reader) lit(b *strings.Builder, out *word, s string) {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\\' && i+1 < len(s):
			i++
			out.quoted = true
			if s[i] != '\n' {
				b.WriteByte(s[i])
			}
			continue
		case c == '*' || c == '?':
			out.glob = true
		case c == '[':
			out.bracket = true
		case c == ']':
			out.glob = out.glob || out.bracket
		}
		b.WriteByte(c)
	}
}

// unescapeQuoted undoes what a backslash does within double quotes.
func unescapeQuoted(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("$`\"\\\n", s[i+1]) >= 0 {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// hasBraces reports whether bash would expand braces in w.
func hasBraces(w *syntax.Word) bool {
	// The word itself must stay as it is: a walk knows no braces.
	split := syntax.Word{Parts: slices.Clone(w.Parts)}
	return syntax.SplitBraces(&split) && slices.ContainsFunc(split.Parts, func(p syntax.WordPart) bool {
		_, ok := p.(*syntax.BraceExp)
		return ok
	})
}

func (r reader) slice(from, to syntax.Pos) string {
	i, j := int(from.Offset()), int(to.Offset())
	if i < 0 || j > len(r.src) || i > j {
		return ""
	}
	return r.src[i:j]
}
