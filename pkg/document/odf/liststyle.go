package odf

import (
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// maxLevels is the number of levels that a list style defines (part 3, 16.31).
const maxLevels = 10

// listStyle holds the numbers or bullets of a list's items.
type listStyle struct{ levels [maxLevels]listLevel }

type listLevel struct {
	defined        bool
	bullet         bool
	blank          bool   // nothing is shown before an item
	format         string // 1, a, A, i, I; "" for no number
	prefix, suffix string
	start, display int // display is the number of levels shown
}

// readListStyle reads the list style that just began.
func readListStyle(s *xmlscan.Scanner) *listStyle {
	l := &listStyle{}
	for depth := s.Depth(); ; {
		k := s.Next()
		if k == xmlscan.EOF || k == xmlscan.End && s.Depth() < depth {
			return l
		}
		if k != xmlscan.Start {
			continue
		}
		n, _ := s.Int("text:level")
		if n < 1 || n > maxLevels {
			continue
		}
		level := listLevel{defined: true, start: 1, display: 1, prefix: s.String("style:num-prefix"), suffix: s.String("style:num-suffix")}
		switch s.Name() {
		case "text:list-level-style-bullet":
			char, ok := s.Attr("text:bullet-char")
			level.bullet, level.blank = true, ok && strings.TrimSpace(string(char)) == ""
		case "text:list-level-style-image":
			level.bullet = true
		case "text:list-level-style-number", "text:outline-level-style":
			level.format = s.String("style:num-format")
			if start, ok := s.Int("text:start-value"); ok {
				level.start = start
			}
			if display, ok := s.Int("text:display-levels"); ok {
				level.display = display
			}
		default:
			continue
		}
		l.levels[n-1] = level
	}
}

// counters are the numbers of a list's items by level.
type counters [maxLevels]struct {
	number int
	begun  bool
}

// next counts an item of a level.
func (c *counters) next(l *listStyle, level int, start *int) {
	at := &c[level]
	switch {
	case start != nil:
		at.number = *start
	case !at.begun && l != nil && l.levels[level].defined:
		at.number = l.levels[level].start
	case !at.begun:
		at.number = 1
	default:
		at.number++
	}
	at.begun = true
	for i := level + 1; i < maxLevels; i++ {
		c[i].begun = false
	}
}

// label returns the label of the last counted item of a level: "-" for a bullet, "" for none.
func (c *counters) label(l *listStyle, level int) string {
	if l == nil {
		return "-"
	}
	at := l.levels[level]
	switch {
	case at.blank:
		return ""
	case at.bullet || !at.defined:
		return "-"
	case at.format == "":
		return strings.TrimSpace(at.prefix + at.suffix)
	}
	var b strings.Builder
	b.WriteString(at.prefix)
	for i := max(0, level-max(at.display, 1)+1); i <= level; i++ {
		format := l.levels[i].format
		if format == "" && i < level {
			continue
		}
		number := c[i].number
		if !c[i].begun {
			number = l.levels[i].start
		}
		b.WriteString(ordinal(number, format))
		if i < level {
			b.WriteByte('.')
		}
	}
	b.WriteString(at.suffix)
	return strings.TrimSpace(b.String())
}

// ordinal returns a number in a format of part 3, 19.500.
func ordinal(n int, format string) string {
	if n < 1 || n > 100_000 {
		return strconv.Itoa(n)
	}
	switch format {
	case "a":
		return letters(n, 'a')
	case "A":
		return letters(n, 'A')
	case "i":
		return strings.ToLower(roman(n))
	case "I":
		return roman(n)
	}
	return strconv.Itoa(n)
}

// letters counts a to z, aa, ab and so on.
func letters(n int, first byte) string {
	var b []byte
	for ; n > 0; n = (n - 1) / 26 {
		b = append([]byte{first + byte((n-1)%26)}, b...)
	}
	return string(b)
}

func roman(n int) string {
	if n >= 4000 {
		return strconv.Itoa(n)
	}
	var b strings.Builder
	for _, d := range [...]struct {
		value int
		text  string
	}{{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}} {
		for ; n >= d.value; n -= d.value {
			b.WriteString(d.text)
		}
	}
	return b.String()
}
