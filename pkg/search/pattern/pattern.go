// Package pattern compiles regular expressions and finds where in a text they
// match. The grammar is RE2's with ripgrep's additions. The package does not
// search files.
package pattern

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"

	"github.com/helve-dev/helve/pkg/fault"
)

// Options say how to read a pattern.
type Options struct {
	Literal    bool // the pattern is a text, not a regular expression
	IgnoreCase bool
	Word       bool // a match has no word character before or after it
	// Multiline says that matches may span lines, and that "." matches every
	// character. CRLF is then one character, "\n", because the author of a pattern has
	// seen lines and not how they end. (In ripgrep it is not, even with --crlf.)
	Multiline bool
}

// Pattern is a compiled pattern. It is immutable and safe for concurrent use.
type Pattern struct {
	// Multiline says that a match may hold line breaks, or depend on where the text
	// begins or ends. Otherwise no match does, even if a class has line breaks, and
	// each line is searched on its own.
	Multiline bool
	// Breaks is the most line breaks that a match can hold; -1 is without bound.
	Breaks int
	// CR says that the pattern names a CR. It is then a character of the line, also
	// before LF, and "$" matches before and after it. Otherwise a CR before LF is
	// part of the line break, which only "\n" matches.
	CR bool
	// Foreign says that the pattern names characters beyond ASCII, which have other
	// bytes in other encodings.
	Foreign bool
	// Literals are texts of which every match holds one; empty if none are known.
	// With Fold, their ASCII letters match in either case.
	Literals []string
	Fold     bool
	// Exact says that every occurrence of a literal is a match and every match is
	// one.
	Exact bool
	// Leads says that every match starts with a literal.
	Leads bool
	// Others are alternatives for texts in which Literals are common.
	Others []Literals
	// Program is the automaton that machines run.
	Program *Program
}

// Literals are texts of which every match holds one. With Fold, their ASCII
// letters match in either case.
type Literals struct {
	Texts []string
	Fold  bool
}

// Program is a non-deterministic automaton over characters.
type Program struct {
	Inst  []syntax.Inst
	Start uint32
	// Conditions are the bits of all its InstEmptyWidth instructions.
	Conditions uint32
	cr         bool // see [Pattern.CR]

	// CRLF says that CRLF is one character, "\n".
	CRLF bool
}

const (
	// maxPattern is the length of the longest pattern, in bytes.
	maxPattern = 64 << 10
	// maxProgram is the largest number of instructions of a compiled pattern.
	maxProgram = 200_000
)

// Compile compiles a pattern. Its errors have the code invalid_arguments and say where in
// the pattern they are. A pattern with a line break is multiline even without the option;
// one that cannot match any is not, even with it.
func Compile(text string, o Options) (*Pattern, error) {
	if len(text) > maxPattern {
		return nil, badPattern("", 0, fault.T("it is longer than %d bytes", maxPattern))
	}
	p := &parser{text: text, flags: flags{fold: o.IgnoreCase, dotAll: o.Multiline}}
	tree, err := p.tree(o)
	if err != nil {
		return nil, err
	}
	// Lines are searched faster one by one.
	multiline := (o.Multiline || p.newline) && spans(tree)
	adapt(tree, multiline)
	if size(tree) > maxProgram {
		return nil, badPattern(text, 0, fault.T("its repetitions make it too large"))
	}
	most := breaks(tree)
	tree = tree.Simplify()
	program, err := compile(tree)
	if err != nil {
		return nil, badPattern(text, 0, fault.T("%v", err))
	}
	program.cr, program.CRLF = p.cr, multiline && !p.cr
	result := &Pattern{Multiline: multiline, Breaks: most, CR: p.cr, Foreign: p.foreign, Program: program}
	best := required(tree)
	result.Literals, result.Fold, result.Exact, result.Leads = best.texts, best.fold, best.exact, best.leads
	for _, n := range best.others {
		result.Others = append(result.Others, Literals{n.texts, n.fold})
	}
	return result, nil
}

// Same reports whether two patterns match the same in every text.
func (p *Pattern) Same(q *Pattern) bool {
	return p.Multiline == q.Multiline && p.CR == q.CR && p.Program.Start == q.Program.Start &&
		slices.EqualFunc(p.Program.Inst, q.Program.Inst, func(a, b syntax.Inst) bool {
			return a.Op == b.Op && a.Out == b.Out && a.Arg == b.Arg && slices.Equal(a.Rune, b.Rune)
		})
}

func (p *parser) tree(o Options) (*syntax.Regexp, error) {
	var tree *syntax.Regexp
	if o.Literal {
		if strings.ToValidUTF8(p.text, "") != p.text {
			return nil, p.fail(0, fault.T("the pattern is not valid UTF-8"))
		}
		tree = p.literal(p.text)
	} else {
		var err error
		if tree, err = p.alternation(); err != nil {
			return nil, err
		}
		if p.more() {
			return nil, p.fail(p.at, fault.T("this ) closes no group"))
		}
	}
	if o.Word {
		tree = &syntax.Regexp{Op: syntax.OpConcat, Sub: []*syntax.Regexp{
			condition(condStartHalf), tree, condition(condEndHalf),
		}}
	}
	return tree, nil
}

// adapt changes a tree for the search of lines or of texts with line breaks.
func adapt(re *syntax.Regexp, multiline bool) {
	for i, sub := range re.Sub {
		if multiline {
			re.Sub[i] = withCRLF(sub)
		}
		if re.Sub[i] == sub {
			adapt(sub, multiline)
		}
	}
	if multiline {
		return
	}
	switch re.Op {
	case syntax.OpAnyChar:
		re.Op = syntax.OpAnyCharNotNL
	case syntax.OpCharClass:
		re.Rune = runes(re.Rune).without(runes{'\n', '\n'})
		if len(re.Rune) == 0 {
			re.Op = syntax.OpNoMatch
		}
	}
}

// withCRLF returns a tree for a line feed, or for a class of a few characters with one,
// that also has CRLF, so that the literals of the pattern have it. Machines read CRLF
// as one character. Any other tree is returned as it is.
func withCRLF(re *syntax.Regexp) *syntax.Regexp {
	var others runes
	switch {
	case !takesBreak(re) || re.Op == syntax.OpAnyChar:
		return re
	case re.Op == syntax.OpCharClass:
		if others = runes(re.Rune).without(runes{'\n', '\n'}); class(others).texts == nil && len(others) > 0 {
			return re // too many characters for literals
		}
	}
	crlf := &syntax.Regexp{Op: syntax.OpConcat, Sub: []*syntax.Regexp{
		{Op: syntax.OpQuest, Sub: []*syntax.Regexp{{Op: syntax.OpLiteral, Rune: []rune{'\r'}}}},
		{Op: syntax.OpLiteral, Rune: []rune{'\n'}},
	}}
	if len(others) == 0 {
		return crlf
	}
	return &syntax.Regexp{Op: syntax.OpAlternate, Sub: []*syntax.Regexp{crlf, classOf(others)}}
}

// size estimates how many instructions a tree compiles to.
func size(re *syntax.Regexp) int {
	n := 1
	for _, sub := range re.Sub {
		n = min(n+size(sub), maxProgram+1)
	}
	if re.Op == syntax.OpRepeat {
		n *= max(re.Min, re.Max, 1)
	}
	return min(n, maxProgram+1)
}

func compile(tree *syntax.Regexp) (*Program, error) {
	prog, err := syntax.Compile(tree)
	if err != nil {
		return nil, err
	}
	p := &Program{Inst: prog.Inst, Start: uint32(prog.Start)}
	for i := range p.Inst {
		in := &p.Inst[i]
		if (in.Op == syntax.InstRune1 || in.Op == syntax.InstRune) && len(in.Rune) == 1 && in.Rune[0] >= assertion {
			in.Op, in.Arg, in.Rune = syntax.InstEmptyWidth, uint32(in.Rune[0]-assertion), nil
		}
		if in.Op == syntax.InstEmptyWidth {
			p.Conditions |= in.Arg
		}
	}
	return p, nil
}

// Conditions at an offset that the characters around it decide.
const (
	atBeginLine = uint32(syntax.EmptyBeginLine)
	atEndLine   = uint32(syntax.EmptyEndLine)
	atBeginText = uint32(syntax.EmptyBeginText)
	atEndText   = uint32(syntax.EmptyEndText)
)

// noRune stands for no character: an end of the text or invalid UTF-8.
const noRune rune = -1

// WordConditions are the conditions that depend on whether the characters before
// and after an offset are word characters.
const WordConditions = uint32(syntax.EmptyWordBoundary) | uint32(syntax.EmptyNoWordBoundary) |
	condWordStart | condWordEnd | condStartHalf | condEndHalf | condASCIIWord | condASCIINoWord

// Words returns the word conditions that hold between characters of two kinds.
func Words(before, after Kind) uint32 {
	var c uint32
	b, a := before != notWord, after != notWord
	switch {
	case b == a:
		c = uint32(syntax.EmptyNoWordBoundary)
	case a:
		c = uint32(syntax.EmptyWordBoundary) | condWordStart
	default:
		c = uint32(syntax.EmptyWordBoundary) | condWordEnd
	}
	if !b {
		c |= condStartHalf
	}
	if !a {
		c |= condEndHalf
	}
	if (before == asciiWord) != (after == asciiWord) {
		return c | condASCIIWord
	}
	return c | condASCIINoWord
}

// Kind is the class of a character: a word character, or another one. It has two bits.
type Kind uint8

const (
	notWord Kind = iota
	asciiWord
	otherWord
)

// KindOf returns the kind of a character. A negative r is not a word character.
func KindOf(r rune) Kind {
	switch {
	case isASCIIWord(r):
		return asciiWord
	case r < 0x80 || !words().has(r):
		return notWord
	}
	return otherWord
}

// Uniform reports whether an instruction treats all characters of a range alike.
// The range must be beyond ASCII.
func Uniform(in *syntax.Inst, lo, hi rune) bool {
	switch in.Op {
	case syntax.InstRune1:
		return in.Rune[0] < lo || in.Rune[0] > hi
	case syntax.InstRune:
		if len(in.Rune) == 1 { // with its other cases
			r := in.Rune[0]
			for f := r; ; {
				if lo <= f && f <= hi {
					return false
				}
				if f = unicode.SimpleFold(f); f == r {
					return true
				}
			}
		}
		return runes(in.Rune).uniform(lo, hi)
	}
	return true
}

// UniformKind reports whether all characters of a range are of the same kind. The
// range must be beyond ASCII.
func UniformKind(lo, hi rune) bool { return words().uniform(lo, hi) }
