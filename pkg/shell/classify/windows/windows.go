// Package windows reads command lines of cmd and PowerShell and reports what they
// would run: their simple commands, the files of their redirections, and whatever
// makes it uncertain what else runs. It runs and expands nothing and does not know
// what the commands do; package classify judges them.
//
// It knows the part of both languages that command lines usually have. Whatever else
// it meets is a doubt, and a line with a doubt is not understood.
package windows

import (
	"strings"

	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// Script is a command line as far as it was understood.
type Script struct {
	Commands []Command
	Sets     []Assignment
	Doubts   []Doubt // in the order of the line
}

// Command is a simple command.
type Command struct {
	Argv   []word.Word // the name first; none if only redirections are there
	Reads  []word.Word // files that are redirected to its input
	Writes []word.Word // files that its output is redirected to
	Piped  bool        // its input is the output of another command
}

// Assignment gives a variable of the environment a value.
type Assignment struct {
	Name  string
	Value word.Word
}

// Doubt is a reason why it is not certain what runs.
type Doubt struct {
	Kind Kind
	Text string // what it is about, as written
}

// Kind is the kind of a doubt.
type Kind int

// The kinds of doubts.
const (
	Syntax   Kind = iota // the text is not understood here
	Computed             // what runs is computed from it
)

// maxDepth limits the nesting of constructs.
const maxDepth = 100

// parser is the common part of the readers of cmd and PowerShell.
type parser struct {
	src   string
	at    int
	depth int
	out   Script
	lost  bool // the rest cannot be read
}

// maxDoubts limits the number of doubts listed.
const maxDoubts = 20

func (p *parser) doubt(k Kind, text string) {
	if len(p.out.Doubts) == maxDoubts {
		return
	}
	if len(text) > 40 {
		text = strings.ToValidUTF8(text[:40], "") + "…"
	}
	for _, d := range p.out.Doubts {
		if d.Kind == k && d.Text == text {
			return
		}
	}
	p.out.Doubts = append(p.out.Doubts, Doubt{k, text})
}

// add notes a command, if there is anything of one.
func (p *parser) add(cmd Command) {
	if len(cmd.Argv)+len(cmd.Reads)+len(cmd.Writes) > 0 {
		p.out.Commands = append(p.out.Commands, cmd)
	}
}

// lose gives up: the rest is not understood.
func (p *parser) lose() {
	if !p.lost {
		p.doubt(Syntax, p.src[min(p.at, len(p.src)):])
	}
	p.lost = true
	p.at = len(p.src)
}

// enter reports whether one more level may be entered; leave leaves it.
func (p *parser) enter() bool {
	if p.depth++; p.depth > maxDepth {
		p.lose()
		return false
	}
	return true
}

func (p *parser) leave() { p.depth-- }

// peek returns the byte at some distance, 0 behind the end.
func (p *parser) peek(ahead int) byte {
	if p.at+ahead < len(p.src) {
		return p.src[p.at+ahead]
	}
	return 0
}

func (p *parser) end() bool { return p.at >= len(p.src) }

// next reports whether a text comes next, in whatever case.
func (p *parser) next(text string) bool {
	return len(p.src)-p.at >= len(text) && strings.EqualFold(p.src[p.at:p.at+len(text)], text)
}

// has reports whether one of the words of a list is name, in whatever case.
func has(list, name string) bool {
	for field := range strings.FieldsSeq(list) {
		if strings.EqualFold(field, name) {
			return true
		}
	}
	return false
}

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func digit(c byte) bool { return '0' <= c && c <= '9' }

// builder collects a word.
type builder struct {
	text   strings.Builder
	from   int
	lit    bool
	quoted bool
	any    bool // something was written, if only quotes
}

func (b *builder) hole() {
	b.text.WriteByte(word.Hole)
	b.lit, b.any = false, true
}

func (b *builder) add(s string) {
	b.text.WriteString(s)
	b.any = true
}

func (b *builder) word(src string, to int) word.Word {
	return word.Word{Text: b.text.String(), Source: src[b.from:to], Lit: b.lit, Quoted: b.quoted, Split: !b.lit && !b.quoted}
}
