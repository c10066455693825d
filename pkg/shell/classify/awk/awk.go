// Package awk reads awk programs and reports which files they write and whether
// they may run commands. It does not run them and knows nothing of the options
// of awk.
//
// It does not parse: it reads the tokens of POSIX awk and finds among them what
// runs commands (system, pipes, getline, and @ of gawk) and what writes files (a
// redirection of print). What it does not know counts as running commands.
package awk

import "strings"

// Program lists the effects of an awk program on other files than its input.
type Program struct {
	Writes   []string // files that print and printf are redirected to
	Computed bool     // it also writes a file whose name it computes
	Runs     bool     // it runs commands, or was not understood
}

// Parse reads a program.
func Parse(program string) Program {
	s := scanner{in: program}
	for s.at < len(s.in) && !s.Runs {
		s.token()
	}
	return s.Program
}

type scanner struct {
	Program
	in string
	at int

	operand  bool // the last token ends an operand, so that "/" divides
	printing bool // in the operands of print or printf
	parens   int  // open since then
}

func (s *scanner) token() {
	c := s.in[s.at]
	switch {
	case c == ' ' || c == '\t' || c == '\r':
		s.at++
	case c == '\\' && s.next() == '\n':
		s.at += 2
	case c == '\n' || c == ';' || c == '{' || c == '}':
		s.at++
		s.printing, s.parens, s.operand = false, 0, false
	case c == '#':
		for s.at < len(s.in) && s.in[s.at] != '\n' {
			s.at++
		}
	case c == '"':
		s.text()
		s.operand = true
	case c == '/' && !s.operand:
		s.regex()
		s.operand = true
	case isNameByte(c):
		s.name()
	default:
		s.operator(c)
	}
}

// next returns the byte after the one at hand, 0 at the end.
func (s *scanner) next() byte {
	if s.at+1 < len(s.in) {
		return s.in[s.at+1]
	}
	return 0
}

func isNameByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.'
}

func (s *scanner) name() {
	start := s.at
	for s.at < len(s.in) && isNameByte(s.in[s.at]) {
		s.at++
	}
	switch s.in[start:s.at] {
	case "system", "getline":
		s.Runs = true
	case "function", "func":
		// A function may be called by a name in a variable. Nobody needs one on a
		// command line.
		s.Runs = true
	case "print", "printf":
		s.printing, s.parens, s.operand = true, 0, false
	case "in", "return", "do", "else", "delete", "exit", "case":
		s.operand = false
	default:
		s.operand = true
	}
}

// text reads a string and returns its value, which is exact if the string has
// no escapes.
func (s *scanner) text() (value string, exact bool) {
	start := s.at + 1
	exact = true
	for s.at++; s.at < len(s.in); s.at++ {
		switch s.in[s.at] {
		case '\\':
			exact = false
			s.at++
		case '"':
			s.at++
			return s.in[start : s.at-1], exact
		case '\n':
			s.Runs = true
			return "", false
		}
	}
	s.Runs = true
	return "", false
}

// regex reads /.../. Implementations differ about a slash in brackets.
func (s *scanner) regex() {
	bracket := false
	for s.at++; s.at < len(s.in); s.at++ {
		switch s.in[s.at] {
		case '\\':
			s.at++
		case '[':
			bracket = true
		case ']':
			bracket = false
		case '\n':
			s.Runs = true
			return
		case '/':
			s.at++
			s.Runs = s.Runs || bracket
			return
		}
	}
	s.Runs = true
}

func (s *scanner) operator(c byte) {
	next := s.next()
	s.at++
	s.operand = false
	switch c {
	case '(', '[':
		s.parens++
	case ')', ']':
		s.parens--
		s.operand = true
	case '|':
		if next != '|' { // a pipe to or from a command
			s.Runs = true
			return
		}
		s.at++
	case '>':
		if s.printing && s.parens <= 0 {
			s.redirect(next)
		}
	case '+', '-':
		if next == c {
			s.at++
			s.operand = true
		}
	case '$', '!', '~', '=', '<', '*', '/', '%', '^', '?', ':', ',', '&':
	default: // "@" of gawk calls a function by a computed name
		s.Runs = true
	}
}

// redirect reads the file that > and >> write to.
func (s *scanner) redirect(next byte) {
	if next == '>' {
		s.at++
	}
	for s.at < len(s.in) && (s.in[s.at] == ' ' || s.in[s.at] == '\t') {
		s.at++
	}
	if s.at >= len(s.in) || s.in[s.at] != '"' {
		s.Computed = true
		return
	}
	value, exact := s.text()
	s.operand = true
	rest := strings.TrimLeft(s.in[s.at:], " \t")
	if !exact || rest != "" && strings.IndexByte(";}\n#", rest[0]) < 0 { // more is joined to it
		s.Computed = true
		return
	}
	s.Writes = append(s.Writes, value)
}
