// Package font turns the bytes that a PDF page shows into characters and their widths:
// ISO 32000-2, 9.5 to 9.10.
package font

import (
	"strings"

	"github.com/helve-dev/helve/pkg/document/pdf/object"
)

// Char is one character code of a string that is shown.
type Char struct {
	Text  string  // its meaning; empty if unknown
	Width float64 // how far it leads on, in ems; downwards, and negative, in a vertical font
	Space bool    // it is the single byte 32, which word spacing widens
}

// Font is a font as a page uses it. It is not safe for concurrent use.
type Font struct {
	Vertical bool    // it writes from top to bottom
	Bold     bool    // it says that it is
	Em       float64 // the height of an em where the font's size is 1

	simple    *[256]Char // of a simple font
	composite *composite // of a Type0 font
}

// New returns the font that a font dictionary describes. There is always one: what is
// missing or broken in the dictionary costs characters or widths alone.
func New(file *object.File, dict object.Dict) *Font {
	f := &Font{Em: 1}
	name := strings.ToLower(string(file.Name(dict["BaseFont"])))
	descriptor := file.Dict(dict["FontDescriptor"])
	if file.Name(dict["Subtype"]) == "Type0" {
		f.composite = newComposite(file, dict)
		f.Vertical = f.composite.vertical
		descriptor = f.composite.descriptor
	} else {
		f.simple = newSimple(file, dict, f)
	}
	weight, _ := file.Number(descriptor["FontWeight"])
	flags, _ := file.Int(descriptor["Flags"])
	const forceBold = 1 << 18
	f.Bold = weight >= 600 || flags&forceBold != 0 || strings.Contains(name, "bold") ||
		strings.Contains(name, "black") || strings.Contains(name, "heavy")
	return f
}

// Next returns the first character of s and how many bytes it is, at least one. s must not
// be empty.
func (f *Font) Next(s []byte) (Char, int) {
	if f.simple != nil {
		return f.simple[s[0]], 1
	}
	return f.composite.next(s)
}

// Bytes returns about how much memory the font takes.
func (f *Font) Bytes() int {
	if f.simple != nil {
		return 12 << 10
	}
	return f.composite.bytes()
}
