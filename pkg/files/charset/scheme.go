package charset

import (
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// scheme is a multi-byte encoding of Chinese, Japanese or Korean, as the WHATWG Encoding
// Standard defines it.
type scheme byte

const (
	gb18030 scheme = iota
	big5
	shiftJIS
	eucJP
	eucKR
)

// encoding returns the encoding that decodes the scheme.
func (s scheme) encoding() encoding.Encoding {
	switch s {
	case gb18030:
		return simplifiedchinese.GB18030
	case big5:
		return traditionalchinese.Big5
	case shiftJIS:
		return japanese.ShiftJIS
	case eucJP:
		return japanese.EUCJP
	}
	return korean.EUCKR
}

// length returns how many bytes at the beginning of b, whose first is beyond ASCII,
// form a character. It returns 0 if none do, and may return more than len(b) if b
// ends within a character.
func (s scheme) length(b []byte) int {
	lead := b[0]
	if s == shiftJIS && within(lead, 0xA1, 0xDF) {
		return 1
	}
	if !s.leads(lead) {
		return 0
	}
	if len(b) == 1 {
		return 2
	}
	switch trail := b[1]; {
	case s == gb18030 && within(trail, '0', '9'):
		if len(b) > 2 && !within(b[2], 0x81, 0xFE) || len(b) > 3 && !within(b[3], '0', '9') {
			return 0
		}
		return 4
	case s == eucJP && lead == 0x8F:
		if !within(trail, 0xA1, 0xFE) || len(b) > 2 && !within(b[2], 0xA1, 0xFE) {
			return 0
		}
		return 3
	case s.trails(lead, trail):
		return 2
	}
	return 0
}

// leads reports whether c begins a character of several bytes.
func (s scheme) leads(c byte) bool {
	switch s {
	case shiftJIS:
		return within(c, 0x81, 0x9F) || within(c, 0xE0, 0xFC)
	case eucJP:
		return within(c, 0xA1, 0xFE) || c == 0x8E || c == 0x8F
	}
	return within(c, 0x81, 0xFE)
}

// trails reports whether c ends a character of two bytes.
func (s scheme) trails(lead, c byte) bool {
	switch s {
	case gb18030:
		return within(c, 0x40, 0xFE) && c != 0x7F
	case big5:
		return within(c, 0x40, 0x7E) || within(c, 0xA1, 0xFE)
	case shiftJIS:
		return within(c, 0x40, 0xFC) && c != 0x7F
	case eucJP:
		return within(c, 0xA1, 0xFE) && (lead != 0x8E || c <= 0xDF)
	}
	return within(c, 'A', 'Z') || within(c, 'a', 'z') || within(c, 0x81, 0xFE)
}

func within(c, lo, hi byte) bool { return lo <= c && c <= hi }

// unseen returns the cost of a character of two bytes that is not among the frequent
// ones. The standards have common and rare characters in separate ranges.
func (s scheme) unseen(lead, trail byte) float64 {
	const (
		common = 10
		symbol = 10.5
		hangul = 12.5 // syllables that were not in the first standard
		rare   = 13
		added  = 14.5 // later, by a manufacturer or a government
	)
	switch s {
	case gb18030:
		switch {
		case trail < 0xA1, lead < 0xA1, within(lead, 0xAA, 0xAF), lead > 0xF7:
			return added
		case lead < 0xB0:
			return symbol
		case lead < 0xD8:
			return common
		}
		return rare
	case big5:
		switch {
		case lead < 0xA1, lead > 0xF9, within(lead, 0xC7, 0xC8):
			return added
		case lead < 0xA4:
			return symbol
		case lead < 0xC7:
			return common
		}
		return rare
	case shiftJIS:
		switch {
		case within(lead, 0x81, 0x84):
			return symbol
		case within(lead, 0x88, 0x97):
			return common
		case within(lead, 0x98, 0x9F), within(lead, 0xE0, 0xEA):
			return rare
		}
		return added
	case eucJP:
		switch {
		case within(lead, 0xA1, 0xA8):
			return symbol
		case within(lead, 0xB0, 0xCF):
			return common
		case within(lead, 0xD0, 0xF4):
			return rare
		}
		return added
	}
	switch {
	case lead < 0xA1, trail < 0xA1:
		return hangul
	case lead < 0xAD:
		return symbol
	case within(lead, 0xB0, 0xC8):
		return common
	}
	return rare
}
