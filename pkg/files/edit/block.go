package edit

import "strings"

// block is the old and the new text of an edit, split into lines.
type block struct {
	old, new string   // as text; lines end in "\n"
	o, n     []string // as lines without their endings
	// term says that the old text consists of whole lines, their endings included.
	term bool
}

func newBlock(old, new string) *block {
	b := &block{old: old, new: new}
	b.term = strings.HasSuffix(old, "\n")
	b.o = cut(old, b.term)
	b.n = cut(new, b.term)
	return b
}

// cut splits a text into lines. With term, no empty line follows the last line
// ending.
func cut(s string, term bool) []string {
	if term {
		if s == "" {
			return nil
		}
		s = strings.TrimSuffix(s, "\n")
	}
	return strings.Split(s, "\n")
}

// blank is the white space that is trimmed and collapsed. A carriage return that
// ends no line is an ordinary character.
const blank = " \t"

func rtrim(s string) string { return strings.TrimRight(s, blank) }
func trim(s string) string  { return strings.Trim(s, blank) }

// lead returns a line's indentation.
func lead(s string) string { return s[:len(s)-len(strings.TrimLeft(s, blank))] }

// collapse trims a line and replaces every run of white space by one space.
func collapse(s string) string {
	s = trim(s)
	if !strings.Contains(s, "\t") && !strings.Contains(s, "  ") {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '\t' }), " ")
}

// solid returns how many bytes of lines are not white space.
func solid(lines ...string) int {
	n := 0
	for _, l := range lines {
		for i := range len(l) {
			if l[i] != ' ' && l[i] != '\t' && l[i] != '\n' && l[i] != '\r' {
				n++
			}
		}
	}
	return n
}

// Telling reports whether lines hold enough for a match to be no coincidence: six
// bytes that are not white space.
func Telling(lines ...string) bool { return solid(lines...) >= 6 }

// Filled returns how many lines are not blank.
func Filled(lines []string) int {
	n := 0
	for _, l := range lines {
		if trim(l) != "" {
			n++
		}
	}
	return n
}
