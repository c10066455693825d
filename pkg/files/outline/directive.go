package outline

import "strings"

// branch is a #if that is open.
type branch struct {
	depth int  // of brackets where it began
	whole bool // it began between two statements
}

// directive reads a line of the preprocessor. Of the branches of an #if the first is
// read, and the others too where all are whole statements: else their brackets would
// not match.
func (l *lexer) directive() {
	to := l.endOfLine(l.at)
	for to < len(l.text) && l.text[to-1] == '\\' {
		to = l.endOfLine(to + 1)
	}
	text := strings.TrimLeft(l.text[l.at+1:to], " \t")
	name := text[:letters(text)]
	l.mark(hasCode)
	line := l.line
	l.skipTo(to)
	switch name {
	case "define":
		l.macro(text[len(name):], line)
	case "if", "ifdef", "ifndef":
		whole := len(l.tokens) == 0
		if !whole {
			switch l.tokens[len(l.tokens)-1].kind {
			case ';', '}', '{':
				whole = true
			}
		}
		l.branches = append(l.branches, branch{l.depth, whole})
	case "else", "elif":
		n := len(l.branches) - 1
		if n >= 0 && (!l.branches[n].whole || l.branches[n].depth != l.depth) {
			l.skipBranches()
		}
	case "endif":
		l.branches = l.branches[:max(len(l.branches)-1, 0)]
	}
}

// letters returns how many letters a text begins with.
func letters(text string) int {
	n := 0
	for n < len(text) && isLetter(text[n]) {
		n++
	}
	return n
}

// skipBranches skips the lines up to the #endif of the innermost #if.
func (l *lexer) skipBranches() {
	for open := 1; l.at < len(l.text); {
		l.skipTo(min(l.endOfLine(l.at)+1, len(l.text)))
		directive, ok := strings.CutPrefix(strings.TrimLeft(l.text[l.at:l.endOfLine(l.at)], " \t"), "#")
		if !ok {
			continue
		}
		directive = strings.TrimLeft(directive, " \t")
		switch directive[:letters(directive)] {
		case "if", "ifdef", "ifndef":
			open++
		case "endif":
			if open--; open == 0 {
				l.branches = l.branches[:len(l.branches)-1]
				l.mark(hasCode)
				l.skipTo(l.endOfLine(l.at))
				return
			}
		}
	}
}

// macro records the macro that a line defines, if it has parameters: the others are
// constants, and guards of headers.
func (l *lexer) macro(text string, line int) {
	text = strings.TrimLeft(text, " \t")
	n := 0
	for n < len(text) && (isLetter(text[n]) || '0' <= text[n] && text[n] <= '9') {
		n++
	}
	if n > 0 && strings.HasPrefix(text[n:], "(") && l.depth == 0 {
		l.macros = append(l.macros, Definition{Name: text[:n], Kind: "macro", Line: line, From: l.above(line), End: l.line})
	}
}

// above returns the first of the lines with nothing but comments that end right above
// a line, 0 if there are none.
func (l *lexed) above(line int) int {
	from := line
	for from > 1 && l.lines[from-1]&hasComment != 0 && l.lines[from-1]&hasCode == 0 {
		from--
	}
	if from == line || strings.HasPrefix(l.text, "#!") && from == 1 && line == 2 {
		return 0
	}
	if from == 1 && strings.HasPrefix(l.text, "#!") {
		from = 2
	}
	return from
}
