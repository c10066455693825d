package numfmt

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is one thing that a section shows.
type token struct {
	kind kind
	n    uint8  // how often its letter is repeated; of a digit, its character; of a mark, its style
	text string // of a literal
}

type kind uint8

const (
	literal     kind = iota
	digit            // 0 # ? before the point
	point            // .
	comma            // between digits or after them
	percent          // %
	decimal          // 0 # ? after the point
	exponent         // E+ or E-, then
	power            // 0 # ? after it
	numerator        // 0 # ? before a slash
	slash            // of a fraction
	denominator      // 0 # ? after a slash
	fixed            // a fixed denominator
	generalMark      // General
	textMark         // @
	years
	months
	days
	hours
	minutes
	seconds
	subsecond // .00 of a second
	noonMark  // AM/PM
	elapsedHours
	elapsedMinutes
	elapsedSeconds
	era            // g, gg, ggg
	eraYears       // e
	buddhistYear   // b
	easternWeekday // aaa, aaaa
)

// isMoney reports whether a literal has the sign of a currency.
func isMoney(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Sc, r) || r == '元' })
}

func count(n int) uint8 { return uint8(min(n, 30)) }

// literal appends what a token shows that has no part of the value.
func (t token) literal(dst []byte) []byte {
	switch t.kind {
	case literal, digit, point, comma, percent, slash, exponent:
		return append(dst, t.text...)
	}
	return dst
}

// parseSection reads one section. It fails where a quotation or bracket is not closed.
func parseSection(code string) (section, bool) {
	var s section
	if code == "" {
		return section{tokens: []token{{kind: literal}}}, true
	}
	for i := 0; i < len(code); {
		t, length, ok := s.next(code[i:])
		if !ok {
			return s, false
		}
		i += length
		if t.kind == literal && t.text == "" {
			continue
		}
		s.tokens = append(s.tokens, t)
	}
	switch {
	case s.system == systemDate:
		return parseSection(longDate)
	case s.system == systemTime:
		return parseSection(longTime)
	case s.dates:
		s.arrangeDate()
	case s.general:
		if len(s.tokens) == 1 {
			s.tokens = nil
		}
	case !s.text:
		s.arrangeNumber()
	}
	return s, true
}

// next reads the token that rest begins with. An empty literal shows nothing.
func (s *section) next(rest string) (t token, length int, ok bool) {
	c := rest[0]
	switch c {
	case '"':
		end := strings.IndexByte(rest[1:], '"')
		if end < 0 {
			return t, 0, false
		}
		s.money = s.money || isMoney(rest[1:end+1])
		return token{text: rest[1 : end+1]}, end + 2, true
	case '\\':
		_, size := utf8.DecodeRuneInString(rest[1:])
		return token{text: rest[1 : 1+size]}, 1 + size, true
	case '_': // a space as wide as the next character
		_, size := utf8.DecodeRuneInString(rest[1:])
		return token{text: " "}, 1 + size, true
	case '*': // the next character as often as the column has room: text has none
		_, size := utf8.DecodeRuneInString(rest[1:])
		return token{}, 1 + size, true
	case '[':
		end := strings.IndexByte(rest, ']')
		if end < 0 {
			return t, 0, false
		}
		t, made := s.bracketed(rest[1:end])
		if !made {
			t = token{}
		}
		return t, end + 1, true
	case '0', '#', '?':
		return token{kind: digit, n: c, text: rest[:1]}, 1, true
	case '.':
		return token{kind: point, text: "."}, 1, true
	case ',':
		return token{kind: comma, text: ","}, 1, true
	case '%':
		return token{kind: percent, text: "%"}, 1, true
	case '/':
		return token{kind: slash, text: "/"}, 1, true
	case '@':
		s.text = true
		return token{kind: textMark}, 1, true
	}
	if c|0x20 >= 'a' && c|0x20 <= 'z' {
		return s.letters(rest)
	}
	_, size := utf8.DecodeRuneInString(rest)
	if noon := noonOf(rest); noon != 0 {
		s.dates, s.clock, s.noon = true, true, true
		return token{kind: noonMark, n: noon}, len("上午/下午"), true
	}
	s.money = s.money || isMoney(rest[:size])
	return token{text: rest[:size]}, size, true
}

// letters reads General, a part of a date, AM/PM or E+.
func (s *section) letters(rest string) (t token, length int, ok bool) {
	c := rest[0] | 0x20
	for _, general := range [...]string{"general", "g/通用格式", "g/標準"} {
		if hasFold(rest, general) {
			s.general = true
			return token{kind: generalMark}, len(general), true
		}
	}
	if noon := noonOf(rest); noon != 0 {
		s.dates, s.clock, s.noon = true, true, true
		if noon == 'A' {
			return token{kind: noonMark, n: 'A'}, len("a/p"), true
		}
		return token{kind: noonMark, n: 'M'}, len("am/pm"), true
	}
	if c == 'e' && len(rest) > 1 && (rest[1] == '+' || rest[1] == '-') {
		s.scientific = true
		return token{kind: exponent, n: rest[1], text: rest[:2]}, 2, true
	}
	if c == 'b' && len(rest) > 1 && (rest[1] == '1' || rest[1] == '2') {
		return token{}, 2, true // the calendar to count in: Gregorian or Hijri
	}
	n := 1
	for n < len(rest) && rest[n]|0x20 == c {
		n++
	}
	t = token{n: count(n)}
	switch c {
	case 'y':
		t.kind, s.calendar = years, true
	case 'm':
		t.kind = months // or minutes, which arrangeDate decides
	case 'd':
		t.kind, s.calendar = days, true
	case 'h':
		t.kind, s.clock = hours, true
	case 's':
		t.kind, s.clock = seconds, true
	case 'g':
		t.kind, s.calendar = era, true
	case 'e':
		t.kind, s.calendar = eraYears, true
	case 'b':
		t.kind, s.calendar = buddhistYear, true
	case 'a':
		if n < 3 {
			return token{text: rest[:n]}, n, true
		}
		t.kind, s.calendar = easternWeekday, true
	default:
		return token{text: rest[:n]}, n, true
	}
	s.dates = true
	return t, n, true
}

// noonOf returns which mark of the half of the day rest begins with: 'M' for AM/PM, 'A' for A/P,
// 'Z' for the Chinese one, or 0.
func noonOf(rest string) uint8 {
	switch {
	case hasFold(rest, "am/pm"):
		return 'M'
	case hasFold(rest, "a/p"):
		return 'A'
	case strings.HasPrefix(rest, "上午/下午"):
		return 'Z'
	}
	return 0
}

func hasFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}
