package windows

import (
	"strings"

	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// PowerShell reads a line as "powershell -Command" does. home is the directory for
// which "~" stands.
func PowerShell(line, home string) Script {
	p := &script{parser: parser{src: line}, home: home}
	if strings.ContainsAny(line, "\u2013\u2014\u2015\u2018\u2019\u201a\u201b\u201c\u201d\u201e") {
		p.doubt(Syntax, line) // PowerShell takes them for dashes and quotes
	}
	for i := range len(line) {
		if b := line[i]; b < ' ' && b != '\t' && b != '\n' && b != '\r' || b == 0x7f {
			p.doubt(Syntax, line[i:])
		}
	}
	p.statements(0)
	return p.out
}

type script struct {
	parser
	home string
}

// statements reads up to a closing byte, which it reads too, or with 0 to the end.
func (p *script) statements(closing byte) {
	if !p.enter() {
		return
	}
	defer p.leave()
	for {
		p.blanks(" \t\r\n;")
		switch {
		case p.end():
			if closing != 0 {
				p.lose()
			}
			return
		case closing != 0 && p.peek(0) == closing:
			p.at++
			return
		}
		before := p.at
		p.pipeline()
		if p.at == before {
			p.lose()
		}
	}
}

// blanks skips bytes, comments, and line ends behind a backtick.
func (p *script) blanks(which string) {
	for !p.end() {
		switch ch := p.peek(0); {
		case strings.IndexByte(which, ch) >= 0:
			p.at++
		case ch == '`' && p.peek(1) == '\n':
			p.at += 2
		case ch == '`' && p.peek(1) == '\r' && p.peek(2) == '\n':
			p.at += 3
		case ch == '#' && (p.at == 0 || strings.IndexByte(" \t\r\n;|&({", p.src[p.at-1]) >= 0):
			for !p.end() && p.peek(0) != '\n' {
				p.at++
			}
		default:
			return
		}
	}
}

const space = " \t"

// pipeline reads a statement: commands that are connected, an expression, or a
// condition or loop.
func (p *script) pipeline() {
	if p.keywords() {
		return
	}
	for piped := false; ; piped = true {
		p.element(piped)
		p.blanks(space)
		switch {
		case p.peek(0) == '|' && p.peek(1) == '|' || p.peek(0) == '&' && p.peek(1) == '&':
			p.at += 2
			p.blanks(" \t\r\n")
			p.pipeline()
			return
		case p.peek(0) == '|':
			p.at++
			p.blanks(" \t\r\n")
		default:
			if !p.terminated() {
				p.lose()
			}
			return
		}
	}
}

// terminated reports whether a statement may end here.
func (p *script) terminated() bool {
	return p.end() || strings.IndexByte(";\n\r)}", p.peek(0)) >= 0
}

// keywords reads a statement that begins with a keyword, if one comes next. Those that
// are not known here are a doubt.
func (p *script) keywords() bool {
	n := 0
	for letter(p.peek(n)) {
		n++
	}
	name := p.src[p.at : p.at+n]
	if next := p.peek(n); n == 0 || next != 0 && strings.IndexByte(" \t\r\n({;", next) < 0 {
		return false
	}
	switch strings.ToLower(name) {
	case "if", "while":
		p.at += n
		p.bracket('(', ')')
		p.bracket('{', '}')
		p.otherwise()
	case "foreach":
		// It is also an alias, which a bracket cannot follow.
		if strings.TrimLeft(p.src[p.at+n:], space) == "" || strings.TrimLeft(p.src[p.at+n:], space)[0] != '(' {
			return false
		}
		p.at += n
		p.blanks(" \t\r\n")
		p.at++
		p.blanks(space)
		if p.peek(0) != '$' {
			p.lose()
			return true
		}
		p.variable(nil)
		p.blanks(space)
		if !p.next("in") {
			p.lose()
			return true
		}
		p.at += len("in")
		p.statements(')')
		p.bracket('{', '}')
	default:
		if !has("begin break class clean configuration continue data define do dynamicparam end enum exit filter finally for from function hidden inlinescript "+
			"param parallel process return sequence static switch throw trap try until using var workflow", name) {
			return false
		}
		p.lose()
	}
	return true
}

// otherwise reads the further branches of a condition.
func (p *script) otherwise() {
	for {
		back := p.at
		p.blanks(" \t\r\n")
		switch {
		case p.next("elseif"):
			p.at += len("elseif")
			p.bracket('(', ')')
			p.bracket('{', '}')
		case p.next("else"):
			p.at += len("else")
			p.bracket('{', '}')
			return
		default:
			p.at = back
			return
		}
	}
}

// bracket reads statements in brackets, which must come next.
func (p *script) bracket(open, closing byte) {
	p.blanks(" \t\r\n")
	if p.peek(0) != open {
		p.lose()
		return
	}
	p.at++
	p.statements(closing)
}

// element reads one part of a pipeline.
func (p *script) element(piped bool) {
	if !p.enter() {
		return
	}
	defer p.leave()
	cmd := Command{Piped: piped}
	switch ch := p.peek(0); {
	case ch == '&' || ch == '.' && strings.IndexByte(" \t$\"'({", p.peek(1)) >= 0:
		if ch == '.' {
			p.doubt(Computed, p.src[p.at:]) // a file that becomes part of the session
		}
		p.at++
		p.blanks(space)
	case strings.IndexByte("$\"'(@[{!-+,", ch) >= 0 || digit(ch):
		p.expression()
		p.redirections(&cmd)
		p.add(cmd)
		return
	}
	p.command(&cmd)
}

// command reads the name and the arguments of a command.
func (p *script) command(cmd *Command) {
	for !p.terminated() {
		switch {
		case p.peek(0) == '|':
			p.add(*cmd)
			return
		case p.peek(0) == '&':
			if p.peek(1) != '&' {
				p.lose() // in the background
			}
			p.add(*cmd)
			return
		case p.peek(0) == ',':
			p.at++
		case !p.redirection(cmd):
			before := p.at
			if w, ok := p.word(); ok {
				cmd.Argv = append(cmd.Argv, w)
			}
			if p.at == before {
				p.lose()
			}
		}
		p.blanks(space)
	}
	p.add(*cmd)
}

// word reads one argument.
func (p *script) word() (word.Word, bool) {
	b := builder{from: p.at, lit: true}
	rest := p.src[p.at:]
	switch {
	case strings.HasPrefix(rest, "--%"), strings.HasPrefix(rest, "<"),
		strings.HasPrefix(rest, "@") && !strings.HasPrefix(rest, "@("):
		p.lose()
		return b.word(p.src, len(p.src)), true
	case strings.HasPrefix(rest, "@("):
		p.at++
		fallthrough
	case strings.HasPrefix(rest, "("):
		p.at++
		p.statements(')')
		b.hole()
		p.members()
	case strings.HasPrefix(rest, "{"):
		p.at++
		p.statements('}')
		b.hole()
	case strings.HasPrefix(rest, "~") && (len(rest) == 1 || strings.IndexByte("/\\ \t\r\n;|)},", rest[1]) >= 0):
		p.at++
		if p.home == "" {
			b.hole()
		} else {
			b.add(p.home)
		}
	}
	for !p.end() && strings.IndexByte(" \t\r\n;|&(){},<>", p.peek(0)) < 0 {
		switch ch := p.peek(0); ch {
		case '\'':
			p.single(&b)
		case '"':
			p.double(&b)
		case '$':
			p.dollar(&b)
		case '`':
			if next := p.peek(1); letter(next) || digit(next) || next == 0 || next == '\n' || next == '\r' || next >= 0x80 {
				p.lose()
				return b.word(p.src, len(p.src)), true
			}
			b.add(p.src[p.at+1 : p.at+2])
			p.at += 2
		default:
			b.add(p.src[p.at : p.at+1])
			p.at++
		}
	}
	return b.word(p.src, p.at), b.any
}

// single reads '...', in which two quotes are one.
func (p *script) single(b *builder) {
	p.at++
	b.quoted, b.any = true, true
	for !p.end() {
		if p.peek(0) == '\'' {
			if p.peek(1) != '\'' {
				p.at++
				return
			}
			p.at++
		}
		b.add(p.src[p.at : p.at+1])
		p.at++
	}
	p.lose()
}

// double reads "...", in which variables and $(...) are expanded.
func (p *script) double(b *builder) {
	p.at++
	b.quoted, b.any = true, true
	for !p.end() {
		switch ch := p.peek(0); {
		case ch == '"' && p.peek(1) == '"':
			b.add(`"`)
			p.at += 2
		case ch == '"':
			p.at++
			return
		case ch == '`' && p.at+1 < len(p.src):
			b.hole() // whatever it stands for
			p.at += 2
		case ch == '$' && p.peek(1) == '(':
			p.at += 2
			p.statements(')')
			b.hole()
		case ch == '$' && (p.peek(1) == '{' || p.peek(1) == '_' || p.peek(1) == '?' || p.peek(1) == '$' || p.peek(1) == '^' || letter(p.peek(1)) || digit(p.peek(1))):
			p.variable(b)
		default:
			b.add(p.src[p.at : p.at+1])
			p.at++
		}
	}
	p.lose()
}

// dollar reads an expansion outside of quotes, with the members behind it.
func (p *script) dollar(b *builder) {
	if p.peek(1) == '(' {
		p.at += 2
		p.statements(')')
		b.hole()
	} else if before := p.at; p.variable(b) == "" && p.at == before {
		b.add("$")
		p.at++
		return
	}
	p.members()
}

// variable reads $name, $drive:name or ${name} and returns the name, "" if there is
// none.
func (p *script) variable(b *builder) string {
	var name string
	switch next := p.peek(1); {
	case next == '{':
		end := strings.IndexByte(p.src[p.at:], '}')
		if end < 0 {
			p.lose()
			return ""
		}
		name = p.src[p.at+2 : p.at+end]
		p.at += end + 1
	case next == '?' || next == '$' || next == '^':
		name = p.src[p.at+1 : p.at+2]
		p.at += 2
	default:
		n := 1
		for c := p.peek(n); letter(c) || digit(c) || c == '_' || c == ':' && p.peek(n+1) != ':' && (letter(p.peek(n+1)) || p.peek(n+1) == '_') && n > 1; c = p.peek(n) {
			n++
		}
		if n == 1 {
			return ""
		}
		name = p.src[p.at+1 : p.at+n]
		p.at += n
	}
	if drive, _, ok := strings.Cut(name, ":"); ok && !has("env global local private script using variable", drive) {
		p.doubt(Computed, "$"+name) // a function or an alias, whose text it is
	}
	if b != nil {
		b.hole()
	}
	return name
}
