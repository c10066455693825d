package font

import (
	"encoding/binary"
	"slices"
)

// sfnt is a TrueType or OpenType font: which characters its glyphs are for.
type sfnt struct {
	tables map[string][]byte
	runes  map[int]rune   // the character of a glyph, by a Unicode subtable
	symbol map[uint16]int // the glyph of a code, by the subtable for symbols
	mac    map[uint16]int // the glyph of a code, by the one for the Macintosh
	names  []string       // of the glyphs, by the table post
}

// Limits of a font.
const (
	maxTables  = 64
	maxGlyphs  = 1 << 16
	maxSegment = 1 << 16 // codes in one segment of a subtable
	maxCodes   = 1 << 20 // codes in all subtables
)

// parseSFNT reads a font. What is broken is missing then.
func parseSFNT(data []byte) *sfnt {
	f := &sfnt{tables: map[string][]byte{}, runes: map[int]rune{}, symbol: map[uint16]int{}, mac: map[uint16]int{}}
	for i := range min(int(u16(data, 4)), maxTables) {
		record := 12 + 16*i
		if record+16 > len(data) {
			break
		}
		f.tables[string(data[record:record+4])] = part(data, int(u32(data, record+8)), int(u32(data, record+12)))
	}
	f.readCmap(f.tables["cmap"])
	f.readPost(f.tables["post"])
	return f
}

// table returns a table, nil if there is none.
func (f *sfnt) table(tag string) []byte { return f.tables[tag] }

// symbols reports whether the font's codes are its own.
func (f *sfnt) symbols() bool { return len(f.symbol) > 0 }

// glyph returns what a glyph means.
func (f *sfnt) glyph(n int) string {
	if f == nil {
		return ""
	}
	if r, ok := f.runes[n]; ok {
		return string(r)
	}
	if n >= 0 && n < len(f.names) {
		return glyphText(f.names[n])
	}
	return ""
}

// readCmap reads the table cmap.
func (f *sfnt) readCmap(t []byte) {
	left := maxCodes
	for i := range min(int(u16(t, 2)), maxTables) {
		platform, kind := u16(t, 4+8*i), u16(t, 6+8*i)
		offset := int(u32(t, 8+8*i))
		if offset <= 0 || offset >= len(t) {
			continue
		}
		sub := t[offset:]
		switch {
		case platform == 3 && kind == 0:
			eachCode(sub, &left, func(code uint32, glyph int) {
				if code < 0x100 || code >= 0xf000 && code < 0xf100 {
					f.symbol[uint16(code&0xff)] = glyph
				}
			})
		case platform == 3 && (kind == 1 || kind == 10), platform == 0:
			eachCode(sub, &left, func(code uint32, glyph int) {
				// Of several characters the first one counts, except private ones.
				if old, ok := f.runes[glyph]; (!ok || meaningless(string(old))) && glyph > 0 {
					f.runes[glyph] = rune(code)
				}
			})
		case platform == 1 && kind == 0:
			eachCode(sub, &left, func(code uint32, glyph int) {
				if code < 0x100 {
					f.mac[uint16(code)] = glyph
				}
			})
		}
	}
}

// eachCode calls visit with the codes of a cmap subtable of the format 0, 4, 6 or 12, of
// which so many are left.
func eachCode(t []byte, left *int, visit func(code uint32, glyph int)) {
	put := func(code uint32, glyph int) {
		if *left--; *left > 0 && glyph != 0 && glyph < maxGlyphs {
			visit(code, glyph)
		}
	}
	switch u16(t, 0) {
	case 0:
		for code, glyph := range part(t, 6, 256) {
			put(uint32(code), int(glyph))
		}
	case 4:
		n := int(u16(t, 6)) / 2
		for i := 0; i < n && *left > 0; i++ {
			last, first := int(u16(t, 14+2*i)), int(u16(t, 16+2*n+2*i))
			delta, at := int(u16(t, 16+4*n+2*i)), 16+6*n+2*i
			offset := int(u16(t, at))
			for code := first; code <= last && code < 0xffff && *left > 0; code++ {
				glyph := code
				if offset != 0 {
					glyph = int(u16(t, at+offset+2*(code-first)))
					if glyph == 0 {
						*left--
						continue
					}
				}
				put(uint32(code), (glyph+delta)&0xffff)
			}
		}
	case 6:
		first := int(u16(t, 6))
		for i := range int(u16(t, 8)) {
			put(uint32(first+i), int(u16(t, 10+2*i)))
		}
	case 12:
		for i := range min(int(u32(t, 12)), maxGlyphs) {
			at := 16 + 12*i
			if at+12 > len(t) || *left <= 0 {
				break
			}
			first, last, glyph := u32(t, at), u32(t, at+4), u32(t, at+8)
			for code := first; code <= last && code-first < maxSegment && *left > 0; code++ {
				put(code, int(glyph+code-first))
			}
		}
	}
}

// readPost reads the names of the table post, in its format 2. The 258 names that stand
// for themselves are left out: a font with these has a cmap too.
func (f *sfnt) readPost(t []byte) {
	if u32(t, 0) != 0x00020000 {
		return
	}
	const macintosh = 258
	n := int(u16(t, 32))
	var own []string
	for rest := part(t, 34+2*n, len(t)); len(rest) > 0 && len(own) < maxGlyphs; {
		length := int(rest[0])
		own = append(own, string(part(rest, 1, length)))
		rest = rest[min(1+length, len(rest)):]
	}
	f.names = slices.Grow(f.names, n)
	for i := range n {
		name := ""
		if index := int(u16(t, 34+2*i)) - macintosh; index >= 0 && index < len(own) {
			name = own[index]
		}
		f.names = append(f.names, name)
	}
}

// part returns the bytes from offset, at most n.
func part(data []byte, offset, n int) []byte {
	if offset < 0 || offset >= len(data) || n <= 0 {
		return nil
	}
	data = data[offset:]
	return data[:min(n, len(data))]
}

// u16 and u32 read big-endian numbers; 0 beyond the end.
func u16(data []byte, at int) uint16 {
	if at < 0 || at+2 > len(data) {
		return 0
	}
	return binary.BigEndian.Uint16(data[at:])
}

func u32(data []byte, at int) uint32 {
	if at < 0 || at+4 > len(data) {
		return 0
	}
	return binary.BigEndian.Uint32(data[at:])
}
