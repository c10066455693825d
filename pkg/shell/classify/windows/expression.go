package windows

import (
	"strings"

	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// operators are the operators that are words, without the letter that says whether
// case counts.
const operators = "eq ne gt lt ge le like notlike match notmatch contains notcontains in notin and or xor not is isnot as join split replace f band bor " +
	"bxor bnot shl shr"

// methods are those that change nothing, whatever object has them.
const methods = "ToString Trim TrimEnd TrimStart ToUpper ToLower StartsWith EndsWith Contains Substring Split IndexOf LastIndexOf PadLeft PadRight AddDays AddHours AddMinutes AddMonths"

// types are those to which a value may be converted.
const types = "int int32 int64 long double decimal string bool datetime timespan array char version"

// expression reads a value, or an assignment to a variable.
func (p *script) expression() {
	if !p.enter() {
		return
	}
	defer p.leave()
	if p.peek(0) == '$' && p.assignment() {
		return
	}
	for {
		p.operand()
		p.blanks(space)
		if p.lost || !p.operator() {
			return
		}
	}
}

// assignment reads "$name = statement", if that comes next; "+=" and its like are others.
func (p *script) assignment() bool {
	back, doubts := p.at, len(p.out.Doubts)
	name := p.variable(nil)
	if p.lost {
		return true
	}
	p.blanks(space)
	joined := strings.IndexByte("+-*/%", p.peek(0)) >= 0 && p.peek(1) == '='
	if name == "" || !joined && (p.peek(0) != '=' || p.peek(1) == '=') {
		p.at, p.out.Doubts = back, p.out.Doubts[:doubts]
		return false
	}
	p.at++
	if joined {
		p.at++
	}
	p.blanks(" \t\r\n")
	from := p.at
	p.pipeline()
	value := word.Word{Text: string(word.Hole), Source: p.src[from:min(p.at, len(p.src))]}
	drive, variable, ok := strings.Cut(name, ":")
	switch {
	case ok && strings.EqualFold(drive, "env"):
		p.out.Sets = append(p.out.Sets, Assignment{variable, value})
	case strings.HasPrefix(strings.ToLower(name), "ps"), ok && strings.Contains(strings.ToLower(variable), "ps"), strings.EqualFold(name, "OutputEncoding"), strings.EqualFold(name, "ExecutionContext"):
		p.doubt(Computed, "$"+name) // it changes what later commands do
	}
	return true
}

// operand reads one value with the signs before it and the members behind it.
func (p *script) operand() {
	if !p.enter() {
		return
	}
	defer p.leave()
	for p.signs() {
	}
	var b builder
	switch ch := p.peek(0); {
	case ch == '\'':
		p.single(&b)
		p.members()
	case ch == '"':
		p.double(&b)
		p.members()
	case ch == '$':
		before := p.at
		if p.dollar(&b); p.src[before:p.at] == "$" {
			p.lose()
		}
	case ch == '@' && p.peek(1) == '(':
		p.at++
		fallthrough
	case ch == '(':
		p.at++
		p.statements(')')
		p.members()
	case ch == '{':
		p.at++
		p.statements('}')
	case digit(ch) || ch == '.' && digit(p.peek(1)):
		for digit(p.peek(0)) || letter(p.peek(0)) || p.peek(0) == '.' && digit(p.peek(1)) {
			p.at++
		}
	default:
		p.lose()
	}
}

// signs reads one sign or conversion before a value.
func (p *script) signs() bool {
	p.blanks(space)
	switch ch := p.peek(0); {
	case ch == '!' || ch == '+' || ch == ',':
		p.at++
		return true
	case ch == '-':
		if letter(p.peek(1)) {
			n := 1
			for letter(p.peek(n)) {
				n++
			}
			if name := p.src[p.at+1 : p.at+n]; !has("not bnot join split csplit isplit", name) {
				p.lose()
				return false
			}
			p.at += n
			return true
		}
		p.at++
		return true
	case ch == '[':
		end := strings.IndexByte(p.src[p.at:], ']')
		if end < 0 || !has(types, strings.TrimSuffix(p.src[p.at+1:p.at+end], "[")) || strings.HasPrefix(p.src[p.at+end+1:], "::") {
			p.lose()
			return false
		}
		p.at += end + 1
		if p.peek(0) == ']' { // of an array
			p.at++
		}
		return true
	}
	return false
}

// operator reads one operator between two values.
func (p *script) operator() bool {
	switch ch := p.peek(0); {
	case ch == '.' && p.peek(1) == '.':
		p.at += 2
		return true
	case strings.IndexByte("+*/%,", ch) >= 0:
		p.at++
		return true
	case ch == '-' && letter(p.peek(1)):
		n := 1
		for letter(p.peek(n)) {
			n++
		}
		name := strings.ToLower(p.src[p.at+1 : p.at+n])
		if !has(operators, name) && (!has(operators, name[1:]) || name[0] != 'c' && name[0] != 'i') {
			p.lose()
			return false
		}
		p.at += n
		return true
	case ch == '-':
		p.at++
		return true
	}
	return false
}

// members reads what follows a value: members, elements, and calls of methods.
func (p *script) members() {
	for !p.lost {
		switch {
		case p.peek(0) == ':' && p.peek(1) == ':':
			p.lose()
		case p.peek(0) == '[':
			p.at++
			p.arguments(']')
		case p.peek(0) == '.' && (letter(p.peek(1)) || p.peek(1) == '_'):
			n := 1
			for letter(p.peek(n)) || digit(p.peek(n)) || p.peek(n) == '_' {
				n++
			}
			name := p.src[p.at+1 : p.at+n]
			if p.peek(n) != '(' {
				p.at += n
				break
			}
			if !has(methods, name) {
				p.lose()
				return
			}
			p.at += n + 1
			p.arguments(')')
		case p.peek(0) == '.' && strings.IndexByte("$\"'({", p.peek(1)) >= 0:
			p.lose() // a computed member
		default:
			return
		}
	}
}

// arguments reads values up to a closing bracket.
func (p *script) arguments(closing byte) {
	if !p.enter() {
		return
	}
	defer p.leave()
	p.blanks(" \t\r\n")
	if p.peek(0) != closing {
		p.expression()
		p.blanks(" \t\r\n")
	}
	if p.peek(0) != closing {
		p.lose()
		return
	}
	p.at++
}

// redirections reads those behind a value.
func (p *script) redirections(cmd *Command) {
	for p.blanks(space); !p.terminated() && p.redirection(cmd); p.blanks(space) {
	}
}

// redirection reads a redirection, if there is one here.
func (p *script) redirection(cmd *Command) bool {
	n := 0
	if digit(p.peek(0)) || p.peek(0) == '*' {
		n = 1
	}
	if p.peek(n) != '>' {
		return false
	}
	p.at += n + 1
	if p.peek(0) == '>' {
		p.at++
	}
	if p.peek(0) == '&' {
		if p.at++; !digit(p.peek(0)) {
			p.lose()
			return true
		}
		p.at++
		return true
	}
	p.blanks(space)
	if p.next("$null") && !nameByte(p.peek(len("$null"))) {
		p.at += len("$null")
		return true
	}
	if w, ok := p.word(); ok {
		cmd.Writes = append(cmd.Writes, w)
	} else {
		p.lose()
	}
	return true
}

// nameByte reports whether a byte continues the name of a variable or leads to one of
// its members.
func nameByte(c byte) bool {
	return letter(c) || digit(c) || strings.IndexByte("_:.[", c) >= 0
}
