// Package word reads the words of a shell command: it removes their quotes and
// says what is certain about each one before the shell expands it. It expands
// nothing itself and does not know what the words mean.
package word

import "strings"

// Hole stands in the text of a word for what an expansion will put there. A
// command cannot contain this byte.
const Hole = '\x00'

// Word is one argument of a command, as far as its text is certain.
type Word struct {
	Text   string // without quotes; a Hole for each expansion
	Source string // as written
	Lit    bool   // no expansion is in it
	Glob   bool   // an unquoted pattern, which may become several words or other text
	Split  bool   // an unquoted expansion or brace, which may become several words
	Quoted bool   // some of it is quoted

	bracket bool // an unquoted "[" that is still open
}

// Literal returns the word that means exactly s.
func Literal(s string) Word { return Word{Text: s, Source: s, Lit: true} }

// Known reports whether the word is exactly one argument whose text is certain.
func (w Word) Known() bool { return w.Lit && !w.Glob }

// Prefix returns the text of the word up to where it is no longer certain.
func (w Word) Prefix() string {
	end := len(w.Text)
	if i := strings.IndexByte(w.Text, Hole); i >= 0 {
		end = i
	}
	if w.Glob {
		if i := strings.IndexAny(w.Text[:end], "*?[{+@!"); i >= 0 {
			end = i
		}
	}
	return w.Text[:end]
}

// MayBeOption reports whether the word may turn out to be an option, or several
// words of which one is an option.
func (w Word) MayBeOption() bool {
	if w.Known() {
		return false
	}
	p := w.Prefix()
	return w.Split || p == "" || p[0] == '-'
}

// Listed reports whether one of the words of list is name.
func Listed(list, name string) bool {
	for field := range strings.FieldsSeq(list) {
		if field == name {
			return true
		}
	}
	return false
}
