package outline

// open is a definition whose end has not been seen.
type open struct {
	def    Definition
	column int
}

// byIndent reads a language in which indentation shows what a definition contains, or
// the column of the line that closes it.
func (l *lexed) byIndent() []Definition {
	r := indents{lexed: l}
	depth := 0
	last := 0       // the line of the last token
	decorator := -1 // the first token of those before a definition
	for i := range l.tokens {
		t := &l.tokens[i]
		if t.first && depth == 0 {
			column := int(t.from - l.begins[t.line])
			r.close(i, column, last)
			if decorator < 0 {
				decorator = i
			}
			if t.kind != '@' || l.g.end != "" {
				r.open(i, decorator, column)
				decorator = -1
			}
		}
		switch t.kind {
		case '(', '[', '{':
			if !l.g.closer && l.g.end == "" {
				depth++
			}
		case ')', ']', '}':
			depth = max(depth-1, 0)
		}
		last = int(t.end)
	}
	r.pop(-1, last)
	return r.defs
}

type indents struct {
	*lexed
	defs  []Definition
	stack []open
}

// close ends the open definitions that a line closes, given its first token and column.
func (r *indents) close(at, column, last int) {
	switch {
	case r.g.end != "":
		if r.is(at, r.g.end) {
			r.pop(column, int(r.tokens[at].line))
		} else {
			r.popBefore(at, column, last)
		}
	case r.g.closer:
		if k := r.kind(at); k == '}' || k == ')' {
			r.pop(column, int(r.tokens[at].line))
		} else if k != '{' && k != '(' {
			r.popBefore(at, column, last)
		}
	default:
		r.pop(column, last)
	}
}

// popBefore ends definitions at a line that is left of them, or that begins another
// one in the same column: their own end was missing, or is in their line.
func (r *indents) popBefore(at, column, last int) {
	if n := len(r.stack); n > 0 && column == r.stack[n-1].column {
		if _, ok := r.defines(at); !ok {
			return
		}
		column++
	}
	r.pop(column+1, last)
}

// pop ends the open definitions from a column on.
func (r *indents) pop(column, line int) {
	for n := len(r.stack); n > 0 && r.stack[n-1].column >= column; n-- {
		o := r.stack[n-1]
		r.stack = r.stack[:n-1]
		o.def.End = max(o.def.Line, line)
		r.add(o.def)
	}
}

func (r *indents) add(d Definition) {
	if n := len(r.stack); n > 0 {
		r.stack[n-1].def.Children = append(r.stack[n-1].def.Children, d)
	} else {
		r.defs = append(r.defs, d)
	}
}

// defines returns the token of the keyword of the definition that a line begins.
func (r *indents) defines(at int) (int, bool) {
	if r.g.keyword == nil {
		return at, r.shell(at) != ""
	}
	for r.kind(at) == word && r.g.modifier(r.of(at)) && r.tokens[at].line == r.line(at+1) {
		at++
	}
	return at, r.kind(at) == word && r.g.keyword(r.of(at)).kind != ""
}

func (r *indents) line(at int) int32 {
	if at < len(r.tokens) {
		return r.tokens[at].line
	}
	return 0
}

// open begins the definition that a line begins, if there is one.
func (r *indents) open(at, first, column int) {
	keywordAt, ok := r.defines(at)
	if !ok {
		return
	}
	d := Definition{Kind: "function", Line: int(r.tokens[keywordAt].line)}
	if r.g.keyword == nil {
		d.Name = r.shell(at)
	} else {
		k := r.g.keyword(r.of(keywordAt))
		d.Kind = k.kind
		d.Name = r.name(keywordAt+1, k)
		if n := len(r.stack); n > 0 && d.Kind == "function" && r.stack[n-1].def.Kind == "class" {
			d.Kind = "method"
		}
	}
	if d.Name == "" {
		return
	}
	d.From = int(r.tokens[first].line)
	if above := r.above(d.From); above > 0 {
		d.From = above
	}
	if d.From == d.Line {
		d.From = 0
	}
	d.End = d.Line
	if r.whole(keywordAt) {
		r.add(d)
		return
	}
	r.stack = append(r.stack, open{def: d, column: column})
}

// whole reports whether the definition is in one line in a language that closes others
// by a word or a brace.
func (r *indents) whole(at int) bool {
	switch {
	case r.g.closer:
		line := r.tokens[at].line
		for at++; r.line(at) == line; at++ {
			if r.kind(at) == '}' {
				return r.line(at+1) != line
			}
		}
	case r.g.end != "":
		line, depth := r.tokens[at].line, 0
		for at++; r.line(at) == line; at++ {
			switch r.kind(at) {
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				depth--
			case '=': // def f(x) = y
				if depth == 0 && (r.kind(at-1) == ')' || r.tokens[at].from > r.tokens[at-1].to) {
					return true
				}
			}
			if depth == 0 && r.is(at, r.g.end) && r.line(at+1) != line {
				return true
			}
		}
	}
	return false
}

// name returns the name after a keyword: a::b, self.c, an operator of Ruby.
func (r *indents) name(at int, k keyword) string {
	if r.kind(at) != word {
		if r.g.end == "" || at >= len(r.tokens) || k.kind != "method" {
			return "" // class << self
		}
		to := at
		for to+1 < len(r.tokens) && r.tokens[to+1].from == r.tokens[to].to && r.kind(to+1) != '(' {
			to++
		}
		return r.text[r.tokens[at].from:r.tokens[to].to]
	}
	last := at
	if k.rules&dotted != 0 {
		for (r.kind(last+1) == '.' || r.kind(last+1) == scope) && r.tokens[last+1].from == r.tokens[last].to && last+2 < len(r.tokens) {
			last += 2
		}
		if r.kind(last) == word && r.kind(last+1) == '=' && k.kind == "method" && r.tokens[last+1].from == r.tokens[last].to {
			last++ // a setter
		} else if r.kind(last) != word && last > at { // self.[]
			for last+1 < len(r.tokens) && r.tokens[last+1].from == r.tokens[last].to && r.kind(last+1) != '(' {
				last++
			}
		}
	}
	return r.text[r.tokens[at].from:r.tokens[last].to]
}

// shell returns the name of the function of the shell that a line begins.
func (r *indents) shell(at int) string {
	keyword := r.is(at, "function")
	if keyword {
		at++
	}
	if r.kind(at) != word {
		return ""
	}
	parens := r.kind(at+1) == '(' && r.kind(at+2) == ')'
	if !parens && !(keyword && (r.kind(at+1) == '{' || r.line(at+1) != r.line(at))) {
		return ""
	}
	return r.of(at)
}
