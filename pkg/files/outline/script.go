package outline

import "strings"

// script reads the definitions of JavaScript that no keyword begins: methods, and
// names that get a function, a class or an object.
func (h *head) script(at int) (d Definition, body within, found bool) {
	if h.block {
		body = h.literal(h.from)
	}
	if h.in == ofType || h.in == ofObject {
		if d, found := h.member(at); found {
			return d, ofCode, true
		}
	}
	name, value := h.assigned(at)
	if value == 0 {
		if h.block && h.in == ofType && body == ofObject {
			body = ofNothing
		}
		d, found = h.returned()
		return d, body, found
	}
	kind, in := h.valued(value)
	if kind == "" {
		d, found = h.returned()
		return d, body, found
	}
	if kind == "object" && body != ofObject {
		return d, body, false
	}
	if h.in == ofType && kind == "function" {
		kind = "method"
	}
	target := h.target(at, name)
	if own := value + 1; target == "module.exports" && kind != "object" && own < h.to && h.kind(own) == word && !h.is(own, "extends") {
		target, name = h.of(own), own // module.exports = class A {
	}
	return h.definition(kind, target, name), in, true
}

// returned returns the function with a name that is a part of a statement, such as its
// result.
func (h *head) returned() (d Definition, found bool) {
	if !h.block {
		return d, false
	}
	return h.expressed()
}

// literal returns the owner of the braces at the next token: a block of code, or an object.
func (p *braces) literal(from int) within {
	if p.at == from {
		return ofCode
	}
	switch p.kind(p.at - 1) {
	case ')', arrow, ';', '{', '}', '>':
		// An arrow's result in parentheses begins with those.
		return ofCode
	case word:
		switch p.of(p.at - 1) {
		case "return", "default", "typeof", "yield", "await", "new", "in", "of":
			return ofObject
		}
		if i := p.at - 2; i >= from && (p.is(i, "class") || p.is(i, "extends")) || p.is(p.at-1, "class") {
			return ofType
		}
		return ofCode
	case ':':
		if p.is(from, "case") || p.is(from, "default") {
			return ofCode
		}
	}
	return ofObject
}

// member reads a method of a class or an object: a name, parentheses and a block, in
// TypeScript perhaps without one.
func (h *head) member(at int) (d Definition, found bool) {
	for h.kind(at) == '*' || h.kind(at) == word && h.g.modifier(h.of(at)) && at+1 < h.to && (h.kind(at+1) == word || h.kind(at+1) == '[' || h.kind(at+1) == '*' || h.kind(at+1) == literal) {
		at++
	}
	if at >= h.to {
		return d, false
	}
	name := h.of(at)
	next := at + 1
	switch h.kind(at) {
	case word, number:
		switch name {
		case "function", "if", "for", "while", "switch", "with":
			return d, false
		case "catch", "return":
			if h.in == ofObject {
				return d, false
			}
		}
	case literal:
		name = strings.Trim(name, "\"'`")
	case '[':
		next = h.match(at)
		if next > h.to {
			return d, false
		}
		name = h.text[h.tokens[at].from:h.tokens[next-1].to]
	default:
		return d, false
	}
	if h.kind(next) == '?' || h.kind(next) == '!' {
		next++
	}
	if h.kind(next) == '<' {
		next = max(h.angles(next, h.to), next)
	}
	if h.kind(next) != '(' || next >= h.to {
		return d, false
	}
	end := h.match(next)
	if end > h.to || end < h.to && h.kind(end) != ':' || !h.block && (!h.g.prototype || h.in != ofType) {
		return d, false
	}
	return h.definition("method", name, at), true
}

// assigned returns the token of the name that gets a value, and the first of the value;
// 0 if there is none.
func (h *head) assigned(at int) (name, value int) {
	if h.in == ofObject {
		if k := h.kind(at); (k == word || k == literal || k == number) && h.kind(at+1) == ':' {
			return at, at + 2
		}
		return 0, 0
	}
	if h.is(at, "let") || h.is(at, "var") {
		at++
	}
	for i := at; i < h.to; i++ {
		switch h.kind(i) {
		case '=':
			if name == 0 {
				return 0, 0
			}
			return name, i + 1
		case word:
			if name != 0 && h.kind(i-1) != '.' {
				return 0, 0
			}
			name = i
		case '.':
		case ':':
			// a type, up to the value
			for depth := 0; i < h.to; i++ {
				switch h.kind(i) {
				case '(', '[', '{':
					depth++
				case ')', ']', '}':
					depth--
				case '=':
					if depth == 0 {
						return name, i + 1
					}
				}
			}
			return 0, 0
		case '?', '!':
		default:
			return 0, 0
		}
	}
	return 0, 0
}

// valued returns the kind of a value: a function, a class or an object, else "".
func (h *head) valued(at int) (kind string, body within) {
	if h.is(at, "async") {
		at++
	}
	switch {
	case at >= h.to:
		if h.block {
			return "object", ofObject
		}
	case h.is(at, "function"):
		if h.block {
			return "function", ofCode
		}
	case h.is(at, "class"):
		if h.block {
			return "class", ofType
		}
	default:
		if h.kind(at) == '<' {
			at = max(h.angles(at, h.to), at)
		}
		if h.kind(at) == word && h.kind(at+1) == arrow && at+1 < h.to {
			return "function", h.arrowed(at + 2)
		}
		if h.kind(at) != '(' {
			break
		}
		end := h.match(at)
		if end < h.to && h.kind(end) == ':' {
			for end < h.to && h.kind(end) != arrow {
				end++
			}
		}
		if end < h.to && h.kind(end) == arrow {
			return "function", h.arrowed(end + 1)
		}
		if h.kind(at) == '(' && h.to == at && h.block {
			return "object", ofObject
		}
	}
	return "", ofNothing
}

// arrowed returns the owner of the block after an arrow.
func (h *head) arrowed(at int) within {
	if at == h.to {
		return ofCode
	}
	return h.literal(h.from)
}

// target returns the name that is assigned to: "f" for exports.f, "A.b" for A.prototype.b.
func (h *head) target(at, name int) string {
	n := h.of(name)
	if h.kind(name) == literal {
		return strings.Trim(n, "\"'`")
	}
	var parts []string
	for i := name - 2; i >= at && h.kind(i+1) == '.' && h.kind(i) == word; i -= 2 {
		switch w := h.of(i); w {
		case "prototype", "exports", "module", "this", "window", "self":
		default:
			parts = append([]string{w}, parts...)
		}
	}
	if n == "exports" && h.is(name-2, "module") {
		return "module.exports"
	}
	return strings.Join(append(parts, n), ".")
}

// declarator reports whether the comma at the next token separates two declarations
// of one statement, the first of which began at start.
func (p *braces) declarator(start int) bool {
	if start > 0 && p.kind(start-1) == ',' {
		return p.kind(start) == word && (start+1 == p.at || p.kind(start+1) == '=')
	}
	if p.is(start, "export") {
		start++
	}
	if !p.is(start, "var") && !p.is(start, "let") && !p.is(start, "const") {
		return false
	}
	value, angles := p.at-start <= 2, 0
	for i := start; i < p.at; i++ {
		switch p.kind(i) {
		case '=':
			value, angles = true, 0
		case '<':
			angles++
		case '>':
			angles--
		}
	}
	return value && angles <= 0 // else it separates the parameters of a type
}
