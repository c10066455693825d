package pptx

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/document/ooxml"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// maxSlides limits the slides that are read: a package cannot have more parts.
const maxSlides = 10_000

// slideRef is a reference to the part of a slide.
type slideRef struct {
	part    string
	section string
}

// readPresentation reads the order of the slides (19.2.1.26) and the sections, which are
// an extension ([MS-PPTX] 2.6.2.1).
func (d *Document) readPresentation() {
	s, file, err := d.parts.Scan(d.parts.Main())
	if err != nil {
		d.err = err
		return
	}
	defer file.Close()
	rels := d.parts.Relations(d.parts.Main())
	seen := map[string]bool{}
	at := map[string]int{} // slides by their numbers in the file
	section := ""
	for name := range rooted(s) {
		switch name {
		case "p:sldId":
			r, ok := rels.Get(s.String("r:id"))
			if !ok {
				d.lost++
			}
			if ok && !r.External && !seen[r.Target] && len(d.slides) < maxSlides {
				seen[r.Target] = true
				at[s.String("id")] = len(d.slides)
				d.slides = append(d.slides, slideRef{part: r.Target})
			}
		case "p:defaultTextStyle":
			d.style = readListStyle(s)
		case "p14:section":
			section = oneLine(s.String("name"))
		case "p14:sldId":
			if i, ok := at[s.String("id")]; ok {
				d.slides[i].section = section
			}
		}
	}
	d.err = s.Err()
	if len(d.slides) == 0 && (d.err != nil || d.lost > 0) {
		d.findSlides()
	}
}

// findSlides finds the slides of a presentation whose list of them, or what that refers
// to, is damaged: by the names that programs give them, in the order of their numbers.
func (d *Document) findSlides() {
	type numbered struct {
		number int
		part   string
	}
	var found []numbered
	for _, name := range d.parts.Names() {
		base := strings.ToLower(path.Base(name))
		digits := strings.TrimSuffix(strings.TrimPrefix(base, "slide"), ".xml")
		if n, err := strconv.Atoi(digits); err == nil && base == "slide"+digits+".xml" {
			found = append(found, numbered{n, name})
		}
	}
	slices.SortStableFunc(found, func(a, b numbered) int { return cmp.Compare(a.number, b.number) })
	for _, f := range found {
		d.slides = append(d.slides, slideRef{part: f.part})
	}
	if len(found) > 0 {
		d.lost = 0
	}
}

// rooted iterates over all elements of a part.
func rooted(s *xmlscan.Scanner) func(yield func(name string) bool) {
	return func(yield func(name string) bool) {
		for kind := s.Next(); kind != xmlscan.EOF; kind = s.Next() {
			if kind == xmlscan.Start && !yield(s.Name()) {
				return
			}
		}
	}
}

// readAuthors reads who wrote comments: those of both kinds of comments.
func (d *Document) readAuthors() {
	d.authors = map[string]string{}
	for _, r := range d.parts.Relations(d.parts.Main()) {
		if r.External || r.Type != "commentAuthors" && r.Type != "authors" {
			continue
		}
		s, file, err := d.parts.Scan(r.Target)
		if err != nil {
			continue // comments are then without names
		}
		for range rooted(s) {
			if name := s.Local(); (name == "cmAuthor" || name == "author") && len(d.authors) < maxSlides {
				d.authors[s.String("id")] = s.String("name")
			}
		}
		file.Close()
	}
}

// related returns the part of the first relation of a type.
func related(rels ooxml.Relations, kind string) (string, bool) {
	r, ok := rels.Of(kind)
	return r.Target, ok && !r.External
}
