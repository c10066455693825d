package font

import (
	"math"
	"strings"

	"golang.org/x/text/encoding/charmap"

	"github.com/helve-dev/helve/pkg/document/pdf/object"
)

// newSimple reads a Type1, TrueType or Type3 font: 9.6. It also sets the other fields of f.
func newSimple(file *object.File, dict object.Dict, f *Font) *[256]Char {
	name := string(file.Name(dict["BaseFont"]))
	descriptor := file.Dict(dict["FontDescriptor"])
	program := loadProgram(file, descriptor)
	names, given := names(file, dict, name, descriptor, program)
	unicode := toUnicode(file, dict["ToUnicode"])

	dingbats := strings.Contains(name, "Dingbats")

	widths := simpleWidths(file, dict, descriptor, name, names)
	scale := 0.001
	drawn := file.Name(dict["Subtype"]) == "Type3"
	if drawn {
		scale, f.Em = type3(file, dict, &widths)
	}

	chars := new([256]Char)
	for code := range chars {
		c := &chars[code]
		c.Space = code == ' '
		c.Width = widths[code] * scale
		c.Text = Plain(best(unicode.text(uint32(code)), func() string {
			if dingbats && dingbat(names[code]) {
				return dingbatText(names[code])
			}
			text := simpleText(byte(code), names[code], given[code], program, descriptor == nil)
			if text == "" && drawn && isWord(names[code]) && alphanumeric(byte(code)) {
				text = string(rune(code)) // the name tells the shape: the code is what was typed
			}
			return text
		}))
	}
	return chars
}

// isWord reports whether a glyph's name is a word, which nothing but people gives.
func isWord(name string) bool {
	return len(name) > 2 && strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz") == ""
}

// alphanumeric reports whether a code is that of a letter or a digit in ASCII.
func alphanumeric(code byte) bool {
	return code >= '0' && code <= '9' || code|0x20 >= 'a' && code|0x20 <= 'z'
}

// simpleText returns what a code means by the name of its glyph, or else by the font
// program. Names that the PDF gives itself go before the program's glyphs.
func simpleText(code byte, name string, given bool, program *program, standard bool) string {
	if name != "" {
		if text := glyphText(name); text != "" {
			return text
		}
		if n, ok := numbered(name); ok {
			if text := program.glyph(n); text != "" {
				return text
			}
			if n >= ' ' && n <= 0xff {
				return latin(byte(n))
			}
		}
		if given && name != ".notdef" {
			return ""
		}
	}
	if text := program.code(code); text != "" {
		return text
	}
	if name == "" && !given && !standard && !program.empty() && program.sfnt == nil {
		return "" // the program has no such glyph
	}
	return latin(code)
}

// latin returns the character of Windows-1252, empty for controls.
func latin(code byte) string {
	if code < ' ' || code == 0x7f {
		return ""
	}
	return string(charmap.Windows1252.DecodeByte(code))
}

// names returns a simple font's encoding, and which of its names the file gives itself: 9.6.5.
func names(file *object.File, dict object.Dict, font string, descriptor object.Dict, program *program) (names glyphNames, given [256]bool) {
	value := file.Resolve(dict["Encoding"])
	base, differences := "", object.Array(nil)
	switch v := value.(type) {
	case object.Name:
		base = string(v)
	case object.Dict:
		base = string(file.Name(v["BaseEncoding"]))
		differences = file.Array(v["Differences"])
	}
	flags, _ := file.Int(descriptor["Flags"])
	symbolic := flags&4 != 0
	if e, ok := predefined(base); ok && base != "" {
		names = *e
		if !symbolic || program.sfnt == nil {
			for i, name := range names {
				given[i] = name != ""
			}
		} else if program.sfnt.symbols() {
			names = glyphNames{} // a symbolic TrueType font's codes are its own
		}
	} else if program.encoding != nil {
		names = *program.encoding
	} else if name := builtIn(font); name != "" {
		e, _ := predefined(name)
		names = *e
	} else if !symbolic && program.sfnt == nil && program.empty() {
		e, _ := predefined("StandardEncoding")
		names = *e
	}
	code := 0
	for _, v := range differences {
		switch v := file.Resolve(v).(type) {
		case int64:
			code = int(max(min(v, 256), 0))
		case object.Name:
			if code < len(names) {
				names[code], given[code] = string(v), true
			}
			code++
		}
	}
	return names, given
}

// builtIn returns the encoding of the two standard fonts that have their own.
func builtIn(font string) string {
	if _, rest, subset := strings.Cut(font, "+"); subset {
		font = rest
	}
	switch {
	case strings.HasPrefix(font, "Symbol"):
		return "SymbolEncoding"
	case strings.Contains(font, "Dingbats"):
		return "ZapfDingbatsEncoding"
	}
	return ""
}

// simpleWidths returns widths in glyph space: 9.6.2.1, and those of the standard fonts for
// a font that has none.
func simpleWidths(file *object.File, dict, descriptor object.Dict, font string, names glyphNames) (widths [256]float64) {
	given := file.Array(dict["Widths"])
	missing, _ := file.Number(descriptor["MissingWidth"])
	if given == nil {
		column := column(font)
		for code := range widths {
			name := names[code]
			if name == "" && code >= ' ' {
				name = "space"
			}
			widths[code] = standardWidth(column, name)
		}
		return widths
	}
	for code := range widths {
		widths[code] = missing
	}
	first, _ := file.Int(dict["FirstChar"])
	for i, v := range given {
		if code := first + int64(i); code >= 0 && code < int64(len(widths)) {
			widths[code], _ = file.Number(v)
		}
	}
	return widths
}

// type3 returns the scale of the widths of a font whose glyphs have a space of their own,
// and its em: 9.6.4. Boxes that do not fit the widths are not believed.
func type3(file *object.File, dict object.Dict, widths *[256]float64) (scale, em float64) {
	scale, height := 0.001, 0.001
	if m := file.Array(dict["FontMatrix"]); len(m) == 6 {
		if a, ok := file.Number(m[0]); ok && a != 0 {
			scale = math.Abs(a)
		}
		if d, ok := file.Number(m[3]); ok && d != 0 {
			height = math.Abs(d)
		}
	}
	sum, n := 0.0, 0
	for _, w := range widths {
		if w != 0 {
			sum += math.Abs(w)
			n++
		}
	}
	if n == 0 {
		return scale, 1
	}
	em = sum / float64(n) * scale * 2 // letters are half as wide as they are high
	box := file.Rect(dict["FontBBox"])
	if boxed := (box.Y1 - box.Y0) * height; boxed > em/2 && boxed < em*2 {
		em = boxed
	}
	return scale, em
}

// best returns the text that ToUnicode gives, unless it is a lie that something else
// repairs.
func best(given string, other func() string) string {
	if given != "" && !meaningless(given) {
		return given
	}
	if text := other(); text != "" {
		return text
	}
	if meaningless(given) {
		return ""
	}
	return given
}

// meaningless reports whether a text has no character that means anything to anybody.
func meaningless(text string) bool {
	for _, r := range text {
		switch {
		case r == symbolBullet, r == wingdingsBullet:
			return false
		case r < ' ' && r != '\t', r == 0xfffd, r >= 0xe000 && r <= 0xf8ff, r >= 0xf0000, r >= 0x7f && r < 0xa0:
		default:
			return false
		}
	}
	return true
}
