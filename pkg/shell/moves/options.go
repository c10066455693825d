package moves

import (
	"slices"
	"strings"
)

// line holds the words behind a subcommand, taken apart.
type line struct {
	options  []option
	operands []string
	paths    []string // behind --
	dashed   bool     // there is a --
}

// option is an option with its value, "" without one.
type option struct{ name, value string }

// split takes a command line apart. valued lists the options that need a value, separated
// by spaces. It may be the next word, or of one letter the rest of the word.
func split(args []string, valued string) (l line) {
	needs := strings.Fields(valued)
	for i := 0; i < len(args); i++ {
		word := args[i]
		next := func() string {
			if i+1 < len(args) {
				i++
				return args[i]
			}
			return ""
		}
		switch {
		case l.dashed:
			l.paths = append(l.paths, word)
		case word == "--":
			l.dashed = true
		case word == "-" || !strings.HasPrefix(word, "-"):
			l.operands = append(l.operands, word)
		case strings.HasPrefix(word, "--"):
			name, value, has := strings.Cut(word, "=")
			if !has && slices.ContainsFunc(needs, func(n string) bool { return abbreviates(name, n) }) {
				value = next()
			}
			l.options = append(l.options, option{name, value})
		default:
			for j := 1; j < len(word); j++ {
				o := option{name: "-" + word[j:j+1]}
				if slices.Contains(needs, o.name) {
					if o.value = word[j+1:]; o.value == "" {
						o.value = next()
					}
					j = len(word)
				}
				l.options = append(l.options, o)
			}
		}
	}
	return l
}

// abbreviates reports whether git takes a word for an option: it may be shortened.
func abbreviates(word, name string) bool {
	return word == name || strings.HasPrefix(name, "--") && len(word) > 3 && strings.HasPrefix(name, word)
}

// has reports whether one of some options, separated by spaces, is set.
func (l line) has(names string) bool {
	_, ok := l.value(names)
	return ok
}

// value returns the value of the last of some options.
func (l line) value(names string) (value string, ok bool) {
	o, ok := l.last(names)
	return o.value, ok
}

// last returns the last of some options, by its whole name.
func (l line) last(names string) (last option, ok bool) {
	for _, o := range slices.Backward(l.options) {
		for name := range strings.FieldsSeq(names) {
			if abbreviates(o.name, name) {
				return option{name, o.value}, true
			}
		}
	}
	return option{}, false
}

// only returns the words of those of some options that are set.
func (l line) only(names string) (words []string) {
	for _, o := range l.options {
		for name := range strings.FieldsSeq(names) {
			if !abbreviates(o.name, name) {
				continue
			}
			switch {
			case o.value == "":
				words = append(words, name)
			case strings.HasPrefix(name, "--"):
				words = append(words, name+"="+o.value)
			default:
				words = append(words, name+o.value)
			}
			break
		}
	}
	return words
}

// operand returns an operand, or another word where there is none.
func (l line) operand(i int, otherwise string) string {
	if i < len(l.operands) {
		return l.operands[i]
	}
	return otherwise
}
