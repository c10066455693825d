package search

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/files/kind"
)

// utf8BOM is the mark at the start of some UTF-8 files. It is not part of the text.
const utf8BOM = "\xef\xbb\xbf"

// units is the form of a text in UTF-16 or UTF-32.
type units struct {
	order binary.ByteOrder
	width int // bytes of a unit: 2 is UTF-16, 4 is UTF-32, 0 is another encoding
	mark  int // bytes of the byte order mark
}

// unitsOf recognises UTF-16 and UTF-32 at the beginning of a file: by the byte order
// mark or, without one, by the zeros that ASCII has in them, as read does.
func unitsOf(head []byte) units {
	const examined = 8 << 10
	switch {
	case bytes.HasPrefix(head, []byte{0xff, 0xfe, 0, 0}):
		return units{binary.LittleEndian, 4, 4}
	case bytes.HasPrefix(head, []byte{0, 0, 0xfe, 0xff}):
		return units{binary.BigEndian, 4, 4}
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}):
		return units{binary.LittleEndian, 2, 2}
	case bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return units{binary.BigEndian, 2, 2}
	}
	if head = head[:min(len(head), examined)]; bytes.IndexByte(head, 0) < 0 {
		return units{}
	}
	of := func(bigEndian bool, width int) units {
		if bigEndian {
			return units{binary.BigEndian, width, 0}
		}
		return units{binary.LittleEndian, width, 0}
	}
	if bigEndian, likely := kind.LikeUTF32(head); likely {
		return of(bigEndian, 4)
	}
	if bigEndian, likely := kind.LikeUTF16(head); likely {
		return of(bigEndian, 2)
	}
	return units{}
}

// wide reports whether a file that begins with head is UTF-16 or UTF-32.
func wide(head []byte) bool { return unitsOf(head).width > 0 }

// transcode converts such a file to UTF-8. Ill-formed parts become U+FFFD.
func transcode(data []byte) []byte {
	u := unitsOf(data)
	return u.decode(data[u.mark:])
}

// decode converts a text without its mark to UTF-8.
func (u units) decode(data []byte) []byte {
	if u.width == 4 {
		return fromUTF32(data, u.order)
	}
	return fromUTF16(data, u.order)
}

// foreign reports whether a text is certainly not UTF-8, or may be ISO-2022-JP, which is
// ASCII with escape sequences that shift to other characters.
func (m *matcher) foreign(data []byte) bool {
	if m.high.Index(data) >= 0 {
		return !utf8.Valid(data)
	}
	return shifts(data)
}

// shifts reports whether there is such a sequence. They start as no other common ones
// do, such as those for colours.
func shifts(data []byte) bool {
	for {
		i := bytes.IndexByte(data, 0x1b)
		if i < 0 {
			return false
		}
		if data = data[i+1:]; bytes.HasPrefix(data, []byte("$")) || bytes.HasPrefix(data, []byte("(I")) {
			return true
		}
	}
}

func fromUTF16(data []byte, order binary.ByteOrder) []byte {
	out := make([]byte, 0, len(data)/2+len(data)/8)
	for len(data) >= 2 {
		r := rune(order.Uint16(data))
		data = data[2:]
		if utf16.IsSurrogate(r) {
			second := rune(0)
			if len(data) >= 2 {
				second = rune(order.Uint16(data))
			}
			if r = utf16.DecodeRune(r, second); r != utf8.RuneError {
				data = data[2:]
			}
		}
		out = utf8.AppendRune(out, r)
	}
	if len(data) > 0 {
		out = utf8.AppendRune(out, utf8.RuneError)
	}
	return out
}

func fromUTF32(data []byte, order binary.ByteOrder) []byte {
	out := make([]byte, 0, len(data)/4+len(data)/16)
	for ; len(data) >= 4; data = data[4:] {
		r := order.Uint32(data)
		if r > utf8.MaxRune {
			r = utf8.RuneError
		}
		out = utf8.AppendRune(out, rune(r))
	}
	if len(data) > 0 {
		out = utf8.AppendRune(out, utf8.RuneError)
	}
	return out
}
