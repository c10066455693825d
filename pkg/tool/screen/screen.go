// Package screen makes text fit to be shown on a terminal and to a model: characters
// that would drive a terminal are escaped, and colour is for terminals only. It
// writes to no terminal.
package screen

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
)

// Paint says whether text is coloured.
type Paint bool

// Colour is a colour or style, as the parameters of the escape sequence SGR
// (ECMA-48, 8.3.117).
type Colour string

// The colours, those of ls and grep.
const (
	Path   Colour = "35"
	Number Colour = "32"
	Match  Colour = "1;31"
	Dir    Colour = "1;34"
	Link   Colour = "36"
	Faint  Colour = "2"
)

// Text returns s in a colour, or unchanged if text is not coloured.
func (p Paint) Text(c Colour, s string) string {
	if !p || s == "" {
		return s
	}
	return "\x1b[" + string(c) + "m" + s + "\x1b[m"
}

// Name returns the name of a file, quoted if it would break the line or drive a
// terminal.
func Name(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }) {
		return strconv.Quote(name)
	}
	return name
}

// Line returns a line of a file, with escapes for what would move a cursor or turn the
// direction of text. Tabs stay.
func Line(s string) string {
	if !strings.ContainsFunc(s, moves) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !moves(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// Lines returns a foreign text with each line as [Line] has it. It ends in a newline,
// unless it is empty.
func Lines(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		b.WriteString(Line(strings.TrimRight(line, "\r\n")) + "\n")
	}
	return b.String()
}

// Shown returns a text for a terminal: what would move a cursor or turn the direction of
// text is escaped as in [Line]. Line ends stay, and so do the colours of [Paint], which a
// file can then use as well.
func Shown(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r != '\n' && moves(r) }) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		n := strings.IndexFunc(s[i:], moves)
		if n < 0 {
			n = len(s) - i
		}
		b.WriteString(s[i : i+n])
		i += n
		kept := painted(s[i:])
		if kept == 0 && i < len(s) {
			_, kept = utf8.DecodeRuneInString(s[i:])
			b.WriteString(Line(s[i : i+kept]))
		} else {
			b.WriteString(s[i : i+kept])
		}
		i += kept
	}
	return b.String()
}

// painted returns the length of the line end or the colour that s starts with; 0 if it
// starts with neither.
func painted(s string) int {
	for _, whole := range [...]string{"\n", "\r\n", "\x1b[m"} {
		if strings.HasPrefix(s, whole) {
			return len(whole)
		}
	}
	for _, c := range [...]Colour{Path, Number, Match, Dir, Link, Faint} {
		if code := "\x1b[" + string(c) + "m"; strings.HasPrefix(s, code) {
			return len(code)
		}
	}
	return 0
}

// JSON returns a document with escapes in place of what would move a cursor or turn
// the direction of text. A parser reads the same.
func JSON(document []byte) []byte {
	if !bytes.ContainsFunc(document, turns) {
		return document
	}
	var b bytes.Buffer
	for _, r := range string(document) {
		if turns(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.Bytes()
}

// turns is moves without line feeds and the like, which in JSON are only between
// strings.
func turns(r rune) bool { return r > ' ' && moves(r) }

func moves(r rune) bool {
	if r < 0x7f {
		return r < ' ' && r != '\t'
	}
	switch {
	case r < 0xa0, r == 0x61c, r == 0x200e, r == 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return false
}

// View sets the language of a result that is shown, and its colours.
type View struct {
	Paint
	Lang fault.Lang
}

// ImageLine returns the line that a text shows for an image: the path of its file, if it
// has one, its type, its size in bytes, and in pixels if that is known.
func (v View) ImageLine(path, mime string, bytes int64, width, height int) string {
	if path == "" {
		path = v.Say(fault.T("(not saved)"))
	}
	line := v.Say(fault.T("image %s: %s, %d bytes", path, mime, bytes))
	if width > 0 {
		line += fmt.Sprintf(", %dx%d", width, height)
	}
	return "[" + line + "]"
}

// Say returns a text in the language of the view.
func (v View) Say(t fault.Text) string { return t.In(v.Lang) }
