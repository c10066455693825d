package output

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Alarming reports whether a line looks like a failure: by a word such as error, failed
// or panic in one of several languages, also as the end of a name such as TypeError, by
// words such as "not found", by a status such as "exited with code 137" or "HTTP 500", or
// by a mark such as ✗.
func Alarming(line string) bool {
	v := words()
	var last string // the word before, in lower case
	for i := 0; i < len(line); {
		if c := line[i]; c < utf8.RuneSelf && !letter(c) {
			i++
			continue
		}
		n := wordAt(line[i:])
		if n == 0 { // no letter of an alphabet
			r, size := utf8.DecodeRuneInString(line[i:])
			if mark(r) || v.foreign(r, line[i:]) {
				return true
			}
			i += size
			continue
		}
		var buf [24]byte
		word := lower(line[i:i+n], &buf)
		i += n
		if v.alarm(word) || pair(last, word, line[i:]) || status(word, line[i:]) {
			return true
		}
		last = word
	}
	return false
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// wordAt returns the length of the word at the beginning of a text, in Latin, Greek or
// Cyrillic letters.
func wordAt(text string) int {
	i := 0
	for i < len(text) {
		if c := text[i]; c < utf8.RuneSelf {
			if !letter(c) {
				break
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if r >= 0x530 || r == '×' || !unicode.IsLetter(r) {
			break
		}
		i += size
	}
	return i
}

// lower returns a word in lower case, and of a long name the end, which says what it is.
func lower(word string, buf *[24]byte) string {
	ascii := true
	for i := range len(word) {
		ascii = ascii && word[i] < utf8.RuneSelf
	}
	if !ascii {
		return strings.ToLower(word)
	}
	if len(word) > len(buf) {
		word = word[len(word)-len(buf):]
	}
	for i := range len(word) {
		buf[i] = word[i] | 0x20
	}
	return string(buf[:len(word)])
}

// mark reports whether a character is a sign for a failure.
func mark(r rune) bool { return strings.ContainsRune("✗✘✕✖×●❌⨯🔴⛔🛑💥🚨", r) }

//go:embed alarms.txt
var alarmWords string

// vocabulary are the words for failures, in lower case.
type vocabulary struct {
	words    map[string]bool
	endings  []string
	stems    []string
	unspaced map[rune][]string // of languages without spaces, by their first character
}

// words reads alarms.txt: lines that begin with "#" say nothing, "-x" is the end of a
// word, "x-" its beginning.
var words = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{words: map[string]bool{}, unspaced: map[rune][]string{}}
	for line := range strings.Lines(alarmWords) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for word := range strings.FieldsSeq(line) {
			r, _ := utf8.DecodeRuneInString(word)
			switch {
			case r >= unspacedFrom:
				v.unspaced[r] = append(v.unspaced[r], word)
			case r == '-':
				v.endings = append(v.endings, word[1:])
			case strings.HasSuffix(word, "-"):
				v.stems = append(v.stems, word[:len(word)-1])
			default:
				v.words[word] = true
			}
		}
	}
	return v
})

// unspacedFrom is the first character of the scripts without spaces.
const unspacedFrom = 0x3000

// alarm reports whether a word in lower case names a failure.
func (v *vocabulary) alarm(word string) bool {
	return v.words[word] ||
		slices.ContainsFunc(v.endings, func(end string) bool { return strings.HasSuffix(word, end) }) ||
		word[0] >= utf8.RuneSelf && slices.ContainsFunc(v.stems, func(stem string) bool { return strings.HasPrefix(word, stem) })
}

// pair reports whether two words that follow each other, and what follows them, speak of
// a failure.
func pair(first, second, rest string) bool {
	switch first {
	case "not":
		switch second {
		case "found", "exist", "exists", "allowed", "permitted", "supported", "valid", "ready", "responding", "recognized", "available",
			"defined", "enough", "reachable", "authorized", "installed", "match", "connected", "open", "load", "read", "write", "start", "resolve", "connect":
			return true
		}
	case "no":
		switch second {
		case "such", "space", "route", "response", "module", "matching", "longer":
			return true
		}
	case "timed":
		return second == "out"
	case "out":
		return second == "of" && len(rest) > 1 && letter(rest[1])
	case "gave", "giving":
		return second == "up"
	case "went", "goes", "going":
		return second == "wrong"
	}
	return false
}

// status reports whether a word and the number behind it are the status of a failure.
func status(word, rest string) bool {
	switch word {
	case "exit", "exited", "exits":
		n, ok := number(rest, 24)
		return ok && n != 0
	case "status", "code", "http":
		n, ok := number(rest, 8)
		for word == "http" && ok && n < 100 { // its version
			rest = strings.TrimLeft(rest[strings.IndexAny(rest, "0123456789"):], "0123456789.")
			n, ok = number(rest, 8)
		}
		return ok && n >= 400 && n <= 599
	case "signal":
		n, ok := number(rest, 4)
		return ok && n != 0
	}
	return false
}

// number returns the first number of a text, if it begins in the first so many bytes.
func number(text string, within int) (n int, ok bool) {
	for i := range len(text) {
		switch c := text[i]; {
		case digit(c):
			if n = n*10 + int(c-'0'); n > 1<<20 {
				return 0, false
			}
			ok = true
		case ok || i >= within || c == '\n':
			return n, ok
		}
	}
	return n, ok
}

// foreign reports whether a text that begins with a character begins with a word for a
// failure, in a language without spaces.
func (v *vocabulary) foreign(r rune, text string) bool {
	return r >= unspacedFrom && slices.ContainsFunc(v.unspaced[r], func(word string) bool { return strings.HasPrefix(text, word) })
}

// placed reports whether a line names a place in a file, as in main.go:12 or
// main.ts(3,5).
func placed(line string) bool {
	for i := 1; i+1 < len(line); i++ {
		if (line[i] == ':' || line[i] == '(') && digit(line[i+1]) && letter(line[i-1]) {
			name := line[:i]
			if dot := strings.LastIndexByte(name, '.'); dot >= 0 && dot > len(name)-8 && dot > 0 && name[dot-1] > ' ' {
				return true
			}
		}
	}
	return false
}

func digit(c byte) bool { return c >= '0' && c <= '9' }
