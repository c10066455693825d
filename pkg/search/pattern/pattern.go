// Package pattern reads regular expressions and finds where in a text they
// match. It does not search files.
package pattern

import (
	"regexp/syntax"
	"strings"
	"unicode"

	"github.com/helve-dev/helve/pkg/fault"
)

// Options say how a pattern is meant.
type Options struct {
	Literal    bool // the text as it stands
	IgnoreCase bool
	Word       bool // no word character before or after
	// Multiline says that matches may span lines, and "." is any character. A
	// "\n" then stands for CRLF, too, which for ripgrep it never does, with --crlf
	// or without: who writes a pattern has seen lines, not how they end.
	Multiline bool
}

// Pattern is a compiled pattern. It is immutable and safe for concurrent use.
type Pattern struct {
	// Multiline says that a match may hold line breaks. Otherwise none does,
	// whatever the pattern's classes say, and each line is a text of its own.
	Multiline bool
	// Literals are texts of which every match holds one; none if there are no
	// such texts. With Fold, ASCII letters of them match in either case.
	Literals []string
	Fold     bool
	// Exact says that any occurrence of a literal is a match, and every match
	// one.
	Exact bool
	// Leads says that every match starts with a literal.
	Leads bool
	// Others may do in place of Literals where these turn out to be common.
	Others []Literals
	// Program is what machines run.
	Program *Program
}

// Literals are texts of which every match holds one. With Fold, ASCII letters of
// them match in either case.
type Literals struct {
	Texts []string
	Fold  bool
}

// Program is a non-deterministic automaton over characters.
type Program struct {
	Inst  []syntax.Inst
	Start uint32
	// Conditions are the bits of all InstEmptyWidth there are.
	Conditions uint32
}

// maxPattern is the longest pattern, in bytes, and maxProgram how many instructions
// a compiled one has at most.
const (
	maxPattern = 64 << 10
	maxProgram = 200_000
)

// Compile reads a pattern. Its faults are of kind invalid_arguments and tell
// where in the pattern they are. A pattern that holds a line break is multiline
// even when the options do not say so.
func Compile(text string, o Options) (*Pattern, error) {
	if len(text) > maxPattern {
		return nil, badPattern("", 0, fault.T("it is longer than %d bytes", "长度超过 %d 字节", maxPattern))
	}
	p := &parser{text: text, flags: flags{fold: o.IgnoreCase, dotAll: o.Multiline}}
	tree, err := p.tree(o)
	if err != nil {
		return nil, err
	}
	multiline := o.Multiline || p.newline
	adapt(tree, multiline)
	if size(tree) > maxProgram {
		return nil, badPattern(text, 0, fault.T("its repetitions make it too large", "重复展开后过大"))
	}
	tree = tree.Simplify()
	program, err := compile(tree)
	if err != nil {
		return nil, badPattern(text, 0, fault.T("%v", "%v", err))
	}
	result := &Pattern{Multiline: multiline, Program: program}
	best := required(tree)
	result.Literals, result.Fold, result.Exact, result.Leads = best.texts, best.fold, best.exact, best.leads
	for _, n := range best.others {
		result.Others = append(result.Others, Literals{n.texts, n.fold})
	}
	return result, nil
}

func (p *parser) tree(o Options) (*syntax.Regexp, error) {
	var tree *syntax.Regexp
	if o.Literal {
		if strings.ToValidUTF8(p.text, "") != p.text {
			return nil, p.fail(0, fault.T("the pattern is not valid UTF-8", "pattern 不是合法的 UTF-8"))
		}
		tree = p.literal(p.text)
	} else {
		var err error
		if tree, err = p.alternation(); err != nil {
			return nil, err
		}
		if p.more() {
			return nil, p.fail(p.at, fault.T("a ) that closes no group", "多余的 )"))
		}
	}
	if o.Word {
		tree = &syntax.Regexp{Op: syntax.OpConcat, Sub: []*syntax.Regexp{
			condition(condStartHalf), tree, condition(condEndHalf),
		}}
	}
	return tree, nil
}

// adapt makes a tree fit for texts with or without line breaks.
func adapt(re *syntax.Regexp, multiline bool) {
	for i, sub := range re.Sub {
		if multiline && sub.Op == syntax.OpLiteral && sub.Rune[0] == '\n' {
			// A line may end in CR and LF as well.
			re.Sub[i] = &syntax.Regexp{Op: syntax.OpConcat, Sub: []*syntax.Regexp{
				{Op: syntax.OpQuest, Sub: []*syntax.Regexp{{Op: syntax.OpLiteral, Rune: []rune{'\r'}}}},
				sub,
			}}
			continue
		}
		adapt(sub, multiline)
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

// size is about how many instructions a tree makes.
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

// Conditions of a place in a text that its neighbours decide.
const (
	atBeginLine = uint32(syntax.EmptyBeginLine)
	atEndLine   = uint32(syntax.EmptyEndLine)
	atBeginText = uint32(syntax.EmptyBeginText)
	atEndText   = uint32(syntax.EmptyEndText)
)

// WordConditions are the conditions that depend on whether the characters
// before and after a place are word characters; NoRune is no character.
const (
	NoRune         rune = -1
	WordConditions      = uint32(syntax.EmptyWordBoundary) | uint32(syntax.EmptyNoWordBoundary) |
		condWordStart | condWordEnd | condStartHalf | condEndHalf | condASCIIWord | condASCIINoWord
)

// Words gives the word conditions that hold between two characters, told by
// what kind they are.
func Words(before, after Kind) uint32 {
	var c uint32
	b, a := before != NoWord, after != NoWord
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
	if (before == ASCIIWord) != (after == ASCIIWord) {
		return c | condASCIIWord
	}
	return c | condASCIINoWord
}

// Kind tells word characters from others.
type Kind uint8

// The kinds.
const (
	NoWord Kind = iota
	ASCIIWord
	OtherWord
)

// KindOf is the kind of a character, or of NoRune.
func KindOf(r rune) Kind {
	switch {
	case isASCIIWord(r):
		return ASCIIWord
	case r < 0x80 || !words().has(r):
		return NoWord
	}
	return OtherWord
}

// Uniform reports whether an instruction treats all characters of a range that
// holds no ASCII alike.
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

// UniformKind reports whether all characters of a range that holds no ASCII are
// of one kind.
func UniformKind(lo, hi rune) bool { return words().uniform(lo, hi) }
