package xlsx

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// maxRich limits each kind of values, structures and pictures that are read.
const maxRich = 100_000

// rich are the pictures that are values of cells. A cell's vm leads to the metadata, that
// to a rich value, that to a relation ([MS-XLSX] 2.3.6 and 2.6.209).
type rich struct {
	metadata []int          // the rich value of each vm; -1 for none
	values   []richValue    // of those
	pictures []drawn        // by the number that values have
	wps      []drawn        // of the program WPS: by name
	wpsNames map[string]int // their numbers
}

// richValue is the number of a picture and its description; -1 for another value.
type richValue struct {
	picture int
	alt     string
}

// richPicture returns the picture in a cell by its vm; nil if it is something else.
func (b *Book) richPicture(vm int, at sheet.Address) *sheet.Picture {
	r := b.richValues()
	if vm < 1 || vm > len(r.metadata) {
		return nil
	}
	v := r.metadata[vm-1]
	if v < 0 || v >= len(r.values) {
		return nil
	}
	n := r.values[v].picture
	if n < 0 || n >= len(r.pictures) || r.pictures[n].rel.ID == "" {
		return nil
	}
	p := b.picture(drawn{at, r.values[v].alt, r.pictures[n].rel})
	return &p
}

// wpsPicture returns the picture of a formula such as DISPIMG("ID_0A…",1), with which WPS
// has pictures in cells; nil if there is none.
func (b *Book) wpsPicture(formula []byte, at sheet.Address) *sheet.Picture {
	_, rest, _ := bytes.Cut(formula, []byte(`DISPIMG("`))
	name, _, ok := bytes.Cut(rest, []byte(`"`))
	if !ok {
		return nil
	}
	r := b.richValues()
	n, ok := r.wpsNames[string(name)]
	if !ok {
		return nil
	}
	p := b.picture(drawn{at, r.wps[n].alt, r.wps[n].rel})
	return &p
}

// richValues reads all that leads to pictures in cells.
func (b *Book) richValues() *rich {
	if b.rich != nil {
		return b.rich
	}
	b.rich = &rich{wpsNames: map[string]int{}}
	for _, r := range b.rels {
		if r.External {
			continue
		}
		switch r.Type {
		case "sheetMetadata":
			b.rich.metadata = b.readMetadata(r.Target)
		case "rdRichValue":
			structures := -1
			for i, other := range b.rels {
				if other.Type == "rdRichValueStructure" {
					structures = i
				}
			}
			if structures >= 0 {
				b.rich.values = b.readRichValues(r.Target, b.readStructures(b.rels[structures].Target))
			}
		case "richValueRel":
			b.rich.pictures = b.readRichRelations(r.Target)
		case "cellImage":
			b.readCellImages(r.Target)
		}
	}
	return b.rich
}

// each calls do with each start tag of a part.
func (b *Book) each(part string, do func(s *xmlscan.Scanner)) {
	s, closer, err := b.scan(part)
	if err != nil {
		return
	}
	defer closer.Close()
	for kind := s.Next(); kind != xmlscan.EOF; kind = s.Next() {
		if kind == xmlscan.Start {
			do(s)
		}
	}
}

// readMetadata returns the number of the rich value that each vm stands for (18.9).
func (b *Book) readMetadata(part string) (values []int) {
	var (
		richType int      // the number of the type of rich values, from 1
		types    int      // so many were read
		future   []int    // the rich values that metadata of that type leads to
		cells    [][2]int // type and number of the metadata of each vm
		within   string
	)
	b.each(part, func(s *xmlscan.Scanner) {
		switch s.Local() {
		case "metadataType":
			if types++; s.String("name") == "XLRICHVALUE" {
				richType = types
			}
		case "futureMetadata":
			within = s.String("name")
		case "valueMetadata", "cellMetadata":
			within = s.Local()
		case "rvb":
			if i, ok := s.Int("i"); ok && within == "XLRICHVALUE" && len(future) < maxRich {
				future = append(future, i)
			}
		case "rc":
			t, _ := s.Int("t")
			v, _ := s.Int("v")
			if within == "valueMetadata" && len(cells) < maxRich {
				cells = append(cells, [2]int{t, v})
			}
		}
	})
	for _, c := range cells {
		v := -1
		if c[0] == richType && c[1] >= 0 && c[1] < len(future) {
			v = future[c[1]]
		}
		values = append(values, v)
	}
	return values
}

// structure holds the indices of the fields of a rich value that are the number of a
// picture and its description; -1 for none.
type structure struct{ picture, alt int }

func (b *Book) readStructures(part string) (all []structure) {
	fields := 0
	b.each(part, func(s *xmlscan.Scanner) {
		switch s.Local() {
		case "s":
			if fields = 0; len(all) < maxRich {
				all = append(all, structure{-1, -1})
			}
		case "k":
			if len(all) == 0 {
				return
			}
			switch s.String("n") {
			case "_rvRel:LocalImageIdentifier":
				all[len(all)-1].picture = fields
			case "Text":
				all[len(all)-1].alt = fields
			}
			fields++
		}
	})
	return all
}

func (b *Book) readRichValues(part string, structures []structure) (all []richValue) {
	fields, of := 0, structure{-1, -1}
	b.each(part, func(s *xmlscan.Scanner) {
		switch s.Local() {
		case "rv":
			fields, of = 0, structure{-1, -1}
			if i, ok := s.Int("s"); ok && i >= 0 && i < len(structures) {
				of = structures[i]
			}
			if len(all) < maxRich {
				all = append(all, richValue{picture: -1})
			}
		case "v":
			if len(all) == 0 {
				return
			}
			text := strings.TrimSpace(string(s.All(maxName)))
			switch last := &all[len(all)-1]; fields {
			case of.picture:
				if n, err := strconv.Atoi(text); err == nil {
					last.picture = n
				}
			case of.alt:
				last.alt = text
			}
			fields++
		}
	})
	return all
}

func (b *Book) readRichRelations(part string) (all []drawn) {
	rels := b.pkg.Relations(part)
	b.each(part, func(s *xmlscan.Scanner) {
		if s.Local() == "rel" && len(all) < maxRich {
			r, _ := rels.Get(s.String("r:id"))
			all = append(all, drawn{rel: r})
		}
	})
	return all
}

// readCellImages reads the pictures of WPS: each is named by what the formulas say.
func (b *Book) readCellImages(part string) {
	rels := b.pkg.Relations(part)
	name, alt := "", ""
	b.each(part, func(s *xmlscan.Scanner) {
		switch s.Local() {
		case "cNvPr":
			name, alt = clip(s.String("name"), maxName), clip(s.String("descr"), maxName)
		case "blip":
			if r, ok := rels.Get(s.String("r:embed")); ok && len(b.rich.wps) < maxRich {
				b.rich.wpsNames[name] = len(b.rich.wps)
				b.rich.wps = append(b.rich.wps, drawn{alt: alt, rel: r})
			}
		}
	})
}
