// Package sed reads sed programs and reports which files they read and write,
// and whether they may run commands. It does not run them and knows nothing of
// the options of sed.
//
// It reads the grammar of the GNU sed manual. Where implementations differ, as
// about a delimiter inside of brackets, a program is not understood.
package sed

import "strings"

// Program lists the effects of a sed program on other files than its input.
type Program struct {
	Reads  []string // files of the commands r and R
	Writes []string // files of the commands w and W and of the flag w
	// Runs reports that the program runs commands, by e or the flag e, or was not
	// understood. What was read until then is in Reads and Writes.
	Runs bool
}

// Parse reads a program.
func Parse(program string) Program {
	p := parser{in: program}
	for !p.Runs {
		p.skip(" \t\n;}")
		if p.at >= len(p.in) {
			break
		}
		p.address()
		p.skip(" \t!")
		p.command()
	}
	return p.Program
}

type parser struct {
	Program
	in string
	at int
}

func (p *parser) peek() byte {
	if p.at < len(p.in) {
		return p.in[p.at]
	}
	return 0
}

func (p *parser) skip(set string) {
	for p.at < len(p.in) && strings.IndexByte(set, p.in[p.at]) >= 0 {
		p.at++
	}
}

// address reads one or two addresses, if there are any.
func (p *parser) address() {
	for range 2 {
		switch c := p.peek(); {
		case c >= '0' && c <= '9', c == '+', c == '~':
			p.skip("+~0123456789")
		case c == '$':
			p.at++
		case c == '/':
			p.at++
			p.pattern('/')
			p.skip("IM")
		case c == '\\':
			p.at++
			delimiter := p.peek()
			p.at++
			p.pattern(delimiter)
			p.skip("IM")
		default:
			return
		}
		p.skip(" \t")
		if p.peek() != ',' {
			return
		}
		p.at++
		p.skip(" \t")
	}
}

// pattern reads a regular expression up to an unescaped delimiter.
func (p *parser) pattern(delimiter byte) {
	if delimiter == 0 || delimiter == '\n' || delimiter == '\\' {
		p.Runs = true
		return
	}
	bracket := false
	for ; p.at < len(p.in); p.at++ {
		switch c := p.in[p.at]; {
		case c == '\\':
			p.at++
		case c == delimiter:
			p.at++
			p.Runs = p.Runs || bracket
			return
		case c == '[':
			bracket = true
		case c == ']':
			bracket = false
		}
	}
	p.Runs = true
}

// replacement reads the second part of s and y, in which brackets mean nothing.
func (p *parser) replacement(delimiter byte) {
	for ; p.at < len(p.in); p.at++ {
		switch p.in[p.at] {
		case '\\':
			p.at++
		case delimiter:
			p.at++
			return
		}
	}
	p.Runs = true
}

// line reads the rest of the line.
func (p *parser) line() string {
	line, _, _ := strings.Cut(p.in[p.at:], "\n")
	p.at += len(line)
	return strings.TrimSpace(line)
}

func (p *parser) command() {
	c := p.peek()
	p.at++
	switch c {
	case 'p', 'P', 'd', 'D', 'n', 'N', 'g', 'G', 'h', 'H', 'x', '=', 'z', 'F':
		p.end()
	case '{':
	case 'q', 'Q', 'l', 'L':
		p.skip(" \t0123456789")
		p.end()
	case 'b', 't', 'T', ':':
		p.skip(" \t")
		for p.at < len(p.in) && strings.IndexByte(" \t\n;}", p.in[p.at]) < 0 {
			p.at++
		}
		p.end()
	case 's':
		p.substitute()
	case 'y':
		delimiter := p.peek()
		p.at++
		p.pattern(delimiter)
		p.replacement(delimiter)
		p.end()
	case 'a', 'i', 'c':
		p.text()
	case '#':
		p.line()
	case 'r', 'R':
		p.Reads = append(p.Reads, p.line())
	case 'w', 'W':
		p.Writes = append(p.Writes, p.line())
	default: // "e" runs a command, and "v" and others are unknown
		p.Runs = true
	}
}

// substitute reads the rest of an s command. The flag e, which runs the result
// as a command, is not among the flags that are known.
func (p *parser) substitute() {
	delimiter := p.peek()
	p.at++
	p.pattern(delimiter)
	p.replacement(delimiter)
	p.skip("gpiIMm0123456789")
	if p.peek() == 'w' {
		p.at++
		p.Writes = append(p.Writes, p.line())
		return
	}
	p.end()
}

// text reads the text of a, i and c. A backslash at the end of a line continues
// it.
func (p *parser) text() {
	for p.at < len(p.in) {
		c := p.in[p.at]
		p.at++
		if c == '\\' {
			p.at++
		} else if c == '\n' {
			return
		}
	}
}

// end expects the end of a command.
func (p *parser) end() {
	p.skip(" \t")
	if p.at < len(p.in) && strings.IndexByte("\n;}#", p.in[p.at]) < 0 {
		p.Runs = true
	}
}
