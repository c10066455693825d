package epub

import "strings"

// Limits of tags: how long one may be, in bytes, and how many may have no end before the
// rest of the page is left as it is.
const (
	maxTag    = 1 << 20
	maxBroken = 100
)

// expand adds end tags to elements that XHTML may leave empty: in HTML, <title/> or <a
// id="x"/> has no end.
func expand(page string) string {
	if !strings.Contains(page, "/>") {
		return page
	}
	var b strings.Builder
	b.Grow(len(page) + len(page)/16)
	for broken := 0; broken < maxBroken; {
		i := strings.IndexByte(page, '<')
		if i < 0 {
			break
		}
		b.WriteString(page[:i])
		page = page[i:]
		end := tagEnd(page)
		if end == 1 && len(page) > 1 && isLetter(page[1]) {
			broken++
		}
		tag := page[:end]
		page = page[end:]
		name := tag[1:]
		if j := strings.IndexAny(name, " \t\r\n/>"); j >= 0 {
			name = name[:j]
		}
		if !strings.HasSuffix(tag, "/>") || name == "" || !isLetter(name[0]) || isVoid(name) {
			b.WriteString(tag)
			continue
		}
		b.WriteString(strings.TrimSuffix(tag, "/>") + "></" + name + ">")
	}
	b.WriteString(page)
	return b.String()
}

// tagEnd returns the length of the tag or comment at the beginning of a text.
func tagEnd(text string) int {
	if strings.HasPrefix(text, "<!--") {
		if i := strings.Index(text, "-->"); i >= 0 {
			return i + len("-->")
		}
		return len(text)
	}
	if len(text) < 2 || !isLetter(text[1]) && text[1] != '/' && text[1] != '!' && text[1] != '?' {
		return 1
	}
	var quote byte
	for i := 1; i < min(len(text), maxTag); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i + 1
		}
	}
	return 1 // a quote that nothing ends, or no tag
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// isVoid reports whether an element never has an end tag in HTML.
func isVoid(name string) bool {
	switch strings.ToLower(name) {
	case "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr":
		return true
	}
	return false
}
