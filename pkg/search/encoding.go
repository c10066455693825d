package search

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// utf8BOM is the mark at the start of some UTF-8 files. It is not part of the text.
const utf8BOM = "\xef\xbb\xbf"

// wide reports whether a file starts with a byte order mark of UTF-16 or UTF-32.
func wide(head []byte) bool {
	return len(head) >= 2 && (head[0] == 0xff && head[1] == 0xfe || head[0] == 0xfe && head[1] == 0xff) ||
		bytes.HasPrefix(head, []byte{0, 0, 0xfe, 0xff})
}

// transcode converts such a file to UTF-8. Ill-formed parts become U+FFFD.
func transcode(data []byte) []byte {
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe, 0, 0}):
		return fromUTF32(data[4:], binary.LittleEndian)
	case bytes.HasPrefix(data, []byte{0, 0, 0xfe, 0xff}):
		return fromUTF32(data[4:], binary.BigEndian)
	case data[0] == 0xff:
		return fromUTF16(data[2:], binary.LittleEndian)
	}
	return fromUTF16(data[2:], binary.BigEndian)
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
