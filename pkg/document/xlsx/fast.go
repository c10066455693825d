package xlsx

import "bytes"

// The fast path reads the cells of a sheet that look as nearly all do, straight from what
// the scanner has buffered. It takes whole cells and tags only, and none that it is not
// sure of: these are left to the scanner, and both give the same.

// fastBytes is the least number of bytes to buffer before a cell counts as too long for fast.
const fastBytes = 8 << 10

// fast reads as many cells and rows as it can. It reports whether there were any.
func (r *reader) fast() bool {
	for _, least := range [...]int{1, fastBytes} {
		b := r.s.Peek(least)
		used := 0
		for !r.done {
			n := r.fastCell(b[used:])
			if n == 0 {
				n = r.fastRow(b[used:])
			}
			if n == 0 {
				break
			}
			used += n
		}
		if used > 0 {
			r.s.Discard(used)
			return true
		}
		if len(b) >= fastBytes {
			return false
		}
	}
	return false
}

// fastRow goes on to the next row. It returns the length of the tags; 0 if it is left to
// the scanner.
func (r *reader) fastRow(b []byte) int {
	const begin = "</row><row "
	if len(b) < len(begin) || string(b[:len(begin)]) != begin {
		return 0
	}
	end := bytes.IndexByte(b, '>')
	for skip := len(begin); end >= 0 && end < skip; { // that of </row>
		i := bytes.IndexByte(b[skip:], '>')
		if i < 0 {
			return 0
		}
		end = skip + i
	}
	if end < 0 || b[end-1] == '/' {
		return 0
	}
	row, hidden, isHidden := 0, r.hiddenBy, false
	for rest := b[len(begin):end]; len(rest) > 0; {
		name, after, ok := bytes.Cut(rest, []byte(`="`))
		if !ok || bytes.ContainsAny(name, " \t\r\n'\"<=") {
			return 0
		}
		value, after, ok := bytes.Cut(after, []byte(`"`))
		if !ok || bytes.IndexByte(value, '<') >= 0 {
			return 0
		}
		switch string(name) {
		case "r":
			if row != 0 {
				return 0
			}
			if row, ok = digits(value); !ok || row == 0 || row > maxRow {
				return 0
			}
		case "hidden":
			if len(value) != 1 || isHidden {
				return 0
			}
			hidden, isHidden = value[0] != '0', true
			if hidden && value[0] != '1' {
				return 0
			}
		}
		if rest = after; len(rest) > 0 {
			if rest[0] != ' ' {
				return 0
			}
			rest = rest[1:]
		}
	}
	r.finish()
	if !r.done {
		r.begin(row, hidden)
	}
	return end + 1
}

// digits reads a number of at most seven digits.
func digits(b []byte) (n int, ok bool) {
	if len(b) == 0 || len(b) > 7 {
		return 0, false
	}
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}

// fastCell reads a cell. It returns its length; 0 if it is left to the scanner.
func (r *reader) fastCell(b []byte) int {
	if len(b) < 4 || b[0] != '<' || b[1] != 'c' || b[2] != ' ' {
		return 0
	}
	c := raw{column: -1}
	row, seen := 0, 0
	i := 3
	for {
		if i+3 >= len(b) || b[i+1] != '=' || b[i+2] != '"' {
			return 0
		}
		name, from := b[i], i+3
		for i = from; i < len(b) && b[i] != '"'; i++ {
		}
		if i+1 >= len(b) {
			return 0
		}
		value := b[from:i]
		var ok bool
		switch name {
		case 'r':
			row, c.column, ok = addressOf(value)
			ok = ok && seen&1 == 0
			seen |= 1
		case 's':
			c.style, ok = digits(value)
			ok = ok && seen&2 == 0
			seen |= 2
		case 't':
			c.of = typeOf(value)
			ok = seen&4 == 0 && bytes.IndexByte(value, '&') < 0
			seen |= 4
		default:
			return 0
		}
		if !ok {
			return 0
		}
		i++
		if b[i] != ' ' {
			break
		}
		i++
	}
	switch {
	case b[i] == '/' && i+1 < len(b) && b[i+1] == '>':
		r.add(row, &c)
		return i + 2
	case b[i] != '>':
		return 0
	}
	rest, ok := c.fastContent(b[i+1:])
	if !ok {
		return 0
	}
	r.add(row, &c)
	return len(b) - len(rest)
}

// fastContent reads the content of a cell and its end tag.
func (c *raw) fastContent(b []byte) (rest []byte, ok bool) {
	if hasPrefix(b, "<f>") {
		if c.formula, b, ok = upTo(b[3:], "</f>"); !ok || len(c.formula) > maxFormula {
			return nil, false
		}
		c.isShown = true
	}
	switch {
	case hasPrefix(b, "<v>"):
		if c.value, b, ok = upTo(b[3:], "</v>"); !ok {
			return nil, false
		}
		c.isValue = true
	case hasPrefix(b, "<is><t"):
		if c.value, b, ok = plainText(b[len("<is><t"):]); !ok || !hasPrefix(b, "</is>") {
			return nil, false
		}
		c.isValue = true
		b = b[len("</is>"):]
	}
	if !hasPrefix(b, "</c>") {
		return nil, false
	}
	return b[len("</c>"):], true
}

// plainText reads text behind "<t", with its end tag.
func plainText(b []byte) (value, rest []byte, ok bool) {
	const preserved = ` xml:space="preserve">`
	switch {
	case len(b) > 0 && b[0] == '>':
		b = b[1:]
	case hasPrefix(b, preserved):
		b = b[len(preserved):]
	default:
		return nil, nil, false
	}
	return upTo(b, "</t>")
}

// upTo reads the text before an end tag, if the scanner would return the same text and it
// is not too long to be kept.
func upTo(b []byte, tag string) (value, rest []byte, ok bool) {
	i := bytes.IndexByte(b, '<')
	if i < 0 || i > fastBytes || !hasPrefix(b[i:], tag) {
		return nil, nil, false
	}
	value = b[:i]
	if bytes.IndexByte(value, '&') >= 0 || bytes.IndexByte(value, '\r') >= 0 {
		return nil, nil, false
	}
	return value, b[i+len(tag):], true
}

func hasPrefix(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && string(b[:len(prefix)]) == prefix
}
