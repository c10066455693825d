package outline

import "slices"

// within is the owner of a block, which decides what can be defined in the block.
type within uint8

const (
	ofFile    within = iota // or of a namespace
	ofType                  // methods, fields, types
	ofEnum                  // constants up to the first semicolon
	ofCode                  // statements
	ofObject                // entries of an object literal of JavaScript
	ofNothing               // values or types, in which nothing is defined
)

// mostBlocks limits the nesting of blocks; nothing is found in deeper ones.
const mostBlocks = 100

// braces reads the tokens of a language with braces, statement by statement.
type braces struct {
	*lexed
	at    int // the next token
	depth int // of blocks
}

func (l *lexed) byBraces() []Definition {
	p := &braces{lexed: l}
	defs := l.macros
	for p.at < len(p.tokens) {
		defs = append(defs, p.block(ofFile)...)
		p.at++ // a brace that closes nothing
	}
	slices.SortStableFunc(defs, func(a, b Definition) int { return a.Line - b.Line })
	return defs
}

// block reads up to the brace that closes a block, or up to the end.
func (p *braces) block(in within) (defs []Definition) {
	if p.depth++; p.depth > mostBlocks {
		p.skip()
		p.depth--
		return nil
	}
	defer func() { p.depth-- }()
	start := p.at
	for p.at < len(p.tokens) {
		t := &p.tokens[p.at]
		if t.first && p.g.newlines && p.at > start && p.ends(start) {
			defs = p.statement(defs, start, in)
			start = p.at
		}
		switch t.kind {
		case '}':
			return p.statement(defs, start, in)
		case ';':
			p.at++
			if in == ofFile && p.declares(start) {
				continue // the parameters of an old function in C
			}
			p.at--
			defs = p.statement(defs, start, in)
			p.at++
			start = p.at
			if in == ofEnum {
				in = ofType
			}
		case ',':
			if in == ofObject || p.g.script && p.declarator(start) {
				defs = p.statement(defs, start, in)
				start = p.at + 1
			}
			p.at++
		case '(', '[':
			defs = append(defs, p.group()...)
		case '{':
			var whole bool
			if defs, whole = p.braced(defs, start, in); whole {
				start = p.at
			}
		default:
			p.at++
		}
	}
	return p.statement(defs, start, in)
}

// pass goes past the brace that closes a block, if the text does not end before it.
func (p *braces) pass() { p.at = min(p.at+1, len(p.tokens)) }

// skip goes to the brace that closes the block around the next token.
func (p *braces) skip() {
	for depth := 0; p.at < len(p.tokens); p.at++ {
		switch p.tokens[p.at].kind {
		case '{':
			depth++
		case '}':
			if depth--; depth < 0 {
				return
			}
		}
	}
}

// group reads brackets other than braces, and returns what is defined in the blocks of
// code in them.
func (p *braces) group() (defs []Definition) {
	p.at++
	for depth := 1; p.at < len(p.tokens); {
		switch p.tokens[p.at].kind {
		case '(', '[':
			depth++
			p.at++
		case ')', ']':
			p.at++
			if depth--; depth == 0 {
				return defs
			}
		case '{':
			defs = append(defs, p.value()...)
		case '}':
			return defs // the bracket is not closed
		default:
			p.at++
		}
	}
	return defs
}

// value reads a block that is in brackets: an object, or the body of a function or a
// class.
func (p *braces) value() []Definition {
	in := ofNothing
	d, named := Definition{}, false
	switch {
	case p.g.script:
		in = p.literal(0)
		d, named = p.expressed()
	case p.anonymous():
		in = ofType
	case !p.g.calls:
		in = ofCode // a lambda
	}
	p.at++
	defs := p.block(in)
	end := p.line(p.at)
	p.pass()
	if named {
		d.End, d.Children = max(d.Line, end), defs
		return []Definition{d}
	}
	return defs
}

// before returns the bracket that opens the group which ends right before the next
// token, 0 if there is none near.
func (p *braces) before() int {
	depth := 0
	for i := p.at - 1; i > max(p.at-mostHead, 0); i-- {
		switch p.kind(i) {
		case ')', ']', '}':
			depth++
		case '(', '[', '{':
			if depth--; depth == 0 {
				return i
			}
		}
		if depth == 0 {
			return 0
		}
	}
	return 0
}

// anonymous reports whether the next token opens the block of an anonymous class in Java:
// new A.B<C>(d) {
func (p *braces) anonymous() bool {
	if !p.g.calls || p.g.forms&preprocessor != 0 || p.kind(p.at-1) != ')' {
		return false
	}
	i := p.before() - 1
	for depth := 0; i > 0 && p.at-i < mostHead; i-- {
		switch k := p.kind(i); {
		case k == '>':
			depth++
		case k == '<':
			depth--
		case p.is(i, "new"):
			return true
		case k != word && k != '.' && depth == 0:
			return false
		}
	}
	return false
}

// expressed returns the function that has its name in an expression and the block at
// the next token: f(function g() {
func (p *braces) expressed() (d Definition, ok bool) {
	if p.kind(p.at-1) != ')' {
		return d, false
	}
	name := p.before() - 1
	if name < 1 || p.kind(name) != word || !p.is(name-1, "function") {
		return d, false
	}
	return Definition{Name: p.of(name), Kind: "function", Line: int(p.tokens[name].line)}, true
}

// braced reads a block and what it defines with the tokens before it, from start on. It
// reports whether that ends a statement.
func (p *braces) braced(defs []Definition, start int, in within) ([]Definition, bool) {
	if p.inside(start, in) {
		p.at++
		p.block(ofNothing)
		p.pass()
		return defs, false
	}
	h := head{braces: p, from: start, to: p.at, in: in, block: true}
	d, body, found := h.define()
	p.at++
	children := p.block(body)
	end := p.line(p.at)
	p.pass()
	if !found {
		return append(defs, children...), true
	}
	if d.Name == "" { // of a typedef, which comes after the block
		if at := p.typedef(); at > 0 {
			if d.From == 0 {
				d.From = d.Line
			}
			d.Name, d.Line = p.of(at), int(p.tokens[at].line)
			if end = d.Line; d.From == d.Line {
				d.From = 0
			}
		} else {
			return append(defs, children...), true
		}
	}
	if name := p.at; d.Name != "" && h.is(h.from, "typedef") && p.kind(name) == word && p.kind(name+1) == ';' && p.of(name) != d.Name {
		d.End, d.Children = max(end, d.Line), children
		line := int(p.tokens[name].line)
		return append(defs, d, Definition{Name: p.of(name), Kind: "typedef", Line: line, End: line}), true
	}
	if d.Kind == "object" && len(children) == 0 {
		return defs, true
	}
	d.End, d.Children = max(end, d.Line), children
	return append(defs, d), true
}

// typedef returns the token that names the type whose block has just ended, 0 if there
// is none.
func (p *braces) typedef() int {
	at := 0
	for i := p.at; i < min(len(p.tokens), p.at+16); i++ {
		switch p.kind(i) {
		case word:
			if at == 0 || p.kind(i-1) == word && !p.is(i-1, "__attribute__") {
				at = i
			}
		case '*', '(', ')':
		default:
			return at
		}
		if p.is(i, "__attribute__") {
			return at
		}
	}
	return at
}

// statement adds what a statement without a block defines.
func (p *braces) statement(defs []Definition, start int, in within) []Definition {
	if start >= p.at || in == ofNothing || in == ofEnum {
		return defs
	}
	h := head{braces: p, from: start, to: p.at, in: in}
	if d, _, found := h.define(); found && d.Name != "" {
		d.End = max(d.Line, int(p.tokens[p.at-1].end))
		d.declared = d.Kind == "function" || d.Kind == "method"
		defs = append(defs, d)
	}
	return defs
}

// line returns the line of a token, the last line if there is none.
func (p *braces) line(at int) int {
	if at < len(p.tokens) {
		return int(p.tokens[at].line)
	}
	return len(p.begins) - 1
}

// ends reports whether the end of a line before the next token ends the statement that
// began at start.
func (p *braces) ends(start int) bool {
	before, next := &p.tokens[p.at-1], &p.tokens[p.at]
	switch next.kind {
	case '{', '.', ',', ')', ']', '=', '?', ':', '+', '*', '/', '&', '|', '<', '>', '(', '[', operator, arrow, thin, ';', '}':
		return false
	case '@':
		if p.is(p.at+2, "constructor") { // of Kotlin
			return false
		}
	case word:
		switch p.of(p.at) {
		case "extends", "implements", "with", "where", "instanceof", "as", "throws", "else":
			return p.kind(p.at+1) == '(' // a method with this name
		}
	}
	switch before.kind {
	case '.', ',', '(', '[', '=', '?', ':', '+', '-', '*', '/', '&', '|', '<', '!', operator, arrow, scope:
		return false
	case word:
		switch p.of(p.at - 1) {
		case "extends", "implements", "with", "where", "instanceof", "as", "new", "in", "of":
			return false
		}
		if p.tokens[start].kind == '@' || p.onlyModifiers(start) {
			return false
		}
	case ')':
		if p.tokens[start].kind == '@' && p.at-start < mostHead && p.annotation(start) >= p.at {
			return false
		}
	}
	return true
}

// mostHead limits the tokens in the head of a definition, mostModifiers the words before
// its keyword. They bound the work on tokens that are read again and again.
const (
	mostHead      = 2000
	mostModifiers = 16
)

// onlyModifiers reports whether all tokens from start on are words before a definition.
func (p *braces) onlyModifiers(start int) bool {
	if p.at-start > mostModifiers {
		return false
	}
	for i := start; i < p.at; i++ {
		if p.kind(i) != word || !p.g.modifier(p.of(i)) {
			return false
		}
	}
	return true
}

// annotation returns the token after the annotations that begin at one.
func (l *lexed) annotation(at int) int {
	for l.kind(at) == '@' && l.kind(at+1) == word && !l.is(at+1, "interface") {
		at += 2
		for l.kind(at) == '.' && l.kind(at+1) == word || l.kind(at) == ':' && l.kind(at+1) == word {
			at += 2
		}
		if l.kind(at) == '(' && !(l.tokens[at].first && l.g.newlines) {
			at = l.match(at)
		}
	}
	return at
}

// match returns the token after the bracket that closes the one at a token.
func (l *lexed) match(at int) int {
	for depth := 0; at < len(l.tokens); at++ {
		switch l.tokens[at].kind {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return at + 1
			}
		}
	}
	return at
}

// mostAngles limits the tokens between angle brackets. Without it, the time would grow
// with the square of the number of unclosed brackets.
const mostAngles = 500

// angles returns the token after the angle bracket that closes the one at a token;
// at if that is no bracket.
func (l *lexed) angles(at, to int) int {
	depth := 0
	to = min(to, at+mostAngles, len(l.tokens))
	for i := at; i < to; i++ {
		switch l.tokens[i].kind {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				return i + 1
			}
		case '(', '[', '{':
			i = l.match(i) - 1
		case ';', '}', ')', ']':
			return at
		}
	}
	return at
}

// declares reports whether the tokens from start to the semicolon before the next one are
// the head of a K&R function, whose parameters are declared before its block.
func (p *braces) declares(start int) bool {
	if !p.g.calls || p.g.prototype {
		return false
	}
	for i := start; i < p.at; i++ {
		switch p.kind(i) {
		case '(':
			end := p.match(i)
			if end >= p.at-1 || p.kind(i-1) != word || p.kind(end) != word || end-i < 3 || p.is(i+1, "void") || i == start {
				return false
			}
			for j := i + 1; j < end-1; j++ {
				if want := []byte{word, ','}[(j-i-1)%2]; p.kind(j) != want {
					return false
				}
			}
			// what follows are declarations, up to the block
			for j := end; j < min(len(p.tokens), p.at+200); j++ {
				switch p.kind(j) {
				case '{':
					return p.kind(j-1) == ';'
				case '=', '}', literal:
					return false
				}
			}
			return false
		case '=', '{', '}':
			return false
		}
	}
	return false
}

// inside reports whether the brace is part of the head of a definition or of a value:
// the type of a result, or of a parameter.
func (p *braces) inside(start int, in within) bool {
	if p.at == start || p.at-start > mostHead {
		return false
	}
	before := p.kind(p.at - 1)
	switch {
	case p.g.script && p.g.prototype && in != ofObject:
		switch before {
		case '<', '|', '&':
			return true
		case ':':
			return !p.is(start, "case") && !p.is(start, "default") && p.at-start > 2
		}
		return p.at-start > 1 && p.is(start, "type") && p.kind(start+1) == word
	case p.g.forms&delimited != 0 && in != ofCode:
		// Foo::Foo() : a{1}, b(2) {
		if before != word && before != '>' {
			return false
		}
		for i := start; i < p.at; i++ {
			switch p.kind(i) {
			case '(':
				if i = p.match(i); p.kind(i) == ':' && i < p.at {
					return true
				}
				if p.is(i, "noexcept") && p.kind(i+1) == ':' {
					return true
				}
				i--
			case '=', '{':
				return false
			}
		}
	}
	return false
}
