package odf

import (
	"bytes"
	"io"
	"strings"

	"github.com/helve-dev/helve/pkg/document/xmlscan"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/zipped"
)

// container holds the parts of a document: a package, or a flat file with all of them in one.
type container struct {
	zip      *zipped.Package
	file     io.ReaderAt
	size     int64
	flat     bool
	mimetype string
	locked   []lockedPart // by name
	key      *keys        // nil until a password was given
}

// maxMimetype limits the length of a media type.
const maxMimetype = 200

func openContainer(file io.ReaderAt, size int64) (*container, error) {
	c := &container{file: file, size: size}
	head := make([]byte, 4)
	if _, err := file.ReadAt(head, 0); err != nil && size >= 4 {
		return nil, err
	}
	if !bytes.HasPrefix(head, []byte("PK")) {
		return c, c.openFlat()
	}
	z, err := zipped.OpenPackage(file, size)
	if err != nil {
		return nil, err
	}
	c.zip = z
	root := c.readManifest()
	if mime, err := z.Read("mimetype"); err == nil {
		c.mimetype = strings.TrimSpace(string(mime[:min(len(mime), maxMimetype)]))
	}
	said := c.mimetype
	if c.format() == "" {
		c.mimetype = root
	}
	if c.format() == "" {
		c.mimetype = c.bodyType()
	}
	if c.format() == "" && said != "" {
		c.mimetype = said
	}
	if !z.Has("content.xml") && !c.wrapped() {
		return nil, damaged(fault.T("it has no content.xml"))
	}
	return c, nil
}

// openFlat looks at the outermost element of a flat file.
func (c *container) openFlat() error {
	c.flat = true
	s := xmlscan.New(io.NewSectionReader(c.file, 0, c.size))
	for k := s.Next(); k != xmlscan.EOF; k = s.Next() {
		if k != xmlscan.Start {
			continue
		}
		if s.Local() != "document" && s.Local() != "document-content" {
			break
		}
		if c.mimetype = s.String("office:mimetype"); c.mimetype == "" {
			c.mimetype = c.bodyType()
		}
		return nil
	}
	return damaged(fault.T("it is neither a package nor flat XML"))
}

// bodyType derives the media type from the content, if the container has none.
func (c *container) bodyType() string {
	r, err := c.open("content.xml")
	if err != nil {
		return ""
	}
	defer r.Close()
	s := xmlscan.New(r)
	for k := s.Next(); k != xmlscan.EOF; k = s.Next() {
		if k != xmlscan.Start {
			continue
		}
		switch name := s.Name(); {
		case s.Depth() == 2 && name != "office:body":
			s.Skip()
		case s.Depth() == 3:
			return mimePrefix + strings.TrimPrefix(name, "office:")
		}
	}
	return ""
}

const mimePrefix = "application/vnd.oasis.opendocument."

// format returns the usual extension; "" for a kind that is not read. Templates have the
// extension of their documents.
func (c *container) format() string {
	word := strings.TrimPrefix(strings.TrimPrefix(c.mimetype, mimePrefix), "application/vnd.sun.xml.")
	word = strings.TrimSuffix(strings.TrimSuffix(word, "-flat-xml"), "-template")
	var format string
	switch word {
	case "text", "text-master", "text-web", "writer", "writer.template", "writer.global":
		format = "odt"
	case "presentation", "impress", "impress.template":
		format = "odp"
	case "graphics", "drawing", "draw", "draw.template":
		format = "odg"
	case "spreadsheet", "calc", "calc.template":
		format = "ods"
	default:
		return ""
	}
	if c.flat {
		return "f" + format
	}
	return format
}

// open opens a part. A flat file is its styles and its content at once.
func (c *container) open(part string) (io.ReadCloser, error) {
	if c.flat {
		return io.NopCloser(io.NewSectionReader(c.file, 0, c.size)), nil
	}
	if l := c.lockedAs(part); l != nil {
		data, err := c.decrypt(l)
		if err != nil {
			return nil, err
		}
		return io.NopCloser(bytes.NewReader(data)), nil
	}
	return c.zip.Open(part)
}

// read reads a part of a package into memory.
func (c *container) read(part string) ([]byte, error) {
	if l := c.lockedAs(part); l != nil {
		return c.decrypt(l)
	}
	return c.zip.Read(part)
}

// properties returns what meta.xml says.
func (c *container) properties() (title, author string) {
	const most = 1000 // bytes of a value
	r, err := c.open("meta.xml")
	if err != nil {
		return "", "" // it may be missing, or encrypted
	}
	defer r.Close()
	s := xmlscan.New(r)
	first := "" // who began it; only without anybody who changed it
	for k := s.Next(); k != xmlscan.EOF; k = s.Next() {
		if k != xmlscan.Start {
			continue
		}
		switch s.Name() {
		case "dc:title":
			title = strings.TrimSpace(string(s.All(most)))
		case "dc:creator":
			author = strings.TrimSpace(string(s.All(most)))
		case "meta:initial-creator":
			first = strings.TrimSpace(string(s.All(most)))
		case "office:settings", "office:styles", "office:body":
			k = xmlscan.EOF
		}
		if k == xmlscan.EOF {
			break
		}
	}
	if first != "" {
		author = first
	}
	return title, author
}

// countPages counts the slides of a presentation.
func (c *container) countPages() (n int) {
	r, err := c.open("content.xml")
	if err != nil {
		return 0
	}
	defer r.Close()
	s := xmlscan.New(r)
	for k := s.Next(); k != xmlscan.EOF; k = s.Next() {
		if k != xmlscan.Start {
			continue
		}
		switch s.Name() {
		case "draw:page":
			n++
			s.Skip()
		case "office:styles", "office:automatic-styles", "office:master-styles", "office:settings":
			s.Skip()
		}
	}
	return n
}

func damaged(why fault.Text) *fault.Error {
	return fault.New(fault.BadDocument, fault.T("the OpenDocument file is damaged: %s", why)).
		WithHint(fault.T("it may be incomplete: get the file again"))
}
