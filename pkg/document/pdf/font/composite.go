package font

import (
	"strings"

	"github.com/helve-dev/helve/pkg/document/pdf/object"
)

// composite is a Type0 font: codes of one to four bytes, which a CMap leads to the glyphs
// of a CIDFont. 9.7.
type composite struct {
	vertical   bool
	descriptor object.Dict
	coding     coding      // how a predefined CMap codes characters
	embedded   *cmap       // the embedded CMap; nil for a predefined one
	unicode    *cmap       // ToUnicode
	collection *collection // of the CIDs; nil for those of one font alone
	program    *program    // of the CIDFont
	gids       []byte      // CIDToGIDMap
	widths     cidWidths
	chars      map[uint64]Char // what was decoded before, by code and length
}

// newComposite reads a Type0 font.
func newComposite(file *object.File, dict object.Dict) *composite {
	c := &composite{chars: map[uint64]Char{}}
	descendant := object.Dict{}
	if fonts := file.Array(dict["DescendantFonts"]); len(fonts) > 0 {
		descendant = file.Dict(fonts[0])
	}
	c.descriptor = file.Dict(descendant["FontDescriptor"])
	c.program = loadProgram(file, c.descriptor)
	c.collection = newCollection(file.Text(file.Dict(descendant["CIDSystemInfo"])["Ordering"]))
	if stream, ok := file.Resolve(descendant["CIDToGIDMap"]).(*object.Stream); ok {
		c.gids, _, _ = file.Data(stream) // what could be read of it
	}
	name := string(file.Name(dict["Encoding"]))
	if stream, ok := file.Resolve(dict["Encoding"]).(*object.Stream); ok {
		data, _, _ := file.Data(stream) // what could be read of it
		c.embedded = parseCMap(data)
		name = c.embedded.use
		if use := file.Name(stream.Dict["UseCMap"]); use != "" {
			name = string(use)
		}
		if c.vertical = c.embedded.vertical; !c.vertical {
			mode, _ := file.Int(stream.Dict["WMode"])
			c.vertical = mode == 1
		}
	}
	if c.embedded == nil {
		c.vertical = strings.HasSuffix(name, "-V") || name == "V"
	}
	c.coding = predefinedCoding(name)
	c.unicode = toUnicode(file, dict["ToUnicode"])
	c.widths = readWidths(file, descendant, c.vertical)
	return c
}

// maxChars bounds how many characters of a font are remembered, and widths of its CIDs.
const maxChars = 1 << 14

// bytes returns about how much memory the font takes, or will.
func (c *composite) bytes() int {
	const entry = 64 // of a map
	n := 64<<10 + len(c.gids) + entry*len(c.widths.single) + 16*len(c.program.names)
	for _, m := range []*cmap{c.embedded, c.unicode} {
		if m != nil {
			n += 2 * entry * m.mappings
		}
	}
	if s := c.program.sfnt; s != nil {
		n += entry*(len(s.runes)+len(s.symbol)+len(s.mac)) + 32*len(s.names)
	}
	return n
}

// next returns the first character of s and its length.
func (c *composite) next(s []byte) (Char, int) {
	var code uint32
	var n int
	if c.embedded != nil && len(c.embedded.spaces) > 0 {
		code, n = c.embedded.next(s)
	} else {
		n = c.coding.length(s)
		code = number(s[:n])
	}
	key := uint64(n)<<32 | uint64(code)
	if char, ok := c.chars[key]; ok {
		return char, n
	}
	char := c.char(code, s[:n])
	if len(c.chars) < maxChars {
		c.chars[key] = char
	}
	return char, n
}

// char decodes a code of the bytes s.
func (c *composite) char(code uint32, s []byte) Char {
	char := Char{Space: len(s) == 1 && s[0] == ' '}
	cid, known := c.cid(code, uint8(len(s)))
	coded := c.coding.text(s)
	char.Text = best(c.unicode.text(code), func() string {
		if coded != "" {
			return coded
		}
		return c.cidText(cid, known)
	})
	switch {
	case known:
		char.Width = c.widths.of(cid) / 1000
	case len(s) == 1 && !c.vertical:
		char.Width = 0.5 // the Latin letters of a CJK font
	default:
		char.Width = c.widths.standard / 1000
	}
	char.Text = Plain(char.Text)
	return char
}

// cid returns a code's CID; false if that takes a predefined CMap.
func (c *composite) cid(code uint32, length uint8) (uint32, bool) {
	if c.embedded != nil {
		if s := c.embedded.find(code, length); s != nil {
			return s.cid + code - s.low, true
		}
		if c.embedded.use == "" {
			return 0, true
		}
	}
	return code, c.coding == identity
}

// cidText returns what a CID means by its character collection, or by the font program.
func (c *composite) cidText(cid uint32, known bool) string {
	if !known {
		return ""
	}
	if c.collection != nil {
		return c.collection.text(cid)
	}
	glyph := int(cid)
	if len(c.gids) > 0 {
		glyph = int(u16(c.gids, 2*glyph))
	}
	return c.program.glyph(glyph)
}

// cidWidths are the widths of a CIDFont, or how far down its glyphs lead: 9.7.4.3.
type cidWidths struct {
	standard float64 // thousandths of an em
	single   map[uint32]float64
	ranges   []cidRange
}

type cidRange struct {
	first, last uint32
	width       float64
}

func (w *cidWidths) of(cid uint32) float64 {
	if width, ok := w.single[cid]; ok {
		return width
	}
	for _, r := range w.ranges {
		if r.first <= cid && cid <= r.last {
			return r.width
		}
	}
	return w.standard
}

// readWidths reads W and DW, or W2 and DW2.
func readWidths(file *object.File, font object.Dict, vertical bool) cidWidths {
	const maxRanges = 2000
	w := cidWidths{standard: 1000, single: map[uint32]float64{}}
	list, values, which := file.Array(font["W"]), 1, 0
	if vertical {
		list, values = file.Array(font["W2"]), 3
		w.standard = -1000
		if standard := file.Array(font["DW2"]); len(standard) == 2 {
			w.standard, _ = file.Number(standard[1])
		}
	} else if standard, ok := file.Number(font["DW"]); ok {
		w.standard = standard
	}
	for len(list) >= 2 {
		first, _ := file.Int(list[0])
		if first < 0 || first > 0xffff {
			first = 0xffff
		}
		if widths := file.Array(list[1]); widths != nil {
			for i := 0; i+values <= len(widths) && len(w.single) < maxChars; i += values {
				width, _ := file.Number(widths[i+which])
				w.single[uint32(first)+uint32(i/values)] = width
			}
			list = list[2:]
			continue
		}
		if len(list) < 2+values {
			break
		}
		last, _ := file.Int(list[1])
		width, _ := file.Number(list[2+which])
		switch last = min(last, 0xffff); {
		case last-first < 16:
			for cid := first; cid <= last; cid++ {
				w.single[uint32(cid)] = width
			}
		case len(w.ranges) < maxRanges:
			w.ranges = append(w.ranges, cidRange{uint32(first), uint32(last), width})
		}
		list = list[2+values:]
	}
	return w
}
