package outline

import "strings"

// call reads a function or method that has no keyword: a name before parentheses. It
// reads the properties of C# too.
func (h *head) call(at int) (d Definition, body within, found bool) {
	if h.in == ofEnum || h.is(h.from, "typedef") || h.is(at, "using") || h.is(at, "return") || h.is(at, "friend") {
		return d, h.inner(), false
	}
	name, paren := h.called(at)
	if paren == 0 {
		return h.property(at)
	}
	n := h.of(name)
	switch {
	case name == paren: // operator
		n = h.operator(at, paren)
		for name = at; !h.is(name, "operator"); {
			name++
		}
	case h.kind(name-1) == '~' && name > at:
		n = "~" + n
		if h.kind(name-2) == scope {
			n = h.qualified(at, name-3) + "::" + n
		}
	default:
		n = h.qualified(at, name)
	}
	if !h.block {
		switch {
		case !h.g.prototype || h.in != ofType && !h.is(at, "delegate"):
			return d, ofCode, false
		case name == at && (isMacro(n) || h.g.forms&delimited == 0):
			return d, ofCode, false // a macro, or a constant
		}
	}
	kind := "function"
	switch {
	case h.is(at, "delegate"):
		kind = "delegate"
	case h.in == ofType || strings.Contains(n, "::"):
		kind = "method"
	}
	return h.definition(kind, n, name), ofCode, true
}

// called returns the token of the name that is before parentheses, and the parenthesis.
// For an operator of C++ or C# both are the parenthesis. They are 0 if there is none.
func (h *head) called(at int) (name, paren int) {
	for i := at; i < h.to; i++ {
		switch h.kind(i) {
		case word:
			if h.is(i, "operator") {
				for j := i + 1; j < h.to; j++ {
					if h.kind(j) == '(' && !(j == i+1 && h.kind(j+1) == ')' && h.kind(j+2) == '(') {
						return j, j
					}
					if h.kind(j) == '(' {
						j++
					}
				}
				return 0, 0
			}
		case '=', arrow, operator, '.':
			if h.kind(i) == '.' && h.kind(i-1) == word && h.kind(i+1) == word {
				continue // a qualified type, or an interface's method
			}
			return name, paren
		case '<':
			if end := h.angles(i, h.to); end > i && i > at {
				i = end - 1
			}
		case '[':
			i = h.match(i) - 1
		case '(':
			n := i - 1
			if h.kind(n) == '>' {
				n = h.beforeAngles(at, n)
			}
			end := h.match(i)
			if n < at || h.kind(n) != word {
				if paren == 0 && h.kind(i+1) == '*' {
					return 0, 0 // a pointer to a function
				}
				i = end - 1
				continue
			}
			switch w := h.of(n); {
			case isControl(w):
				return 0, 0
			case takesGroup(w) || h.kind(i+1) == '*' && isBasic(w):
				if h.kind(i+1) == '*' {
					return 0, 0
				}
			case paren == 0:
				name, paren = n, i
			case isMacro(h.of(name)) && !isMacro(w) && h.in != ofType:
				name, paren = n, i
			}
			i = end - 1
		case ':', '{':
			return name, paren
		}
	}
	return name, paren
}

// beforeAngles returns the token before the angle brackets that end at one.
func (h *head) beforeAngles(from, at int) int {
	depth := 0
	for ; at >= from; at-- {
		switch h.kind(at) {
		case '>':
			depth++
		case '<':
			if depth--; depth == 0 {
				return at - 1
			}
		}
	}
	return from - 1
}

// operator returns the name of an operator that is defined before a parenthesis.
func (h *head) operator(at, paren int) string {
	for at < paren && !h.is(at, "operator") {
		at++
	}
	from := h.tokens[at].to
	name := strings.TrimSpace(h.text[from:h.tokens[paren-1].to])
	if name != "" && isLetter(name[0]) {
		name = " " + name
	}
	return h.qualified(h.from, at) + name
}

// property reads a property of C#, which has a name and a block or an arrow.
func (h *head) property(at int) (d Definition, body within, found bool) {
	if h.g.forms&verbatim == 0 || h.in != ofType {
		return d, h.inner(), false
	}
	to := h.to
	for i := at; i < h.to; i++ {
		switch h.kind(i) {
		case arrow:
			to = i
			i = h.to
		case '=', '(':
			return d, h.inner(), false
		}
	}
	if to == h.to && !h.block {
		return d, h.inner(), false
	}
	name := to - 1
	if h.kind(name) == ']' {
		for name > at && !h.is(name, "this") {
			name--
		}
	}
	if name <= at || h.kind(name) != word {
		return d, h.inner(), false
	}
	return h.definition("property", h.of(name), name), ofCode, true
}

func isControl(w string) bool {
	switch w {
	case "if", "for", "while", "switch", "return", "catch", "else", "do", "sizeof", "new", "delete", "foreach", "lock", "fixed", "synchronized",
		"when", "assert", "static_assert", "_Static_assert", "throw", "try", "case", "goto", "asm", "__asm__", "using", "super", "defined":
		return true
	}
	return false
}

// takesGroup reports whether parentheses after a word belong to it, and it is no name.
func takesGroup(w string) bool {
	switch w {
	case "__attribute__", "__declspec", "alignas", "_Alignas", "decltype", "noexcept", "explicit", "requires", "typeof", "__typeof__", "__attribute",
		"_Noreturn", "const", "__nonnull", "where", "_Pragma", "__asm":
		return true
	}
	return isBasic(w)
}

func isBasic(w string) bool {
	switch w {
	case "void", "int", "char", "long", "short", "unsigned", "signed", "float", "double", "bool", "auto":
		return true
	}
	return false
}
