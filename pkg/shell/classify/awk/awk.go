package classify

import (
	"strings"
)

// awkScanner reads the tokens of an awk program to find what runs commands or
// writes files: system, pipes, getline, redirections of print, and gawk's @. The
// grammar is that of POSIX awk.
type awkScanner struct {
	in       string
	at       int
	bad      bool
	computed bool     // a file is written whose name is computed
	writes   []string // files that are written

	operand  bool // the last token ends an operand, so that "/" divides
	printing bool // in the operands of print or printf
	parens   int  // open since then
}

func (p *awkScanner) scan() {
	for p.at < len(p.in) && !p.bad {
		c := p.in[p.at]
		switch {
		case c == ' ' || c == '\t' || c == '\r':
			p.at++
		case c == '\\' && p.at+1 < len(p.in) && p.in[p.at+1] == '\n':
			p.at += 2
		case c == '\n' || c == ';' || c == '{' || c == '}':
			p.at++
			p.printing, p.parens, p.operand = false, 0, false
		case c == '#':
			for p.at < len(p.in) && p.in[p.at] != '\n' {
				p.at++
			}
		case c == '"':
			p.text()
			p.operand = true
		case c == '/' && !p.operand:
			p.regex()
			p.operand = true
		case isNameByte(c):
			p.name()
		default:
			p.operator(c)
		}
	}
}

func isNameByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.'
}

func (p *awkScanner) name() {
	start := p.at
	for p.at < len(p.in) && isNameByte(p.in[p.at]) {
		p.at++
	}
	switch p.in[start:p.at] {
	case "system", "getline", "function", "func":
		// A function may be called for its name in a variable; nobody needs
		// one on a command line.
		p.bad = true
	case "print", "printf":
		p.printing, p.parens, p.operand = true, 0, false
	case "in", "return", "do", "else", "delete", "exit", "case":
		p.operand = false
	default:
		p.operand = true
	}
}

// text takes a string and gives its value, which is not exact if it has escapes.
func (p *awkScanner) text() (value string, exact bool) {
	start := p.at + 1
	exact = true
	for p.at++; p.at < len(p.in); p.at++ {
		switch p.in[p.at] {
		case '\\':
			exact = false
			p.at++
		case '"':
			p.at++
			return p.in[start : p.at-1], exact
		case '\n':
			p.bad = true
			return "", false
		}
	}
	p.bad = true
	return "", false
}

// regex takes /…/. A slash in brackets is where implementations differ.
func (p *awkScanner) regex() {
	open := false
	for p.at++; p.at < len(p.in); p.at++ {
		switch p.in[p.at] {
		case '\\':
			p.at++
		case '[':
			open = true
		case ']':
			open = false
		case '\n':
			p.bad = true
			return
		case '/':
			p.at++
			p.bad = p.bad || open
			return
		}
	}
	p.bad = true
}

func (p *awkScanner) operator(c byte) {
	next := byte(0)
	if p.at+1 < len(p.in) {
		next = p.in[p.at+1]
	}
	p.at++
	p.operand = false
	switch c {
	case '(', '[':
		p.parens++
	case ')', ']':
		p.parens--
		p.operand = true
	case '|':
		if next != '|' {
			p.bad = true // a pipe to or from a command
			return
		}
		p.at++
	case '>':
		if p.printing && p.parens <= 0 {
			p.redirect(next)
		}
	case '+', '-':
		if next == c {
			p.at++
			p.operand = true
		}
	case '$', '!', '~', '=', '<', '*', '/', '%', '^', '?', ':', ',', '&':
	default:
		p.bad = true // "@" of gawk, and what awk does not know
	}
}

func (p *awkScanner) redirect(next byte) {
	if next == '>' {
		p.at++
	}
	for p.at < len(p.in) && (p.in[p.at] == ' ' || p.in[p.at] == '\t') {
		p.at++
	}
	if p.at >= len(p.in) || p.in[p.at] != '"' {
		p.computed = true
		return
	}
	value, exact := p.text()
	p.operand = true
	rest := strings.TrimLeft(p.in[p.at:], " \t")
	if !exact || rest != "" && strings.IndexByte(";}\n#", rest[0]) < 0 {
		p.computed = true
		return
	}
	p.writes = append(p.writes, value)
}
