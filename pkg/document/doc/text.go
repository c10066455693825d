package doc

import (
	"encoding/binary"
	"slices"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"

	"github.com/helve-dev/helve/pkg/fault"
)

// piece is a run of characters that lie together in the main stream (2.8.35).
type piece struct {
	first, last int // characters: last is not in it
	offset      int // of the first one in the stream
	width       int // bytes of one
}

// maxCharacters limits the characters of a document that are read.
const maxCharacters = 16 << 20

// readText puts the pieces together (2.4.1).
func (d *Document) readText() error {
	for length, fc := range pieces(d.part(clxPart)) {
		const compressed = 1 << 30
		p := piece{first: len(d.text), offset: int(fc &^ (3 << 30)), width: 2}
		if fc&compressed != 0 {
			p.offset /= 2
			p.width = 1
		}
		if p.offset > len(d.main) {
			continue
		}
		count := min(length, (len(d.main)-p.offset)/p.width, maxCharacters-len(d.text))
		for k := range count {
			at := p.offset + k*p.width
			if p.width == 1 {
				d.text = append(d.text, charmap.Windows1252.DecodeByte(d.main[at]))
			} else {
				d.text = append(d.text, rune(binary.LittleEndian.Uint16(d.main[at:])))
			}
		}
		p.last = len(d.text)
		d.places = append(d.places, p)
	}
	if len(d.places) == 0 {
		return damaged(fault.T("it does not say where its text is"))
	}
	return nil
}

// place returns where in the main stream a character is.
func (d *Document) place(character int) int {
	low, high := 0, len(d.places)
	for low < high {
		middle := (low + high) / 2
		if d.places[middle].last <= character {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low == len(d.places) {
		return -1
	}
	p := d.places[low]
	return p.offset + (character-p.first)*p.width
}

// joined returns characters as text: those beyond the first 65,536 are two each.
func joined(chars []rune) string {
	if !slices.ContainsFunc(chars, utf16.IsSurrogate) {
		return string(chars)
	}
	units := make([]uint16, len(chars))
	for i, c := range chars {
		units[i] = uint16(c)
	}
	return string(utf16.Decode(units))
}
