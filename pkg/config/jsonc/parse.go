// Package jsonc reads and edits JSON with comments and trailing commas, as a tree
// whose nodes know their offsets in the text. It gives the values no meaning.
package jsonc

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
)

const (
	// MaxBytes is the largest file of settings, in bytes.
	MaxBytes = 1 << 20
	// maxText is the longest text, in bytes: files of other programs grow.
	maxText = 32 << 20
	// maxDepth limits the nesting of values.
	maxDepth = 32
	// MaxProblems limits the listed problems of one file.
	MaxProblems = 100
)

// Kind is the JSON type of a node, in the words of JSON Schema.
type Kind string

// The kinds.
const (
	Null    Kind = "null"
	Boolean Kind = "boolean"
	Number  Kind = "number"
	String  Kind = "string"
	Array   Kind = "array"
	Object  Kind = "object"
)

// Node is one value. Start and End are its byte offsets in the text.
type Node struct {
	Kind       Kind
	Text       string   // of a String its value, of a Number its literal
	Truth      bool     // of a Boolean
	Items      []*Node  // of an Array
	Members    []Member // of an Object, in the order of the text
	Start, End int
}

// Member is a name and its value. At is the byte offset of the name.
type Member struct {
	Name  string
	At    int
	Value *Node
}

// Problem is an error at a byte offset of the text.
type Problem struct {
	Offset  int
	Message fault.Text
}

// Parse reads a JSON text (RFC 8259) with // and /* */ comments wherever white space
// may be, and with a comma after the last item. Bytes that are not UTF-8 and lone
// surrogates are errors. The node is nil if the text cannot be read to its end; a
// repeated name is a problem but leaves a node.
func Parse(data []byte) (*Node, []Problem) {
	if len(data) > maxText {
		return nil, []Problem{{0, fault.T("the file has %d bytes; the limit is %d", len(data), maxText)}}
	}
	p := &parser{data: data}
	if bytes.HasPrefix(data, []byte("\ufeff")) {
		p.at = len("\ufeff")
	}
	p.space()
	n := p.value(0)
	p.space()
	if !p.failed && p.at < len(data) {
		p.fail(p.at, fault.T("something follows the value"))
	}
	if p.failed {
		n = nil
	}
	return n, p.problems
}

// Position returns the line and the column of a byte offset, both from 1; columns
// count characters.
func Position(data []byte, offset int) (line, column int) {
	before := data[:min(max(offset, 0), len(data))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte{'\n'}) + 1, utf8.RuneCount(bytes.TrimPrefix(before[start:], []byte("\ufeff"))) + 1
}

type parser struct {
	data     []byte
	at       int
	failed   bool
	problems []Problem
}

// fail notes the first error that ends the reading, and moves to the end, so that
// every loop stops.
func (p *parser) fail(at int, what fault.Text) {
	if !p.failed {
		p.failed = true
		p.problems = append(p.problems, Problem{at, what})
	}
	p.at = len(p.data)
}

// space skips white space and comments.
func (p *parser) space() {
	for p.at < len(p.data) {
		rest := p.data[p.at:]
		switch {
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\n' || rest[0] == '\r':
			p.at++
		case bytes.HasPrefix(rest, []byte("//")):
			if end := bytes.IndexByte(rest, '\n'); end >= 0 {
				p.at += end + 1
			} else {
				p.at = len(p.data)
			}
		case bytes.HasPrefix(rest, []byte("/*")):
			end := bytes.Index(rest[2:], []byte("*/"))
			if end < 0 {
				p.fail(p.at, fault.T("this comment is not closed"))
				return
			}
			p.at += 2 + end + 2
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

func (p *parser) value(depth int) *Node {
	n := &Node{Start: p.at}
	rest := p.data[p.at:]
	switch c := p.peek(); {
	case depth > maxDepth:
		p.fail(p.at, fault.T("nested deeper than %d levels", maxDepth))
	case c == '{':
		n.Kind = Object
		p.list('}', func() { p.member(n, depth) })
	case c == '[':
		n.Kind = Array
		p.list(']', func() { n.Items = append(n.Items, p.value(depth+1)) })
	case c == '"':
		n.Kind, n.Text = String, p.str()
	case c == '-' || c >= '0' && c <= '9':
		n.Kind, n.Text = Number, p.number()
	case bytes.HasPrefix(rest, []byte("true")):
		n.Kind, n.Truth = Boolean, true
		p.at += len("true")
	case bytes.HasPrefix(rest, []byte("false")):
		n.Kind = Boolean
		p.at += len("false")
	case bytes.HasPrefix(rest, []byte("null")):
		n.Kind = Null
		p.at += len("null")
	case len(rest) == 0:
		p.fail(p.at, fault.T("the text ends too early"))
	default:
		r, _ := utf8.DecodeRune(rest)
		p.fail(p.at, fault.T("expected a value, found %s", strconv.QuoteRune(r)))
	}
	n.End = p.at
	return n
}

// list reads the items between an opening bracket and end.
func (p *parser) list(end byte, item func()) {
	opened := p.at
	p.at++
	p.space()
	for !p.failed && p.peek() != end {
		item()
		p.space()
		switch {
		case p.failed || p.peek() == end:
		case p.peek() == ',':
			p.at++
			p.space()
		case p.at >= len(p.data):
			p.fail(opened, fault.T("this bracket is not closed"))
		default:
			p.fail(p.at, fault.T(`expected "," or %q`, string(end)))
		}
	}
	if !p.failed {
		p.at++
	}
}

// member reads a member of the object n.
func (p *parser) member(n *Node, depth int) {
	at := p.at
	if p.at >= len(p.data) {
		p.fail(n.Start, fault.T("this bracket is not closed"))
		return
	}
	if p.peek() != '"' {
		p.fail(at, fault.T("expected a name in double quotes"))
		return
	}
	name := p.str()
	p.space()
	if p.failed {
		return
	}
	if p.peek() != ':' {
		p.fail(p.at, fault.T(`expected ":" after %q`, name))
		return
	}
	p.at++
	p.space()
	if n.Get(name) != nil && len(p.problems) < MaxProblems {
		p.problems = append(p.problems, Problem{at, fault.T("%q is given twice", name)})
	}
	n.Members = append(n.Members, Member{name, at, p.value(depth + 1)})
}

func (p *parser) number() string {
	start := p.at
	for strings.IndexByte("+-.0123456789eE", p.peek()) >= 0 && p.at < len(p.data) {
		p.at++
	}
	literal := p.data[start:p.at]
	if !json.Valid(literal) {
		p.fail(start, fault.T("%q is not a number", string(literal)))
	}
	return string(literal)
}

func (p *parser) str() string {
	start := p.at
	for p.at++; p.at < len(p.data) && p.data[p.at] != '"'; p.at++ {
		switch c := p.data[p.at]; {
		case c == '\\':
			p.at++
		case c < 0x20:
			p.fail(p.at, fault.T("the control character %#02x must be escaped", c))
			return ""
		}
	}
	if p.at >= len(p.data) {
		p.fail(start, fault.T("this string is not closed"))
		return ""
	}
	p.at++
	raw := p.data[start:p.at]
	var s string
	switch {
	case !utf8.Valid(raw):
		p.fail(start, fault.T("this string has bytes that are not UTF-8"))
	case json.Unmarshal(raw, &s) != nil || strings.Count(s, "\ufffd") > replacements(raw):
		p.fail(start, fault.T("this string has an invalid escape"))
	}
	return s
}

// replacements counts the U+FFFD in a text. Any more of them in the decoded string
// stand for lone surrogates.
func replacements(raw []byte) int {
	return bytes.Count(raw, []byte("\ufffd")) + bytes.Count(bytes.ToLower(raw), []byte(`\ufffd`))
}
