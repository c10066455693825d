package object

import (
	"bytes"
	"strconv"
)

// Limits of one object.
const (
	maxDepth  = 100     // of arrays and dictionaries in one another
	maxValues = 1 << 20 // in all of them together
)

// Lexer reads the objects and operators of a content stream, and of a file: 7.2, 7.3.
// No input is an error to it: what cannot be read is left out.
type Lexer struct {
	data    []byte
	pos     int
	start   int              // of the last word or bracket
	refs    bool             // "1 0 R" is a reference, as everywhere but in content
	values  int              // read in this object, of maxValues
	words   map[string]Value // operators and names, so that each is allocated once
	inImage bool             // the next word is EI
}

// NewLexer returns a lexer of a content stream.
func NewLexer(data []byte) *Lexer { return &Lexer{data: data} }

// classes of characters: 7.2.3.
const (
	regular = iota
	space
	delimiter
)

func class(c byte) int {
	switch c {
	case 0, '\t', '\n', '\f', '\r', ' ':
		return space
	case '(', ')', '<', '>', '[', ']', '{', '}', '/', '%':
		return delimiter
	}
	return regular
}

// closing is the token that ends an array or a dictionary.
type closing string

// next returns the next object, or the word that is none; false at the end. What is nested
// too deep loses its brackets.
func (l *Lexer) next(depth int) (Value, bool) {
	for {
		l.skipSpace()
		if l.pos >= len(l.data) {
			return nil, false
		}
		l.start = l.pos
		switch c := l.data[l.pos]; c {
		case '/':
			l.pos++
			return l.name(), true
		case '(':
			l.pos++
			return l.literal(), true
		case '[':
			l.pos++
			if depth == maxDepth {
				continue
			}
			return l.array(depth + 1), true
		case ']':
			l.pos++
			return closing("]"), true
		case '<':
			if l.peek(1) == '<' {
				l.pos += 2
				if depth == maxDepth {
					continue
				}
				return l.dict(depth + 1), true
			}
			l.pos++
			return l.hex(), true
		case '>':
			if l.peek(1) == '>' {
				l.pos += 2
				return closing(">>"), true
			}
			l.pos++
		case ')', '{', '}':
			l.pos++ // stray, or of a function, which is not read here
		case '+', '-', '.', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			if v, ok := l.number(); ok {
				return v, true
			}
		default:
			return l.word(), true
		}
	}
}

// skipSpace skips white space and comments.
func (l *Lexer) skipSpace() {
	for l.pos < len(l.data) {
		switch c := l.data[l.pos]; {
		case class(c) == space:
			l.pos++
		case c == '%':
			for l.pos < len(l.data) && l.data[l.pos] != '\n' && l.data[l.pos] != '\r' {
				l.pos++
			}
		default:
			return
		}
	}
}

// peek returns the byte n after the next, 0 beyond the end.
func (l *Lexer) peek(n int) byte {
	if l.pos+n < len(l.data) {
		return l.data[l.pos+n]
	}
	return 0
}

// regulars returns the regular characters that follow, and skips them.
func (l *Lexer) regulars() []byte {
	from := l.pos
	for l.pos < len(l.data) && class(l.data[l.pos]) == regular {
		l.pos++
	}
	return l.data[from:l.pos]
}

// word returns true, false, null or an operator.
func (l *Lexer) word() Value {
	text := l.regulars()
	switch string(text) {
	case "true":
		return true
	case "false":
		return false
	case "null":
		return nil
	}
	return l.intern(text, func(s string) Value { return Operator(s) })
}

// maxInterned bounds how many words a lexer keeps.
const maxInterned = 4096

func (l *Lexer) intern(text []byte, value func(string) Value) Value {
	if v, ok := l.words[string(text)]; ok {
		return v
	}
	v := value(string(text))
	if l.words == nil {
		l.words = make(map[string]Value)
	}
	if len(l.words) < maxInterned {
		l.words[string(text)] = v
	}
	return v
}

// name reads a name after its solidus: 7.3.5.
func (l *Lexer) name() Value {
	from := l.pos - 1 // with the solidus, to tell it from an operator
	text := l.regulars()
	if bytes.IndexByte(text, '#') < 0 {
		return l.intern(l.data[from:l.pos], func(s string) Value { return Name(s[1:]) })
	}
	plain := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == '#' && i+2 < len(text) {
			high, low := digit(text[i+1]), digit(text[i+2])
			if high >= 0 && low >= 0 {
				plain = append(plain, byte(high<<4|low))
				i += 2
				continue
			}
		}
		plain = append(plain, text[i])
	}
	return Name(plain)
}

// digit returns the value of a hexadecimal digit, or -1.
func digit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// number reads a number, or nothing but what looks like the start of one. It reads
// "--5", "5-3" (as 5) and "1.2.3" (as 1.2), which are found in real files.
func (l *Lexer) number() (Value, bool) {
	start := l.pos
	negative := false
	for c := l.peek(0); c == '+' || c == '-'; c = l.peek(0) {
		negative = negative || c == '-'
		l.pos++
	}
	whole, digits, overflow := int64(0), 0, false
	first := l.pos
	for ; isDigit(l.peek(0)); l.pos++ {
		overflow = overflow || whole > (1<<63-10)/10
		if !overflow {
			whole = whole*10 + int64(l.peek(0)-'0')
		}
		digits++
	}
	real := l.peek(0) == '.'
	if real {
		for l.pos++; isDigit(l.peek(0)); l.pos++ {
			digits++
		}
	}
	text := l.data[first:l.pos]
	if rest := l.regulars(); len(rest) > 0 && rest[0] != '-' && rest[0] != '.' {
		switch {
		case digits == 0: // a word such as "-x"
			return Operator(l.data[start:l.pos]), true
		case l.refs && (bytes.HasPrefix(rest, []byte("obj")) || string(rest) == "R" || bytes.HasPrefix(rest, []byte("end"))),
			!l.refs: // "0obj", "1Tj": the space was forgotten
			l.pos -= len(rest)
		}
	}
	if digits == 0 {
		return int64(0), real // "." and "-." are 0
	}
	if !real && !overflow {
		if negative {
			whole = -whole
		}
		if l.refs && !negative {
			if ref, ok := l.ref(whole); ok {
				return ref, true
			}
		}
		return whole, true
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return int64(0), true // out of range
	}
	if negative {
		f = -f
	}
	return f, true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// ref reads "0 R" after a number.
func (l *Lexer) ref(num int64) (Ref, bool) {
	start := l.pos
	gen := 0
	if class(l.peek(0)) == space && num < 1<<31 {
		l.skipSpace()
		from := l.pos
		for ; isDigit(l.peek(0)) && l.pos-from < 6; l.pos++ {
			gen = gen*10 + int(l.peek(0)-'0')
		}
		if l.pos > from && class(l.peek(0)) == space {
			l.skipSpace()
			if l.peek(0) == 'R' && (l.pos+1 == len(l.data) || class(l.peek(1)) != regular) {
				l.pos++
				return Ref{int(num), gen}, true
			}
		}
	}
	l.pos = start
	return Ref{}, false
}

// hex reads a hexadecimal string after its "<": 7.3.4.3.
func (l *Lexer) hex() String {
	end := bytes.IndexByte(l.data[l.pos:], '>')
	if end < 0 {
		end = len(l.data) - l.pos
	}
	s, high := make(String, 0, (end+1)/2), -1
	for l.pos < len(l.data) {
		c := l.data[l.pos]
		l.pos++
		if c == '>' {
			break
		}
		d := digit(c)
		switch {
		case d < 0:
		case high < 0:
			high = d
		default:
			s = append(s, byte(high<<4|d))
			high = -1
		}
	}
	if high >= 0 {
		s = append(s, byte(high<<4))
	}
	return s
}

// literal reads a string after its "(": 7.3.4.2. One of content that holds no escapes is a
// part of the content itself.
func (l *Lexer) literal() String {
	length, plain := l.literalLength()
	if plain && !l.refs {
		s := String(l.data[l.pos : l.pos+length : l.pos+length])
		l.pos = min(l.pos+length+1, len(l.data))
		return s
	}
	s := make(String, 0, length)
	for open := 1; l.pos < len(l.data); {
		c := l.data[l.pos]
		l.pos++
		switch c {
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				return s
			}
		case '\r': // an end of line is a line feed, however it is written
			if l.peek(0) == '\n' {
				l.pos++
			}
			c = '\n'
		case '\\':
			s = l.escape(s)
			continue
		}
		s = append(s, c)
	}
	return s
}

// literalLength returns how many bytes are before the parenthesis that ends a string, and
// whether they stand for themselves.
func (l *Lexer) literalLength() (length int, plain bool) {
	plain = true
	rest := l.data[l.pos:]
	for i, open := 0, 1; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			plain = false
			i++
		case '\r':
			plain = false
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				return i, plain
			}
		}
	}
	return len(rest), plain
}

// escape reads what follows a reverse solidus.
func (l *Lexer) escape(s String) String {
	c := l.peek(0)
	if l.pos < len(l.data) {
		l.pos++
	}
	switch c {
	case 'n':
		return append(s, '\n')
	case 'r':
		return append(s, '\r')
	case 't':
		return append(s, '\t')
	case 'b':
		return append(s, '\b')
	case 'f':
		return append(s, '\f')
	case '\n':
		return s
	case '\r':
		if l.peek(0) == '\n' {
			l.pos++
		}
		return s
	case '0', '1', '2', '3', '4', '5', '6', '7':
		octal := int(c - '0')
		for range 2 {
			if d := l.peek(0); '0' <= d && d <= '7' {
				octal = octal<<3 | int(d-'0')
				l.pos++
			}
		}
		return append(s, byte(octal))
	}
	return append(s, c)
}

// array reads an array after its "[". One that is not closed ends where the dictionary
// around it does, or at a keyword of the file: it goes back to that word alone, not to
// brackets that were dropped before it, which would be read once for each level.
func (l *Lexer) array(depth int) Array {
	a := Array{}
	for {
		l.values++
		keep := l.values <= maxValues
		v, ok := l.next(depth)
		if !ok {
			return a
		}
		switch v := v.(type) {
		case closing:
			if v != "]" {
				l.pos = l.start
			}
			return a
		case Operator:
			if l.ends(v) {
				l.pos = l.start
				return a
			}
			continue
		}
		if keep {
			a = append(a, v)
		}
	}
}

// ends reports whether a keyword ends the object that it stands in.
func (l *Lexer) ends(word Operator) bool {
	return l.refs && (word == "endobj" || word == "stream" || word == "endstream" || word == "obj")
}

// dict reads a dictionary after its "<<".
func (l *Lexer) dict(depth int) Dict {
	d := Dict{}
	var key Name
	named := false // there is a key without a value
	for {
		l.values++
		keep := l.values <= maxValues
		v, ok := l.next(depth)
		if !ok {
			return d
		}
		switch v := v.(type) {
		case closing:
			if v == ">>" {
				return d
			}
			continue
		case Operator:
			if l.ends(v) {
				l.pos = l.start
				return d
			}
			named = false
			continue
		case Name:
			if !named {
				key, named = v, true
				continue
			}
		}
		if !named {
			continue // a value without a key
		}
		named = false
		if v != nil && keep {
			d[key] = v
		}
	}
}
