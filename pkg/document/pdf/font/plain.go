package font

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Bullets of two fonts for symbols, as they stand in the private use area.
const (
	symbolBullet    = 0xf0b7
	wingdingsBullet = 0xf0a7
)

// Plain replaces presentation forms by the characters they stand for: ligatures and Arabic
// forms by their letters, radicals by their characters, every blank by a space. Characters
// without a meaning are left out.
func Plain(text string) string {
	for _, r := range text {
		if r < ' ' || r >= 0x7f {
			return plain(text)
		}
	}
	return text
}

func plain(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == 0xa0, r >= 0x2000 && r <= 0x200a, r == 0x202f, r == 0x205f, r == 0x3000, r == '\t', r == '\n', r == '\r':
			b.WriteByte(' ')
		case r == symbolBullet, r == wingdingsBullet:
			b.WriteRune('•')
		case r < ' ', r >= 0x7f && r < 0xa0, r == 0xfffd, r == 0xfeff, r == 0xfffe, r == 0xffff,
			r == 0x200b, r == 0x200e, r == 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f:
		case r >= 0xfb00 && r <= 0xfb4f, r >= 0xfb50 && r <= 0xfdfb, r >= 0xfe70 && r <= 0xfefc, r >= 0x2f00 && r <= 0x2fdf:
			b.WriteString(strings.TrimSpace(norm.NFKC.String(string(r))))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
