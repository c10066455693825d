package classify

import "strings"

// sedParser recognizes the programs of sed that run nothing. What it does not
// know is bad. The grammar is that of the GNU sed manual; where implementations
// differ it takes nothing.
type sedParser struct {
	in     string
	at     int
	bad    bool
	reads  []string
	writes []string
}

func (p *sedParser) peek() byte {
	if p.at < len(p.in) {
		return p.in[p.at]
	}
	return 0
}

func (p *sedParser) skip(set string) {
	for p.at < len(p.in) && strings.IndexByte(set, p.in[p.at]) >= 0 {
		p.at++
	}
}

func (p *sedParser) program() {
	for !p.bad {
		p.skip(" \t\n;}")
		if p.at >= len(p.in) {
			return
		}
		p.address()
		p.skip(" \t!")
		p.command()
	}
}

// address takes one or two addresses, if there are any.
func (p *sedParser) address() {
	for range 2 {
		switch c := p.peek(); {
		case c >= '0' && c <= '9', c == '+', c == '~':
			p.skip("+~0123456789")
		case c == '$':
			p.at++
		case c == '/':
			p.at++
			p.delimited('/')
			p.skip("IM")
		case c == '\\':
			p.at++
			d := p.peek()
			p.at++
			p.delimited(d)
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

// delimited takes text up to an unescaped d. A bracket expression that is open
// there is where implementations differ.
func (p *sedParser) delimited(d byte) {
	if d == 0 || d == '\n' || d == '\\' {
		p.bad = true
		return
	}
	open := false
	for ; p.at < len(p.in); p.at++ {
		switch c := p.in[p.at]; {
		case c == '\\':
			p.at++
		case c == d:
			p.at++
			p.bad = p.bad || open
			return
		case c == '[':
			open = true
		case c == ']':
			open = false
		}
	}
	p.bad = true
}

// replacement takes the second part of s and y, where brackets mean nothing.
func (p *sedParser) replacement(d byte) {
	for ; p.at < len(p.in); p.at++ {
		switch p.in[p.at] {
		case '\\':
			p.at++
		case d:
			p.at++
			return
		}
	}
	p.bad = true
}

func (p *sedParser) line() string {
	rest := p.in[p.at:]
	line, _, _ := strings.Cut(rest, "\n")
	p.at += len(line)
	return strings.TrimSpace(line)
}

func (p *sedParser) command() {
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
		d := p.peek()
		p.at++
		p.delimited(d)
		p.replacement(d)
		p.end()
	case 'a', 'i', 'c':
		p.text()
	case '#':
		p.line()
	case 'r', 'R':
		p.reads = append(p.reads, p.line())
	case 'w', 'W':
		p.writes = append(p.writes, p.line())
	default:
		p.bad = true
	}
}

func (p *sedParser) substitute() {
	d := p.peek()
	p.at++
	p.delimited(d)
	p.replacement(d)
	p.skip("gpiIMm0123456789")
	if p.peek() == 'w' {
		p.at++
		p.writes = append(p.writes, p.line())
		return
	}
	p.end()
}

// text takes the lines of a, i and c: a backslash at its end continues a line.
func (p *sedParser) text() {
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

// end wants the end of a command.
func (p *sedParser) end() {
	p.skip(" \t")
	if p.at < len(p.in) && strings.IndexByte("\n;}#", p.in[p.at]) < 0 {
		p.bad = true
	}
}
