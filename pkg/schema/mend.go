package schema

import (
	"bytes"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// lenience records the slips that a parser accepts, and those that it has accepted.
type lenience struct {
	writes bool   // nothing may be missing
	slips  []slip // each kind once, in the order in which they were met
}

// slip is a kind of slip in JSON.
type slip int

const (
	fenced slip = iota
	extraComma
	extraEnd
	rawControl
	apostrophe
	unknownEscape
	otherQuotes
	otherWords
	unquoted
	unclosed
	comment
	cutOff
)

func (s slip) text() fault.Text {
	switch s {
	case fenced:
		return fault.T("a code fence around the JSON was removed")
	case extraComma:
		return fault.T("a comma before a closing bracket was removed")
	case extraEnd:
		return fault.T("closing brackets after the JSON were removed")
	case rawControl:
		return fault.T("line breaks or tabs that were not escaped were taken as they are")
	case apostrophe:
		return fault.T(`\' was read as an apostrophe`)
	case unknownEscape:
		return fault.T("a backslash before a character that needs none was taken as it is")
	case otherQuotes:
		return fault.T("single quotes were read as double quotes")
	case otherWords:
		return fault.T("the words True, False and None were read as true, false and null")
	case unquoted:
		return fault.T("names without quotes were read as names")
	case unclosed:
		return fault.T("missing closing brackets were added")
	case comment:
		return fault.T("comments were left out")
	}
	return fault.T("the JSON was cut off inside a text; what there is of it was taken")
}

// texts returns the slips in words.
func (l *lenience) texts() (all []fault.Text) {
	for _, s := range l.slips {
		all = append(all, s.text())
	}
	return all
}

// lets notes a slip and lets it pass; without lenience it does not.
func (p *parser) lets(s slip) bool {
	if p.lenience == nil || (s == unknownEscape || s == cutOff) && p.lenience.writes {
		return false
	}
	if !slices.Contains(p.lenience.slips, s) {
		p.lenience.slips = append(p.lenience.slips, s)
	}
	return true
}

// Mended reads a JSON value with the repairs of [ReadRepaired] to a call that may write. It
// returns the value as JSON.
func Mended(data []byte) (text []byte, repairs []fault.Text, err error) {
	p := &parser{lenience: &lenience{writes: true}}
	v, err := p.parse(p.unfence(data))
	return v.append(nil), p.lenience.texts(), err
}

// MendedStart is [Mended] for the value at the start of data, if it is complete. It also
// returns how many bytes of data that is.
func MendedStart(data []byte) (text []byte, length int, repairs []fault.Text, err error) {
	p := &parser{data: data, open: true, lenience: &lenience{writes: true}}
	v := p.value(0)
	return v.append(nil), p.at, p.lenience.texts(), p.err
}

// mend reads JSON with slips and reports them.
func (r *repairer) mend(at string, data []byte) (value, error) {
	p := &parser{lenience: &lenience{writes: r.writes}}
	v, err := p.parse(p.unfence(data))
	if err != nil {
		return v, err
	}
	for _, text := range p.lenience.texts() {
		r.report(at, text)
	}
	return v, nil
}

// unfence returns data without a code fence around it.
func (p *parser) unfence(data []byte) []byte {
	text := bytes.TrimSpace(data)
	if !bytes.HasPrefix(text, []byte("```")) {
		return data
	}
	first, rest, more := bytes.Cut(text, []byte("\n"))
	if !more || bytes.ContainsAny(first[3:], "{[") || !p.lets(fenced) {
		return data
	}
	return bytes.TrimSuffix(bytes.TrimSpace(rest), []byte("```"))
}

// ends closes what the end of the data leaves open, if nothing can be missing but the
// bracket: in a call that writes, an array may lack items, and a number digits.
func (p *parser) ends(end byte) bool {
	if p.lenience == nil || p.open {
		return false
	}
	last := bytes.TrimRight(p.data, " \t\r\n")
	if p.lenience.writes && len(last) > 0 && (end == ']' || last[len(last)-1] >= '0' && last[len(last)-1] <= '9') {
		return false
	}
	return p.lets(unclosed)
}

// comment skips a comment as JavaScript has them. One that is not closed is none.
func (p *parser) comment() bool {
	rest := p.data[p.at:]
	end := -1
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		if end = bytes.IndexByte(rest, '\n'); end < 0 {
			end = len(rest)
		}
	case bytes.HasPrefix(rest, []byte("/*")):
		if end = bytes.Index(rest[2:], []byte("*/")); end >= 0 {
			end += 4
		}
	}
	if end < 0 || !p.lets(comment) {
		return false
	}
	p.at += end
	return true
}

// trailing skips closing brackets after the document.
func (p *parser) trailing() {
	rest := strings.TrimSpace(string(p.data[p.at:]))
	if rest != "" && strings.Trim(rest, "}] \t\r\n") == "" && p.lets(extraEnd) {
		p.at = len(p.data)
	}
}

// identifier reads a name without quotes.
func (p *parser) identifier() string {
	start := p.at
	for p.at < len(p.data) {
		c := p.data[p.at]
		if letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'; !letter && (p.at == start || c < '0' || c > '9') {
			break
		}
		p.at++
	}
	return string(p.data[start:p.at])
}

// python reads a word of Python that JSON writes otherwise.
func (p *parser) python() (value, bool) {
	start := p.at
	var v value
	switch {
	case p.word("True"):
		v = value{kind: Boolean, truth: true}
	case p.word("False"):
		v = value{kind: Boolean}
	case p.word("None"):
	default:
		return v, false
	}
	if !p.lets(otherWords) {
		p.at = start
		return value{}, false
	}
	return v, true
}
