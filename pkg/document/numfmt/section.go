package numfmt

import (
	"strconv"
	"strings"
)

// section is one part of a format, between semicolons.
type section struct {
	tokens []token

	when condition
	than float64

	general bool // shows the number as General does, where the token is or, without tokens, alone
	text    bool // has an @
	dates   bool // has a part of a date or time
	money   bool // has a currency

	// Of a section for dates.
	clock      bool // has hours, minutes or seconds
	calendar   bool // has years, months or days
	elapsed    bool // has [h], [m] or [s]
	noon       bool // counts hours to twelve
	subseconds int  // digits of a second that are shown
	language   uint16
	thaiYears  bool
	system     system

	// Of a section for numbers.
	whole, decimals, powers int // placeholders before the point, after it, after E
	required                int // decimals that are shown also where they are zero
	group                   bool
	thousands, percents     int
	scientific              bool
	fraction                *fraction
}

// condition is the comparison in a section's condition: [<100].
type condition uint8

const (
	always condition = iota
	less
	lessOrEqual
	greater
	greaterOrEqual
	equal
	unequal
)

// split cuts a format at its semicolons.
func split(code string) []string {
	var parts []string
	start := 0
	for i := 0; i < len(code); i++ {
		switch code[i] {
		case '\\', '_', '*':
			i++
		case '"':
			end := strings.IndexByte(code[i+1:], '"')
			if end < 0 {
				i = len(code)
			} else {
				i += end + 1
			}
		case '[':
			if end := strings.IndexByte(code[i:], ']'); end > 0 {
				i += end
			}
		case ';':
			parts = append(parts, code[start:i])
			start = i + 1
		}
	}
	return append(parts, code[start:])
}

// bracketed reads what stands in brackets: a condition, a colour, a currency with its
// locale, elapsed time. It returns the token that it makes, if any.
func (s *section) bracketed(in string) (token, bool) {
	lower := strings.ToLower(in)
	switch {
	case strings.HasPrefix(in, "$"):
		sign, locale, _ := strings.Cut(in[1:], "-")
		if sign != "" {
			s.money = s.money || !strings.EqualFold(sign, "x")
			return token{kind: literal, text: sign}, true
		}
		s.locale(locale)
		return token{}, false
	case lower != "" && strings.Trim(lower, lower[:1]) == "" && strings.Contains("hms", lower[:1]):
		s.dates, s.clock, s.elapsed = true, true, true
		kind := elapsedHours
		switch lower[0] {
		case 'm':
			kind = elapsedMinutes
		case 's':
			kind = elapsedSeconds
		}
		return token{kind: kind, n: count(len(lower))}, true
	case lower != "" && strings.Contains("<>=", lower[:1]):
		s.condition(in)
	}
	return token{}, false
}

// condition reads [>=100]. What is no condition sets none.
func (s *section) condition(in string) {
	sign := in[:len(in)-len(strings.TrimLeft(in, "<>="))]
	than, err := strconv.ParseFloat(strings.TrimSpace(in[len(sign):]), 64)
	if err != nil {
		return
	}
	switch sign {
	case "<":
		s.when = less
	case "<=":
		s.when = lessOrEqual
	case ">":
		s.when = greater
	case ">=":
		s.when = greaterOrEqual
	case "=", "==":
		s.when = equal
	case "<>":
		s.when = unequal
	}
	s.than = than
}

func (s *section) holds(value float64) bool {
	switch s.when {
	case less:
		return value < s.than
	case lessOrEqual:
		return value <= s.than
	case greater:
		return value > s.than
	case greaterOrEqual:
		return value >= s.than
	case equal:
		return value == s.than
	case unequal:
		return value != s.than
	}
	return true
}

// negative reports whether the section's condition holds for no positive number: then
// the section shows numbers without their sign.
func (s *section) negative() bool {
	switch s.when {
	case less, lessOrEqual, equal:
		return s.than <= 0
	}
	return false
}

// positive reports whether the section's condition holds for all positive numbers: then
// the section for the rest shows numbers without their sign.
func (s *section) positive() bool {
	switch s.when {
	case greater, greaterOrEqual:
		return s.than <= 0
	}
	return false
}

// plain reports whether the section is @ and no more.
func (s *section) plain() bool {
	return len(s.tokens) == 1 && s.tokens[0].kind == textMark
}

func (s *section) class() Class {
	switch {
	case s.elapsed:
		return Elapsed
	case s.calendar && s.clock:
		return DateTime
	case s.calendar:
		return Date
	case s.clock:
		return Time
	case s.general:
		return General
	case s.text:
		return Text
	case s.percents > 0:
		return Percent
	case s.scientific:
		return Scientific
	case s.fraction != nil:
		return Fraction
	case s.money:
		return Currency
	}
	return Number
}

// append shows a value, without its sign if bare.
func (s *section) append(dst []byte, value float64, bare bool, o Options) []byte {
	if s.dates {
		return s.appendDate(dst, value, bare, o)
	}
	if value != value || value > maxNumber || value < -maxNumber { // a file cannot hold these as numbers
		return append(dst, "#NUM!"...)
	}
	if bare && value < 0 {
		value = -value
	}
	if s.general && len(s.tokens) == 0 {
		return AppendGeneral(dst, value)
	}
	if s.general || s.text {
		return s.appendAround(dst, value)
	}
	return s.appendNumber(dst, value)
}

// maxNumber is the largest number there is; more is infinite.
const maxNumber = 0x1p1023 * (1 + (1 - 0x1p-52))

// appendAround shows literals around a number that is shown as General.
func (s *section) appendAround(dst []byte, value float64) []byte {
	if value < 0 && s.tokens[0].kind != generalMark && s.tokens[0].kind != textMark {
		dst = append(dst, '-')
		value = -value
	}
	for _, t := range s.tokens {
		if t.kind == generalMark || t.kind == textMark {
			dst = AppendGeneral(dst, value)
		} else {
			dst = t.literal(dst)
		}
	}
	return dst
}
