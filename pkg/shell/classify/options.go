package classify

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// spec is what is known of a program that only reads as long as certain options
// are absent. Options are written as getopt takes them: short ones as letters, a
// ":" after one that has a value; long ones as names, "=" after one that has
// a value and "?" after one that may have one behind "=".
type spec struct {
	name string
	ok   options // harmless
	out  options // write: the value, if there is one, is the path that is written
	bad  options // run programs, or do other harm
	// operands are what the arguments that are no options name.
	operands operands
}

type options struct{ short, long string }

type operands int

const (
	inputs     operands = iota // files that are read
	words                      // text, not files
	lastOutput                 // an input, and a second one that is written
	outputs                    // files that are written
	none                       // there may not be any
)

// has reports whether the letter is one of the short options and has a value.
func (o options) has(letter byte) (found, value bool) {
	if letter == ':' {
		return false, false
	}
	i := strings.IndexByte(o.short, letter)
	if i < 0 {
		return false, false
	}
	return true, i+1 < len(o.short) && o.short[i+1] == ':'
}

// find looks a long option up, by its whole name or by the beginning of it as
// getopt_long(3) does.
func (o options) find(name string, abbreviated bool) (found, value bool) {
	for known := range strings.FieldsSeq(o.long) {
		bare := strings.TrimRight(known, "=?")
		if bare == name || abbreviated && strings.HasPrefix(bare, name) {
			return true, strings.HasSuffix(known, "=")
		}
	}
	return false, false
}

func (s spec) risky() bool { return s.out != options{} || s.bad != options{} }

// class is what an option is for a spec.
type class int

const (
	strange class = iota
	harmlessOption
	outputOption
	badOption
)

func (s spec) short(letter byte) (class, bool) {
	for i, o := range [...]options{s.ok, s.out, s.bad} {
		if found, value := o.has(letter); found {
			return harmlessOption + class(i), value
		}
	}
	return strange, false
}

// long prefers the whole name; of several that a beginning may mean, the worst.
func (s spec) long(name string) (class, bool) {
	for i, o := range [...]options{s.ok, s.out, s.bad} {
		if found, value := o.find(name, false); found {
			return harmlessOption + class(i), value
		}
	}
	for i, o := range [...]options{s.bad, s.out, s.ok} {
		if found, value := o.find(name, true); found {
			return badOption - class(i), value
		}
	}
	return strange, false
}

// options judges the options among args and gives the operands.
func (a *analysis) options(s spec, args []word.Word) []word.Word {
	var rest []word.Word
	for i := 0; i < len(args); i++ {
		w := args[i]
		if w.MayBeOption() {
			if s.risky() {
				a.dynamic(s.name, w)
			}
			rest = append(rest, w)
			continue
		}
		switch {
		case w.Text == "--" && w.Known():
			return append(rest, args[i+1:]...)
		case len(w.Text) < 2 || w.Text[0] != '-':
			rest = append(rest, w)
		case strings.HasPrefix(w.Text, "--"):
			name, value, joined := strings.Cut(w.Text[2:], "=")
			c, takes := s.long(name)
			var v *word.Word
			if joined {
				v = &word.Word{Text: value, Source: value, Lit: w.Lit}
			} else if takes && i+1 < len(args) {
				i++
				v = &args[i]
			}
			a.option(s, c, w, v)
		case strings.Trim(w.Text[1:], "0123456789") == "" && s.name != "git": // a count, as in head -5
		default:
			i = a.letters(s, args, i)
		}
	}
	return rest
}

// letters judges a word of short options and gives the index of the last word
// that it took.
func (a *analysis) letters(s spec, args []word.Word, i int) int {
	w := args[i]
	for j := 1; j < len(w.Text); j++ {
		c, takes := s.short(w.Text[j])
		var v *word.Word
		switch {
		case takes && j+1 < len(w.Text):
			v = &word.Word{Text: w.Text[j+1:], Source: w.Source, Lit: w.Lit}
			j = len(w.Text)
		case takes && i+1 < len(args):
			i++
			v = &args[i]
		}
		a.option(s, c, w, v)
		if c == strange {
			break
		}
	}
	return i
}

func (a *analysis) option(s spec, c class, w word.Word, value *word.Word) {
	switch c {
	case harmlessOption:
		if value != nil && strings.Contains(value.Text, "/") {
			a.reads(*value)
		}
	case outputOption:
		a.raise(Write, "", fault.T("%s %s writes a file", "%s %s 会写入文件", s.name, w.Source))
		if value != nil && value.Text != "-" {
			a.writes(*value)
		}
	case badOption:
		a.raise(Destructive, Obfuscated, fault.T("%s %s may run another program", "%s %s 可能会运行其他程序", s.name, w.Source))
	case strange:
		a.raise(Write, UnknownFlags, fault.T("%s %s is not known to be harmless", "无法确认 %s %s 是否无害", s.name, w.Source))
		a.flag(Opaque)
	}
}

func (a *analysis) dynamic(program string, w word.Word) {
	a.raise(Write, DynamicArgs, fault.T("%s may become an option of %s", "%s 可能会变成 %s 的选项", w.Source, program))
}

// apply judges a whole command by its spec.
func (a *analysis) apply(s spec, args []word.Word) {
	if s.operands == words && s.ok == (options{}) {
		return // whatever it is given is text
	}
	rest := a.options(s, args)
	switch s.operands {
	case inputs:
		for _, w := range rest {
			a.reads(w)
		}
	case lastOutput:
		for i, w := range rest {
			if i == 0 {
				a.reads(w)
				continue
			}
			a.raise(Write, "", fault.T("the second operand of %s is written", "%s 的第二个参数会被写入", s.name))
			a.writes(w)
		}
		if len(rest) == 1 && rest[0].MayBeOption() {
			a.dynamic(s.name, rest[0])
		}
	case outputs:
		for _, w := range rest {
			a.writes(w)
		}
	case none:
		if len(rest) > 0 {
			a.raise(Destructive, "", fault.T("%s changes the system when it is given %s", "%s 带上 %s 会修改系统", s.name, rest[0].Source))
		}
	}
}
