package ppt

import (
	"encoding/binary"
	"slices"
)

// Types of records (2.13.24).
const (
	notesAtom         = 1009
	slidePersistAtom  = 1011
	slideShowInfo     = 1017
	drawing           = 1036
	outlineTextRef    = 3998
	textHeaderAtom    = 3999
	textCharsAtom     = 4000
	textBytesAtom     = 4008
	slideListWithText = 4080

	artDrawing       = 0xf002 // MS-ODRAW 2.2
	artGroup         = 0xf003
	artShape         = 0xf004
	artClientTextbox = 0xf00d // the text of a shape
)

// maxDepth limits the nesting of records that are read.
const maxDepth = 24

// readDocument reads the lists of slides and of notes.
func (d *Document) readDocument(root uint32) {
	for kind, instance, body, rest := next(d.object(root)); kind != 0; kind, instance, body, rest = next(rest) {
		if kind != slideListWithText {
			continue
		}
		switch instance {
		case 0:
			d.slides = listed(body)
		case 2:
			for _, s := range listed(body) {
				d.readNotes(s)
			}
		}
	}
}

// listed reads a list of slides or notes, each with the texts of its placeholders (2.4.14.3).
func listed(b []byte) (slides []slide) {
	kind := uint32(4)
	for k, _, body, rest := next(b); k != 0; k, _, body, rest = next(rest) {
		if k == slidePersistAtom && len(body) >= 16 {
			if len(slides) == maxSlides {
				break
			}
			slides = append(slides, slide{object: binary.LittleEndian.Uint32(body), id: binary.LittleEndian.Uint32(body[12:])})
			continue
		}
		n := len(slides) - 1
		if n < 0 {
			continue
		}
		switch k {
		case textHeaderAtom:
			if len(body) >= 4 {
				kind = binary.LittleEndian.Uint32(body)
			}
			// Each text has its place, as slides refer to it by its number.
			slides[n].texts = append(slides[n].texts, text{kind: kind})
		case textCharsAtom, textBytesAtom:
			if m := len(slides[n].texts) - 1; m >= 0 {
				slides[n].texts[m].text = decoded(k, body)
			}
		}
	}
	return slides
}

func decoded(kind int, b []byte) string {
	if kind == textCharsAtom {
		return wide(b)
	}
	return narrow(b)
}

// readNotes reads the notes of one slide.
func (d *Document) readNotes(s slide) {
	c := content{listed: slices.Clone(s.texts)}
	c.read(d.object(s.object), 0)
	for _, t := range c.texts {
		const notes = 2
		if t.kind == notes {
			d.notes[c.of] = append(d.notes[c.of], t)
		}
	}
}

// content collects the texts of a slide or of its notes.
type content struct {
	listed []text
	texts  []text
	kind   uint32 // of the text that comes
	of     uint32 // the slide that notes are for
	hidden bool
}

// read looks through the records within one.
func (c *content) read(b []byte, depth int) {
	for kind, _, body, rest := next(b); kind != 0; kind, _, body, rest = next(rest) {
		switch kind {
		case slideShowInfo:
			const hidden = 1 << 2 // 2.6.6
			c.hidden = len(body) >= 12 && binary.LittleEndian.Uint16(body[10:])&hidden != 0
		case notesAtom:
			if len(body) >= 4 {
				c.of = binary.LittleEndian.Uint32(body)
			}
		case outlineTextRef:
			if len(body) >= 4 {
				if i := binary.LittleEndian.Uint32(body); int64(i) < int64(len(c.listed)) && len(c.texts) < maxObjects {
					c.texts = append(c.texts, c.listed[i])
					c.listed[i].text = "" // it stands in one place
				}
			}
		case textHeaderAtom:
			if len(body) >= 4 {
				c.kind = binary.LittleEndian.Uint32(body)
			}
		case textCharsAtom, textBytesAtom:
			if len(c.texts) < maxObjects {
				c.texts = append(c.texts, text{c.kind, decoded(kind, body)})
			}
		default:

			if isContainer(kind) && depth < maxDepth {
				c.read(body, depth+1)
			}
		}
	}
}

// isContainer reports whether a record is one that texts can be in.
func isContainer(kind int) bool {
	switch kind {
	case drawing, artDrawing, artGroup, artShape, artClientTextbox:
		return true
	}
	return false
}
