package xls

import (
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding"

	"github.com/helve-dev/helve/pkg/document/sheet"
)

// maxShared limits the bytes of shared strings that are kept.
const maxShared = 128 << 20

// Flags of a string in BIFF8 (MS-XLS 2.5.293).
const (
	flagWide     = 1
	flagPhonetic = 4
	flagRich     = 8
)

// appendWide appends UTF-16, little endian, as UTF-8.
func appendWide(dst, data []byte) []byte {
	for len(data) >= 2 {
		r := rune(le16(data))
		data = data[2:]
		if utf16.IsSurrogate(r) && len(data) >= 2 {
			if pair := utf16.DecodeRune(r, rune(le16(data))); pair != utf8.RuneError {
				r = pair
				data = data[2:]
			}
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

// appendNarrow appends the lower halves of UTF-16 whose upper ones are zero as UTF-8.
func appendNarrow(dst, data []byte) []byte {
	for _, b := range data {
		if b < utf8.RuneSelf {
			dst = append(dst, b)
		} else {
			dst = utf8.AppendRune(dst, rune(b))
		}
	}
	return dst
}

// appendPage appends text in the workbook's code page as UTF-8.
func appendPage(dst, data []byte, page encoding.Encoding) []byte {
	ascii := true
	for _, b := range data {
		ascii = ascii && b < utf8.RuneSelf
	}
	if ascii {
		return append(dst, data...)
	}
	decoded, err := page.NewDecoder().Bytes(data)
	if err != nil {
		return appendNarrow(dst, data)
	}
	return append(dst, decoded...)
}

// chars appends count characters as UTF-8. Where they go on in the next record, that
// begins with a byte that says anew how wide they are (MS-XLS 2.5.294).
func (c *continued) chars(dst []byte, count int, wide bool) []byte {
	start := len(dst)
	var split []byte // what of UTF-16 was before the last boundary, if a pair was cut
	for count > 0 {
		if len(c.data) == 0 {
			if !c.more() || len(c.data) == 0 {
				break
			}
			wide = c.data[0]&flagWide != 0
			c.data = c.data[1:]
			continue
		}
		if !wide {
			n := min(count, len(c.data))
			dst = appendNarrow(dst, c.data[:n])
			c.data, count = c.data[n:], count-n
			continue
		}
		n := min(count, len(c.data)/2)
		if n == 0 { // half a character
			c.data = nil
			continue
		}
		part := c.data[:2*n]
		c.data, count = c.data[2*n:], count-n
		if split != nil {
			part = append(split, part...)
			split = nil
		}
		if last := rune(le16(part[len(part)-2:])); count > 0 && last >= 0xD800 && last < 0xDC00 {
			split = append([]byte(nil), part[len(part)-2:]...)
			part = part[:len(part)-2]
		}
		dst = appendWide(dst, part)
	}
	if end := start + sheet.MaxText; len(dst) > end {
		for !utf8.RuneStart(dst[end]) {
			end--
		}
		dst = dst[:end]
	}
	return dst
}

// rich appends an XLUnicodeRichExtendedString (MS-XLS 2.5.293) without its formatting
// and its phonetic text.
func (c *continued) rich(dst []byte) []byte {
	head := c.bytes(3)
	count, flags := le16(head), head[2]
	var runs, phonetic int64
	if flags&flagRich != 0 {
		runs = int64(le16(c.bytes(2)))
	}
	if flags&flagPhonetic != 0 {
		phonetic = int64(le32(c.bytes(4)))
	}
	dst = c.chars(dst, count, flags&flagWide != 0)
	c.skip(4*runs + phonetic)
	return dst
}

// shared is the table of shared strings.
type shared struct {
	text []byte
	ends []uint32 // where each string ends in text
}

// get returns a string, or nil if there is none by the number.
func (t *shared) get(i uint32) []byte {
	if uint64(i) >= uint64(len(t.ends)) {
		return nil
	}
	start := uint32(0)
	if i > 0 {
		start = t.ends[i-1]
	}
	return t.text[start:t.ends[i]:t.ends[i]]
}

// readShared reads the record SST, at which the scanner stands. What it claims to hold
// is not believed: strings end with the records.
func readShared(s *scanner) *shared {
	t := &shared{}
	if len(s.data) < 8 {
		return t
	}
	unique := le32(s.data[4:])
	c := &continued{s: s, data: s.data[8:]}
	for range unique {
		if len(c.data) == 0 && !c.more() {
			break
		}
		t.text = c.rich(t.text)
		if len(t.text) > maxShared {
			break
		}
		t.ends = append(t.ends, uint32(len(t.text)))
	}
	return t
}

// short returns a string of BIFF8 that begins with its flags and has count characters,
// and what follows it.
func short(data []byte, count int) (string, []byte) {
	if len(data) == 0 {
		return "", nil
	}
	if data[0]&flagWide != 0 {
		n := min(2*count, (len(data)-1)&^1)
		return string(appendWide(nil, data[1:1+n])), data[1+n:]
	}
	n := min(count, len(data)-1)
	return string(appendNarrow(nil, data[1:1+n])), data[1+n:]
}
