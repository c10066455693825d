package syntax

import "strings"

// splitKey returns what follows the key that a line begins with, as in "key: value".
func splitKey(s string) (rest string, ok bool) {
	if s == "" {
		return "", false
	}
	if s[0] == '!' || s[0] == '&' {
		_, tagged, _ := strings.Cut(s, " ")
		if tagged = strings.TrimLeft(tagged, " \t"); tagged != "" && strings.ContainsAny(tagged[:1], "[{\"'|>*") {
			return "", false
		}
	}
	at := 0
	if s[0] == '"' || s[0] == '\'' {
		if at = closeQuote(s); at < 0 {
			return "", false
		}
		after := strings.TrimLeft(s[at:], " ")
		at = len(s) - len(after)
		if !strings.HasPrefix(after, ":") {
			return "", false
		}
	} else {
		if strings.ContainsAny(s[:1], "#{[|>@`%") {
			return "", false
		}
		for ; at < len(s); at++ {
			if s[at] == '#' && at > 0 && (s[at-1] == ' ' || s[at-1] == '\t') {
				return "", false
			}
			if s[at] == ':' && (at+1 == len(s) || s[at+1] == ' ' || s[at+1] == '\t') {
				break
			}
		}
	}
	if at >= len(s) || s[at] != ':' || at+1 < len(s) && s[at+1] != ' ' && s[at+1] != '\t' {
		return "", false
	}
	return strings.Trim(s[at+1:], " \t\r"), true
}

// closeQuote returns where the quoted text that s begins with ends, -1 if it does not.
func closeQuote(s string) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[0] == '"' && s[i] == '\\':
			i++
		case s[i] == s[0] && s[0] == '\'' && i+1 < len(s) && s[i+1] == '\'':
			i++
		case s[i] == s[0]:
			return i + 1
		}
	}
	return -1
}

// hasComment reports whether a line ends in a comment.
func hasComment(l string) bool {
	return strings.Contains(l, " #") || strings.Contains(l, "\t#")
}

// value reads the value of an entry whose collection has an indentation.
func (y *walk) value(indent int, v string) {
	before := y.last.kind
	y.last = entry{closed, indent}
	switch v[0] {
	case '|', '>':
		if header := strings.Trim(v[1:], "+-0123456789"); header == "" || strings.HasPrefix(strings.TrimLeft(header, " \t"), "#") {
			y.blockText(indent)
			return
		}
		y.fail("a block scalar has text on its first line")
	case '"', '\'', '[', '{':
		y.flow(v)
	case '&', '!':
		// A tag or anchor: the value follows it.
		_, rest, _ := strings.Cut(v, " ")
		if rest = strings.TrimLeft(rest, " \t"); rest == "" || rest[0] == '#' {
			if y.last.kind = empty; before == nothing {
				y.last = entry{}
			}
			return
		}
		if _, isKey := splitKey(rest); isKey {
			y.odd = true
			return
		}
		y.value(indent, rest)
	case '*':
	case '@', '`', '%':
		y.fail("a plain value cannot begin with %q", v[:1])
	default:
		if _, isKey := splitKey(v); isKey {
			y.fail("a second key on one line; quote the value if it contains a colon")
			return
		}
		if !hasComment(v) {
			y.last.kind = plain
		}
	}
}

// blockText skips the lines of a literal or folded text.
func (y *walk) blockText(indent int) {
	if len(y.open) == 0 {
		indent = -1
	}
	for y.n+1 < len(y.lines) {
		l := y.lines[y.n+1]
		body := strings.TrimLeft(l, " ")
		if strings.TrimRight(body, "\r") != "" && len(l)-len(body) <= indent {
			return
		}
		y.n++
	}
}

// flow skips a quoted text or a collection in brackets, which may take several
// lines.
func (y *walk) flow(v string) {
	start := y.n
	var brackets []byte
	for first := true; ; first = false {
		if !first {
			if y.n+1 == len(y.lines) || strings.HasPrefix(y.lines[y.n+1], "---") {
				y.n = start
				y.fail("a bracket is not closed: %c", brackets[0])
				return
			}
			y.n++
			v = strings.TrimLeft(y.lines[y.n], " \t")
		}
		var done bool
		if brackets, v, done = y.flowLine(brackets, v); y.fault != nil || y.odd {
			return
		} else if done {
			break
		}
	}
	rest := strings.TrimLeft(v, " \t\r")
	switch {
	case rest == "" || rest[0] == '#' && len(rest) < len(v):
	case rest[0] == ':':
		y.odd = true // it is a key
	default:
		y.fail("text after the end of a value: %.20q", rest)
	}
}

// flowLine reads a line of a flow. It returns the brackets that are still open and,
// if there are none, the rest of the line.
func (y *walk) flowLine(brackets []byte, v string) ([]byte, string, bool) {
	for i := 0; i < len(v); i++ {
		switch c := v[i]; {
		case (c == '"' || c == '\'') && (i == 0 || strings.IndexByte(" \t[{,:", v[i-1]) >= 0):
			end := closeQuote(v[i:])
			for start := y.n; end < 0; {
				if y.n+1 == len(y.lines) {
					y.n = start
					y.fail("a quote is not closed: %c", c)
					return nil, "", false
				}
				y.n++
				v, i = string(c)+y.lines[y.n], 0
				end = closeQuote(v)
			}
			if i += end - 1; len(brackets) == 0 {
				return nil, v[i+1:], true
			}
		case c == '[' || c == '{':
			brackets = append(brackets, c)
		case (c == ']' || c == '}') && len(brackets) > 0:
			if open := brackets[len(brackets)-1]; (open == '[') != (c == ']') {
				y.fail("%c closes %c", c, open)
				return nil, "", false
			}
			if brackets = brackets[:len(brackets)-1]; len(brackets) == 0 {
				return nil, v[i+1:], true
			}
		case c == '#' && (i == 0 || v[i-1] == ' ' || v[i-1] == '\t'):
			return brackets, "", false
		}
	}
	return brackets, "", false
}
