package layout

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// class is a simplified Unicode bidirectional class (annex 9).
type class uint8

const (
	neutral   class = iota
	leftward        // a letter that is written from right to left
	rightward       // any other letter
	figure          // a digit, which is written from left to right
	separator       // stands within numbers
	sign            // the same, but not next to Arabic letters
	unit            // belongs to the number next to it, but not next to Arabic letters
)

// rightToLeft reports whether a text has letters that are written from right to left.
func rightToLeft(text string) bool {
	for _, r := range text {
		if leftwardLetter(r) {
			return true
		}
	}
	return false
}

func leftwardLetter(r rune) bool {
	switch {
	case r < 0x590:
		return false
	case r <= 0x8ff:
		return !unicode.IsDigit(r) && r != 0x66a && r != 0x66b && r != 0x66c
	}
	return r >= 0xfb1d && r <= 0xfdff || r >= 0xfe70 && r <= 0xfefc || r >= 0x10800 && r <= 0x10fff || r >= 0x1e800 && r <= 0x1efff
}

func (p piece) class() class {
	result := neutral
	for _, r := range p.text {
		switch {
		case leftwardLetter(r):
			return leftward
		case unicode.IsLetter(r):
			return rightward
		case unicode.IsDigit(r):
			result = figure
		case result == neutral && len(p.text) == utf8.RuneLen(r):
			switch r {
			case '.', ',', '/', ':', 0x66b, 0x66c:
				result = separator
			case '-', '+':
				result = sign
			case '%', '$', '€', '£', '#', '°', 0x66a:
				result = unit
			}
		}
	}
	return result
}

// reorder brings the pieces of a line, which stand as they are seen from left to right, into
// the order in which they are read. opposite says that the line as a whole is written from
// right to left.
func reorder(pieces []piece, opposite bool) []piece {
	pieces = split(pieces)
	classes := make([]class, len(pieces))
	for i, p := range pieces {
		classes[i] = p.class()
	}
	if opposite {
		slices.Reverse(pieces)
		slices.Reverse(classes)
		restore(pieces, classes)
		return pieces
	}
	for i := 0; i < len(pieces); i++ {
		if classes[i] != leftward {
			continue
		}
		end := i + 1
		for j := end; j < len(pieces) && classes[j] != rightward; j++ {
			if classes[j] == leftward {
				end = j + 1
			}
		}
		part, kinds := pieces[i:end], classes[i:end]
		slices.Reverse(part)
		slices.Reverse(kinds)
		restore(part, kinds)
		i = end
	}
	return pieces
}

// split makes pieces of single characters out of those of whole words. A glyph that is
// several letters from right to left stays whole: these are in order.
func split(pieces []piece) []piece {
	parts := make([]piece, 0, len(pieces)*2)
	for _, p := range pieces {
		if p.class() == leftward || utf8.RuneCountInString(p.text) < 2 {
			parts = append(parts, p)
			continue
		}
		for _, r := range p.text {
			parts = append(parts, piece{text: string(r), link: p.link})
		}
	}
	return parts
}

// restore turns what is written from left to right round again, in a line that was turned
// round as a whole: words of other letters with what stands between them, and numbers.
func restore(pieces []piece, classes []class) {
	arabic := slices.ContainsFunc(pieces, func(p piece) bool {
		r, _ := utf8.DecodeRuneInString(p.text)
		return r >= 0x600 && r < 0x780 && leftwardLetter(r)
	})
	for i := 0; i < len(pieces); {
		start := i
		if !arabic {
			for i < len(pieces) && classes[i] == unit {
				i++
			}
		}
		if i == len(pieces) || classes[i] != rightward && classes[i] != figure {
			i = max(i, start+1)
			continue
		}
		if classes[i] == rightward {
			start = i
		}
		end := extent(classes, i, arabic)
		slices.Reverse(pieces[start:end])
		slices.Reverse(classes[start:end])
		for j := start; j < end; j++ {
			classes[j] = rightward
		}
		i = end
	}
	for i := range pieces {
		pieces[i].bracket = classes[i] == neutral && mirrored(pieces[i].text) != pieces[i].text
	}
}

// extent returns where the text from left to right that begins at i ends.
func extent(classes []class, i int, arabic bool) int {
	last := i
	for j := i + 1; j < len(classes) && classes[j] != leftward; j++ {
		if classes[j] != rightward && classes[j] != figure {
			continue
		}
		between := classes[last+1 : j]
		letters := classes[last] == rightward || classes[j] == rightward
		if letters || len(between) == 0 || len(between) == 1 && (between[0] == separator || between[0] == sign && !arabic) {
			last = j
			continue
		}
		break
	}
	for !arabic && classes[last] == figure && last+1 < len(classes) && classes[last+1] == unit {
		last++
		if last+1 == len(classes) || classes[last+1] != unit {
			break
		}
	}
	return last + 1
}

// mirror swaps the brackets among letters from right to left, which stand as they are
// seen, unless the file names them as they are read: then more of them match.
func mirror(lines [][]piece) {
	if unmatched(lines, false) < unmatched(lines, true) {
		return
	}
	for _, pieces := range lines {
		for i := range pieces {
			if pieces[i].bracket {
				pieces[i].text = mirrored(pieces[i].text)
			}
		}
	}
}

// unmatched counts the brackets that have no other.
func unmatched(lines [][]piece, swap bool) int {
	open, alone := 0, 0
	for _, pieces := range lines {
		for _, p := range pieces {
			text := p.text
			if swap && p.bracket {
				text = mirrored(text)
			}
			switch text {
			case "(", "[", "{", "«", "<":
				open++
			case ")", "]", "}", "»", ">":
				if open == 0 {
					alone++
				} else {
					open--
				}
			}
		}
	}
	return alone + open
}

// mirrored returns the other bracket of a pair.
func mirrored(text string) string {
	const pairs = "()[]{}<>«»‹›"
	if r, size := utf8.DecodeRuneInString(text); size == len(text) {
		all := []rune(pairs)
		if i := slices.Index(all, r); i >= 0 {
			return string(all[i^1])
		}
	}
	return text
}
