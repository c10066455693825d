package pattern

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
)

// class reads a bracketed class: characters, ranges, escapes, [:posix:] and nested
// classes. The operators && (intersection), -- (difference) and ~~ (symmetric
// difference) have the same precedence and associate to the left.
func (p *parser) class() (runes, error) {
	if p.depth++; p.depth > maxNesting {
		return nil, p.fail(p.at, fault.T("groups nest deeper than %d", maxNesting))
	}
	defer func() { p.depth-- }()
	start := p.at
	p.at++
	negated := p.eat("^")
	var (
		left    runes
		pending byte // the operation between left and set
		set     runes
		first   = true
	)
	join := func() {
		set = p.folded(set.normal())
		switch pending {
		case 0:
			left = set
		case '&':
			left = left.intersect(set)
		case '-':
			left = left.without(set)
		case '~':
			left = left.union(set).without(left.intersect(set))
		}
		set = nil
	}
	for {
		if p.spaced {
			p.skipSpace()
		}
		if !p.more() {
			return nil, p.fail(start, fault.T("the class is not closed by ]"))
		}
		switch {
		case p.peek() == ']' && !first:
			p.at++
			join()
			if negated {
				left = left.negate()
			}
			return left, nil
		case !first && (p.eat("&&") || p.eat("--") || p.eat("~~")):
			join()
			pending = p.text[p.at-1]
			continue
		}
		first = false
		item, err := p.item(start)
		if err != nil {
			return nil, err
		}
		set = append(set, item...)
	}
}

func (p *parser) folded(set runes) runes {
	if p.fold {
		return set.fold()
	}
	return set
}

// item reads one member of a class, or a range.
func (p *parser) item(start int) (runes, error) {
	if p.peek() == '[' {
		if strings.HasPrefix(p.text[p.at:], "[:") {
			if name, _, ok := strings.Cut(p.text[p.at+2:], ":]"); ok {
				plain, negated := strings.CutPrefix(name, "^")
				if set := posix(plain); set != nil {
					p.at += len(name) + 4
					if negated {
						set = set.negate()
					}
					return set, nil
				}
			}
		}
		return p.class()
	}
	at := p.at
	set, low, err := p.member()
	if set != nil || err != nil {
		return set, err
	}
	if !strings.HasPrefix(p.text[p.at:], "-") || strings.HasPrefix(p.text[p.at:], "-]") || strings.HasPrefix(p.text[p.at:], "--") {
		return runes{low, low}, nil
	}
	p.at++
	if !p.more() {
		return nil, p.fail(start, fault.T("the class is not closed by ]"))
	}
	set, high, err := p.member()
	switch {
	case err != nil:
		return nil, err
	case set != nil || low > high:
		return nil, p.fail(at, fault.T("%q is not a range", p.text[at:p.at]))
	}
	return runes{low, high}, nil
}

// member reads one character or one escape; an escape for a class returns a set.
func (p *parser) member() (runes, rune, error) {
	if p.peek() == '\\' {
		if strings.HasPrefix(p.text[p.at:], `\b`) {
			p.at += 2
			return nil, '\b', nil
		}
		set, r, err := p.escaped()
		if set == nil {
			p.names(r)
		}
		if set != nil && len(set) == 0 {
			set = runes{unicode.MaxRune, unicode.MaxRune - 1}
		}
		return set, r, err
	}
	if r, n := utf8.DecodeRuneInString(p.text[p.at:]); r == utf8.RuneError && n == 1 {
		return nil, 0, p.fail(p.at, fault.T("the pattern is not valid UTF-8"))
	}
	r := p.next()
	p.names(r)
	return nil, r, nil
}
