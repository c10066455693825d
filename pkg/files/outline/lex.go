package outline

import "strings"

// A token's kind is its byte, for punctuation, or one of these.
const (
	word     = 'a'
	number   = '0'
	literal  = 's' // a string, a character, a regular expression, markup
	operator = 'o' // with two or three characters
	arrow    = 'G' // =>
	thin     = 'A' // ->
	scope    = 'D' // ::
)

type token struct {
	kind     byte
	first    bool  // on its line
	line     int32 // from 1
	from, to int32 // bytes
	end      int32 // the line that it ends in
}

// What a line has.
const (
	hasComment = 1 << iota
	hasCode
)

// lexed is a text in tokens, without its comments.
type lexed struct {
	g      *grammar
	text   string
	tokens []token
	lines  []byte  // what each line has, from index 1
	begins []int32 // of each line, from index 1
	macros []Definition
}

type lexer struct {
	lexed
	at       int
	line     int
	fresh    bool     // no token on this line yet
	waiting  []string // heredocs that begin with the next line
	branches []branch // of #if that are open
	depth    int      // open brackets
	failures int      // strings whose end was looked for up to the end of the text
}

// mostFailures limits the searches for the end of a string that fail. Without it, the
// time could grow with the square of the length.
const mostFailures = 8

func lex(text string, g *grammar) *lexed {
	n := strings.Count(text, "\n") + 2
	l := &lexer{lexed: lexed{g: g, text: text, lines: make([]byte, n+1), begins: make([]int32, 2, n+1), tokens: make([]token, 0, len(text)/5+8)}, line: 1, fresh: true}
	if g.forms&pages != 0 {
		l.page()
	}
	if strings.HasPrefix(text, "#!") {
		l.mark(hasComment)
		l.skipTo(l.endOfLine(0))
	}
	for l.at < len(text) {
		l.next()
	}
	return &l.lexed
}

func (l *lexer) mark(what byte) { l.lines[l.line] |= what }

// skipTo goes to an offset and counts the lines on the way, which have what the
// current one is marked with.
func (l *lexer) skipTo(to int) {
	to = min(to, len(l.text))
	mark := l.lines[l.line]
	for l.at < to {
		i := strings.IndexByte(l.text[l.at:to], '\n')
		if i < 0 {
			l.at = to
			return
		}
		l.at += i + 1
		l.line++
		l.begins = append(l.begins, int32(l.at))
		l.fresh = true
		if l.at < to {
			l.lines[l.line] |= mark & (hasComment | hasCode)
		}
	}
}

func (l *lexer) endOfLine(from int) int {
	if i := strings.IndexByte(l.text[from:], '\n'); i >= 0 {
		return from + i
	}
	return len(l.text)
}

func (l *lexer) add(kind byte, to int) {
	l.mark(hasCode)
	t := token{kind: kind, first: l.fresh, line: int32(l.line), from: int32(l.at), to: int32(to)}
	l.fresh = false
	if kind == literal {
		l.skipTo(to)
		l.fresh = false
	} else {
		l.at = to
	}
	t.end = int32(l.line)
	l.tokens = append(l.tokens, t)
}

// next reads a token, a comment or white space.
func (l *lexer) next() {
	c := l.text[l.at]
	switch {
	case c == '\n':
		l.skipTo(l.at + 1)
		for len(l.waiting) > 0 {
			l.heredoc()
		}
		return
	case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
		l.at++
		return
	case c == '\\' && l.at+1 < len(l.text) && l.text[l.at+1] == '\n':
		fresh := l.fresh
		l.skipTo(l.at + 2)
		l.fresh = fresh // the line goes on
		return
	}
	if l.comment() || l.form(c) || l.str(c) {
		return
	}
	switch {
	case isLetter(c) || strings.IndexByte(l.g.letters, c) >= 0 && l.startsName(c):
		to := l.at + 1
		for to < len(l.text) && l.inName(to) {
			to++
		}
		l.add(word, to)
	case '0' <= c && c <= '9':
		to := l.at + 1
		for to < len(l.text) && (isLetter(l.text[to]) || '0' <= l.text[to] && l.text[to] <= '9' || l.text[to] == '.' && to+1 < len(l.text) && '0' <= l.text[to+1] && l.text[to+1] <= '9') {
			to++
		}
		l.add(number, to)
	default:
		l.punctuation(c)
	}
}

func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c >= 0x80
}

// startsName reports whether a character that only this language has in names begins
// one here.
func (l *lexer) startsName(c byte) bool {
	return c == '$' || strings.IndexByte("?!-:.", c) < 0 && l.at+1 < len(l.text) && isLetter(l.text[l.at+1])
}

// inName reports whether the character at an offset goes on with a name.
func (l *lexer) inName(at int) bool {
	c := l.text[at]
	if isLetter(c) || '0' <= c && c <= '9' {
		return true
	}
	if strings.IndexByte(l.g.letters, c) < 0 {
		return false
	}
	// Ruby's a?(b) and a ? b : c
	return c != '?' && c != '!' || at+1 >= len(l.text) || l.text[at+1] != '='
}

func (l *lexer) punctuation(c byte) {
	rest := l.text[l.at:]
	switch {
	case strings.HasPrefix(rest, "=>"):
		l.add(arrow, l.at+2)
	case strings.HasPrefix(rest, "->"):
		l.add(thin, l.at+2)
	case strings.HasPrefix(rest, "::"):
		l.add(scope, l.at+2)
	case len(rest) > 1 && rest[1] == '=' && strings.IndexByte("=!<>", c) >= 0:
		to := l.at + 2
		if strings.HasPrefix(rest[2:], "=") {
			to++
		}
		l.add(operator, to)
	default:
		switch c {
		case '{', '(', '[':
			l.depth++
		case '}', ')', ']':
			l.depth--
		}
		l.add(c, l.at+1)
	}
}

// comment skips a comment, and reports whether there is one.
func (l *lexer) comment() bool {
	rest := l.text[l.at:]
	for _, c := range l.g.comment {
		if !strings.HasPrefix(rest, c) {
			continue
		}
		if c == "#" && (l.g.forms&parameters != 0 && l.at > 0 && strings.IndexByte(" \t\n;(", l.text[l.at-1]) < 0 ||
			l.g.forms&pages != 0 && strings.HasPrefix(rest, "#[")) {
			return false
		}
		to := l.endOfLine(l.at)
		if l.g.forms&pages != 0 {
			if i := strings.Index(l.text[l.at:to], "?>"); i >= 0 {
				to = l.at + i
			}
		}
		l.mark(hasComment)
		for l.g.forms&preprocessor != 0 && to < len(l.text) && l.text[to-1] == '\\' {
			to = l.endOfLine(to + 1)
		}
		l.skipTo(to)
		return true
	}
	if l.g.open == "" || !strings.HasPrefix(rest, l.g.open) {
		return false
	}
	l.mark(hasComment)
	l.skipTo(l.endOfComment(l.at))
	return true
}

// endOfComment returns the offset after the comment that begins at one.
func (l *lexer) endOfComment(at int) int {
	at += len(l.g.open)
	for depth := 1; ; {
		i := strings.Index(l.text[at:], l.g.close)
		if i < 0 {
			return len(l.text)
		}
		if l.g.nested {
			depth += strings.Count(l.text[at:at+i], l.g.open)
		}
		at += i + len(l.g.close)
		if depth--; depth <= 0 || !l.g.nested {
			return at
		}
	}
}

// of returns the text of a token.
func (l *lexed) of(i int) string { return l.text[l.tokens[i].from:l.tokens[i].to] }

// is reports whether a token is a word.
func (l *lexed) is(i int, w string) bool {
	return i >= 0 && i < len(l.tokens) && l.tokens[i].kind == word && l.of(i) == w
}

// kind returns the kind of a token, 0 behind the last.
func (l *lexed) kind(i int) byte {
	if i < 0 || i >= len(l.tokens) {
		return 0
	}
	return l.tokens[i].kind
}
