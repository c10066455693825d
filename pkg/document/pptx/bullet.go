package pptx

import (
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/document/ooxml"
)

// numbering counts the numbered paragraphs of a shape.
type numbering struct {
	count  [9]int
	scheme [9]ooxml.Bullet
}

// marker returns what stands before the next paragraph: "-", a number such as "2." or
// "iv)", or "" for nothing. A number goes on until another paragraph of its level, or one
// of an outer level, comes between.
func (n *numbering) marker(level int, b ooxml.Bullet) string {
	level = max(0, min(level, len(n.count)-1))
	for i := level + 1; i < len(n.count); i++ {
		n.count[i] = 0
	}
	if b.Kind != ooxml.AutoNumber {
		if n.count[level] = 0; b.Kind == ooxml.CharBullet {
			return "-"
		}
		return ""
	}
	if n.count[level] == 0 || n.scheme[level] != b {
		n.count[level], n.scheme[level] = b.Start-1, b
	}
	n.count[level]++
	return numbered(n.count[level], b.Scheme)
}

// numbered returns a number in a scheme (20.1.10.61). Those of Arabic, Hebrew, Thai, Hindi and
// East Asian digits are shown as decimal numbers.
func numbered(n int, scheme string) string {
	number := strconv.Itoa(n)
	switch {
	case strings.HasPrefix(scheme, "alphaLc"):
		number = strings.ToLower(letters(n))
	case strings.HasPrefix(scheme, "alphaUc"):
		number = letters(n)
	case strings.HasPrefix(scheme, "romanLc"):
		number = strings.ToLower(roman(n))
	case strings.HasPrefix(scheme, "romanUc"):
		number = roman(n)
	}
	switch {
	case strings.HasSuffix(scheme, "ParenBoth"):
		return "(" + number + ")"
	case strings.HasSuffix(scheme, "ParenR"):
		return number + ")"
	}
	return number + "."
}

// letters returns A to Z, then AA, BB and so on, as PowerPoint counts.
func letters(n int) string {
	n = max(1, min(n, 26*30)) - 1
	return strings.Repeat(string(rune('A'+n%26)), n/26+1)
}

// roman returns a Roman number.
func roman(n int) string {
	if n < 1 || n > 3999 {
		return strconv.Itoa(n)
	}
	var b strings.Builder
	for _, d := range [...]struct {
		value int
		sign  string
	}{{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}} {
		for n >= d.value {
			b.WriteString(d.sign)
			n -= d.value
		}
	}
	return b.String()
}
