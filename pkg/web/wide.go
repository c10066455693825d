package web

import (
	"bytes"
	"encoding/binary"
	"unicode"
	"unicode/utf16"

	"github.com/helve-dev/helve/pkg/files/kind"
	encodings "github.com/helve-dev/helve/pkg/files/text"
)

const (
	// wideBytes is the number of bytes of a body read to detect UTF-16 and UTF-32.
	wideBytes = 4 << 10
	// wideShare bounds the Latin characters of such a text from below, to one in
	// wideShare: markup and spaces are Latin, whatever the language.
	wideShare = 16
)

// Wide reports whether a body is text in UTF-16 or UTF-32, with or without a byte order
// mark.
func Wide(body []byte) bool {
	if name, _, ok := mark(body); ok {
		return name != "utf-8"
	}
	return wide(body) != ""
}

// wide recognises UTF-16 and UTF-32 without a byte order mark, by bytes that are 0 in the
// same place of the characters that are Latin. It returns "" for anything else.
func wide(body []byte) string {
	head := body[:min(len(body), wideBytes)]
	if bytes.IndexByte(head, 0) < 0 {
		return ""
	}
	if big, likely := kind.LikeUTF32(head); likely {
		if big {
			return encodings.UTF32BE
		}
		return encodings.UTF32LE
	}
	head = head[:len(head)&^1]
	switch {
	case like16(head, binary.LittleEndian):
		return encodings.UTF16LE
	case like16(head, binary.BigEndian):
		return encodings.UTF16BE
	}
	return ""
}

// like16 reports whether a text in UTF-16 begins with these bytes: all of its characters
// are those of texts, and enough of them are Latin.
func like16(head []byte, order binary.ByteOrder) bool {
	latin, units := 0, len(head)/2
	for i := 0; i+1 < len(head); i += 2 {
		r := rune(order.Uint16(head[i:]))
		switch {
		case utf16.IsSurrogate(r):
			if i+4 > len(head) {
				continue // it is cut
			}
			if i += 2; utf16.DecodeRune(r, rune(order.Uint16(head[i:]))) == unicode.ReplacementChar {
				return false
			}
		case r < 0x80:
			if kind.Control(byte(r)) {
				return false
			}
			latin++
		case !unicode.IsGraphic(r) && !unicode.Is(unicode.Cf, r):
			return false
		}
	}
	return units >= 2 && latin*wideShare >= units
}
