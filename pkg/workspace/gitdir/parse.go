package gitdir

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
)

// Setting is one line of git's settings: section.name.key = value.
type Setting struct {
	Section string // in lower case
	Name    string // of the subsection, as it is written; "" without one
	Key     string // in lower case
	Value   string // without quotes, escapes and comment
	File    string // where it is written; "" if that is not known
}

// Is reports whether the setting is section.key, in lower case, without a subsection.
func (s Setting) Is(section, key string) bool {
	return s.Section == section && s.Key == key && s.Name == ""
}

// truth reports whether the value is a true boolean. See git-config(1).
func (s Setting) truth() bool {
	switch strings.ToLower(s.Value) {
	case "true", "yes", "on":
		return true
	}
	n, err := strconv.Atoi(s.Value)
	return err == nil && n != 0
}

// errSyntax is for a text that git refuses.
var errSyntax = errors.New("not a file of git's settings")

// Parse reads the text of a file of settings. It returns an error where git refuses
// the file, and for NUL bytes, in which git sees the end of a string.
func Parse(text []byte) ([]Setting, error) {
	if bytes.IndexByte(text, 0) >= 0 {
		return nil, errSyntax
	}
	p := parser{text: bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))}
	for !p.done() {
		switch c := p.next(); {
		case isSpace(c):
		case c == '#' || c == ';':
			p.skipLine()
		case c == '[':
			if !p.heading() {
				return nil, errSyntax
			}
		case !isLetter(c) || !p.setting(c):
			return nil, errSyntax
		}
	}
	return p.found, nil
}

// parser reads a text as git's config.c does, whose names for the parts are in
// brackets here.
type parser struct {
	text          []byte
	at            int
	section, name string
	found         []Setting
}

func (p *parser) done() bool { return p.at >= len(p.text) }

// next returns the next byte. The end is the end of a line, and so is CR LF.
func (p *parser) next() byte {
	if p.done() {
		p.at++
		return '\n'
	}
	c := p.text[p.at]
	p.at++
	if c == '\r' && !p.done() && p.text[p.at] == '\n' {
		p.at++
		return '\n'
	}
	return c
}

func (p *parser) skipLine() {
	for p.next() != '\n' {
	}
}

// heading reads [section], [section.name] or [section "name"] after its bracket
// [get_base_var].
func (p *parser) heading() bool {
	var section []byte
	for {
		if p.done() {
			return false
		}
		switch c := p.next(); {
		case c == ']':
			// In this form, case does not matter in the name either.
			p.section, p.name, _ = strings.Cut(string(section), ".")
			return true
		case isSpace(c):
			p.section = string(section)
			return p.quotedName(c)
		case isKey(c) || c == '.':
			section = append(section, lower(c))
		default:
			return false
		}
	}
}

// quotedName reads "name"] where c is the space before it [get_extended_base_var].
func (p *parser) quotedName(c byte) bool {
	for isSpace(c) {
		if c == '\n' {
			return false
		}
		c = p.next()
	}
	if c != '"' {
		return false
	}
	var name []byte
	for {
		switch c = p.next(); c {
		case '\n':
			return false
		case '"':
			// [section.a "b"] is section, a.b.
			section, before, dotted := strings.Cut(p.section, ".")
			p.section, p.name = section, string(name)
			if dotted {
				p.name = before + "." + string(name)
			}
			return p.next() == ']'
		case '\\':
			if c = p.next(); c == '\n' {
				return false
			}
		}
		name = append(name, c)
	}
}

// setting reads key, or key = value, whose first byte is c [get_value].
func (p *parser) setting(c byte) bool {
	s := Setting{Section: p.section, Name: p.name}
	key := []byte{}
	for ; isKey(c); c = p.next() {
		key = append(key, lower(c))
	}
	s.Key = string(key)
	for c == ' ' || c == '\t' {
		c = p.next()
	}
	switch c {
	case '\n': // a key alone is true
	case '=':
		value, ok := p.value()
		if !ok {
			return false
		}
		s.Value = value
	default:
		return false
	}
	p.found = append(p.found, s)
	return true
}

// value reads what is after "=" to the end of the line [parse_value].
func (p *parser) value() (string, bool) {
	var value []byte
	kept, quoted := 0, false // kept is the length without the space at the end
	for {
		c := p.next()
		switch {
		case c == '\n':
			return string(value[:kept]), !quoted
		case !quoted && isSpace(c):
			if len(value) > 0 {
				value = append(value, c)
			}
			continue
		case !quoted && (c == '#' || c == ';'):
			p.skipLine()
			return string(value[:kept]), true
		case c == '"':
			quoted = !quoted
			// Space before a quote is part of the value, but at its beginning.
			kept = len(value)
			continue
		case c == '\\':
			switch c = p.next(); c {
			case '\n':
				kept = len(value)
				continue
			case 't':
				c = '\t'
			case 'n':
				c = '\n'
			case 'b':
				c = '\b'
			case '"', '\\':
			default:
				return "", false
			}
		}
		value = append(value, c)
		kept = len(value)
	}
}

func isSpace(c byte) bool  { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isKey(c byte) bool    { return isLetter(c) || c >= '0' && c <= '9' || c == '-' }

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c | 0x20
	}
	return c
}
