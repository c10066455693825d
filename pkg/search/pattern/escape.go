package pattern

import (
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
)

// escape reads an escape outside of a class.
func (p *parser) escape() (*syntax.Regexp, error) {
	start := p.at
	rest := p.text[p.at+1:]
	if rest == "" {
		return nil, p.fail(start, fault.T("nothing follows the backslash"))
	}
	for _, b := range [...]struct {
		name string
		bits uint32
	}{
		{"b{start-half}", condStartHalf}, {"b{end-half}", condEndHalf}, {"b{start}", condWordStart}, {"b{end}", condWordEnd},
		{"<", condWordStart}, {">", condWordEnd},
	} {
		if strings.HasPrefix(rest, b.name) {
			p.at += 1 + len(b.name)
			return condition(b.bits), nil
		}
	}
	op := syntax.Op(0)
	switch rest[0] {
	case 'A':
		op = syntax.OpBeginText
	case 'z':
		op = syntax.OpEndText
	case 'b':
		op = syntax.OpWordBoundary
	case 'B':
		op = syntax.OpNoWordBoundary
	case 'Q':
		return p.quoted(), nil
	case '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return nil, p.unsupported(start, fault.T("back-references are not supported"),
			fault.T(`write the alternatives out, "[^"]*"|'[^']*' for (["']).*?\1, or search with .* in its place and compare the two parts in the lines found`))
	}
	if op != 0 {
		p.at += 2
		switch {
		case p.ascii && op == syntax.OpWordBoundary:
			return condition(condASCIIWord), nil
		case p.ascii && op == syntax.OpNoWordBoundary:
			return condition(condASCIINoWord), nil
		}
		return &syntax.Regexp{Op: op}, nil
	}
	set, r, err := p.escaped()
	if err != nil {
		return nil, err
	}
	if set != nil {
		return classOf(set), nil
	}
	return p.char(r), nil
}

// quoted reads \Q…\E.
func (p *parser) quoted() *syntax.Regexp {
	text, _, closed := strings.Cut(p.text[p.at+2:], `\E`)
	p.at += 2 + len(text)
	if closed {
		p.at += 2
	}
	return p.literal(text)
}

// literal returns a tree that matches exactly the text.
func (p *parser) literal(text string) *syntax.Regexp {
	re := &syntax.Regexp{Op: syntax.OpConcat}
	for _, r := range text {
		re.Sub = append(re.Sub, p.char(r))
	}
	if len(re.Sub) == 0 {
		return &syntax.Regexp{Op: syntax.OpEmptyMatch}
	}
	return re
}

// escaped reads an escape for a class, which it returns as a set, or for one
// character. Both may also be members of a bracketed class.
func (p *parser) escaped() (set runes, r rune, err error) {
	start := p.at
	p.at++
	if !p.more() {
		return nil, 0, p.fail(start, fault.T("nothing follows the backslash"))
	}
	c := p.peek()
	switch c {
	case 'd', 's', 'w':
		p.at++
		return perl(c, p.ascii), 0, nil
	case 'D', 'S', 'W':
		p.at++
		return perl(c|0x20, p.ascii).negate(), 0, nil
	case 'p', 'P':
		set, err = p.property(start)
		return set, 0, err
	case 'x':
		p.at++
		r, err = p.hex(start, 2)
		return nil, r, err
	case 'u':
		p.at++
		r, err = p.hex(start, 4)
		return nil, r, err
	case 'U':
		p.at++
		r, err = p.hex(start, 8)
		return nil, r, err
	}
	r = p.next()
	switch c {
	case 'a':
		r = '\a'
	case 'f':
		r = '\f'
	case 'n':
		r = '\n'
	case 'r':
		r = '\r'
	case 't':
		r = '\t'
	case 'v':
		r = '\v'
	case '0':
		r = 0
	default:
		if r >= utf8.RuneSelf || isASCIIWord(r) {
			return nil, 0, p.fail(start, fault.T(`unknown escape \%s`, string(r)))
		}
	}
	return nil, r, nil
}

// hex reads the digits of \xHH or \x{H…}.
func (p *parser) hex(start, digits int) (rune, error) {
	var text string
	if p.eat("{") {
		end := strings.IndexByte(p.text[p.at:], '}')
		if end < 0 {
			return 0, p.fail(start, fault.T("the brace is not closed"))
		}
		text = p.text[p.at : p.at+end]
		p.at += end + 1
	} else {
		end := min(p.at+digits, len(p.text))
		text = p.text[p.at:end]
		p.at = end
		if len(text) < digits {
			text = ""
		}
	}
	n, err := strconv.ParseUint(text, 16, 32)
	if err != nil || n > unicode.MaxRune || n >= 0xd800 && n < 0xe000 {
		return 0, p.fail(start, fault.T("%q is not the hexadecimal code of a character", text))
	}
	return rune(n), nil
}

// property reads \pN or \p{Name}.
func (p *parser) property(start int) (runes, error) {
	negated := p.peek() == 'P'
	p.at++
	var name string
	switch {
	case p.eat("{"):
		end := strings.IndexByte(p.text[p.at:], '}')
		if end < 0 {
			return nil, p.fail(start, fault.T("the brace is not closed"))
		}
		name = p.text[p.at : p.at+end]
		p.at += end + 1
	case p.more():
		name = string(p.next())
	}
	plain, cut := strings.CutPrefix(name, "^")
	if cut {
		negated = !negated
	}
	set, ok := property(plain)
	if !ok {
		return nil, p.fail(start, fault.T("unknown Unicode class %q", name))
	}
	if p.fold {
		set = set.fold()
	}
	if negated {
		set = set.negate()
	}
	return set, nil
}
