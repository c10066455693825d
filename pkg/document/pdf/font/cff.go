package font

import (
	_ "embed" // the table below
	"strings"
)

// cffStrings are the 391 standard strings of the Compact Font Format, appendix A.
//
//go:embed cff.txt
var cffStrings string

// cff holds the glyph names and the encoding of a CFF font: Adobe's technical note 5176.
type cff struct {
	names    []string    // of the glyphs; nil in a CID font
	encoding *glyphNames // built in
}

// parseCFF reads a font; false if it is none.
func parseCFF(data []byte) (cff, bool) {
	if len(data) < 4 {
		return cff{}, false
	}
	_, at := cffIndex(data, int(data[2])) // the font's name
	tops, at := cffIndex(data, at)
	custom, _ := cffIndex(data, at)
	if len(tops) == 0 {
		return cff{}, false
	}
	top := cffDict(tops[0])
	if _, cid := top[opROS]; cid {
		return cff{}, true
	}
	count := 0
	if offset := top[opCharStrings]; offset > 0 {
		count = int(u16(data, offset))
	}
	standard := strings.Fields(cffStrings)
	name := func(sid int) string {
		switch {
		case sid < len(standard):
			return standard[sid]
		case sid-len(standard) < len(custom):
			return string(custom[sid-len(standard)])
		}
		return ""
	}
	c := cff{names: make([]string, 0, count)}
	for _, sid := range cffCharset(data, top[opCharset], count) {
		c.names = append(c.names, name(sid))
	}
	c.encoding = cffEncoding(data, top[opEncoding], c.names)
	return c, true
}

// Operators of a top dictionary; those of two bytes are 1200 and the second.
const (
	opCharset     = 15
	opEncoding    = 16
	opCharStrings = 17
	opROS         = 1230
)

// cffIndex reads an INDEX and returns its parts and where it ends.
func cffIndex(data []byte, at int) (parts [][]byte, end int) {
	count := int(u16(data, at))
	if count == 0 || at+3 > len(data) {
		return nil, at + 2
	}
	size := int(data[at+2])
	offset := func(i int) int {
		n := 0
		for _, c := range part(data, at+3+i*size, size) {
			n = n<<8 | int(c)
		}
		return n
	}
	base := at + 3 + (count+1)*size - 1
	if size == 0 || size > 4 || base > len(data) {
		return nil, len(data)
	}
	for i := range count {
		from, to := offset(i), offset(i+1)
		parts = append(parts, part(data, base+from, to-from))
	}
	return parts, base + offset(count)
}

// cffDict reads the last whole operand of each operator of a dictionary.
func cffDict(data []byte) map[int]int {
	d := map[int]int{}
	operand := 0
	for i := 0; i < len(data); i++ {
		switch b := int(data[i]); {
		case b == 12 && i+1 < len(data):
			i++
			d[1200+int(data[i])] = operand
		case b <= 21:
			d[b] = operand
			operand = 0
		case b == 28:
			operand = int(int16(u16(data, i+1)))
			i += 2
		case b == 29:
			operand = int(int32(u32(data, i+1)))
			i += 4
		case b == 30: // a real number: nibbles up to 0xf
			for i++; i < len(data) && data[i]&0xf != 0xf && data[i]>>4 != 0xf; i++ {
			}
		case b >= 32 && b <= 246:
			operand = b - 139
		case b >= 247 && b <= 250 && i+1 < len(data):
			i++
			operand = (b-247)*256 + int(data[i]) + 108
		case b >= 251 && b <= 254 && i+1 < len(data):
			i++
			operand = -(b-251)*256 - int(data[i]) - 108
		}
	}
	return d
}

// cffCharset returns the string of each glyph's name.
func cffCharset(data []byte, at, count int) []int {
	sids := make([]int, 1, max(count, 1))
	if at <= 2 { // predefined: the order of the standard strings
		for sid := 1; sid < count; sid++ {
			sids = append(sids, sid)
		}
		return sids
	}
	if at >= len(data) {
		return sids
	}
	format := data[at]
	for at++; len(sids) < count && at+2 <= len(data); {
		sid, run := int(u16(data, at)), 0
		at += 2
		switch format {
		case 1:
			if at < len(data) {
				run = int(data[at])
			}
			at++
		case 2:
			run = int(u16(data, at))
			at += 2
		}
		for ; run >= 0 && len(sids) < count; run-- {
			sids = append(sids, sid)
			sid++
		}
	}
	return sids
}

// cffEncoding returns the names of the codes.
func cffEncoding(data []byte, at int, names []string) *glyphNames {
	if at <= 1 {
		e, _ := predefined("StandardEncoding")
		return e
	}
	e := new(glyphNames)
	glyph := 1
	put := func(code int) {
		if code < len(e) && glyph < len(names) {
			e[code] = names[glyph]
		}
		glyph++
	}
	if at+2 > len(data) {
		return e
	}
	format, n := data[at]&0x7f, int(data[at+1])
	for i := range n {
		if format == 0 {
			for _, code := range part(data, at+2+i, 1) {
				put(int(code))
			}
			continue
		}
		if r := part(data, at+2+2*i, 2); len(r) == 2 {
			for j := range int(r[1]) + 1 {
				put(int(r[0]) + j)
			}
		}
	}
	return e
}
