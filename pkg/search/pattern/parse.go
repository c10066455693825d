package pattern

import (
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
)

// maxRepeat is the highest count of a repetition. maxNesting limits the nesting of groups
// and classes.
const (
	maxRepeat  = 1000
	maxNesting = 250
)

// parser turns a pattern into a tree of regexp/syntax. The grammar is RE2's with
// ripgrep's additions: nested classes and their intersection, Unicode in \w, \d,
// \s and \b, half word boundaries, (?x). Groups do not capture: only the start and
// the end of a match are needed.
type parser struct {
	text string
	at   int
	flags
	depth   int
	newline bool // the pattern has a line break outside of classes
	cr      bool // the pattern names a CR
	foreign bool // the pattern names a character beyond ASCII
}

// flags apply from where they are set to the end of the group.
type flags struct {
	fold, dotAll, ungreedy, ascii, spaced bool
	text                                  bool // ^ and $ match only at the ends of the text
}

// assertion is the first of the characters, all beyond the last real one, that
// represent zero-width conditions for which regexp/syntax has no operator. compile
// turns them into instructions.
const assertion = unicode.MaxRune + 1

// Conditions of instructions of the kind syntax.InstEmptyWidth, in addition to
// those of syntax.EmptyOp.
const (
	condWordStart uint32 = 1 << (6 + iota)
	condWordEnd
	condStartHalf // no word character before
	condEndHalf   // no word character after
	condASCIIWord
	condASCIINoWord
)

func condition(bits uint32) *syntax.Regexp {
	return &syntax.Regexp{Op: syntax.OpLiteral, Rune: []rune{assertion + rune(bits)}}
}

func (p *parser) more() bool { return p.at < len(p.text) }

func (p *parser) peek() byte { return p.text[p.at] }

func (p *parser) eat(s string) bool {
	if strings.HasPrefix(p.text[p.at:], s) {
		p.at += len(s)
		return true
	}
	return false
}

func (p *parser) next() rune {
	r, n := utf8.DecodeRuneInString(p.text[p.at:])
	p.at += n
	return r
}

func (p *parser) alternation() (*syntax.Regexp, error) {
	if p.depth++; p.depth > maxNesting {
		return nil, p.fail(p.at, fault.T("groups nest deeper than %d", maxNesting))
	}
	defer func() { p.depth-- }()
	var subs []*syntax.Regexp
	for {
		sub, err := p.concatenation()
		if err != nil {
			return nil, err
		}
		subs = append(subs, sub)
		if !p.eat("|") {
			break
		}
	}
	if len(subs) == 1 {
		return subs[0], nil
	}
	return &syntax.Regexp{Op: syntax.OpAlternate, Sub: subs}, nil
}

func (p *parser) concatenation() (*syntax.Regexp, error) {
	var subs []*syntax.Regexp
	for {
		p.skipSpace()
		if !p.more() || p.peek() == '|' || p.peek() == ')' {
			break
		}
		start := p.at
		sub, err := p.atom()
		if err != nil {
			return nil, err
		}
		if sub == nil {
			continue
		}
		for {
			repeated, err := p.repetition(sub, start)
			if err != nil {
				return nil, err
			}
			if repeated == sub {
				break
			}
			sub = repeated
		}
		subs = append(subs, sub)
	}
	switch len(subs) {
	case 0:
		return &syntax.Regexp{Op: syntax.OpEmptyMatch}, nil
	case 1:
		return subs[0], nil
	}
	return &syntax.Regexp{Op: syntax.OpConcat, Sub: subs}, nil
}

func (p *parser) skipSpace() {
	for p.spaced && p.more() {
		switch c := p.peek(); {
		case c == '#':
			end := strings.IndexByte(p.text[p.at:], '\n')
			if end < 0 {
				end = len(p.text) - p.at
			}
			p.at += end
		case strings.IndexByte(" \t\n\v\f\r", c) >= 0:
			p.at++
		default:
			return
		}
	}
}

// atom reads one element, which a repetition may follow. It returns nil for
// syntax that matches nothing by itself, such as a change of flags.
func (p *parser) atom() (*syntax.Regexp, error) {
	start := p.at
	switch c := p.peek(); c {
	case '(':
		return p.group()
	case '[':
		set, err := p.class()
		if err != nil {
			return nil, err
		}
		return classOf(set), nil
	case '.':
		p.at++
		if p.dotAll {
			return &syntax.Regexp{Op: syntax.OpAnyChar}, nil
		}
		return &syntax.Regexp{Op: syntax.OpAnyCharNotNL}, nil
	case '^':
		p.at++
		if p.flags.text {
			return &syntax.Regexp{Op: syntax.OpBeginText}, nil
		}
		return &syntax.Regexp{Op: syntax.OpBeginLine}, nil
	case '$':
		p.at++
		if p.flags.text {
			return &syntax.Regexp{Op: syntax.OpEndText}, nil
		}
		return &syntax.Regexp{Op: syntax.OpEndLine}, nil
	case '*', '+', '?':
		return nil, p.fail(start, fault.T("nothing precedes the repetition %q", string(c)))
	case '\\':
		return p.escape()
	}
	if r, n := utf8.DecodeRuneInString(p.text[p.at:]); r == utf8.RuneError && n == 1 {
		return nil, p.fail(start, fault.T("the pattern is not valid UTF-8"))
	}
	return p.char(p.next()), nil
}

// names notes that the pattern names a character.
func (p *parser) names(r rune) {
	p.cr = p.cr || r == '\r'
	p.foreign = p.foreign || r >= utf8.RuneSelf
}

func (p *parser) char(r rune) *syntax.Regexp {
	if r == '\n' {
		p.newline = true
	}
	p.names(r)
	re := &syntax.Regexp{Op: syntax.OpLiteral, Rune: []rune{r}}
	if p.fold && unicode.SimpleFold(r) != r {
		re.Flags |= syntax.FoldCase
	}
	return re
}

func classOf(set runes) *syntax.Regexp {
	if len(set) == 0 {
		return &syntax.Regexp{Op: syntax.OpNoMatch}
	}
	return &syntax.Regexp{Op: syntax.OpCharClass, Rune: set}
}

// repetition reads a repetition of sub. It returns sub if there is none.
func (p *parser) repetition(sub *syntax.Regexp, start int) (*syntax.Regexp, error) {
	p.skipSpace()
	if !p.more() {
		return sub, nil
	}
	re := &syntax.Regexp{Sub: []*syntax.Regexp{sub}}
	switch p.peek() {
	case '*':
		re.Op = syntax.OpStar
		p.at++
	case '+':
		re.Op = syntax.OpPlus
		p.at++
	case '?':
		re.Op = syntax.OpQuest
		p.at++
	case '{':
		low, high, ok := p.counts()
		if !ok {
			return sub, nil // a literal brace
		}
		if low > maxRepeat || high > maxRepeat {
			return nil, p.fail(start, fault.T("this repetition counts to more than %d", maxRepeat))
		}
		if high >= 0 && low > high {
			return nil, p.fail(start, fault.T("this repetition has the lower bound %d above the upper bound %d", low, high))
		}
		re.Op, re.Min, re.Max = syntax.OpRepeat, low, high
	default:
		return sub, nil
	}
	if p.eat("?") != p.ungreedy {
		re.Flags |= syntax.NonGreedy
	}
	return re, nil
}

// counts reads {n}, {n,}, {n,m} or {,m}; high is -1 if there is no upper bound. It
// reads nothing if the text has another form.
func (p *parser) counts() (low, high int, ok bool) {
	inner, _, closed := strings.Cut(p.text[p.at+1:], "}")
	if !closed {
		return 0, 0, false
	}
	first, second, two := strings.Cut(inner, ",")
	first, second = strings.TrimSpace(first), strings.TrimSpace(second)
	if first == "" && second == "" {
		return 0, 0, false
	}
	low, ok = count(first)
	high = low
	if two {
		high = -1
		if second != "" {
			var fine bool
			high, fine = count(second)
			ok = ok && fine
		}
	}
	if ok {
		p.at += len(inner) + 2
	}
	return low, high, ok
}

func count(s string) (int, bool) {
	if strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	if s == "" {
		return 0, true
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		n = maxRepeat + 1
	}
	return n, true
}

func (p *parser) group() (*syntax.Regexp, error) {
	start := p.at
	p.at++
	outer := p.flags
	if p.eat("?") {
		switch {
		case p.eat("P<") || p.text[p.at:] != "" && p.peek() == '<' && !strings.HasPrefix(p.text[p.at:], "<=") && !strings.HasPrefix(p.text[p.at:], "<!"):
			end := strings.IndexByte(p.text[p.at:], '>')
			if end < 0 {
				return nil, p.fail(start, fault.T("the name of the group is not closed by >"))
			}
			p.at += end + 1
		case p.eat("=") || p.eat("!") || p.eat("<=") || p.eat("<!"):
			return nil, p.lookaround(start)
		default:
			ends, err := p.setFlags(start)
			if err != nil || ends {
				return nil, err
			}
		}
	}
	sub, err := p.alternation()
	if err != nil {
		return nil, err
	}
	if !p.eat(")") {
		return nil, p.fail(start, fault.T("the group is not closed"))
	}
	p.flags = outer
	return sub, nil
}

// lookaround returns the error for an assertion that starts at an offset.
func (p *parser) lookaround(start int) error {
	what := fault.T("look-ahead and look-behind are not supported")
	switch p.text[start:p.at] {
	case "(?=":
		return p.unsupported(start, what, fault.T(`whole lines are returned, so search for the text together with what follows it: foo\( for foo(?=\()`))
	case "(?<=":
		return p.unsupported(start, what, fault.T(`whole lines are returned, so search for the text together with what precedes it: func foo for (?<=func )foo`))
	case "(?!":
		return p.unsupported(start, what, fault.T(`exclude one character with a class, foo[^(] for foo(?!\(), the end of a word with \b, or files with exclude; `+
			`else search without the assertion and pass over the lines that it would drop`))
	}
	return p.unsupported(start, what, fault.T(`exclude one character with a class, (?:^|[^.])foo for (?<!\.)foo, the start of a word with \b or word=true; `+
		`else search without the assertion and pass over the lines that it would drop`))
}

// setFlags reads the flags of (?flags) or (?flags:; ends is true for the first
// form.
func (p *parser) setFlags(start int) (ends bool, err error) {
	on := true
	for p.more() {
		c := p.peek()
		p.at++
		switch c {
		case 'i':
			p.fold = on
		case 's':
			p.dotAll = on
		case 'U':
			p.ungreedy = on
		case 'x':
			p.spaced = on
		case 'u':
			p.ascii = !on
		case 'm':
			p.flags.text = !on
		case 'R': // CRLF always ends a line
		case '-':
			on = false
		case ':':
			return false, nil
		case ')':
			return true, nil
		default:
			return false, p.fail(p.at-1, fault.T("unknown flag %q", string(c)))
		}
	}
	return false, p.fail(start, fault.T("the group is not closed"))
}
