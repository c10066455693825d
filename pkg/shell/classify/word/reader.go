package word

import (
	"cmp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Reader reads the words of one parsed source.
type Reader struct {
	Src  string // the source that was parsed
	Home string // the value of ~ and $HOME, "" when unknown
	Cwd  string // the value of $PWD, "" when unknown
}

// UnnamedHome stands for the home directory when it is unknown.
const UnnamedHome = "/home/user"

// Word reads w. A missing word is the empty text.
func (r Reader) Word(w *syntax.Word) Word {
	if w == nil || len(w.Parts) == 0 {
		return Word{Lit: true}
	}
	out := Word{Lit: true, Source: r.Source(w.Pos(), w.End())}
	var b strings.Builder
	for i, p := range w.Parts {
		if l, ok := p.(*syntax.Lit); ok && i == 0 && strings.HasPrefix(l.Value, "~") {
			r.tilde(&b, &out, l, len(w.Parts) == 1)
			continue
		}
		r.part(&b, &out, p, false)
	}
	out.Text = b.String()
	if hasBraces(w) {
		out.Lit, out.Split = false, true
		if i := strings.IndexByte(out.Text, '{'); i >= 0 {
			out.Text = out.Text[:i] + string(Hole)
		}
	}
	return out
}

// tilde replaces ~ by the home directory. "~name" is another person's, and
// becomes a path outside of the workspace.
func (r Reader) tilde(b *strings.Builder, out *Word, l *syntax.Lit, alone bool) {
	rest := l.Value[1:]
	end := strings.IndexByte(rest, '/')
	if end < 0 {
		end = len(rest)
	}
	switch {
	case rest[:end] != "":
		b.WriteString("/home/")
		r.lit(b, out, rest)
	case end == len(rest) && !alone: // the shell does not expand ~"x"
		b.WriteByte('~')
	case r.Home == "":
		b.WriteString(UnnamedHome)
		r.lit(b, out, rest[end:])
	default:
		b.WriteString(r.Home)
		r.lit(b, out, rest[end:])
	}
}

func (r Reader) part(b *strings.Builder, out *Word, p syntax.WordPart, quoted bool) {
	switch p := p.(type) {
	case *syntax.Lit:
		if quoted {
			b.WriteString(UnescapeDouble(p.Value))
		} else {
			r.lit(b, out, p.Value)
		}
	case *syntax.SglQuoted:
		out.Quoted = true
		if p.Dollar {
			b.WriteString(DecodeANSIC(p.Value))
		} else {
			b.WriteString(p.Value)
		}
	case *syntax.DblQuoted:
		out.Quoted = true
		if p.Dollar { // a catalog of messages translates it
			out.Lit = false
			b.WriteByte(Hole)
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
		out.Glob = true
		b.WriteString(p.Op.String() + p.Pattern.Value + ")")
	case *syntax.ProcSubst:
		// It becomes the path of a pipe, which is never an option.
		out.Lit = false
		b.WriteString("/dev/fd/")
		b.WriteByte(Hole)
	default:
		r.expansion(b, out, quoted)
	}
}

func (r Reader) expansion(b *strings.Builder, out *Word, quoted bool) {
	out.Lit = false
	out.Split = out.Split || !quoted
	b.WriteByte(Hole)
}

// variable returns the value of the few variables that are known.
func (r Reader) variable(p *syntax.ParamExp) (string, bool) {
	if !Plain(p) {
		return "", false
	}
	switch p.Param.Value {
	case "HOME":
		return cmp.Or(r.Home, UnnamedHome), true
	case "PWD":
		return r.Cwd, r.Cwd != ""
	}
	return "", false
}

// Plain reports whether p is $name or ${name}.
func Plain(p *syntax.ParamExp) bool {
	return p.Param != nil && p.Flags == nil && !p.Excl && !p.Length && !p.Width && !p.IsSet && p.NestedParam == nil &&
		p.Index == nil && len(p.Modifiers) == 0 && p.Slice == nil && p.Repl == nil && p.Names == 0 && p.Exp == nil
}

// lit adds unquoted text, in which a backslash quotes the next character.
func (r Reader) lit(b *strings.Builder, out *Word, s string) {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\\' && i+1 < len(s):
			i++
			out.Quoted = true
			if s[i] != '\n' {
				b.WriteByte(s[i])
			}
			continue
		case c == '*' || c == '?':
			out.Glob = true
		case c == '[':
			out.bracket = true
		case c == ']':
			out.Glob = out.Glob || out.bracket
		}
		b.WriteByte(c)
	}
}

// UnescapeDouble removes the backslashes that quote within double quotes.
func UnescapeDouble(s string) string {
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
	// SplitBraces changes its word, and syntax.Walk does not know the result.
	split := syntax.Word{Parts: slices.Clone(w.Parts)}
	return syntax.SplitBraces(&split) && slices.ContainsFunc(split.Parts, func(p syntax.WordPart) bool {
		_, ok := p.(*syntax.BraceExp)
		return ok
	})
}

// Source returns the text between two positions, as written.
func (r Reader) Source(from, to syntax.Pos) string {
	i, j := int(from.Offset()), int(to.Offset())
	if i < 0 || j > len(r.Src) || i > j {
		return ""
	}
	return r.Src[i:j]
}
