package parse

import (
	"strings"

	"golang.org/x/net/html"
)

// declaration reads what begins with <! (section 13.2.5.42).
func (z *tokenizer) declaration() bool {
	rest := z.text[z.at:]
	switch {
	case strings.HasPrefix(rest, "<!--"):
		return z.comment()
	case hasPrefixFold(rest[2:], "doctype"):
		return z.doctype()
	case z.cdata && strings.HasPrefix(rest, "<![CDATA["):
		data, _, closed := strings.Cut(rest[len("<![CDATA["):], "]]>")
		length := len("<![CDATA[") + len(data)
		if closed {
			length += len("]]>")
		}
		z.at += length
		if data == "" {
			return false // at the end of the text; next skips others
		}
		z.tok = Token{Kind: Text, Data: data, Raw: rest[:length]}
		return true
	}
	return z.bogus(z.at + 2)
}

// bogus reads invalid markup as a comment (section 13.2.5.41).
func (z *tokenizer) bogus(from int) bool {
	data, _, closed := strings.Cut(z.text[from:], ">")
	z.emit(Comment, data, from+len(data), closed)
	return true
}

// emit sets the token that begins at z.at and ends at to, or after a > there.
func (z *tokenizer) emit(kind Kind, data string, to int, closed bool) {
	if closed {
		to++
	}
	z.tok = Token{Kind: kind, Data: replaceNUL(data), Raw: z.text[z.at:to]}
	z.at = to
}

// comment reads a comment (sections 13.2.5.43 to 13.2.5.52).
func (z *tokenizer) comment() bool {
	from := z.at + len("<!--")
	text := z.text[from:]
	for _, abrupt := range [...]string{">", "->"} {
		if strings.HasPrefix(text, abrupt) {
			z.emit(Comment, "", from+len(abrupt)-1, true)
			return true
		}
	}
	for i := 0; ; {
		dashes := strings.Index(text[i:], "--")
		if dashes < 0 {
			break
		}
		for i += dashes + 2; i < len(text) && text[i] == '-'; i++ {
		}
		end := strings.TrimPrefix(text[i:], "!")
		if strings.HasPrefix(end, ">") {
			z.emit(Comment, text[:i-2], len(z.text)-len(end), true)
			return true
		}
	}
	for _, begun := range [...]string{"--!", "--", "-"} {
		if data, ok := strings.CutSuffix(text, begun); ok {
			text = data
			break
		}
	}
	z.emit(Comment, text, len(z.text), false)
	return true
}

// doctype reads a doctype (sections 13.2.5.53 to 13.2.5.68). It ends at the first >,
// even between quotes.
func (z *tokenizer) doctype() bool {
	from := z.at + len("<!doctype")
	text, _, closed := strings.Cut(z.text[from:], ">")
	to := from + len(text)
	text = strings.TrimLeft(text, spaces)
	n := strings.IndexAny(text, spaces)
	if n < 0 {
		n = len(text)
	}
	z.emit(Doctype, name(text[:n]), to, closed)
	t := &z.tok
	t.force = !closed || n == 0
	text = strings.TrimLeft(text[n:], spaces)
	key, ok := "public", hasPrefixFold(text, "public")
	if !ok {
		key, ok = "system", hasPrefixFold(text, "system")
	}
	if !ok {
		t.force = t.force || text != ""
		return true
	}
	for text = text[len(key):]; ; key = "system" {
		text = strings.TrimLeft(text, spaces)
		if text == "" || text[0] != '"' && text[0] != '\'' {
			// A public identifier may be alone; what follows a system identifier is ignored.
			missing := len(t.Attr) == 0 || text != ""
			t.force = t.force || missing
			return true
		}
		id, rest, whole := strings.Cut(text[1:], text[:1])
		t.Attr = append(t.Attr, html.Attribute{Key: key, Val: replaceNUL(id)})
		t.force = t.force || !whole
		if key == "system" {
			return true
		}
		text = rest
	}
}

// spaces are white space; a carriage return can come from a character reference.
const spaces = " \n\t\f\r"

// hasPrefixFold reports whether s, in any case, begins with a prefix in lower case.
func hasPrefixFold(s, prefix string) bool {
	if len(s) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		if lowered(s[i]) != prefix[i] {
			return false
		}
	}
	return true
}
