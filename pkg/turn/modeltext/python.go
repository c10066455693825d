package modeltext

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// toolCode reads a block in which Gemma writes calls as Python, one a line, also in
// print(). Anything else in it is a program, which nobody runs.
func (r *reader) toolCode(from, at int, marks string) int {
	for {
		at = r.space(at)
		if at >= len(r.s) {
			return at
		}
		if end, ok := r.closeFence(at); ok {
			return end
		}
		end, ok := r.pythonCall(at, true)
		if !ok {
			end = r.blockEnd(at, marks)
			r.fence = ""
			r.add(Call{Err: damaged(fault.T("the block is not one call a line"))}, from, end)
			return end
		}
		at = end
	}
}

// pythonList reads calls as a list in Python, as Llama 4 writes them:
// [read(path="a.go"), ls()].
func (r *reader) pythonList(at int) (int, bool) {
	if !r.has(at, "[") || !r.lineStart(at) && !r.has(max(at-2, 0), "|>") {
		return at, false
	}
	next := r.space(at + 1)
	p := &python{s: r.s, at: next}
	if name := p.name(); name == "" || r.tool(r.plainName(name)) == nil || !r.has(p.at, "(") {
		return at, false
	}
	for {
		end, ok := r.pythonCall(next, true)
		if !ok {
			r.add(Call{Err: damaged(fault.T("an item of the list is no call"))}, at, next)
			return r.swallow(), true
		}
		if next = r.space(end); r.has(next, ",") {
			next = r.space(next + 1)
		}
		if next >= len(r.s) { // the error of a call that is cut off has been added
			return next, true
		}
		if r.has(next, "]") {
			return next + 1, true
		}
	}
}

// pythonCall reads one call in Python. explicit says that it is one, whether or not
// its tool is known.
func (r *reader) pythonCall(from int, explicit bool) (int, bool) {
	p := &python{s: r.s, at: from}
	name := p.name()
	if name == "print" && r.tool("print") == nil && r.has(p.at, "(") {
		p.at = r.space(p.at + 1)
		if end, ok := r.pythonCall(p.at, explicit); ok {
			if end = r.space(end); r.has(end, ")") {
				end++
			}
			return end, true
		}
		return from, false
	}
	call := r.plainName(strings.TrimSuffix(name, ".call")) // Llama 3's built-in tools
	t := r.tool(call)
	if name == "" || !r.has(p.at, "(") || t == nil && !explicit {
		return from, false
	}
	given, unnamed, ok := p.arguments()
	c := Call{Name: call}
	switch {
	case !ok && p.at >= len(r.s):
		c.Err = cutOff()
	case !ok:
		c.Err = damaged(fault.T("its arguments are not plain values of Python"))
	case len(unnamed) == 1 && len(given) == 0 && t != nil && unnamed[0][0] == '"':
		r.argue(&c, unnamed[0], t)
	case len(unnamed) > 0:
		c.Err = damaged(fault.T("its arguments have no names"))
	default:
		c.Arguments = object(given)
	}
	if ok {
		r.add(c, from, p.at)
		return p.at, true
	}
	r.add(c, from, len(r.s))
	return r.swallow(), true
}

// python reads names and literals of Python.
type python struct {
	s  string
	at int
}

func (p *python) has(prefix string) bool { return strings.HasPrefix(p.s[p.at:], prefix) }

func (p *python) space() {
	for p.at < len(p.s) && strings.IndexByte(" \t\r\n", p.s[p.at]) >= 0 {
		p.at++
	}
}

// name reads a name with dots.
func (p *python) name() string {
	begin := p.at
	if begin >= len(p.s) || !letter(p.s[begin]) {
		return ""
	}
	for p.at < len(p.s) && nameByte(p.s[p.at]) && p.s[p.at] != ':' {
		p.at++
	}
	return p.s[begin:p.at]
}

// arguments reads what is between the parentheses of a call.
func (p *python) arguments() (given []member, unnamed [][]byte, ok bool) {
	p.at++
	for {
		p.space()
		if p.has(")") {
			p.at++
			return given, unnamed, true
		}
		begin := p.at
		name := p.name()
		p.space()
		if name != "" && p.has("=") && !p.has("==") {
			p.at++
		} else {
			p.at, name = begin, ""
		}
		v, ok := p.value(0)
		if !ok {
			return nil, nil, false
		}
		if name == "" {
			unnamed = append(unnamed, v)
		} else {
			given = append(given, member{name, v})
		}
		p.space()
		if p.has(",") {
			p.at++
		} else if !p.has(")") {
			return nil, nil, false
		}
	}
}

// value reads a literal and returns it as JSON.
func (p *python) value(depth int) ([]byte, bool) {
	const deepest = 64
	if p.space(); p.at >= len(p.s) || depth > deepest {
		return nil, false
	}
	switch c := p.s[p.at]; {
	case c == '"' || c == '\'':
		return p.strings(false)
	case (c == 'r' || c == 'R') && p.at+1 < len(p.s) && (p.s[p.at+1] == '"' || p.s[p.at+1] == '\''):
		p.at++
		return p.strings(true)
	case c == '[' || c == '(':
		end, items := byte(']'), []byte{'['}
		if c == '(' {
			end = ')'
		}
		ok := p.list(end, func() bool {
			v, ok := p.value(depth + 1)
			if len(items) > 1 {
				items = append(items, ',')
			}
			items = append(items, v...)
			return ok
		})
		return append(items, ']'), ok
	case c == '{':
		var all []member
		ok := p.list('}', func() bool {
			key, ok := p.value(depth + 1)
			if !ok || key[0] != '"' {
				return false
			}
			var name string
			if json.Unmarshal(key, &name) != nil {
				return false
			}
			if p.space(); !p.has(":") {
				return false
			}
			p.at++
			v, ok := p.value(depth + 1)
			all = append(all, member{name, v})
			return ok
		})
		return object(all), ok
	}
	begin := p.at
	for p.at < len(p.s) && (nameByte(p.s[p.at]) || p.s[p.at] == '+') {
		p.at++
	}
	switch word := p.s[begin:p.at]; word {
	case "True", "true":
		return []byte("true"), true
	case "False", "false":
		return []byte("false"), true
	case "None", "null":
		return []byte("null"), true
	default:
		return []byte(word), word != "" && !letter(word[0]) && schema.Check([]byte(word)) == nil
	}
}

// list reads the items between brackets.
func (p *python) list(end byte, item func() bool) bool {
	p.at++
	for {
		if p.space(); p.at >= len(p.s) {
			return false
		}
		if p.s[p.at] == end {
			p.at++
			return true
		}
		if !item() {
			return false
		}
		if p.space(); p.has(",") {
			p.at++
		} else if p.at >= len(p.s) || p.s[p.at] != end {
			return false
		}
	}
}

// strings reads texts that stand side by side, which are one.
func (p *python) strings(raw bool) ([]byte, bool) {
	var b strings.Builder
	for {
		if !p.text(&b, raw) {
			return nil, false
		}
		at := p.at
		if p.space(); !p.has(`"`) && !p.has(`'`) {
			p.at = at
			break
		}
		raw = false
	}
	return quote(b.String()), utf8.ValidString(b.String())
}

// text reads one text in quotes.
func (p *python) text(b *strings.Builder, raw bool) bool {
	mark := p.s[p.at : p.at+1]
	if triple := strings.Repeat(mark, 3); p.has(triple) {
		mark = triple
	}
	p.at += len(mark)
	for p.at < len(p.s) {
		switch {
		case p.has(mark):
			p.at += len(mark)
			return true
		case p.s[p.at] == '\n' && len(mark) == 1:
			return false
		case p.s[p.at] == '\\' && raw:
			if p.at+1 >= len(p.s) {
				return false
			}
			b.WriteString(p.s[p.at : p.at+2])
			p.at += 2
		case p.s[p.at] == '\\':
			if !p.escape(b) {
				return false
			}
		default:
			b.WriteByte(p.s[p.at])
			p.at++
		}
	}
	return false
}

// escape reads one escape.
func (p *python) escape(b *strings.Builder) bool {
	if p.at+1 >= len(p.s) {
		return false
	}
	switch c := p.s[p.at+1]; c {
	case '\n':
		p.at += 2
	case '\'', '"', '\\', 'a', 'b', 'f', 'n', 'r', 't', 'v', 'x', 'u', 'U', '0', '1', '2', '3':
		r, multibyte, tail, err := strconv.UnquoteChar(p.s[p.at:], 0)
		switch {
		case c == '\'' || c == '"':
			b.WriteByte(c)
			p.at += 2
			return true
		case err != nil && c == '0':
			b.WriteByte(0)
			p.at += 2
			return true
		case err != nil:
			return false
		case c == 'x' && !multibyte:
			b.WriteRune(r) // Python's are characters, not bytes
		default:
			b.WriteRune(r)
		}
		p.at = len(p.s) - len(tail)
	default: // Python keeps the backslash
		b.WriteByte('\\')
		p.at++
	}
	return true
}
