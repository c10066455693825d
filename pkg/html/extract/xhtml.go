package extract

import (
	"strings"
)

// CloseTags writes the elements of an XHTML document that end in their own tags, such as
// <script src="a.js"/>, with tags that end them: for HTML they would last until the end of
// the page, or of what is around them.
func CloseTags(text string) string {
	var b strings.Builder
	for {
		at := strings.IndexByte(text, '<')
		if at < 0 {
			break
		}
		b.WriteString(text[:at])
		text = text[at:]
		end := endOfMarkup(text)
		if end < 0 {
			break
		}
		tag := text[:end]
		text = text[end:]
		name := tagName(tag)
		if inner, closed := strings.CutSuffix(tag, "/>"); closed && lasts(name) {
			b.WriteString(inner + "></" + name + ">")
			continue
		}
		b.WriteString(tag)
		if name == "script" || name == "style" { // no tags are in these
			rest := strings.Index(text, "</"+name)
			if rest < 0 {
				break
			}
			b.WriteString(text[:rest])
			text = text[rest:]
		}
	}
	b.WriteString(text)
	return b.String()
}

// endOfMarkup returns the length of the tag, comment or section of data that a text begins
// with; all of the text if it does not end.
func endOfMarkup(text string) int {
	for _, one := range [...][2]string{{"<!--", "-->"}, {"<![CDATA[", "]]>"}} {
		if strings.HasPrefix(text, one[0]) {
			if end := strings.Index(text, one[1]); end >= 0 {
				return end + len(one[1])
			}
			return -1
		}
	}
	quote := byte(0)
	for i := range len(text) {
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
	return -1
}

// tagName returns the name of the element that a tag begins, in lower case; "" for none.
func tagName(tag string) string {
	name := tag[1:]
	if end := strings.IndexFunc(name, func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9') }); end >= 0 {
		name = name[:end]
	}
	return strings.ToLower(name)
}

// lasts reports whether an element of HTML lasts until a tag ends it.
func lasts(name string) bool {
	switch name {
	case "script", "style", "title", "textarea", "iframe", "noscript", "div", "span", "p", "a", "b", "i", "em", "strong", "td", "th", "li", "ul", "ol", "select", "button", "h1", "h2", "h3", "h4", "h5", "h6", "video", "audio", "canvas", "object":
		return true
	}
	return false
}
