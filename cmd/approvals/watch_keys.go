package approvals

import (
	"bytes"
	"unicode/utf8"
)

// key is a typed character, or a key that has a name.
type key struct {
	char   rune   // 0 for a key with a name
	name   string // up, down, left, right, home, end, pgup, pgdn, esc; "" for others
	pasted bool   // part of a text that was pasted, which is no command
}

// keys tells keys apart in what a terminal sends.
type keys struct{ pasting bool }

// What a terminal sends before and after text that is pasted.
const pasteBegins, pasteEnds = "\x1b[200~", "\x1b[201~"

// decode returns the keys in what was read at once.
func (k *keys) decode(typed []byte) (all []key) {
	for len(typed) > 0 {
		switch {
		case bytes.HasPrefix(typed, []byte(pasteBegins)):
			k.pasting, typed = true, typed[len(pasteBegins):]
		case bytes.HasPrefix(typed, []byte(pasteEnds)):
			k.pasting, typed = false, typed[len(pasteEnds):]
		case typed[0] == 0x1b && !k.pasting:
			name, n := escaped(typed)
			all = append(all, key{name: name})
			typed = typed[n:]
		default:
			r, n := utf8.DecodeRune(typed)
			all = append(all, key{char: r, pasted: k.pasting})
			typed = typed[n:]
		}
	}
	return all
}

// escaped returns the key of the escape sequence that typed starts with, and its length.
// Escape alone is the key itself.
func escaped(typed []byte) (name string, n int) {
	if len(typed) < 2 || typed[1] != '[' && typed[1] != 'O' {
		return "esc", 1
	}
	n = 2
	for n < len(typed) && (typed[n] < 0x40 || typed[n] > 0x7e) { // parameters, up to the final byte
		n++
	}
	if n == len(typed) {
		return "", n
	}
	switch n++; string(typed[2:n]) {
	case "A":
		return "up", n
	case "B":
		return "down", n
	case "C":
		return "right", n
	case "D":
		return "left", n
	case "H", "1~":
		return "home", n
	case "F", "4~":
		return "end", n
	case "5~":
		return "pgup", n
	case "6~":
		return "pgdn", n
	}
	return "", n
}
