package outline

import "strings"

// str reads a string, and reports whether there is one.
func (l *lexer) str(c byte) bool {
	if strings.IndexByte(l.g.quotes, c) < 0 {
		return false
	}
	rest := l.text[l.at:]
	if three := strings.Repeat(string(c), 3); l.g.triple && strings.HasPrefix(rest, three) {
		l.add(literal, l.endOfString(l.at+3, three, true, true, 0))
		return true
	}
	several := strings.IndexByte(l.g.multiline, c) >= 0
	to := l.endOfString(l.at+1, rest[:1], strings.IndexByte(l.g.raw, c) < 0, several, 0)
	if several && l.g.end != "" {
		to = l.plausible(to)
	}
	l.add(literal, to)
	return true
}

// plausible returns the end of a string that would end at an offset: the end of its first
// line if a definition is in it. Its quote was then none that begins a string, as in a
// regular expression that was not recognized.
func (l *lexer) plausible(to int) int {
	first := l.endOfLine(l.at)
	for at := first; at < to; at = l.endOfLine(at) {
		at++
		line := strings.TrimLeft(l.text[at:to], " \t")
		w := line[:letters(line)]
		if w == l.g.end || w != "" && l.g.keyword(w).kind != "" {
			return first
		}
	}
	return to
}

// mostInside limits the nesting of code within strings within code.
const mostInside = 8

// endOfString returns the offset after a string whose content begins at an offset. One
// that may not have several lines ends with its line at the latest.
func (l *lexer) endOfString(at int, quote string, escapes, several bool, depth int) int {
	for at < len(l.text) {
		switch c := l.text[at]; {
		case escapes && c == '\\' && !l.interpolation(at):
			at += 2
		case c == quote[0] && strings.HasPrefix(l.text[at:], quote):
			return at + len(quote)
		case c == '\n' && !several:
			return at
		case len(l.g.interpolates) > 0 && depth < mostInside && l.interpolation(at):
			at = l.endOfCode(at+2, depth+1, several)
		default:
			at++
		}
	}
	return len(l.text)
}

// interpolation reports whether code begins in a string at an offset.
func (l *lexer) interpolation(at int) bool {
	for _, mark := range l.g.interpolates {
		if strings.HasPrefix(l.text[at:], mark) {
			return true
		}
	}
	return false
}

// endOfCode returns the offset after the bracket that ends code within a string.
func (l *lexer) endOfCode(at, depth int, several bool) int {
	open := 1
	for at < len(l.text) {
		switch c := l.text[at]; {
		case c == '{' || c == '(':
			open++
			at++
		case c == '}' || c == ')':
			at++
			if open--; open == 0 {
				return at
			}
		case c == '\n' && !several:
			return at
		case c == '`' && l.g.forms&templates != 0 && depth < mostInside:
			at = l.endOfTemplate(at+1, depth+1)
		case strings.IndexByte(l.g.quotes, c) >= 0:
			at = l.endOfString(at+1, l.text[at:at+1], true, false, depth)
		default:
			at++
		}
	}
	return at
}

// endOfTemplate returns the offset after a template of JavaScript.
func (l *lexer) endOfTemplate(at, depth int) int {
	for at < len(l.text) {
		switch c := l.text[at]; {
		case c == '\\':
			at += 2
		case c == '`':
			return at + 1
		case c == '$' && depth < mostInside && strings.HasPrefix(l.text[at:], "${"):
			at = l.endOfCode(at+2, depth+1, true)
		default:
			at++
		}
	}
	return at
}

// form reads a string in one of the forms that few languages have, or what else is
// peculiar to one, and reports whether there is one.
func (l *lexer) form(c byte) bool {
	has := func(f forms) bool { return l.g.forms&f != 0 }
	rest := l.text[l.at:]
	switch {
	case c == '`' && has(templates):
		l.add(literal, l.endOfTemplate(l.at+1, 0))
	case c == '/' && has(expressions) && l.value():
		to := endOfExpression(l.text, l.at)
		if to < 0 {
			return false
		}
		l.add(literal, to)
	case c == '<' && has(markup) && l.failures < mostFailures && l.value():
		to := l.endOfMarkup(l.at)
		if to < 0 {
			return false
		}
		l.add(literal, to)
	case c == '\'' && has(lifetimes):
		l.quote()
	case c == '#' && has(preprocessor) && l.fresh:
		l.directive()
	case c == '?' && has(pages) && strings.HasPrefix(rest, "?>"):
		l.page()
	case c == '=' && has(pod) && l.fresh && strings.HasPrefix(rest, "=begin") && l.begins[l.line] == int32(l.at):
		to := len(l.text)
		if i := strings.Index(rest, "\n=end"); i >= 0 {
			to = l.endOfLine(l.at + i + 1)
		}
		l.mark(hasComment)
		l.skipTo(to)
	case c == '_' && has(pod) && l.fresh && (rest == "__END__" || strings.HasPrefix(rest, "__END__\n")):
		l.skipTo(len(l.text))
	case c == '%' && has(percents) && l.failures < mostFailures && l.value():
		return l.percent()
	case (c == '?' || c == '$') && has(pod) && l.at+1 < len(l.text) && strings.IndexByte("\"'`", l.text[l.at+1]) >= 0 && (c == '$' || l.value()):
		l.add(literal, l.at+2) // the character ?', the variable $'
	case c == '$' && has(parameters):
		return l.parameter()
	case c == '<' && has(heredocs) && l.failures < mostFailures && strings.HasPrefix(rest, "<<"):
		return l.announce()
	case c == '<' && has(phpHeredocs) && l.failures < mostFailures && strings.HasPrefix(rest, "<<<"):
		return l.php()
	case (c == 'r' || c == 'b' || c == 'R' || c == 'L' || c == 'u' || c == 'U' || c == '#' || c == '@' || c == '$'):
		return l.prefixed(c)
	default:
		return false
	}
	return true
}

// value reports whether a value may begin here, rather than an operator.
func (l *lexer) value() bool {
	n := len(l.tokens)
	if n == 0 || l.fresh && l.g.forms&percents != 0 {
		return true
	}
	switch l.tokens[n-1].kind {
	case word:
		switch l.of(n - 1) {
		case "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "do", "else", "yield", "await", "default", "and", "or", "not", "if",
			"unless", "when", "while", "until":
			return true
		}
		// Ruby's: puts %w[a], scan /a/
		next := l.at + 1
		return l.g.forms&percents != 0 && l.at > 0 && l.text[l.at-1] == ' ' && next < len(l.text) && l.text[next] != ' ' && l.text[next] != '='
	case number, literal, ')', ']', '}':
		return false
	}
	return true
}

// endOfExpression returns the offset after the regular expression that begins at one,
// -1 if there is none.
func endOfExpression(text string, at int) int {
	class := false
	for at++; at < len(text); at++ {
		switch c := text[at]; {
		case c == '\n':
			return -1
		case c == '\\':
			at++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			return at + 1
		}
	}
	return -1
}

// quote reads a character of Rust or Scala, or the quote of a lifetime.
func (l *lexer) quote() {
	rest := l.text[l.at:]
	line := rest[:min(len(rest), 16)]
	if len(line) > 2 && line[1] == '\\' {
		if i := strings.IndexByte(line[3:], '\''); i >= 0 {
			l.add(literal, l.at+3+i+1)
			return
		}
	}
	if i := strings.IndexByte(line[1:], '\''); i > 0 && (i == 1 || line[1] >= 0x80 && i <= 4) {
		l.add(literal, l.at+i+2)
		return
	}
	to := l.at + 1
	for to < len(l.text) && isLetter(l.text[to]) {
		to++
	}
	l.add(literal, to)
}

// prefixed reads a string with something before its quote.
func (l *lexer) prefixed(c byte) bool {
	rest := l.text[l.at:]
	switch f := l.g.forms; {
	case f&hashed != 0 && (c == 'r' || c == 'b' || c == '#'):
		i := 0
		if rest[i] == 'b' && len(rest) > 1 {
			i++
		}
		if i < len(rest) && rest[i] == 'r' {
			i++
		}
		from := i
		for i < len(rest) && rest[i] == '#' {
			i++
		}
		if i == 0 || i >= len(rest) || rest[i] != '"' || i == from && c == 'b' && i == 1 {
			return false
		}
		end := `"` + rest[from:i]
		l.add(literal, l.endOfString(l.at+i+1, end, false, true, mostInside))
	case f&delimited != 0 && c != '#' && c != '@' && c != '$':
		i := strings.Index(rest[:min(len(rest), 4)], `R"`)
		if i < 0 || strings.Trim(rest[:i], "uUL8") != "" {
			return false
		}
		j := strings.IndexByte(rest[:min(len(rest), i+20)], '(')
		if j < 0 {
			return false
		}
		l.add(literal, l.endOfString(l.at+j+1, ")"+rest[i+2:j]+`"`, false, true, mostInside))
	case f&verbatim != 0 && (c == '@' || c == '$'):
		i := 0
		raw := false
		for i < len(rest) && (rest[i] == '@' || rest[i] == '$') {
			raw = raw || rest[i] == '@'
			i++
		}
		if i >= len(rest) || rest[i] != '"' {
			return false
		}
		l.add(literal, endOfVerbatim(l, l.at+i, raw))
	default:
		return false
	}
	return true
}

// endOfVerbatim returns the offset after a string of C# whose first quote is at an
// offset. In a raw one a quote is written twice.
func endOfVerbatim(l *lexer, at int, raw bool) int {
	n := 0
	for at+n < len(l.text) && l.text[at+n] == '"' {
		n++
	}
	if n >= 3 && !raw {
		return l.endOfString(at+n, strings.Repeat(`"`, n), false, true, mostInside)
	}
	if !raw {
		return l.endOfString(at+1, `"`, true, false, mostInside)
	}
	for at++; at < len(l.text); at++ {
		if l.text[at] == '"' {
			if at+1 < len(l.text) && l.text[at+1] == '"' {
				at++
				continue
			}
			return at + 1
		}
	}
	return at
}

// percent reads a literal of Ruby that begins with a percent sign.
func (l *lexer) percent() bool {
	i := l.at + 1
	if i < len(l.text) && strings.IndexByte("wWiIqQrsx", l.text[i]) >= 0 {
		i++
	}
	if i >= len(l.text) {
		return false
	}
	open := l.text[i]
	pair := strings.IndexByte("([{<", open)
	if pair < 0 && strings.IndexByte("|!/^", open) < 0 {
		return false
	}
	end := open
	if pair >= 0 {
		end = ")]}>"[pair]
	}
	for depth := 0; i < len(l.text); i++ {
		switch c := l.text[i]; {
		case c == '\\':
			i++
		case c == end && (pair >= 0 || depth > 0):
			if depth--; depth <= 0 {
				l.add(literal, i+1)
				return true
			}
		case c == open:
			depth++
		}
	}
	l.failures++
	return false
}

// parameter reads a parameter of the shell, in whose braces quotes and number signs
// mean something else.
func (l *lexer) parameter() bool {
	rest := l.text[l.at:]
	if strings.HasPrefix(rest, "$'") {
		l.add(literal, l.endOfString(l.at+2, "'", true, true, 0))
		return true
	}
	if strings.HasPrefix(rest, "$#") {
		l.add(literal, l.at+2)
		return true
	}
	if !strings.HasPrefix(rest, "${") {
		return false
	}
	to := strings.IndexAny(rest, "}\n")
	if to < 0 {
		to = len(rest) - 1
	}
	l.add(literal, l.at+max(to+1, 2))
	return true
}
