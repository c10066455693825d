package modeltext

import (
	"slices"
	"strconv"
	"strings"
)

// tag is one tag of XML, or of what models write like it:
//
//	<name>  </name>  <name/>  <name key="value">  <name=value>  <ns:name>
type tag struct {
	name  string // without a namespace
	raw   string // with it, as its closing tag repeats it
	value string // of <name=value>
	attrs []attribute
	close bool // </name>
	empty bool // <name/>
	end   int  // the offset after it
}

type attribute struct{ name, value string }

// attr returns an attribute; "" is none.
func (t *tag) attr(name string) string {
	for _, a := range t.attrs {
		if a.name == name {
			return a.value
		}
	}
	return ""
}

// maxTag is the most, in bytes, that a tag takes: what is longer is text.
const maxTag = 4096

// tagAt reads the tag at an offset.
func tagAt(s string, at int) (t tag, ok bool) {
	if at >= len(s) || s[at] != '<' {
		return t, false
	}
	s = s[:min(len(s), at+maxTag)]
	i := at + 1
	if i < len(s) && s[i] == '/' {
		t.close = true
		i++
	}
	begin := i
	if strings.HasPrefix(s[i:], "｜DSML｜") { // DeepSeek 3.2
		i += len("｜DSML｜")
		if i < len(s) && s[i] == ' ' {
			i++
		}
	}
	name := i
	for i < len(s) && nameByte(s[i]) {
		i++
	}
	if i == name || !letter(s[name]) {
		return t, false
	}
	t.name, t.raw = s[name:i], s[begin:i]
	if space, local, ok := strings.Cut(t.name, ":"); ok && slices.Contains([]string{"antml", "minimax", "seed", "steptml", "longcat"}, space) {
		t.name = local
	}
	t.name = strings.TrimPrefix(t.name, "longcat_")
	if i < len(s) && s[i] == '=' {
		end := strings.IndexAny(s[i:], ">\n")
		if end < 0 || s[i+end] != '>' {
			return t, false
		}
		t.value, t.end = strings.Trim(s[i+1:i+end], "\"' "), i+end+1
		return t, t.value != ""
	}
	for {
		for i < len(s) && strings.IndexByte(" \t\r\n", s[i]) >= 0 {
			i++
		}
		switch {
		case i >= len(s):
			return t, false
		case s[i] == '>':
			t.end = i + 1
			return t, true
		case s[i] == '/' && i+1 < len(s) && s[i+1] == '>' && !t.close:
			t.empty, t.end = true, i+2
			return t, true
		}
		begin := i
		for i < len(s) && nameByte(s[i]) {
			i++
		}
		if i == begin || i >= len(s) || t.close {
			return t, false
		}
		a := attribute{name: s[begin:i]}
		if s[i] == '=' {
			if i++; i >= len(s) {
				return t, false
			}
			mark := s[i]
			if mark != '"' && mark != '\'' {
				return t, false
			}
			end := strings.IndexByte(s[i+1:], mark)
			if end < 0 {
				return t, false
			}
			a.value = unescape(s[i+1 : i+1+end])
			i += end + 2
		}
		t.attrs = append(t.attrs, a)
	}
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }

func nameByte(c byte) bool {
	return letter(c) || c >= '0' && c <= '9' || c == '-' || c == '.' || c == ':'
}

// closes reports whether the closing tag of a name is at an offset, and where it ends.
func closes(s string, at int, name string) (end int, ok bool) {
	if !strings.HasPrefix(s[at:], "</") || !strings.HasPrefix(s[at+2:], name) {
		return 0, false
	}
	for end = at + 2 + len(name); end < len(s); end++ {
		switch s[end] {
		case ' ', '\t', '\r', '\n':
		case '>':
			return end + 1, true
		default:
			return 0, false
		}
	}
	return 0, false
}

// opens reports whether an opening tag of a name, which is not empty, is at an offset.
func opens(s string, at int, name string) bool {
	if !strings.HasPrefix(s[at+1:], name) {
		return false
	}
	t, ok := tagAt(s, at)
	return ok && t.raw == name && !t.close && !t.empty
}

// entity reads the reference to a character at the start of s.
func entity(s string) (char string, length int) {
	end := strings.IndexByte(s[:min(len(s), 12)], ';')
	if end < 2 || s[0] != '&' {
		return "", 0
	}
	switch name := s[1:end]; name {
	case "lt":
		char = "<"
	case "gt":
		char = ">"
	case "amp":
		char = "&"
	case "quot":
		char = `"`
	case "apos":
		char = "'"
	default:
		digits, base := strings.TrimPrefix(name, "#"), 10
		if hex, ok := strings.CutPrefix(digits, "x"); ok {
			digits, base = hex, 16
		}
		n, err := strconv.ParseUint(digits, base, 32)
		if err != nil || digits == name || n == 0 || n > 0x10FFFF || n >= 0xD800 && n < 0xE000 {
			return "", 0
		}
		char = string(rune(n))
	}
	return char, end + 1
}

// unescape replaces the references to characters.
func unescape(s string) string {
	if !strings.Contains(s, "&") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if char, n := entity(s[i:]); n > 0 {
			b.WriteString(char)
			i += n
			continue
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

// escaped reports whether a text can be one in which all of "<" and "&" are written
// as references: then nobody can tell if they are to stay.
func escaped(s string) bool {
	found := false
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '<':
			return false
		case '&':
			_, n := entity(s[i:])
			if n == 0 {
				return false
			}
			found = true
			i += n - 1
		}
	}
	return found
}
