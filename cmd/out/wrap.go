package out

import (
	"strings"
	"time"
	"unicode"

	"github.com/helve-dev/helve/pkg/policy/approval"
)

// DefaultColumns is the width of help that no terminal shows.
const DefaultColumns = 80

// Wrap breaks text into lines of at most width columns. A line of text that is
// indented stays so. Chinese breaks between any two characters, but no punctuation is
// parted from what it belongs to; a word that is too long has a line to itself.
func Wrap(text string, width int) []string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		rest := strings.TrimLeft(line, " ")
		indent := line[:len(line)-len(rest)]
		now, used, fresh := indent, len(indent), true
		for _, u := range unitsOf(rest) {
			gap := ""
			if u.space && !fresh {
				gap = " "
			}
			if !fresh && used+len(gap)+u.width > width {
				lines = append(lines, now)
				now, used, gap = indent, len(indent), ""
			}
			now += gap + u.text
			used += len(gap) + u.width
			fresh = false
		}
		lines = append(lines, now)
	}
	return lines
}

// unit is a piece of text that no line break parts.
type unit struct {
	text  string
	width int
	space bool // follows a space
}

func unitsOf(text string) []unit {
	const closing, opening = "，。；：、！？）》」』”’…", "（《「『“‘"
	var all []unit
	space, glued := false, false
	for _, r := range text {
		if r == ' ' {
			space, glued = true, false
			continue
		}
		w := widthOf(r)
		last := len(all) - 1
		switch {
		case last >= 0 && !space && (glued || strings.ContainsRune(closing, r) || w < 2 && all[last].wide() < 2):
			all[last].text += string(r)
			all[last].width += w
		default:
			all = append(all, unit{string(r), w, space})
		}
		space, glued = false, strings.ContainsRune(opening, r)
	}
	return all
}

// wide returns the width of the last character.
func (u unit) wide() int {
	last := rune(0)
	for _, r := range u.text {
		last = r
	}
	return widthOf(last)
}

// widthOf returns how many columns of a terminal a character takes (UAX #11).
func widthOf(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.Is(unicode.Mn, r):
		return 0
	case r >= 0x1100 && r <= 0x115f, r >= 0x2e80 && r <= 0x303e, r >= 0x3041 && r <= 0xa4cf, r >= 0xac00 && r <= 0xd7a3, r >= 0xf900 && r <= 0xfaff,
		r >= 0xfe30 && r <= 0xfe4f, r >= 0xff00 && r <= 0xff60, r >= 0xffe0 && r <= 0xffe6, r >= 0x1f300 && r <= 0x1faff, r >= 0x20000 && r <= 0x3fffd:
		return 2
	}
	return 1
}

// Width returns how many columns a text of one line takes.
func Width(text string) int {
	n := 0
	for _, r := range text {
		n += widthOf(r)
	}
	return n
}

// Table writes rows of two cells, the second wrapped. A first cell that is wider than
// most has a line to itself.
func Table(b *strings.Builder, rows [][2]string, columns, most int) {
	first := 0
	for _, row := range rows {
		if w := Width(row[0]); w <= most {
			first = max(first, w)
		}
	}
	first += 2
	for _, row := range rows {
		b.WriteString("\n" + row[0])
		at := Width(row[0])
		if at+2 > first {
			b.WriteString("\n")
			at = 0
		}
		for i, line := range Wrap(row[1], max(columns-first, 20)) {
			if i > 0 {
				b.WriteString("\n")
				at = 0
			}
			b.WriteString(strings.Repeat(" ", first-at) + line)
		}
	}
}

// Pieces breaks a line where the screen ends: nothing of it is out of sight.
func Pieces(line string, columns int) []string {
	line = strings.ReplaceAll(line, "\t", "    ")
	var all []string
	from, used := 0, 0
	for i, r := range line {
		n := widthOf(r)
		if used+n > columns && used > 0 {
			all = append(all, line[from:i])
			from, used = i, 0
		}
		used += n
	}
	return append(all, line[from:])
}

// Clip returns as much of a line as a row has room for.
func Clip(line string, columns int) string { return Pieces(line, columns)[0] }

// Lasted returns a duration for people.
func Lasted(d time.Duration) string { return max(0, d).Round(time.Second).String() }

// OneLine returns a text that cannot break its line or drive the terminal.
func OneLine(s string) string { return strings.ReplaceAll(approval.Visible(s), "\n", `\n`) }
