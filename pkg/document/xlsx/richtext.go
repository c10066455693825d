package xlsx

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// readRich appends the text of the element that the last Start opened, which has the type
// CT_Rst (18.4.8): its runs one after the other, without phonetic ones. At most
// [sheet.MaxText] bytes are kept.
func readRich(s *xmlscan.Scanner, dst []byte) []byte {
	from := len(dst)
	for depth := s.Depth(); ; {
		switch s.Next() {
		case xmlscan.Start:
			switch s.Local() {
			case "t":
				dst = appendText(s, dst, from+sheet.MaxText)
			case "rPh", "phoneticPr", "rPr":
				s.Skip()
			}
		case xmlscan.End:
			if s.Depth() < depth {
				return dst
			}
		case xmlscan.EOF:
			return dst
		}
	}
}

// appendText appends the text of the element that the last Start opened until dst has so
// many bytes.
func appendText(s *xmlscan.Scanner, dst []byte, most int) []byte {
	for depth := s.Depth(); ; {
		switch s.Next() {
		case xmlscan.Text:
			if left := most - len(dst); left > 0 {
				t := s.Text()
				if len(t) > left {
					t = whole(t[:left])
				}
				dst = append(dst, t...)
			}
		case xmlscan.End:
			if s.Depth() < depth {
				return dst
			}
		case xmlscan.EOF:
			return dst
		}
	}
}

// whole returns b without the piece of a character that it may end with.
func whole(b []byte) []byte {
	for back := 1; back < utf8.UTFMax && back <= len(b); back++ {
		if c := b[len(b)-back]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-back:]) {
				return b[:len(b)-back]
			}
			break
		}
	}
	return b
}

// unescape replaces _xHHHH_, in place, by the character that it stands for (22.9.2.19).
// Pairs of surrogates become one.
func unescape(b []byte) []byte {
	at := bytes.Index(b, []byte("_x"))
	if at < 0 {
		return b
	}
	out := b[:at]
	for i := at; i < len(b); {
		unit, ok := escaped(b[i:])
		if !ok {
			out = append(out, b[i])
			i++
			continue
		}
		i += escapeBytes
		if utf16.IsSurrogate(unit) {
			if low, ok := escaped(b[min(i, len(b)):]); ok && utf16.DecodeRune(unit, low) != utf8.RuneError {
				unit = utf16.DecodeRune(unit, low)
				i += escapeBytes
			}
		}
		out = utf8.AppendRune(out, unit) // at most four bytes, of seven
	}
	return out
}

const escapeBytes = len("_xHHHH_")

// escaped reads an escape that b begins with.
func escaped(b []byte) (unit rune, ok bool) {
	if len(b) < escapeBytes || b[0] != '_' || b[1] != 'x' || b[6] != '_' {
		return 0, false
	}
	for _, c := range b[2:6] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		unit = unit<<4 | rune(c)
	}
	return unit, true
}
