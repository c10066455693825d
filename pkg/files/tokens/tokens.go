// Package tokens estimates how many tokens a model reads a text as. It has no
// vocabulary: it counts words, digits, punctuation and characters of scripts, and
// weighs each.
//
// The weights are a least-squares fit to the mean of three tokenizers over 796 texts of
// 4,000 characters: o200k_base and cl100k_base of OpenAI, and the one that Anthropic
// has published. Of the estimates of these texts, in parts of what a tokenizer counts,
// nine in ten are between:
//
//	                           texts  o200k_base   cl100k_base  Anthropic
//	code (Go, Python, JS, C)   240    0.91 - 1.15  0.93 - 1.17  0.83 - 1.03
//	prose, Markdown            120    0.92 - 1.09  0.92 - 1.10  0.83 - 1.04
//	logs, output of programs   70     0.89 - 1.14  0.89 - 1.15  0.86 - 1.05
//	JSON, YAML, XML, HTML      100    0.95 - 1.09  0.92 - 1.07  0.89 - 1.04
//	hexadecimal, digits        75     1.04 - 1.08  1.04 - 1.08  1.00 - 1.05
//	base64                     25     0.89 - 0.91  0.85 - 0.87  0.86 - 0.88
//	Latin with accents         35     0.75 - 1.61  0.76 - 1.10  0.65 - 1.03
//	Chinese, Japanese          68     0.62 - 1.61  0.50 - 1.19  0.53 - 1.30
//	Korean                     19     0.67 - 1.71  0.56 - 1.09  0.54 - 1.00
//	Cyrillic, Greek, Arabic    25     0.90 - 1.86  0.56 - 1.28  0.54 - 1.05
//
// Of the texts of this repository, which the fit did not see, it is 0.88 - 1.14,
// 0.88 - 1.14 and 0.86 - 1.04 ("scripts/bench tokens"). In scripts other than Latin the
// tokenizers differ more among themselves than an estimate can follow: the same Russian
// text has about twice as many tokens of cl100k_base as of o200k_base.
package tokens

import "unicode/utf8"

// one is a token, in the unit of the weights.
const one = 100

// weights are the costs of the parts of a text, in hundredths of a token.
type weights struct {
	word       int // letters of one word, also of one in a camelCase name
	longLetter int // each letter of a word beyond the sixth
	capital    int // each further letter of a word of capitals
	threes     int // up to three digits
	marks      int // punctuation
	furtherOne int // each further mark of the same run
	newline    int // line ends, however many
	spaces     int // two or more spaces, or a tab; a single space belongs to the word behind it
	noise      int // each character of what is no word, as in base64
	han        int
	kana       int
	hangul     int
	alphabet   int // a letter of Greek, Cyrillic, Hebrew, Arabic, …
	accented   int // a Latin letter beyond ASCII, which breaks a word in two
	wideMark   int // CJK punctuation and full width
	indic      int // Indic and other scripts of southern Asia
	other      int
}

// anyText is the weights of texts of any kind.
var anyText = weights{
	word: 98, longLetter: 18, capital: 8, threes: 118, marks: 88, furtherOne: 13, newline: 10, spaces: 122, noise: 61,
	han: 127, kana: 93, hangul: 158, alphabet: 63, accented: 189, wideMark: 100, indic: 130, other: 160,
}

// definitions is the weights of tool definitions as compact JSON, whose words are common
// ones: a fit to o200k_base alone.
var definitions = weights{
	word: 97, longLetter: 0, capital: 8, threes: 100, marks: 92, furtherOne: 12, newline: 10, spaces: 122, noise: 61,
	han: 62, kana: 93, hangul: 158, alphabet: 63, accented: 189, wideMark: 149, indic: 130, other: 160,
}

// EstimateDefinitions returns about how many tokens of o200k_base tool definitions have,
// as compact JSON. Of all tools of helve, in each provider's format and in both
// languages, it is within 3 % ("scripts/bench tokens -definitions" measures it).
func EstimateDefinitions(s string) int { return definitions.estimate(s) }

// Estimate returns about how many tokens a text has.
func Estimate(s string) int { return anyText.estimate(s) }

func (w *weights) estimate(s string) int {
	sum := 0
	for s != "" {
		size, cost := w.next(s)
		sum += cost
		s = s[size:]
	}
	return (sum + one - 1) / one
}

// Fit finds the size of a result that keeps it within a number of tokens, 0 for any.
// try makes the result with a size, such as a number of bytes or entries, and returns
// its text. It is called with the given size first, and then with smaller ones, until
// the text fits or the size is smallest; what it made last is the result.
func Fit(size, most int, try func(size int) (text string, err error)) error {
	for {
		text, err := try(size)
		if err != nil || most <= 0 {
			return err
		}
		n := Estimate(text)
		if n <= most || size <= smallest {
			return nil
		}
		next := min(size, len(text)) * most / n
		size = max(smallest, min(next-next/32, size-1))
	}
}

// smallest is the least size that Fit tries.
const smallest = 1

// longest is the longest run of characters that is weighed at once.
const longest = 64

// next weighs the run of characters that a text begins with.
func (w *weights) next(s string) (size, cost int) {
	c := s[0]
	switch {
	case c >= utf8.RuneSelf:
		r, size := utf8.DecodeRuneInString(s)
		return size, w.script(r)
	case isLetter(c) || isDigit(c):
		n := run(s, func(c byte) bool { return isLetter(c) || isDigit(c) })
		if isNoise(s[:n]) {
			return n, n * w.noise
		}
		return w.first(s[:n])
	case c == '\n' || c == '\r':
		return run(s, func(c byte) bool { return c == '\n' || c == '\r' }), w.newline
	case c == ' ' || c == '\t':
		n := run(s, func(c byte) bool { return c == ' ' || c == '\t' })
		if n == 1 && c == ' ' {
			return 1, 0
		}
		return n, w.spaces
	}
	n := run(s, func(c byte) bool { return c > ' ' && c < utf8.RuneSelf && !isLetter(c) && !isDigit(c) })
	if n == 0 { // a control character
		return 1, w.marks
	}
	return n, w.marks + (n-1)*w.furtherOne
}

// run returns how many bytes at the beginning of s are of a kind.
func run(s string, is func(byte) bool) int {
	n := 0
	for n < len(s) && n < longest && is(s[n]) {
		n++
	}
	return n
}

// isNoise reports whether letters and digits are no word: they change between capitals,
// other letters and digits at every fourth place or more often.
func isNoise(s string) bool {
	const least = 16
	changes := 0
	for i := 1; i < len(s); i++ {
		before, after := kindOf(s[i-1]), kindOf(s[i])
		if before != after && !(before == upper && after == lower) {
			changes++
		}
	}
	return len(s) >= least && changes*4 >= len(s)
}

// first weighs the first word, or the first digits, of letters and digits: in
// camelCase, HTTPServer and x86 there are two.
func (w *weights) first(s string) (size, cost int) {
	kind := kindOf(s[0])
	n := 1
	for n < len(s) && kindOf(s[n]) == kind {
		n++
	}
	switch {
	case kind == digit:
		return n, (n + 2) / 3 * w.threes
	case kind == upper && n == 1:
		for n < len(s) && kindOf(s[n]) == lower {
			n++
		}
	case kind == upper && n < len(s) && kindOf(s[n]) == lower: // the last begins the next word
		return n - 1, w.word + (n-2)*w.capital
	case kind == upper:
		return n, w.word + (n-1)*w.capital
	}
	return n, w.word + max(0, n-6)*w.longLetter
}

const (
	lower = iota
	upper
	digit
)

func kindOf(c byte) int {
	switch {
	case isDigit(c):
		return digit
	case c <= 'Z':
		return upper
	}
	return lower
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// script weighs a character beyond ASCII.
func (w *weights) script(r rune) int {
	switch {
	case r >= 0xC0 && r < 0x250, r >= 0x1E00 && r < 0x1F00:
		return w.accented
	case r >= 0x370 && r < 0x700:
		return w.alphabet
	case r >= 0x900 && r < 0x1E00:
		return w.indic
	case r >= 0x2010 && r < 0x2028, r >= 0x3000 && r < 0x3040, r >= 0xFF00 && r < 0xFFF0:
		return w.wideMark
	case r >= 0x3040 && r < 0x3100:
		return w.kana
	case r >= 0x3400 && r < 0x4DC0, r >= 0x4E00 && r < 0xA000, r >= 0xF900 && r < 0xFB00, r >= 0x20000 && r < 0x40000:
		return w.han
	case r >= 0xAC00 && r < 0xD7B0:
		return w.hangul
	}
	return w.other
}
