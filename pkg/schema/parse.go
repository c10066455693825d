package schema

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
)

// MaxBytes is the most, in bytes, that the JSON arguments of one call may take.
const MaxBytes = 32 << 20

// maxDepth limits the nesting of arguments.
const maxDepth = 64

// value is a parsed JSON value. A number keeps its literal, so that nothing is
// rounded before the type of the field is known.
type value struct {
	kind  Kind // "" is null
	text  string
	truth bool
	items []value
	names []string // of an object's items
}

// parse reads exactly one JSON text (RFC 8259). It is stricter than
// encoding/json where leniency loses data: bytes that are not UTF-8 and lone
// surrogate escapes are errors instead of U+FFFD.
func parse(data []byte) (value, error) {
	if len(data) > MaxBytes {
		return value{}, fault.New(fault.TooLarge,
			fault.T("the arguments have %d bytes; the limit is %d", len(data), MaxBytes)).
			WithHint(fault.T("write a large file in parts: mode=append"))
	}
	return new(parser).parse(data)
}

func (p *parser) parse(data []byte) (value, error) {
	p.data = bytes.TrimPrefix(data, []byte("\ufeff")) // PowerShell pipes begin with one
	p.space()
	v := p.value(0)
	p.space()
	p.trailing()
	if p.err == nil && p.at < len(p.data) {
		p.fail(fault.T("something follows the JSON object"))
	}
	return v, p.err
}

type parser struct {
	data     []byte
	at       int
	err      error
	lenience *lenience // nil is none
	open     bool      // what follows the value is not looked at
}

// fail keeps the first error and moves to the end, so that every loop stops.
func (p *parser) fail(what fault.Text) {
	if p.err != nil {
		return
	}
	line, column := 1, 1
	for _, c := range p.data[:min(p.at, len(p.data))] {
		if column++; c == '\n' {
			line, column = line+1, 1
		}
	}
	hint := fault.T(`pass one JSON object, such as {"path":"README.md"}`)
	if p.at >= len(p.data) && len(p.data) > 0 {
		hint = fault.T("the arguments were cut off: send all of them again; write a long text in parts, with mode=append")
	}
	p.err = fault.New(fault.InvalidArguments,
		fault.T("the arguments are not valid JSON: line %d, column %d: %s", line, column, what)).
		WithHint(hint)
	p.at = len(p.data)
}

func (p *parser) space() {
	for p.at < len(p.data) {
		switch p.data[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		case '/':
			if !p.comment() {
				return
			}
		default:
			return
		}
	}
}

func (p *parser) peek() byte {
	if p.at < len(p.data) {
		return p.data[p.at]
	}
	return 0
}

func (p *parser) value(depth int) value {
	if depth > maxDepth {
		p.fail(fault.T("nested deeper than %d levels", maxDepth))
		return value{}
	}
	switch c := p.peek(); {
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.array(depth)
	case c == '"', c == '\'' && p.lets(otherQuotes):
		return value{kind: String, text: p.str(c)}
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	case p.word("true"):
		return value{kind: Boolean, truth: true}
	case p.word("false"):
		return value{kind: Boolean}
	case p.word("null"):
		return value{}
	}
	if v, ok := p.python(); ok {
		return v
	}
	if p.at >= len(p.data) {
		p.fail(fault.T("it ends too early"))
	} else {
		r, _ := utf8.DecodeRune(p.data[p.at:])
		p.fail(fault.T("expected a value, found %s", strconv.QuoteRune(r)))
	}
	return value{}
}

func (p *parser) word(w string) bool {
	if strings.HasPrefix(string(p.data[p.at:min(p.at+len(w), len(p.data))]), w) {
		p.at += len(w)
		return true
	}
	return false
}

func (p *parser) object(depth int) value {
	v := value{kind: Map}
	p.list('}', func() {
		name, ok := p.name()
		if !ok {
			p.fail(fault.T("expected a name in double quotes"))
			return
		}
		p.space()
		if p.peek() != ':' {
			p.fail(fault.T(`expected ":" after %q`, name))
			return
		}
		p.at++
		p.space()
		v.names = append(v.names, name)
		v.items = append(v.items, p.value(depth+1))
	})
	return v
}

// name reads the name of a member.
func (p *parser) name() (string, bool) {
	c := p.peek()
	if c == '"' || c == '\'' && p.lets(otherQuotes) {
		return p.str(c), true
	}
	if p.lenience == nil {
		return "", false
	}
	name := p.identifier()
	return name, name != "" && p.lets(unquoted)
}

func (p *parser) array(depth int) value {
	v := value{kind: Array}
	p.list(']', func() { v.items = append(v.items, p.value(depth+1)) })
	return v
}

// list reads the items between an opening bracket and end.
func (p *parser) list(end byte, item func()) {
	p.at++
	p.space()
	if p.peek() == end {
		p.at++
		return
	}
	for p.err == nil {
		item()
		p.space()
		switch c := p.peek(); {
		case p.err != nil:
		case c == end:
			p.at++
			return
		case c == ',':
			p.at++
			p.space()
			if p.peek() == end && p.lets(extraComma) {
				p.at++
				return
			}
		case p.at >= len(p.data) && p.ends(end):
			return
		case p.at >= len(p.data):
			p.fail(fault.T("it ends too early: %q is missing", string(end)))
		default:
			p.fail(fault.T(`expected "," or %q`, string(end)))
		}
	}
}

func (p *parser) number() value {
	start := p.at
	if p.peek() == '-' {
		p.at++
	}
	if p.peek() == '0' {
		p.at++
	} else {
		p.digits()
	}
	if p.peek() == '.' {
		p.at++
		p.digits()
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		p.at++
		if c := p.peek(); c == '+' || c == '-' {
			p.at++
		}
		p.digits()
	}
	if p.err != nil {
		return value{}
	}
	return value{kind: Number, text: string(p.data[start:p.at])}
}

func (p *parser) digits() {
	start := p.at
	for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
		p.at++
	}
	if p.at == start {
		p.fail(fault.T("expected a digit"))
	}
}

// str reads a string that ends with the quote that it begins with.
func (p *parser) str(quote byte) string {
	p.at++
	start, plain := p.at, true
	for p.at < len(p.data) {
		switch c := p.data[p.at]; {
		case c == quote:
			raw := p.data[start:p.at]
			p.at++
			return p.content(raw, start, plain)
		case c == '\\':
			plain = false
			p.at += 2
		case c < 0x20 && !p.lets(rawControl):
			p.fail(fault.T("the control character %#02x must be escaped", c))
			return ""
		default:
			p.at++
		}
	}
	if p.at == len(p.data) && p.lets(cutOff) { // it does not end in a backslash
		return p.content(p.data[start:], start, plain)
	}
	p.fail(fault.T("the string that starts at byte %d is not closed", start))
	return ""
}

// content returns what a string means. It starts at byte start.
func (p *parser) content(raw []byte, start int, plain bool) string {
	if !utf8.Valid(raw) {
		p.at = start + firstInvalid(raw)
		p.fail(fault.T("the string has bytes that are not UTF-8"))
		return ""
	}
	if plain {
		return string(raw)
	}
	return p.unescape(raw, start)
}

func firstInvalid(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(b)
}

// unescape decodes the escapes of a string that starts at byte start.
func (p *parser) unescape(raw []byte, start int) string {
	b := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			b = append(b, raw[i])
			i++
			continue
		}
		const escapes, meanings = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
		if k := strings.IndexByte(escapes, raw[i+1]); k >= 0 {
			b = append(b, meanings[k])
			i += 2
			continue
		}
		if c := raw[i+1]; c == '\'' && p.lets(apostrophe) {
			b = append(b, c)
			i += 2
			continue
		} else if c != 'u' && p.lets(unknownEscape) {
			b = append(b, '\\')
			i++
			continue
		}
		escape := i
		r, ok := hex4(raw[i:])
		i += 6
		if ok && utf16.IsSurrogate(r) {
			low, lowOK := hex4(raw[i:])
			r = utf16.DecodeRune(r, low)
			ok = lowOK && r != utf8.RuneError
			i += 6
		}
		if !ok {
			p.at = start
			p.fail(fault.T(`invalid escape: %s`, strconv.Quote(string(raw[escape:min(escape+12, len(raw))]))))
			return ""
		}
		b = utf8.AppendRune(b, r)
	}
	return string(b)
}

// hex4 reads \uXXXX at the start of b.
func hex4(b []byte) (rune, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	return rune(n), err == nil
}

// Check reports whether data is exactly one JSON text, as strictly as the
// decoder reads it.
func Check(data []byte) error {
	_, err := parse(data)
	return err
}
