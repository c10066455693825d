package font

import (
	_ "embed" // the tables below
	"strconv"
	"strings"
	"unicode/utf8"
)

// glyphs is the Adobe Glyph List with the names of ZapfDingbats: a name and its code points
// a line, sorted by name. Ligatures stand there as their letters.
//
//go:embed glyphs.txt
var glyphs string

// lookup returns what follows a key in a table of sorted lines.
func lookup(table, key string) (string, bool) {
	low, high := 0, len(table)
	for low < high {
		middle := low + (high-low)/2
		start := strings.LastIndexByte(table[:middle], '\n') + 1
		end := middle + strings.IndexByte(table[middle:], '\n')
		name, value, _ := strings.Cut(table[start:end], " ")
		switch strings.Compare(key, name) {
		case 0:
			return value, true
		case -1:
			high = start
		default:
			low = end + 1
		}
	}
	return "", false
}

// maxName is longer than any glyph's name that means something.
const maxName = 128

// glyphText returns the text that a glyph's name stands for, by the rules of the Adobe
// Glyph List; empty where it stands for none.
func glyphText(name string) string {
	name, _, _ = strings.Cut(name, ".")
	if name == "" || len(name) > maxName {
		return ""
	}
	if text, ok := listed(name); ok {
		return text
	}
	var b strings.Builder
	for part := range strings.SplitSeq(name, "_") {
		text, ok := listed(part)
		if !ok {
			text = uniText(part)
		}
		b.WriteString(text)
	}
	return b.String()
}

// listed looks a name up. Those of ZapfDingbats, a1 to a206, count in that font alone:
// elsewhere they are numbers.
func listed(name string) (string, bool) {
	if dingbat(name) {
		return "", false
	}
	value, ok := lookup(glyphs, name)
	if !ok {
		return "", false
	}
	return codePoints(value), true
}

// dingbat reports whether a name can be one of ZapfDingbats.
func dingbat(name string) bool {
	digits, ok := strings.CutPrefix(name, "a")
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// dingbatText returns what a glyph of ZapfDingbats means.
func dingbatText(name string) string {
	value, _ := lookup(glyphs, name)
	return codePoints(value)
}

// codePoints returns the text of hexadecimal code points with spaces between them.
func codePoints(hex string) string {
	var b []byte
	for point := range strings.SplitSeq(hex, " ") {
		if r, err := strconv.ParseUint(point, 16, 32); err == nil {
			b = utf8.AppendRune(b, rune(r))
		}
	}
	return string(b)
}

// uniText reads names such as uni20AC, uni00660066 and u1F600.
func uniText(name string) string {
	if digits, ok := strings.CutPrefix(name, "uni"); ok && len(digits) >= 4 && len(digits)%4 == 0 {
		var b []byte
		for ; digits != ""; digits = digits[4:] {
			r, err := strconv.ParseUint(digits[:4], 16, 16)
			if err != nil || !utf8.ValidRune(rune(r)) {
				return ""
			}
			b = utf8.AppendRune(b, rune(r))
		}
		return string(b)
	}
	if digits, ok := strings.CutPrefix(name, "u"); ok && len(digits) >= 4 && len(digits) <= 6 {
		if r, err := strconv.ParseUint(digits, 16, 32); err == nil && utf8.ValidRune(rune(r)) {
			return string(rune(r))
		}
	}
	return ""
}

// numbered returns the number of a name that has nothing else: g12, cid:34, glyph56.
func numbered(name string) (int, bool) {
	digits := strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ:_")
	if digits == "" || len(name)-len(digits) > len("glyph_") || len(digits) == len(name) {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, 10, 16)
	return int(n), err == nil
}
