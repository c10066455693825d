package font

import (
	"bytes"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/charmap"

	"github.com/helve-dev/helve/pkg/document/pdf/object"
)

// program holds the data of an embedded font about its glyphs: 9.9. It gives a code its
// meaning if the PDF itself does not. It may be empty.
type program struct {
	encoding *glyphNames // that a Type1 font brings
	sfnt     *sfnt       // a TrueType or OpenType font
	names    []string    // of a CFF font's glyphs; nil if they are known by CIDs
}

// loadProgram reads a descriptor's font program.
func loadProgram(file *object.File, descriptor object.Dict) *program {
	p := &program{}
	for _, key := range []object.Name{"FontFile", "FontFile2", "FontFile3"} {
		stream, ok := file.Resolve(descriptor[key]).(*object.Stream)
		if !ok {
			continue
		}
		data, _, err := file.Data(stream)
		if err != nil && len(data) == 0 {
			continue
		}
		p.parse(data)
		break
	}
	return p
}

// parse reads a font program of any kind.
func (p *program) parse(data []byte) {
	switch {
	case len(data) < 4:
	case data[0] == 1 && data[1] == 0 && data[2] >= 4: // not the version of a TrueType font
		p.cff(data)
	case data[0] == '%' || data[0] == 0x80:
		p.encoding = type1Encoding(data)
	default:
		p.sfnt = parseSFNT(data)
		if table := p.sfnt.table("CFF "); table != nil {
			p.cff(table)
		}
	}
}

// cff takes over what a CFF font says.
func (p *program) cff(data []byte) {
	c, ok := parseCFF(data)
	if !ok {
		return
	}
	p.names = c.names
	if c.names != nil {
		p.encoding = c.encoding
	}
}

// empty reports whether there is no program.
func (p *program) empty() bool {
	return p.encoding == nil && p.sfnt == nil && p.names == nil
}

// glyph returns what a glyph means, by its number.
func (p *program) glyph(n int) string {
	if n < len(p.names) && p.names[n] != "" {
		return glyphText(p.names[n])
	}
	return p.sfnt.glyph(n)
}

// code returns what a code of a simple TrueType font means: 9.6.5.4.
func (p *program) code(code byte) string {
	if p.sfnt == nil {
		return ""
	}
	if n, ok := p.sfnt.symbol[uint16(code)]; ok {
		if text := p.sfnt.glyph(n); text != "" {
			return text
		}
	}
	if n, ok := p.sfnt.mac[uint16(code)]; ok {
		if text := p.sfnt.glyph(n); text != "" {
			return text
		}
		if len(p.sfnt.symbol) == 0 && code >= ' ' && code != 0x7f {
			return string(charmap.Macintosh.DecodeByte(code))
		}
	}
	return ""
}

// type1Encoding reads the encoding of a Type1 font from its clear text: lines such as
// "dup 65 /A put". It is nil for a font that uses the standard encoding.
func type1Encoding(data []byte) *glyphNames {
	at := bytes.Index(data, []byte("/Encoding"))
	if at < 0 {
		return nil
	}
	data = data[at:]
	if end := bytes.Index(data, []byte("eexec")); end >= 0 {
		data = data[:end]
	}
	const maxEncoding = 1 << 16
	fields := strings.Fields(strings.ReplaceAll(string(data[:min(len(data), maxEncoding)]), "/", " /"))
	if len(fields) > 1 && fields[1] == "StandardEncoding" {
		e, _ := predefined("StandardEncoding")
		return e
	}
	e := new(glyphNames)
	for i := 0; i+3 < len(fields); i++ {
		if fields[i] == "readonly" || fields[i] == "def" && i > 12 && fields[i-1] != "for" {
			break
		}
		if fields[i] != "dup" || !strings.HasPrefix(fields[i+2], "/") {
			continue
		}
		if code, err := strconv.ParseUint(fields[i+1], 10, 8); err == nil && fields[i+2] != "/.notdef" {
			e[code] = fields[i+2][1:]
		}
	}
	return e
}
