// Package ooxml opens the packages of Office Open XML, which .docx, .xlsx and .pptx are:
// their parts, what relates these to one another, and what a package says of itself. It
// reads what the three have in common.
//
// The format is ECMA-376, its part 2 the packages: https://ecma-international.org/publications-and-standards/standards/ecma-376/
package ooxml

import (
	"bytes"
	"io"
	"path"
	"strings"

	"github.com/helve-dev/helve/pkg/document/xmlscan"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/zipped"
)

// Package is an open package.
type Package struct {
	*zipped.Package
	main     string
	defaults []contentType // by extension
	types    []contentType // by part
	rels     map[string]Relations
}

// contentType is the type of a part, or of all with an extension.
type contentType struct{ of, mime string }

// maxTypes limits the content types and the relations of one part that are read.
const maxTypes = 100_000

// Open opens a package and finds its main part: through the relation that names it, not by
// a fixed name. The faults are bad_document, and unsupported_content if the ZIP archive is
// no such package.
func Open(file io.ReaderAt, size int64) (*Package, error) {
	z, err := zipped.OpenPackage(file, size)
	if err != nil {
		return nil, err
	}
	p := &Package{Package: z, rels: map[string]Relations{}}
	if z.Has("[Content_Types].xml") {
		p.readTypes()
	}
	for _, r := range p.Relations("") {
		if r.Type == "officeDocument" && !r.External && z.Has(r.Target) {
			p.main = r.Target
			return p, nil
		}
	}
	for _, usual := range [...]string{"word/document.xml", "xl/workbook.xml", "xl/workbook.bin", "ppt/presentation.xml"} {
		if z.Has(usual) {
			p.main = usual
			return p, nil
		}
	}
	return nil, fault.New(fault.UnsupportedContent, fault.T("the ZIP archive is no Office document: it has no main part")).
		WithHint(fault.T("it may be incomplete: get the file again"))
}

// Main returns the name of the main part.
func (p *Package) Main() string { return p.main }

// Scan opens a part to be scanned. The caller closes it.
func (p *Package) Scan(part string) (*xmlscan.Scanner, io.Closer, error) {
	r, err := p.Open(part)
	if err != nil {
		return nil, nil, err
	}
	return xmlscan.New(r), r, nil
}

// ScanAll reads a part into memory to be scanned, for small ones.
func (p *Package) ScanAll(part string) (*xmlscan.Scanner, error) {
	data, err := p.Read(part)
	if err != nil && len(data) == 0 {
		return nil, err
	}
	return xmlscan.New(bytes.NewReader(data)), nil
}

// readTypes reads the content types. A package that lacks them, or has damaged ones, is
// read by the names of its parts.
func (p *Package) readTypes() {
	s, err := p.ScanAll("[Content_Types].xml")
	if err != nil {
		return
	}
	for kind := s.Next(); kind != xmlscan.EOF; kind = s.Next() {
		if kind != xmlscan.Start || len(p.defaults)+len(p.types) > maxTypes {
			continue
		}
		switch s.Local() {
		case "Default":
			p.defaults = append(p.defaults, contentType{strings.ToLower(s.String("Extension")), s.String("ContentType")})
		case "Override":
			p.types = append(p.types, contentType{strings.ToLower(strings.TrimPrefix(s.String("PartName"), "/")), s.String("ContentType")})
		}
	}
}

// ContentType returns the media type of a part, "" if the package does not say.
func (p *Package) ContentType(part string) string {
	part = strings.ToLower(part)
	for _, t := range p.types {
		if t.of == part {
			return t.mime
		}
	}
	extension := strings.TrimPrefix(path.Ext(part), ".")
	for _, t := range p.defaults {
		if t.of == extension {
			return t.mime
		}
	}
	return ""
}

// Properties are the core properties of a package.
type Properties struct{ Title, Author string }

// Properties reads the core properties.
func (p *Package) Properties() (about Properties) {
	const most = 1000 // bytes of a value
	part := "docProps/core.xml"
	for _, r := range p.Relations("") {
		if r.Type == "core-properties" && !r.External {
			part = r.Target
		}
	}
	s, err := p.ScanAll(part)
	if err != nil {
		return Properties{}
	}
	for kind := s.Next(); kind != xmlscan.EOF; kind = s.Next() {
		if kind != xmlscan.Start {
			continue
		}
		switch s.Local() {
		case "title":
			about.Title = strings.TrimSpace(string(s.All(most)))
		case "creator":
			about.Author = strings.TrimSpace(string(s.All(most)))
		}
	}
	return about
}
