package outline

import "strings"

// head is the text before a block, or a statement without one.
type head struct {
	*braces
	from, to int // tokens
	in       within
	block    bool
}

// define returns what the head defines, and what can be defined in its block. The end,
// and the name of a typedef, follow.
func (h *head) define() (d Definition, body within, found bool) {
	if h.in == ofNothing {
		return d, ofNothing, false
	}
	at, opens := h.skipModifiers()
	if opens {
		return d, ofFile, false // extern "C" {
	}
	k := keyword{}
	if h.kind(at) == word && at < h.to && h.in != ofObject {
		k = h.g.keyword(h.of(at))
	}
	if h.kind(at) == '@' && h.is(at+1, "interface") {
		at, k = at+1, keyword{"annotation", inType}
	}
	next := at + 1
	if k.kind == "enum" && (h.is(next, "class") || h.is(next, "struct")) || k.kind == "record" && (h.is(next, "struct") || h.is(next, "class")) {
		next++
	}
	if k.rules&contextual != 0 && k.kind != "method" && h.kind(next) != word && h.kind(next) != literal {
		k = keyword{}
	}
	if k.kind != "" {
		if d, body, found, decided := h.named(at, next, k); decided {
			return d, body, found
		}
	}
	switch {
	case h.g.forms&preprocessor != 0 && !h.block && (h.is(at, "using") || h.typed(at)):
		return h.alias(at)
	case h.g.script:
		return h.script(at)
	case h.g.calls && (h.in == ofFile || h.in == ofType || h.in == ofEnum):
		return h.call(at)
	}
	return d, h.inner(), false
}

// inner returns the owner of a block whose head defines nothing.
func (h *head) inner() within {
	switch {
	case h.in == ofEnum:
		return ofNothing
	case h.g.calls && h.to > h.from && h.kind(h.to-1) == '=':
		return ofNothing
	case h.anonymous():
		return ofType
	case h.g.calls && h.in == ofFile && h.g.forms&delimited != 0 && h.to-h.from == 1 && h.kind(h.from) == word:
		return ofFile // NAMESPACE_BEGIN {
	}
	return ofCode
}

// skipModifiers returns the first token after decorators, attributes and modifiers. It
// reports whether nothing else precedes the block, which is then transparent.
func (h *head) skipModifiers() (at int, opens bool) {
	at = h.from
	for at < h.to {
		switch h.kind(at) {
		case ',':
			at++
		case '@':
			next := h.annotation(at)
			if next == at {
				return at, false
			}
			at = next
		case '[':
			if h.g.script || !h.g.calls && h.g.newlines {
				return at, false
			}
			at = h.match(at)
		case '#':
			at++
			if h.kind(at) == '!' {
				at++
			}
		case literal:
			if at == h.from || !h.is(at-1, "extern") {
				return at, false
			}
			at++
			if at == h.to && h.block {
				return at, true
			}
		case word:
			next, more := h.skipWord(at)
			if !more {
				return at, false
			}
			at = next
		default:
			return at, false
		}
	}
	return at, h.is(h.to-1, "extern") && h.block
}

// skipWord returns the token after a modifier, and whether there is one.
func (h *head) skipWord(at int) (next int, ok bool) {
	w := h.of(at)
	next = at + 1
	if next > h.to {
		return at, false
	}
	switch {
	case h.joined(w, next):
		return next, true
	case h.g.forms&delimited != 0 && w == "template" && h.kind(next) == '<':
		return max(h.angles(next, h.to), next), true
	case h.g.forms&preprocessor != 0 && (w == "__attribute__" || w == "__declspec" || w == "alignas" || w == "requires" || w == "explicit") && h.kind(next) == '(':
		return h.match(next), true
	case h.kind(next) == ':' && h.g.forms&delimited != 0 && next < h.to && (strings.HasPrefix(w, "p") || w == "signals" || strings.HasPrefix(w, "Q_") || w == "slots"):
		return next + 1, true // public:
	}
	if h.g.keyword(w).kind != "" && !(h.g.modifier(w) && h.kind(next) == word && next < h.to && (h.g.keyword(h.of(next)).kind != "" || h.g.modifier(h.of(next)))) {
		return at, false
	}
	if h.g.modifier(w) {
		if h.g.script && h.kind(next) != word && h.kind(next) != '{' && h.kind(next) != '*' && h.kind(next) != '[' && h.kind(next) != literal {
			return at, false // a method with this name
		}
		if h.kind(next) == '(' && (w == "pub" || w == "private" || w == "protected" || w == "internal" || w == "public") && !h.g.calls {
			next = h.match(next) // pub(crate)
		}
		if h.kind(next) == '[' && h.g.keyword("trait").kind != "" && !h.g.calls && (w == "private" || w == "protected") {
			next = h.match(next) // private[this]
		}
		return next, true
	}
	// Macros before a definition of C.
	if h.g.forms&preprocessor != 0 && h.g.calls && isMacro(w) && next < h.to {
		if h.kind(next) == word && (h.g.keyword(h.of(next)).kind != "" || h.g.modifier(h.of(next))) {
			return next, true
		}
	}
	return at, false
}

// joined reports whether a keyword is only a modifier of the next one.
func (h *head) joined(w string, next int) bool {
	if h.kind(next) != word || next >= h.to {
		return false
	}
	switch n := h.of(next); w {
	case "const":
		return n == "fn" || n == "unsafe" || n == "extern" || n == "async" || n == "enum" && h.g.script
	case "fun":
		return n == "interface"
	case "class":
		return n == "func" || n == "subscript"
	case "case":
		return n == "class" || n == "object"
	case "static":
		return n == "func" || n == "subscript"
	}
	return false
}

// isMacro reports whether a name is written as those of macros are.
func isMacro(name string) bool {
	return len(name) > 1 && strings.ToUpper(name) == name && strings.ToLower(name) != name
}

// definition returns a definition that the head begins and a token names.
func (h *head) definition(kind, name string, at int) Definition {
	d := Definition{Name: name, Kind: kind, Line: int(h.tokens[at].line)}
	first := h.from
	for first < at && (h.kind(first) == ',' || h.kind(first) == ';') {
		first++
	}
	line := int(h.tokens[first].line)
	if above := h.above(line); above > 0 && h.tokens[first].first {
		line = above
	}
	if line < d.Line {
		d.From = line
	}
	return d
}

// named reads a definition that a keyword begins. It has decided nothing if the
// keyword turns out to be part of something else.
func (h *head) named(at, next int, k keyword) (d Definition, body within, found, decided bool) {
	switch {
	case k.rules&inType != 0:
		body = ofType
	case k.rules&inSpace != 0:
		body = ofFile
	case k.rules&inEnum != 0:
		body = ofEnum
	case k.rules&inCode != 0:
		body = ofCode
	case k.kind == "method", k.kind == "const", k.kind == "static":
		body = ofCode
	default:
		body = ofNothing
	}
	if k.rules&shaped != 0 {
		return h.shaped(at, next, k, body)
	}
	if !h.block && k.rules&bare == 0 || h.in == ofEnum {
		return d, body, false, true
	}
	name, named := h.name(at, next, k)
	if name == "" {
		return d, body, false, true
	}
	if k.kind == "function" && h.in == ofType {
		k.kind = "method"
	}
	return h.definition(k.kind, name, named), body, true, true
}

// name returns the name that follows a keyword, and its token.
func (h *head) name(at, next int, k keyword) (string, int) {
	w := h.of(at)
	switch w {
	case "init", "deinit", "subscript":
		if k.kind == "method" {
			return w, at
		}
	case "impl":
		return h.implementation(next)
	}
	i := next
	for i < h.to && (h.kind(i) == '*' || h.kind(i) == '&' || h.kind(i) == '!') {
		i++
	}
	if h.kind(i) == '<' {
		i = max(h.angles(i, h.to), i)
	}
	switch {
	case i < h.to && h.kind(i) == word:
	case i < h.to && h.kind(i) == literal && (w == "module" || w == "namespace" || w == "fun" || w == "def" || w == "func"):
		return strings.Trim(h.of(i), "\"'`"), i
	case w == "object" && h.is(at-1, "companion") && at > h.from:
		return "Companion", at
	case h.g.script && (w == "function" || w == "class") && h.is(h.from, "export"):
		return "default", at
	case (w == "func" || w == "def") && i < h.to: // an operator
		to := i
		for to < h.to && strings.IndexByte("([:", h.kind(to)) < 0 {
			to++
		}
		if to > i {
			return h.text[h.tokens[i].from:h.tokens[to-1].to], i
		}
		return "", 0
	case w == "namespace" && h.block:
		return "(anonymous)", at
	default:
		return "", 0
	}
	if w == "fun" { // of a type that it extends
		for j := i; j < h.to && h.kind(j) != '('; j++ {
			switch {
			case h.kind(j) == '<':
				j = max(h.angles(j, h.to)-1, j)
			case h.kind(j) == word && (j == i || h.kind(j-1) == '.'):
				i = j
			}
		}
		return h.of(i), i
	}
	name, last := h.of(i), i
	if w == "const" || w == "static" {
		if name == "mut" && h.kind(i+1) == word {
			i, last = i+1, i+1
			name = h.of(i)
		}
		if name == "_" {
			return "", 0
		}
	}
	for k.rules&dotted != 0 && (h.kind(last+1) == '.' || h.kind(last+1) == scope) && h.kind(last+2) == word && last+2 < h.to {
		last += 2
	}
	if last > i {
		name = h.text[h.tokens[i].from:h.tokens[last].to]
	}
	if (k.kind == "type" || k.kind == "concept") && h.g.script && h.kind(last+1) != '=' && h.kind(last+1) != '<' {
		return "", 0
	}
	if h.g.script && k.rules&contextual != 0 && h.tokens[i].first {
		return "", 0
	}
	return name, i
}

// implementation returns the subject of an impl of Rust: "Type", or "Trait for Type".
func (h *head) implementation(at int) (string, int) {
	if h.kind(at) == '<' {
		at = max(h.angles(at, h.to), at)
	}
	if at >= h.to {
		return "", 0
	}
	first := at
	var b strings.Builder
	for i := at; i < h.to; {
		switch k := h.kind(i); {
		case h.is(i, "where"):
			i = h.to
			continue
		case h.is(i, "for"):
			b.WriteString(" for ")
			first = i + 1
		case k == '<':
			if end := h.angles(i, h.to); end > i {
				i = end
				continue
			}
		case k == literal: // a lifetime
		default:
			b.WriteString(h.of(i))
			if h.kind(i+1) == word && k == word {
				b.WriteByte(' ')
			}
		}
		i++
	}
	for first < h.to-1 && h.kind(first) != word {
		first++
	}
	return strings.TrimSpace(strings.ReplaceAll(b.String(), "  ", " ")), first
}

// shaped reads what begins with struct, union, enum or class in C: a type, or a
// function or variable of one.
func (h *head) shaped(at, next int, k keyword, body within) (d Definition, in within, found, decided bool) {
	i := next
	name := 0
	for i < h.to {
		switch {
		case h.kind(i) == word && (h.is(i, "__attribute__") || h.is(i, "alignas") || h.is(i, "__declspec") || isMacro(h.of(i))) && h.kind(i+1) == '(':
			i = h.match(i + 1)
			continue
		case h.kind(i) == word:
			if h.is(i, "final") && name > 0 {
				i = h.to
				continue
			}
			name = i
		case h.kind(i) == '[':
			i = h.match(i)
			continue
		case h.kind(i) == scope:
		case h.kind(i) == '<':
			end := h.angles(i, h.to)
			if end == i {
				return d, body, false, false
			}
			i = end
			continue
		case h.kind(i) == ':':
			i = h.to
			continue
		default:
			return d, body, false, false
		}
		i++
	}
	if !h.block {
		return d, body, false, false
	}
	words := 0
	for j := next; j < h.to && h.kind(j) == word; j++ {
		words++
	}
	if name == 0 || name >= h.to {
		if h.is(h.from, "typedef") || h.typed(at) {
			return h.definition("typedef", "", at), body, true, true
		}
		return d, body, false, true
	}
	d = h.definition(k.kind, h.qualified(next, name), name)
	return d, body, true, true
}

// alias reads another name for a type: a typedef, or a using of C++.
func (h *head) alias(at int) (d Definition, body within, found bool) {
	if h.is(at, "using") {
		if at+2 < h.to && h.kind(at+1) == word && h.kind(at+2) == '=' && h.g.forms&delimited != 0 {
			return h.definition("type", h.of(at+1), at+1), ofNothing, true
		}
		return d, ofNothing, false
	}
	name := 0
	for i := at; i < h.to; i++ {
		switch h.kind(i) {
		case word:
			if h.kind(i+1) == '(' && (takesGroup(h.of(i)) && !isBasic(h.of(i))) {
				i = h.match(i+1) - 1
				continue
			}
			name = i
		case '<':
			i = max(h.angles(i, h.to)-1, i)
		case '(':
			if h.kind(i+1) == '*' && h.kind(i+2) == word {
				return h.definition("typedef", h.of(i+2), i+2), ofNothing, true
			}
			i = h.match(i) - 1
		case '[':
			i = h.match(i) - 1
		}
	}
	if name == 0 || isBasic(h.of(name)) {
		return d, ofNothing, false
	}
	return h.definition("typedef", h.of(name), name), ofNothing, true
}

// typed reports whether a token comes after the word typedef.
func (h *head) typed(at int) bool {
	for i := h.from; i < at; i++ {
		if h.is(i, "typedef") {
			return true
		}
	}
	return false
}

// qualified returns a name with what stands before it: "a::b".
func (h *head) qualified(from, name int) string {
	first := name
	for first-2 >= from && h.kind(first-1) == scope {
		before := first - 2
		if h.kind(before) == '>' {
			depth := 0
			for ; before > from; before-- {
				if k := h.kind(before); k == '>' {
					depth++
				} else if k == '<' {
					if depth--; depth == 0 {
						before--
						break
					}
				}
			}
		}
		if h.kind(before) != word {
			break
		}
		first = before
	}
	if first == name {
		return h.of(name)
	}
	var b strings.Builder
	for i := first; i <= name; i++ {
		if h.kind(i) == '<' {
			if end := h.angles(i, name); end > i {
				i = end - 1
				continue
			}
		}
		b.WriteString(h.of(i))
	}
	return b.String()
}
