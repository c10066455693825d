package meta

import (
	"bytes"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/pdf/object"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// Limits of XMP metadata.
const (
	maxMetadata = 1 << 20
	maxCreators = 20
)

// Info returns the metadata of a file: the information dictionary (14.3.3), completed by
// the XMP metadata (14.3.2).
func Info(f *object.File) document.Info {
	d := f.Dict(f.Trailer()["Info"])
	i := document.Info{Format: "pdf", Title: line(f.Text(d["Title"])), Author: line(f.Text(d["Author"])), Pages: f.PageCount()}
	if i.Title != "" && i.Author != "" {
		return i
	}
	data, _, _ := f.Data(f.Stream(root(f)["Metadata"])) // what there is of a damaged one
	title, author := metadata(data[:min(len(data), maxMetadata)])
	if i.Title == "" {
		i.Title = title
	}
	if i.Author == "" {
		i.Author = author
	}
	return i
}

// metadata returns the title and the authors that XMP metadata names.
func metadata(xmp []byte) (title, author string) {
	s := xmlscan.New(bytes.NewReader(xmp))
	for {
		switch s.Next() {
		case xmlscan.EOF:
			return title, author
		case xmlscan.Start:
			switch s.Name() {
			case "dc:title":
				title = first(title, texts(s))
			case "dc:creator":
				author = first(author, texts(s))
			}
		}
	}
}

// texts returns the items of a list, which is the content of the element that was opened:
// the first of alternatives, else all, separated by commas.
func texts(s *xmlscan.Scanner) string {
	var all []byte
	n := 0
	alternatives := false
	s.Descendants(func(name string) bool {
		switch name {
		case "rdf:Alt":
			alternatives = true
		case "rdf:li":
			item := line(string(s.All(4 * maxTitle)))
			if item == "" || n == maxCreators || alternatives && n > 0 {
				break
			}
			if n > 0 {
				all = append(all, ", "...)
			}
			all = append(all, item...)
			n++
		}
		return true
	})
	return string(all)
}

// first returns a unless it is empty, else b.
func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
