package text

import (
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/transform"
)

// preferring is an encoding that writes some characters differently than x/text.
// Big5 and Shift JIS have two codes for some characters. The WHATWG Encoding
// Standard, and most software with it, writes the code of the base set. x/text
// writes the vendor's, so "包" would change its bytes in every Big5 file and be
// unreadable to programs without the extension.
type preferring struct {
	encoding.Encoding
	codes func() codes
}

// codes are the two bytes to write for a character.
type codes map[rune][2]byte

func (p preferring) NewEncoder() *encoding.Encoder {
	return &encoding.Encoder{Transformer: &preferringEncoder{inner: p.Encoding.NewEncoder(), codes: p.codes()}}
}

type preferringEncoder struct {
	inner transform.Transformer // without state
	codes codes
}

func (e *preferringEncoder) Reset() { e.inner.Reset() }

func (e *preferringEncoder) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		plain, size, code := e.next(src[nSrc:])
		if plain > 0 {
			end := nSrc + plain
			d, s, err := e.inner.Transform(dst[nDst:], src[nSrc:end], atEOF || end < len(src))
			nDst, nSrc = nDst+d, nSrc+s
			if err != nil {
				return nDst, nSrc, err
			}
		}
		if size == 0 {
			continue
		}
		if len(dst)-nDst < len(code) {
			return nDst, nSrc, transform.ErrShortDst
		}
		nDst += copy(dst[nDst:], code[:])
		nSrc += size
	}
	return nDst, nSrc, nil
}

// next finds the first character of src that has a preferred code. It returns how
// many bytes precede it and how many it takes, 0 if there is none.
func (e *preferringEncoder) next(src []byte) (plain, size int, code [2]byte) {
	for plain < len(src) {
		if src[plain] < utf8.RuneSelf {
			plain++
			continue
		}
		r, n := utf8.DecodeRune(src[plain:])
		if code, has := e.codes[r]; has {
			return plain, n, code
		}
		plain += n
	}
	return plain, 0, code
}

// big5Codes follows WHATWG's "index Big5 pointer": codes before 0xA140 are never written.
// Of several codes the first is written, except for six characters, which take the last.
var big5Codes = sync.OnceValue(func() codes {
	wanted := codes{}
	eachCode(traditionalchinese.Big5, 0xA1, 0xFE, func(r rune, code [2]byte) {
		if _, has := wanted[r]; !has || strings.ContainsRune("═╞╡╪十卅", r) {
			wanted[r] = code
		}
	})
	return wanted.where(traditionalchinese.Big5, func([2]byte) bool { return true })
})

// shiftJISCodes follows WHATWG's "index Shift_JIS pointer": the codes 0xED40 to
// 0xEEFC, NEC's copy of IBM's extensions at 0xFA40, are never written.
var shiftJISCodes = sync.OnceValue(func() codes {
	wanted := codes{}
	eachCode(japanese.ShiftJIS, 0xFA, 0xFC, func(r rune, code [2]byte) {
		if _, has := wanted[r]; !has {
			wanted[r] = code
		}
	})
	return wanted.where(japanese.ShiftJIS, func(written [2]byte) bool { return written[0] == 0xED || written[0] == 0xEE })
})

// eachCode calls f with every two-byte code of enc that is one character and
// whose first byte lies between lo and hi.
func eachCode(enc encoding.Encoding, lo, hi int, f func(r rune, code [2]byte)) {
	var dst [8]byte
	dec := enc.NewDecoder()
	for lead := lo; lead <= hi; lead++ {
		for trail := 0x40; trail <= 0xFE; trail++ {
			code := [2]byte{byte(lead), byte(trail)}
			dec.Reset()
			n, _, err := dec.Transform(dst[:], code[:], true)
			if r, size := utf8.DecodeRune(dst[:n]); err == nil && size == n && r != utf8.RuneError {
				f(r, code)
			}
		}
	}
}

// where returns the codes that differ from what enc writes and for which replace
// returns true.
func (c codes) where(enc encoding.Encoding, replace func(written [2]byte) bool) codes {
	var dst [8]byte
	out := codes{}
	encoder := enc.NewEncoder()
	for r, code := range c {
		n, _, err := encoder.Transform(dst[:], []byte(string(r)), true)
		if written := [2]byte(dst[:2]); err != nil || n != 2 || written != code && replace(written) {
			out[r] = code
		}
	}
	return out
}
