package outline

import "strings"

// endOfMarkup returns the offset after the element of JSX that begins at one, -1 if
// there is none. Its text may have quotes and brackets that are no code.
func (l *lexer) endOfMarkup(at int) int {
	end := l.element(at, 0)
	if end < 0 && at+1 < len(l.text) && isLetter(l.text[at+1]) {
		l.failures++
	}
	return end
}

// mostElements limits the nesting of elements.
const mostElements = 64

func (l *lexer) element(at, depth int) int {
	if depth > mostElements || at+1 >= len(l.text) {
		return -1
	}
	at++
	switch c := l.text[at]; {
	case c == '>':
		return l.children(at+1, depth)
	case !isLetter(c):
		return -1
	}
	for at < len(l.text) && (isLetter(l.text[at]) || strings.IndexByte(".:-", l.text[at]) >= 0 || '0' <= l.text[at] && l.text[at] <= '9') {
		at++
	}
	for at < len(l.text) {
		switch c := l.text[at]; {
		case c == '>':
			return l.children(at+1, depth)
		case c == '/' && strings.HasPrefix(l.text[at:], "/>"):
			return at + 2
		case c == '"' || c == '\'':
			i := strings.IndexByte(l.text[at+1:], c)
			if i < 0 {
				return -1
			}
			at += i + 2
		case c == '{':
			if at = l.expression(at+1, depth+1); at < 0 {
				return -1
			}
		case c == '<', c == ',', c == ';', c == '(', c == ')', c == '}', c == '&', c == '|':
			return -1 // a comparison, or the parameters of a type
		default:
			at++
		}
	}
	return -1
}

// children returns the offset after the end of an element, whose content begins at one.
func (l *lexer) children(at, depth int) int {
	for at < len(l.text) {
		switch l.text[at] {
		case '{':
			if at = l.expression(at+1, depth+1); at < 0 {
				return -1
			}
		case '<':
			if strings.HasPrefix(l.text[at:], "</") {
				i := strings.IndexByte(l.text[at:], '>')
				if i < 0 {
					return -1
				}
				return at + i + 1
			}
			if at = l.element(at, depth+1); at < 0 {
				return -1
			}
		default:
			at++
		}
	}
	return -1
}

// expression returns the offset after the brace that ends code within an element.
func (l *lexer) expression(at, depth int) int {
	if depth > mostElements {
		return -1
	}
	open := 1
	before := byte('{') // the last character that is no space
	for at < len(l.text) {
		c := l.text[at]
		switch {
		case c == '{':
			open++
			at++
		case c == '}':
			at++
			if open--; open == 0 {
				return at
			}
		case c == '"' || c == '\'':
			at = l.endOfString(at+1, l.text[at:at+1], true, false, mostInside)
		case c == '`':
			at = l.endOfTemplate(at+1, 0)
		case strings.HasPrefix(l.text[at:], "//"):
			at = l.endOfLine(at)
		case strings.HasPrefix(l.text[at:], "/*"):
			at = l.endOfComment(at)
		case c == '<' && strings.IndexByte("{(?:&|>=,[", before) >= 0:
			end := l.element(at, depth+1)
			if end < 0 {
				return -1
			}
			at = end
		default:
			at++
		}
		if c != ' ' && c != '\n' && c != '\t' {
			before = c
		}
	}
	return -1
}
