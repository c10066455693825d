package doc

import (
	"encoding/binary"
	"slices"
)

// run is a stretch of the main stream with its properties: those of a paragraph or of
// characters.
type run struct {
	from, to int
	style    int // of a paragraph
	sprms    []byte
}

// maxRuns limits the number of runs.
const maxRuns = 500_000

// readRuns reads the properties of paragraphs (plcfBtePapx) or of characters (plcfBteChpx),
// which lie in pages of 512 bytes (2.9.174, 2.9.22).
func (d *Document) readRuns(number int) (runs []run) {
	const pageSize = 512
	table := d.part(number)
	n := (len(table) - 4) / 8
	for i := range max(0, n) {
		at := int(binary.LittleEndian.Uint32(table[4*(n+1)+4*i:])&(1<<22-1)) * pageSize
		if len(runs) >= maxRuns {
			break
		}
		if at+pageSize > len(d.main) {
			continue
		}
		page := d.main[at : at+pageSize]
		count := int(page[pageSize-1])
		width := 1 // bytes that say where the properties are
		if number == plcfBtePapx {
			width = 13
		}
		if 4*(count+1)+count*width > pageSize-1 {
			continue
		}
		for k := range count {
			r := run{from: int(binary.LittleEndian.Uint32(page[4*k:])), to: int(binary.LittleEndian.Uint32(page[4*k+4:]))}
			offset := 2 * int(page[4*(count+1)+k*width])
			if offset > 0 && offset < pageSize-1 {
				r.properties(page[offset:pageSize-1], number == plcfBtePapx)
			}
			runs = append(runs, r)
		}
	}
	slices.SortStableFunc(runs, func(a, b run) int { return a.from - b.from })
	return runs
}

func (r *run) properties(b []byte, paragraph bool) {
	size := int(b[0])
	b = b[1:]
	if paragraph {
		switch {
		case size > 0:
			size = 2*size - 1
		case len(b) > 0:
			size = 2 * int(b[0])
			b = b[1:]
		}
	}
	b = b[:min(size, len(b))]
	if paragraph {
		if len(b) < 2 {
			return
		}
		r.style = int(binary.LittleEndian.Uint16(b))
		b = b[2:]
	}
	r.sprms = b
}

// at returns the run that a place of the stream is in; nil if there is none.
func at(runs []run, place int) *run {
	i, found := slices.BinarySearchFunc(runs, place, func(r run, place int) int { return r.from - place })
	if !found {
		i--
	}
	if i < 0 || place >= runs[i].to {
		return nil
	}
	return &runs[i]
}

// each calls yield with each property of a run and its value (2.6).
func (r *run) each(yield func(sprm int, value []byte)) {
	if r == nil {
		return
	}
	for b := r.sprms; len(b) > 2; {
		sprm := int(binary.LittleEndian.Uint16(b))
		b = b[2:]
		size := 0
		switch sprm >> 13 {
		case 0, 1:
			size = 1
		case 2, 4, 5:
			size = 2
		case 3:
			size = 4
		case 7:
			size = 3
		case 6:
			const defTable = 0xd608
			if sprm == defTable && len(b) > 1 {
				size = 1 + int(binary.LittleEndian.Uint16(b))
			} else {
				size = 1 + int(b[0])
			}
		}
		if size > len(b) {
			return
		}
		yield(sprm, b[:size])
		b = b[size:]
	}
}

// style is a paragraph style.
type style struct {
	id   int // of a style that is built in: 1 to 9 are headings, 62 is the title
	base int
}

// readStyles reads the style sheet (2.9.271).
func (d *Document) readStyles() {
	sheet := d.part(stshf)
	if len(sheet) < 2 {
		return
	}
	head := int(binary.LittleEndian.Uint16(sheet))
	if head < 2 || 2+head > len(sheet) {
		return
	}
	count := int(binary.LittleEndian.Uint16(sheet[2:]))
	sheet = sheet[2+head:]
	for range count {
		if len(sheet) < 2 {
			return
		}
		size := int(binary.LittleEndian.Uint16(sheet))
		sheet = sheet[2:]
		s := style{id: -1, base: -1}
		if size >= 4 && size <= len(sheet) {
			s.id = int(binary.LittleEndian.Uint16(sheet)) & 0xfff
			s.base = int(binary.LittleEndian.Uint16(sheet[2:])) >> 4
		}
		d.styles = append(d.styles, s)
		sheet = sheet[min(size+size%2, len(sheet)):]
	}
}

// level returns the heading level of a paragraph with a style; 0 if it is not a heading.
func (d *Document) level(style int) int {
	for range 16 { // ends a cycle, too
		if style < 0 || style >= len(d.styles) {
			return 0
		}
		switch id := d.styles[style].id; {
		case id >= 1 && id <= 9:
			return id
		case id == 62:
			return 1
		}
		style = d.styles[style].base
	}
	return 0
}
