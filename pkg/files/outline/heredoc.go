package outline

import "strings"

// announce reads the beginning of a heredoc of the shell or Ruby, which itself begins
// with the next line.
func (l *lexer) announce() bool {
	rest := l.text[l.at+2:]
	dash := ""
	if rest != "" && (rest[0] == '-' || rest[0] == '~') {
		dash, rest = rest[:1], rest[1:]
	}
	quote := ""
	if l.g.forms&parameters != 0 {
		rest = strings.TrimLeft(rest, " \\")
	}
	if rest != "" && strings.IndexByte("\"'`", rest[0]) >= 0 {
		quote, rest = rest[:1], rest[1:]
	}
	n := 0
	for n < len(rest) && (isLetter(rest[n]) || '0' <= rest[n] && rest[n] <= '9') {
		n++
	}
	// Ruby's a << b and class << self
	if n == 0 || '0' <= rest[0] && rest[0] <= '9' || l.g.forms&pod != 0 && quote == "" && !('A' <= rest[0] && rest[0] <= 'Z') {
		return false
	}
	l.waiting = append(l.waiting, dash+" "+rest[:n])
	l.add(literal, len(l.text)-len(rest)+n+len(quote))
	return true
}

// heredoc skips the lines of the first heredoc that waits for them.
func (l *lexer) heredoc() {
	dash, end, _ := strings.Cut(l.waiting[0], " ")
	l.waiting = l.waiting[1:]
	for at := l.at; at < len(l.text); {
		to := l.endOfLine(at)
		line := l.text[at:to]
		if dash != "" {
			line = strings.TrimLeft(line, " \t")
		}
		at = min(to+1, len(l.text))
		if strings.TrimRight(line, " ") == end {
			l.mark(hasCode)
			l.skipTo(at)
			return
		}
	}
	l.failures++ // without its end it was none, as in a << B
}

// php reads a heredoc of PHP.
func (l *lexer) php() bool {
	line := l.text[l.at+3 : l.endOfLine(l.at)]
	end := strings.Trim(strings.TrimSpace(line), `"'`)
	if end == "" || !isLetter(end[0]) || strings.ContainsAny(end, " ;(),") {
		return false
	}
	for at := l.endOfLine(l.at) + 1; at < len(l.text); {
		to := l.endOfLine(at)
		text := strings.TrimLeft(l.text[at:to], " \t")
		if after, ok := strings.CutPrefix(text, end); ok && (after == "" || !isLetter(after[0])) {
			l.add(literal, to-len(after))
			return true
		}
		at = to + 1
	}
	l.failures++
	return false
}

// page skips text up to the next code of PHP.
func (l *lexer) page() {
	to := len(l.text)
	if i := strings.Index(l.text[l.at:], "<?"); i >= 0 {
		to = l.at + i + 2
		if strings.HasPrefix(l.text[to:], "php") {
			to += 3
		}
	}
	if n := len(l.tokens); n > 0 {
		// The end of the code ends a statement too.
		l.tokens = append(l.tokens, token{kind: ';', line: int32(l.line), end: int32(l.line), from: int32(l.at), to: int32(l.at)})
	}
	l.skipTo(to)
}
