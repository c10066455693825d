package rtf

import "bytes"

// scanner splits a document into tokens.
type scanner struct {
	data []byte
	pos  int

	word   string // of a control word or symbol
	number int
	hasNum bool
	text   []byte // of text and binary data; of \'hh its byte
}

type token uint8

const (
	end token = iota
	begin
	finish
	control // a word, or a symbol such as "~"
	hexByte
	plain
	binary
)

const maxWord = 32 // letters of a control word

// next goes on to the next token.
func (s *scanner) next() token {
	for s.pos < len(s.data) {
		switch c := s.data[s.pos]; c {
		case '{':
			s.pos++
			return begin
		case '}':
			s.pos++
			return finish
		case '\\':
			return s.control()
		case '\r', '\n', 0:
			s.pos++
		default:
			rest := s.data[s.pos:]
			n := bytes.IndexAny(rest, "{}\\\r\n\x00")
			if n < 0 {
				n = len(rest)
			}
			s.text = rest[:n]
			s.pos += n
			return plain
		}
	}
	return end
}

// control reads what begins with a backslash.
func (s *scanner) control() token {
	s.pos++
	rest := s.data[s.pos:]
	if len(rest) == 0 {
		return end
	}
	s.number, s.hasNum = 0, false
	if rest[0] == '\'' && len(rest) >= 3 {
		s.pos += 3
		high, low := hexValue(rest[1]), hexValue(rest[2])
		if high < 0 || low < 0 {
			s.pos -= 2
			return s.next()
		}
		s.text = []byte{byte(high<<4 | low)}
		return hexByte
	}
	if !isLetter(rest[0]) {
		s.word = string(rest[:1])
		s.pos++
		if c := rest[0]; c == '\r' || c == '\n' {
			s.word = "par"
		}
		return control
	}
	n := 0
	for n < len(rest) && n < maxWord && isLetter(rest[n]) {
		n++
	}
	s.word = string(rest[:n])
	negative := false
	if n+1 < len(rest) && rest[n] == '-' && isDigit(rest[n+1]) {
		negative = true
		n++
	}
	for digits := 0; n < len(rest) && isDigit(rest[n]); n++ {
		if digits++; digits <= 10 {
			s.number = s.number*10 + int(rest[n]-'0')
		}
		s.hasNum = true
	}
	if negative {
		s.number = -s.number
	}
	if n < len(rest) && rest[n] == ' ' {
		n++
	}
	s.pos += n
	if s.word == "bin" {
		length := max(0, min(s.number, len(s.data)-s.pos))
		s.text = s.data[s.pos : s.pos+length]
		s.pos += length
		return binary
	}
	return control
}

func hexValue(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
