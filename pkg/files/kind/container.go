package kind

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"unicode/utf16"

	"github.com/helve-dev/helve/pkg/files/zipped"
)

// inZip returns which document a ZIP archive is, by the names of its entries.
func inZip(file io.ReaderAt, size int64, ext string) Kind {
	if file == nil {
		return byExtension(ext, Kind{Document, zipMIME})
	}
	z, err := zipped.Open(file, size)
	if err != nil {
		return byExtension(ext, Kind{Document, zipMIME}) // damaged; whoever reads it will report that
	}
	for _, f := range z.File {
		switch name := f.Name; {
		case name == "mimetype": // OpenDocument and EPUB name themselves
			if mime := firstBytes(f); mime != "" {
				return Kind{Document, mime}
			}
		case strings.HasPrefix(name, "word/"):
			return byExtension(".docx", Kind{})
		case strings.HasPrefix(name, "xl/"):
			return byExtension(".xlsx", Kind{})
		case strings.HasPrefix(name, "ppt/"):
			return byExtension(".pptx", Kind{})
		case name == "META-INF/MANIFEST.MF":
			return Kind{Document, "application/java-archive"}
		}
	}
	return Kind{Document, zipMIME}
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

// inOLE returns which of Office's old formats a compound file (MS-CFB) has, by the
// names of its streams in UTF-16 if the head has them, otherwise by the extension.
func inOLE(head []byte, ext string) Kind {
	for _, s := range []struct{ stream, ext, mime string }{
		{"WordDocument", ".doc", "application/msword"},
		{"Workbook", ".xls", "application/vnd.ms-excel"},
		{"PowerPoint Document", ".ppt", "application/vnd.ms-powerpoint"},
		{"__substg1.0_", ".msg", "application/vnd.ms-outlook"},
		{"EncryptedPackage", "", "application/x-ole-storage"},
	} {
		if bytes.Contains(head, utf16le(s.stream)) || s.ext == ext {
			return Kind{Document, s.mime}
		}
	}
	return Kind{Binary, oleMIME}
}

func utf16le(s string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return b
}
