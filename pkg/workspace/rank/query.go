package rank

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const (
	mostParts        = 8   // of a query that are compared; further ones are ignored
	mostAlternatives = 8   // of a query
	longest          = 255 // bytes of a name that are compared
)

// Query is a compiled query.
type Query struct{ alternatives []wanted }

// wanted is one alternative of a query. Its texts are in lower case.
type wanted struct {
	text    []byte
	letters letters
	path    bool // it holds a slash
	dirs    []string
	base    []byte // the last component
	dot     int    // the length of base without its extension
	stem    string // base without extension, only letters and digits
	squash  []byte // text, only letters and digits
	stemSet letters
	allSet  letters // of squash
	parts   []part
	aside   bool   // it asks for a test, an example or a copy
	words   bool   // the parts are words as they were given
	initial string // the first letters of the parts
}

// part is a word of a query, or a part of one.
type part struct {
	text    []byte
	letters letters
	weight  int
	ending  bool // it is the extension of a name
}

// Compile compiles a query. It forgives what surrounds a path in messages and code:
// quotes, ./ in front, backslashes for slashes, a line number behind. A bar separates
// alternatives. It returns nil if nothing is left.
func Compile(query string) *Query {
	q := &Query{}
	for alternative := range strings.SplitSeq(query, "|") {
		if text := clean(alternative); text != "" && len(q.alternatives) < mostAlternatives {
			q.alternatives = append(q.alternatives, want(text))
		}
	}
	if len(q.alternatives) == 0 {
		return nil
	}
	return q
}

// clean removes what surrounds a path.
func clean(text string) string {
	text = strings.Trim(text, " \t\r\n\"'`()<>,;")
	text = strings.ReplaceAll(text, `\`, "/")
	text = withoutLine(text)
	for {
		rest := strings.TrimLeft(text, "/")
		for _, prefix := range []string{"./", "../", "~/"} {
			rest = strings.TrimPrefix(rest, prefix)
		}
		if rest == text {
			break
		}
		text = rest
	}
	if text == "." || text == ".." {
		return ""
	}
	return strings.TrimRight(text, "/")
}

// withoutLine removes a line number or a range of lines, as in a.go:12, a.go:12:5,
// a.go:12-20 and a.go#L12.
func withoutLine(text string) string {
	at := strings.LastIndex(text, "#L")
	if at < 0 {
		at = strings.IndexByte(text, ':')
	}
	if at <= 0 || at+1 == len(text) {
		return text
	}
	for _, c := range text[at+1:] {
		if (c < '0' || c > '9') && c != ':' && c != '-' && c != 'L' {
			return text
		}
	}
	return text[:at]
}

func want(text string) wanted {
	text = composed(text)
	w := wanted{text: []byte(strings.ToLower(text)), path: strings.Contains(text, "/")}
	w.aside = slices.ContainsFunc(asides[:], func(word string) bool { return bytes.Contains(w.text, []byte(word)) })
	lower := string(w.text)
	if i := strings.LastIndexByte(lower, '/'); i >= 0 {
		w.dirs = slices.DeleteFunc(strings.Split(lower[:i], "/"), func(d string) bool { return d == "" || d == "." || d == ".." })
		lower = lower[i+1:]
	}
	w.base, w.dot = []byte(lower), stemOf([]byte(lower))
	w.letters = lettersOf(w.text)
	w.stem = string(squash(nil, w.base[:w.dot]))
	w.squash = squash(nil, w.text)
	w.stemSet, w.allSet = lettersOf([]byte(w.stem)), lettersOf(w.squash)
	words := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == ',' })
	w.words = true
	for _, word := range words {
		parts := split(word)
		w.words = w.words && len(parts) == 1 && len(parts[0]) == len(word)
		ending := stemOf([]byte(word)) < len(word)
		for i, p := range parts {
			w.add(p, ending && i == len(parts)-1)
		}
	}
	for _, p := range w.parts {
		w.initial += string(p.text[:1])
	}
	return w
}

// add adds a part, unless it is there.
func (w *wanted) add(text string, ending bool) {
	text = strings.ToLower(text)
	if len(w.parts) == mostParts || slices.ContainsFunc(w.parts, func(p part) bool { return string(p.text) == text }) {
		return
	}
	weight := 4
	switch {
	case common(text):
		weight = 1
	case ending:
		weight = 2
	}
	w.parts = append(w.parts, part{[]byte(text), lettersOf([]byte(text)), weight, ending})
}

// common reports whether a word says little about a file.
func common(word string) bool {
	switch word {
	case "a", "all", "an", "and", "class", "code", "component", "definition", "file", "files", "for", "function", "implementation",
		"in", "logic", "method", "module", "of", "or", "source", "src", "that", "the", "to", "with":
		return true
	}
	return false
}

// split splits a word at what is no letter or digit and where a new part begins in
// CamelCase.
func split(word string) []string {
	var parts []string
	start := 0
	add := func(end int) {
		if start < end {
			parts = append(parts, word[start:end])
		}
	}
	for i := 0; i < len(word); {
		r, n := utf8.DecodeRuneInString(word[i:])
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			add(i)
			start = i + n
		case i > start && begins(word, i):
			add(i)
			start = i
		}
		i += n
	}
	add(len(word))
	return parts
}

// begins reports whether a new part of CamelCase begins at a letter: FileState is File
// and State, and HTMLFile is HTML and File.
func begins[T string | []byte](word T, i int) bool {
	if !upper(word[i]) {
		return false
	}
	return !upper(word[i-1]) && alnum(word[i-1]) || upper(word[i-1]) && i+1 < len(word) && lowerCase(word[i+1])
}

func upper(c byte) bool     { return 'A' <= c && c <= 'Z' }
func lowerCase(c byte) bool { return 'a' <= c && c <= 'z' }
func alnum(c byte) bool {
	return lowerCase(c) || upper(c) || '0' <= c && c <= '9' || c >= utf8.RuneSelf
}

// composed returns a text in the Unicode form in which most programs write it, with
// plain spaces: names on a Mac, and of its screenshots, look the same and are not.
func composed(text string) string {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return spaces.Replace(norm.NFC.String(text))
		}
	}
	return text
}

var spaces = strings.NewReplacer("\u00a0", " ", "\u2009", " ", "\u202f", " ", "\u3000", " ")

// stemOf returns the length of a name without its extension.
func stemOf(name []byte) int {
	for i := len(name) - 1; i > 0 && i >= len(name)-9; i-- {
		if name[i] == '.' && i+1 < len(name) {
			return i
		}
		if !alnum(name[i]) {
			break
		}
	}
	return len(name)
}

// squash appends the letters and digits of a text in lower case.
func squash(to, lower []byte) []byte {
	for _, c := range lower {
		if alnum(c) {
			to = append(to, c)
		}
	}
	return to
}
