package parse

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// tokenizer splits a text into tokens (section 13.2.5).
type tokenizer struct {
	text string // with line feeds as the only line breaks
	at   int
	tok  Token

	content content
	element string // whose end tag ends the content
	cdata   bool   // CDATA sections are allowed

	bounded    bool
	attributes int // how many a tag may have, if bounded
	buffer     []html.Attribute
	names      map[string]struct{} // of the attributes, if there are many
}

// next reads the next token. It returns false at the end of the text.
func (z *tokenizer) next() bool {
	if z.content != markup && z.raw() {
		return true
	}
	const emptyCDATA = "<![CDATA[]]>"
	for z.cdata && strings.HasPrefix(z.text[z.at:], emptyCDATA) {
		z.at += len(emptyCDATA)
	}
	start := z.at
	nothing := false // the text contains </>, which is dropped
	for {
		lt := strings.IndexByte(z.text[z.at:], '<')
		if lt < 0 {
			z.at = len(z.text)
			break
		}
		z.at += lt
		if strings.HasPrefix(z.text[z.at:], "</>") {
			nothing = true
			z.at += 3
			continue
		}
		if opens(z.text[z.at:]) {
			break
		}
		z.at++
	}
	if raw := z.text[start:z.at]; raw != "" {
		if !nothing {
			z.tok = Token{Kind: Text, Data: unescape(raw), Raw: raw}
			return true
		}
		var b strings.Builder
		for part := range strings.SplitSeq(raw, "</>") {
			b.WriteString(unescape(part))
		}
		if b.Len() > 0 {
			z.tok = Token{Kind: Text, Data: b.String(), Raw: raw}
			return true
		}
	}
	if z.at == len(z.text) {
		return false
	}
	switch z.text[z.at+1] {
	case '!':
		return z.declaration()
	case '?':
		return z.bogus(z.at + 1)
	case '/':
		if !letter(z.text[z.at+2]) {
			return z.bogus(z.at + 2)
		}
	}
	return z.tag()
}

// opens reports whether a text that begins with < begins with markup.
func opens(text string) bool {
	if len(text) < 2 {
		return false
	}
	switch c := text[1]; c {
	case '!', '?':
		return true
	case '/':
		return len(text) > 2
	default:
		return letter(c)
	}
}

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// space reports whether c is white space; carriage returns are gone by then.
func space(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\f' }

// tag reads a tag (sections 13.2.5.6 to 13.2.5.8, 13.2.5.32 to 13.2.5.40).
func (z *tokenizer) tag() bool {
	start := z.at
	t := &z.tok
	*t = Token{Kind: StartTag, Attr: z.buffer[:0]}
	z.names = nil
	i := start + 1
	if z.text[i] == '/' {
		t.Kind = EndTag
		i++
	}
	from := i
	for i < len(z.text) && !space(z.text[i]) && z.text[i] != '/' && z.text[i] != '>' {
		i++
	}
	t.Atom, t.Data = known(z.text[from:i])
	for {
		slash := false
		for i < len(z.text) && (space(z.text[i]) || z.text[i] == '/') {
			slash = z.text[i] == '/'
			i++
		}
		if i == len(z.text) {
			break
		}
		if z.text[i] == '>' {
			z.at = i + 1
			t.SelfClosing = slash
			t.Raw = z.text[start:z.at]
			z.buffer = t.Attr[:0]
			return true
		}
		i = z.attribute(i)
	}
	z.at = len(z.text)
	*t = Token{Kind: Unfinished, Raw: z.text[start:]}
	return true
}

// attribute reads the attribute at i, and returns the offset of its end.
func (z *tokenizer) attribute(i int) int {
	text := z.text
	from := i
	for i++; i < len(text) && text[i] != '=' && text[i] != '/' && text[i] != '>' && !space(text[i]); i++ { // the first character may be =
	}
	key, val := text[from:i], ""
	after := i
	for after < len(text) && space(text[after]) {
		after++
	}
	if after < len(text) && text[after] == '=' {
		for after++; after < len(text) && space(text[after]); after++ {
		}
		if after == len(text) {
			return after
		}
		i = after
		switch quote := text[i]; quote {
		case '>':
		case '"', '\'':
			length := strings.IndexByte(text[i+1:], quote)
			if length < 0 {
				return len(text)
			}
			val = text[i+1 : i+1+length]
			i += length + 2
		default:
			for i < len(text) && text[i] != '>' && !space(text[i]) {
				i++
			}
			val = text[after:i]
		}
	}
	if z.tok.Kind == StartTag {
		z.add(key, val)
	}
	return i
}

// pairs is up to how many attributes of a tag are compared one by one.
const pairs = 12

// add adds an attribute to the tag, unless it has one of that name.
func (z *tokenizer) add(key, val string) {
	t := &z.tok
	if z.bounded && len(t.Attr) > z.attributes {
		return // one too many is kept, to show that there were more
	}
	key = name(key)
	if len(t.Attr) < pairs {
		for i := range t.Attr {
			if t.Attr[i].Key == key {
				return
			}
		}
	} else {
		if z.names == nil {
			z.names = map[string]struct{}{}
			for i := range t.Attr {
				z.names[t.Attr[i].Key] = struct{}{}
			}
		}
		if _, again := z.names[key]; again {
			return
		}
		z.names[key] = struct{}{}
	}
	t.Attr = append(t.Attr, html.Attribute{Key: key, Val: unescapeValue(replaceNUL(val))})
}

// known returns the atom of a name, and the name in lower case.
func known(s string) (atom.Atom, string) {
	var lower [24]byte
	if len(s) <= len(lower) {
		for i := range len(s) {
			lower[i] = lowered(s[i])
		}
		if a := atom.Lookup(lower[:len(s)]); a != 0 {
			return a, a.String()
		}
	}
	return 0, name(s)
}

// name returns a name in lower case, without NUL.
func name(s string) string {
	for i := range len(s) {
		if lowered(s[i]) != s[i] {
			b := []byte(s)
			for j := i; j < len(b); j++ {
				b[j] = lowered(b[j])
			}
			s = string(b)
			break
		}
	}
	return replaceNUL(s)
}

func lowered(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | 0x20
	}
	return c
}

func replaceNUL(s string) string {
	if strings.IndexByte(s, 0) < 0 {
		return s
	}
	return strings.ReplaceAll(s, "\x00", "\uFFFD")
}
