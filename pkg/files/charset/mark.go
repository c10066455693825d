package charset

import "strings"

// place is the position of a mark in a text.
type place byte

const (
	anywhere place = iota
	opens          // before a word
	closes         // after a word
	apart          // not within a word
)

// costSymbol is the cost of a character that is neither a letter nor a mark known to
// symbol.
const costSymbol = 11.5

// symbol returns the cost of a mark and its place. The place matters more than the
// frequency: it distinguishes marks from letters.
func symbol(r rune) (cost float64, where place, known bool) {
	switch r {
	case '\u00A0', '’', '…', '،', '؟':
		return 5.5, anywhere, true
	case '«', '“', '„', '‘':
		return 6, opens, true
	case '»', '”':
		return 6, closes, true
	case '–', '—', '·', '•', '©', '°', '№', '€', '£':
		return 6.5, apart, true
	case '®', '™', '؛', 'ๆ', 'ฯ', '§', '×':
		return 7.5, apart, true
	case '¡', '¿':
		return 7.5, opens, true
	case '\u200C', '\u200D', '\u200E', '\u200F':
		return 8, anywhere, true
	case '±', '²', '³', 'µ', 'º', 'ª', '´', '½', '\u00AD', '÷', '฿', '₪', '→', '←':
		return 8.5, apart, true
	case '‚', '‹':
		return 9.5, opens, true
	case '›':
		return 9.5, closes, true
	case 'ˆ', 'ƒ': // Unicode calls them letters
		return 12, apart, true
	}
	return 0, 0, false
}

// plain returns the cost of a pair without a letter beyond ASCII, or with one before
// its mark.
func (v *view) plain(p pair) float64 {
	prev, cur := &v[p.prev], &v[p.cur]
	switch {
	case p.cur < 0x80 && !cur.kind.letter():
		return costEnds
	case p.cur < 0x80 && prev.kind == mark && (prev.place == apart || prev.place == closes):
		return costLetter + 1.5
	case p.cur < 0x80:
		return costLetter
	case cur.kind == broken:
		return costBroken
	case cur.kind == frame:
		return joint(prev.kind, prev.fold, cur.fold)
	case p.prev == p.cur: // a row of dots or dashes
		return 2.5
	case cur.place == opens && prev.kind.letter():
		return cur.cost + 4
	case cur.place == closes && prev.kind == ascii, cur.place == apart && prev.kind.letter():
		return cur.cost + 1.5
	}
	return cur.cost
}

// joint returns the cost of a box drawing character after another character: little if
// the lines of both meet.
func joint(prev kind, left, right rune) float64 {
	switch {
	case prev != frame:
		return 9.5
	case left == right:
		return 0.3
	case strings.ContainsRune("─┌└├┬┴┼╓╙╟╥╨╫", left) != strings.ContainsRune("─┐┘┤┬┴┼╖╜╢╥╨╫", right),
		strings.ContainsRune("═╔╚╠╦╩╬╒╘╞╤╧╪", left) != strings.ContainsRune("═╗╝╣╦╩╬╕╛╡╤╧╪", right):
		return 8
	}
	return 2.5
}
