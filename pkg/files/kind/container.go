package kind

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/files/zipped"
)

// inZip returns which document a ZIP archive is: by the type that it names itself, by its main
// part, or else by the names of its parts.
func inZip(file io.ReaderAt, size int64, ext string) Kind {
	if file == nil {
		return byExtension(ext, Kind{Document, zipMIME})
	}
	z, err := zipped.Open(file, size)
	if err != nil {
		return byExtension(ext, Kind{Document, zipMIME}) // damaged; its reader will report that
	}
	parts := make(map[string]*zip.File, len(z.File))
	for _, f := range z.File {
		parts[folded(f.Name)] = f
	}
	if f := parts["mimetype"]; f != nil { // OpenDocument and EPUB
		if mime := firstBytes(f); mime != "" {
			return Kind{Document, mime}
		}
	}
	if k := officeKind(parts); k.MIME != "" {
		return k
	}
	switch {
	case parts["meta-inf/manifest.mf"] != nil:
		return Kind{Document, "application/java-archive"}
	case parts["index/document.iwa"] != nil, parts["index/presentation.iwa"] != nil, parts["index.zip"] != nil && parts["metadata/properties.plist"] != nil,
		parts["index.xml"] != nil && hasPreview(parts), parts["index.apxl"] != nil && hasPreview(parts):
		return Kind{Document, IWorkMIME}
	}
	return Kind{Document, zipMIME}
}

// hasPreview reports whether a package has the preview that iWork's programs write.
func hasPreview(parts map[string]*zip.File) bool {
	return parts["quicklook/preview.pdf"] != nil || parts["quicklook/thumbnail.jpg"] != nil || parts["preview.jpg"] != nil
}

// folded returns the name of a part as others refer to it, whatever its letters and slashes
// are: some programs write them as Windows does.
func folded(name string) string {
	return strings.TrimLeft(strings.ToLower(strings.ReplaceAll(name, `\`, "/")), "/")
}

// officeKind returns which of Office's documents a package is (ECMA-376 part 2): its relations
// name the main part, and its content types say what that is. The zero value is none.
func officeKind(parts map[string]*zip.File) Kind {
	main := ""
	for r := range attributes(parts["_rels/.rels"], "Relationship") {
		if target := folded(r["Target"]); path.Base(r["Type"]) == "officeDocument" && r["TargetMode"] != "External" {
			if plain, err := url.PathUnescape(target); err == nil {
				target = plain
			}
			if target = strings.TrimPrefix(path.Clean("/"+target), "/"); parts[target] != nil {
				main = target
				break
			}
		}
	}
	for _, usual := range [...]string{"word/document.xml", "xl/workbook.xml", "xl/workbook.bin", "ppt/presentation.xml"} {
		if main == "" && parts[usual] != nil {
			main = usual
		}
	}
	if main == "" {
		return withoutMain(parts)
	}
	mime, byEnd := "", ""
	for t := range attributes(parts["[content_types].xml"], "Override", "Default") {
		switch {
		case folded(t["PartName"]) == main:
			mime = t["ContentType"]
		case t["Extension"] != "" && strings.HasSuffix(main, "."+strings.ToLower(t["Extension"])):
			byEnd = t["ContentType"]
		}
	}
	for _, said := range [...]string{mime, byEnd, path.Base(main)} {
		if ext := officeExtension(strings.ToLower(said)); ext != "" {
			return byExtension(ext, Kind{})
		}
	}
	return Kind{}
}

// officeExtension returns the usual extension of a package with a main part of a content type,
// or of a name; "" for any other.
func officeExtension(said string) string {
	for _, one := range [...]struct{ word, ext string }{
		{"ms-excel.sheet.binary", ".xlsb"}, {"workbook.bin", ".xlsb"},
		{"ms-visio", ".vsdx"},
		{"spreadsheetml", ".xlsx"}, {"ms-excel", ".xlsx"}, {"workbook", ".xlsx"},
		{"presentationml", ".pptx"}, {"ms-powerpoint", ".pptx"}, {"presentation", ".pptx"},
		{"wordprocessingml", ".docx"}, {"ms-word", ".docx"}, {"document", ".docx"},
	} {
		if strings.Contains(said, one.word) {
			return one.ext
		}
	}
	return ""
}

// withoutMain returns the kind of a package that lacks its main part, by the folder of the
// others: its reader says what is missing.
func withoutMain(parts map[string]*zip.File) Kind {
	if parts["[content_types].xml"] == nil {
		return Kind{}
	}
	for _, folder := range [...]struct{ name, ext string }{{"word/", ".docx"}, {"xl/", ".xlsx"}, {"ppt/", ".pptx"}} {
		for name := range parts {
			if strings.HasPrefix(name, folder.name) {
				return byExtension(folder.ext, Kind{})
			}
		}
	}
	return Kind{}
}

// maxElements limits the elements of a list that are looked at, and maxList its bytes.
const (
	maxElements = 20_000
	maxList     = 4 << 20
)

// attributes iterates over the elements of a name in a part: the attributes of each.
func attributes(part *zip.File, names ...string) func(yield func(map[string]string) bool) {
	return func(yield func(map[string]string) bool) {
		if part == nil {
			return
		}
		r, err := part.Open()
		if err != nil {
			return
		}
		defer r.Close()
		d := xml.NewDecoder(io.LimitReader(r, maxList))
		d.Strict = false
		d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
		for range maxElements {
			token, err := d.RawToken()
			if err != nil {
				return // what comes after the damage is not known
			}
			start, ok := token.(xml.StartElement)
			if !ok || !slices.Contains(names, start.Name.Local) {
				continue
			}
			all := make(map[string]string, len(start.Attr))
			for _, a := range start.Attr {
				all[a.Name.Local] = a.Value
			}
			if !yield(all) {
				return
			}
		}
	}
}

// firstBytes reads the short entry in which a document names its type.
func firstBytes(f *zip.File) string {
	r, err := f.Open()
	if err != nil {
		return ""
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, 100))
	if err != nil || !bytes.HasPrefix(text, []byte("application/")) {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// byExtension returns the kind of document with an extension, or otherwise. It is
// used for a container that cannot be examined.
func byExtension(ext string, otherwise Kind) Kind {
	var mime string
	switch ext {
	case ".docx":
		mime = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	case ".xlsx":
		mime = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	case ".xlsb":
		mime = BinaryExcelMIME
	case ".vsdx":
		mime = VisioMIME
	case ".pptx":
		mime = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
	case ".odt":
		mime = "application/vnd.oasis.opendocument.text"
	case ".ods":
		mime = "application/vnd.oasis.opendocument.spreadsheet"
	case ".odp":
		mime = "application/vnd.oasis.opendocument.presentation"
	case ".epub":
		mime = "application/epub+zip"
	default:
		return otherwise
	}
	return Kind{Document, mime}
}
