package epub

import (
	"path"
	"strings"

	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// tocEntry is an entry of the table of contents.
type tocEntry struct {
	title string
	level int // from 1
	part  string
	whole bool // it is the part, not a place in it
}

// contents reads the table of contents: the navigation document of EPUB 3, else the NCX of
// EPUB 2. A book without any has none. What was read before an error is good.
func (d *Document) contents() ([]tocEntry, error) {
	if d.nav != "" {
		toc, err := d.readNav()
		if len(toc) > 0 || d.ncx == "" {
			return toc, err
		}
	}
	if d.ncx == "" {
		return nil, nil
	}
	return d.readNCX()
}

// readNav reads the lists of a navigation document (EPUB 3.3, 7.3).
func (d *Document) readNav() (toc []tocEntry, err error) {
	dir, depth, inside := path.Dir(d.nav), 0, false
	file, err := d.parts.Open(d.nav)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	s := xmlscan.New(file)
	for kind := s.Next(); kind != xmlscan.EOF; kind = s.Next() {
		name := s.Local()
		switch {
		case kind == xmlscan.Text:
		case name == "nav":
			inside = kind == xmlscan.Start && (has(s.String("epub:type"), "toc") || s.String("epub:type") == "")
		case !inside:
		case name == "ol" && kind == xmlscan.Start:
			depth++
		case name == "ol":
			depth--
		case kind == xmlscan.Start && (name == "a" || name == "span") && depth > 0:
			href := s.String("href")
			if title := value(s); title != "" && len(toc) < maxItems {
				toc = append(toc, tocEntry{title, depth, d.resolve(dir, href), fragment(href) == ""})
			}
		}
	}
	return toc, s.Err()
}

// readNCX reads the points of an NCX (OPF 2.0.1, 2.4.1).
func (d *Document) readNCX() (toc []tocEntry, err error) {
	dir, depth := path.Dir(d.ncx), 0
	file, err := d.parts.Open(d.ncx)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	s := xmlscan.New(file)
	label := "" // of the point that is open
	for kind := s.Next(); kind != xmlscan.EOF; kind = s.Next() {
		name := s.Local()
		switch {
		case kind == xmlscan.Text:
		case name == "navPoint" && kind == xmlscan.Start:
			depth++
			label = ""
		case name == "navPoint":
			depth--
		case kind == xmlscan.Start && name == "text" && depth > 0:
			label = value(s)
		case kind == xmlscan.Start && name == "content" && depth > 0:
			src := s.String("src")
			if label != "" && len(toc) < maxItems {
				toc = append(toc, tocEntry{label, depth, d.resolve(dir, src), fragment(src) == ""})
			}
		}
	}
	return toc, s.Err()
}

// titlesOf returns the entries for parts, for chapters without a heading of their own.
func titlesOf(toc []tocEntry) map[string]tocEntry {
	titles := map[string]tocEntry{}
	for _, t := range toc {
		part := strings.ToLower(t.part)
		if known, ok := titles[part]; !ok || t.whole && !known.whole {
			titles[part] = t
		}
	}
	return titles
}
