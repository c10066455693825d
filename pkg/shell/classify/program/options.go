package program

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// hasShort reports whether the letter is one of the short options, and whether it
// has a value.
func (o options) hasShort(letter byte) (found, value bool) {
	if letter == ':' {
		return false, false
	}
	i := strings.IndexByte(o.short, letter)
	if i < 0 {
		return false, false
	}
	return true, i+1 < len(o.short) && o.short[i+1] == ':'
}

// hasLong looks a long option up by its whole name or, as getopt_long(3) does, by
// the beginning of it.
func (o options) hasLong(name string, abbreviated bool) (found, value bool) {
	for known := range strings.FieldsSeq(o.long) {
		bare := strings.TrimRight(known, "=?")
		if bare == name || abbreviated && strings.HasPrefix(bare, name) {
			return true, strings.HasSuffix(known, "=")
		}
	}
	return false, false
}

// class is the column of a row that an option is in, from the best to the worst.
type class int

const (
	unlisted class = iota
	harmlessOption
	valueOption
	writeOption
	runOption
)

func (p *Row) columns() [4]*options {
	return [...]*options{&p.harmless, &p.values, &p.writes, &p.runs}
}

func (p *Row) shortOption(letter byte) (c class, takesValue bool) {
	for i, o := range p.columns() {
		if found, value := o.hasShort(letter); found {
			return harmlessOption + class(i), value
		}
	}
	return unlisted, false
}

// longOption prefers the whole name. Of several options that an abbreviation may
// mean it returns the worst.
func (p *Row) longOption(name string) (c class, takesValue bool) {
	columns := p.columns()
	for i, o := range columns {
		if found, value := o.hasLong(name, false); found {
			return harmlessOption + class(i), value
		}
	}
	for i := len(columns) - 1; i >= 0; i-- {
		if found, value := columns[i].hasLong(name, true); found {
			return harmlessOption + class(i), value
		}
	}
	return unlisted, false
}

// all reports whether the argument consists of these options only, and whether
// the next argument is the value of the last one.
func (o options) all(arg string) (takesNext, ok bool) {
	if strings.HasPrefix(arg, "--") {
		name, _, joined := strings.Cut(arg[2:], "=")
		found, value := o.hasLong(name, false)
		return value && !joined, found
	}
	for j := 1; j < len(arg); j++ {
		found, value := o.hasShort(arg[j])
		if !found {
			return false, false
		}
		if value {
			return j+1 == len(arg), true
		}
	}
	return false, true
}

// oneOf reports whether the argument has one of these options, which take no values.
func (o options) oneOf(w word.Word) bool {
	switch {
	case len(w.Text) < 2 || w.Text[0] != '-':
		return false
	case w.Text[1] == '-':
		return word.Listed(o.long, w.Text[2:])
	}
	return strings.ContainsAny(w.Text, o.short)
}

// hasOption reports whether one of the arguments is one of the options, with or
// without a value behind "=".
func hasOption(args []word.Word, options ...string) bool {
	return slices.ContainsFunc(args, func(w word.Word) bool {
		name, _, _ := strings.Cut(w.Text, "=")
		return slices.Contains(options, name)
	})
}
