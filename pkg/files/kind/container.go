package kind

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"io"
	"slices"
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
		return byExtension(ext, Kind{Document, zipMIME}) // damaged; its reader will report that
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

// inOLE returns which of Office's old formats a compound file (MS-CFB) has, by the names
// of its streams. If none is known, the extension counts.
func inOLE(head []byte, file io.ReaderAt, ext string) Kind {
	names := entriesOf(head, file)
	for _, s := range []struct{ stream, ext, mime string }{
		{"EncryptedPackage", "", EncryptedMIME}, // first: the file has the extension of the document that is encrypted
		{"WordDocument", ".doc", "application/msword"},
		{"Workbook", ".xls", ExcelMIME},
		{"Book", "", ExcelMIME}, // before Excel 97
		{"PowerPoint Document", ".ppt", "application/vnd.ms-powerpoint"},
		{"__nameid_version1.0", ".msg", "application/vnd.ms-outlook"},
	} {
		if slices.Contains(names, string(utf16le(s.stream))) || s.ext != "" && s.ext == ext {
			return Kind{Document, s.mime}
		}
	}
	return Kind{Binary, oleMIME}
}

// entriesOf returns the names, in UTF-16, at the beginning of the directory of a compound
// file.
func entriesOf(head []byte, file io.ReaderAt) (names []string) {
	const (
		shiftAt, directoryAt = 30, 48  // MS-CFB 2.2
		entry, lengthAt      = 128, 64 // 2.6.1
		enough               = 64 * entry
	)
	if len(head) < directoryAt+4 || file == nil {
		return nil
	}
	shift := min(binary.LittleEndian.Uint16(head[shiftAt:]), 12)
	directory := make([]byte, enough)
	n, _ := file.ReadAt(directory, (int64(binary.LittleEndian.Uint32(head[directoryAt:]))+1)<<shift) // what is not there has no names
	for ; n >= entry; n, directory = n-entry, directory[entry:] {
		if length := int(binary.LittleEndian.Uint16(directory[lengthAt:])); length > 2 && length <= lengthAt {
			names = append(names, string(directory[:length-2]))
		}
	}
	return names
}

func utf16le(s string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return b
}
