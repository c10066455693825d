package output

import (
	"strings"
	"unicode/utf8"
)

// slot stands in a shape for what differs: a number, hex digits, quoted text, a path.
const slot = "…"

// shapeOf returns the words of a line without what differs between lines that say the
// same of different things, and what was taken out.
func shapeOf(text string) (shape string, values []string) {
	s := shaper{text: text}
	s.out.Grow(len(text))
	for s.at < len(text) {
		s.step()
	}
	return strings.TrimRight(s.out.String(), " "), s.values
}

// shaper takes what differs out of a line.
type shaper struct {
	text   string
	at     int
	out    strings.Builder
	values []string
	closed int  // the length of out behind the last slot
	slots  bool // there is one
}

func (s *shaper) step() {
	c := s.text[s.at]
	switch {
	case c == ' ' || c == '\t':
		for s.at < len(s.text) && (s.text[s.at] == ' ' || s.text[s.at] == '\t') {
			s.at++
		}
		s.out.WriteByte(' ')
	case s.begins() && (c == '"' || c == '\'' || c == '`') && s.quoted(c):
	case s.begins() && s.path():
	case word(c):
		s.word()
	case s.at+2 < len(s.text) && s.text[s.at+1] == c && s.text[s.at+2] == c && c < utf8.RuneSelf: // a bar or a rule
		for s.at < len(s.text) && s.text[s.at] == c {
			s.at++
		}
		s.out.WriteByte(c)
	default:
		s.out.WriteByte(c)
		s.at++
	}
}

func word(c byte) bool { return letter(c) || digit(c) }

// begins reports whether a quotation or a path may begin here.
func (s *shaper) begins() bool {
	return s.at == 0 || !word(s.text[s.at-1]) && s.text[s.at-1] < utf8.RuneSelf
}

// take puts a slot in the place of a part of the text. Slots with one character between
// them are one, as in a date.
func (s *shaper) take(end int) {
	value := s.text[s.at:end]
	s.at = end
	if done := s.out.String(); s.slots && len(done)-s.closed == 1 && strings.ContainsRune("-/:.,_T+@", rune(done[len(done)-1])) {
		s.out.Reset()
		s.out.WriteString(done[:s.closed])
		s.values[len(s.values)-1] += value
		return
	}
	s.out.WriteString(slot)
	s.closed, s.slots = s.out.Len(), true
	s.values = append(s.values, value)
}

// quoted takes out quoted text, if it ends.
func (s *shaper) quoted(c byte) bool {
	n := strings.IndexByte(s.text[s.at+1:], c)
	end := s.at + 1 + n + 1
	if n < 0 || end < len(s.text) && word(s.text[end]) {
		return false
	}
	s.take(end)
	return true
}

// path takes out a path or a URL.
func (s *shaper) path() bool {
	end, slash := s.at, false
	for end < len(s.text) && !strings.ContainsRune(" \t\"'`()[]{}<>,;=|", rune(s.text[end])) {
		slash = slash || (s.text[end] == '/' || s.text[end] == '\\') && end+1 < len(s.text) && word(s.text[end+1])
		end++
	}
	if !slash {
		return false
	}
	s.take(end)
	return true
}

// word takes out what in a word are numbers and identifiers.
func (s *shaper) word() {
	end, digits, hex := s.at, 0, true
	for end < len(s.text) && word(s.text[end]) {
		if digit(s.text[end]) {
			digits++
		} else if c := s.text[end] | 0x20; c > 'f' {
			hex = false
		}
		end++
	}
	n := end - s.at
	switch first := s.text[s.at]; {
	case digits == 0 && !(hex && n >= 8): // words such as "added" are shorter
		s.out.WriteString(s.text[s.at:end])
		s.at = end
	case digit(first) || hex && n >= 6 || n >= 16 && digits >= 3:
		for end+1 < len(s.text) && (s.text[end] == '.' || s.text[end] == ',') && digit(s.text[end+1]) {
			for end++; end < len(s.text) && digit(s.text[end]); end++ {
			}
		}
		unit := end // a unit such as ms is no part of the number
		for digit(first) && !hex && unit > s.at && letter(s.text[unit-1]) {
			unit--
		}
		if unit == s.at {
			unit = end
		}
		s.take(unit)
	default: // a name with a number, such as worker3
		stop := s.at
		for letter(s.text[stop]) {
			stop++
		}
		s.out.WriteString(s.text[s.at:stop])
		s.at = stop
		s.take(end)
	}
}
