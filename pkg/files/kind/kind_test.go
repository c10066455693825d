package kind_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"

	"github.com/helve-dev/helve/pkg/files/kind"
)

// archive returns a ZIP archive of the named entries.
func archive(t *testing.T, entries ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range entries {
		name, content, _ := strings.Cut(e, "=")
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func utf16le(s string) string {
	var b strings.Builder
	for _, r := range s {
		b.WriteByte(byte(r))
		b.WriteByte(byte(r >> 8))
	}
	return b.String()
}

// ole returns a compound file whose directory, behind twenty other sectors, has streams: those
// after a name that ends with a slash lie in that storage.
func ole(names ...string) string {
	const none = 0xFFFFFFFF
	entry := func(name string, kind byte, right, child uint32) string {
		e := make([]byte, 128)
		copy(e, utf16le(name))
		binary.LittleEndian.PutUint16(e[64:], uint16(len(name)*2+2))
		e[66] = kind
		binary.LittleEndian.PutUint32(e[68:], none)
		binary.LittleEndian.PutUint32(e[72:], right)
		binary.LittleEndian.PutUint32(e[76:], child)
		return string(e)
	}
	header := make([]byte, 512*21)
	copy(header, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	header[30] = 9
	header[48] = 20
	for i := 76; i < 512; i++ {
		header[i] = 0xff
	}
	directory := ""
	for i, name := range names {
		right := uint32(i + 2)
		if i+1 == len(names) || strings.HasSuffix(name, "/") {
			right = none
		}
		if storage, ok := strings.CutSuffix(name, "/"); ok {
			directory += entry(storage, 1, right, uint32(i+2))
			continue
		}
		directory += entry(name, 2, right, none)
	}
	first := uint32(1)
	if len(names) == 0 {
		first = none
	}
	return string(header) + entry("Root Entry", 5, none, first) + directory
}

// office returns a package with a main part of a type.
func office(t *testing.T, main, target, mime string, more ...string) string {
	t.Helper()
	return archive(t, append(more, "[Content_Types].xml=<Types><Default Extension='xml' ContentType='application/xml'/><Override PartName='/"+main+"' ContentType='"+mime+"'/></Types>",
		"_rels/.rels=<Relationships><Relationship Id='a' Type='http://x/thumbnail' Target='x.png'/><Relationship Id='b' Type='http://x/relationships/officeDocument' Target='"+target+"'/></Relationships>",
		main+"=<x/>")...)
}

func TestOf(t *testing.T) {
	const ooxml = "application/vnd.openxmlformats-officedocument."
	const sheetMain, wordMain = ooxml + "spreadsheetml.sheet.main+xml", ooxml + "wordprocessingml.document.main+xml"
	doc := func(mime string) kind.Kind { return kind.Kind{Class: kind.Document, MIME: mime} }
	for _, c := range []struct {
		name, content string
		want          kind.Kind
	}{
		{"main.go", "package main\n", kind.Kind{Class: kind.Text, MIME: "text/x-go"}},
		{"empty", "", kind.Kind{Class: kind.Text, MIME: "text/plain"}},
		{"gbk.txt", "\xc4\xe3\xba\xc3\n", kind.Kind{Class: kind.Text, MIME: "text/plain"}},
		{"wide.txt", "\xff\xfeh\x00i\x00", kind.Kind{Class: kind.Text, MIME: "text/plain"}},
		{"wide-unmarked.txt", utf16le("a longer text in UTF-16\n"), kind.Kind{Class: kind.Text, MIME: "text/plain"}},
		{"page", "\n<!DOCTYPE HTML><p>", kind.Kind{Class: kind.Text, MIME: "text/html"}},
		{"feed", "<?xml version='1.0'?><rss/>", kind.Kind{Class: kind.Text, MIME: "application/xml"}},
		{"a.svg", "<svg xmlns=''/>", kind.Kind{Class: kind.Text, MIME: "image/svg+xml"}},
		{"n.ipynb", `{"cells":[]}`, kind.Kind{Class: kind.Notebook, MIME: "application/x-ipynb+json"}},
		{"app.ts", "export const a = 1;\n", kind.Kind{Class: kind.Text, MIME: "text/x-typescript"}},
		{"film.ts", strings.Repeat("G\x40\x00\x10"+strings.Repeat("\xff", 184), 4), kind.Kind{Class: kind.Binary, MIME: "video/mp2t"}},
		{"nul", "a\x00b\x01\x02", kind.Kind{Class: kind.Binary, MIME: "application/octet-stream"}},
		{"x.pdf", "%PDF-1.7\n", kind.Kind{Class: kind.Document, MIME: "application/pdf"}},
		{"x.png", "\x89PNG\r\n\x1a\n", kind.Kind{Class: kind.Image, MIME: "image/png"}},
		{"misnamed.txt", "\x7fELF\x02", kind.Kind{Class: kind.Binary, MIME: "application/x-elf"}},
		{"x.docx", archive(t, "[Content_Types].xml=x", "word/document.xml=x"), kind.Kind{Class: kind.Document, MIME: "application/vnd.openxmlformats-officedocument.wordprocessingml.document"}},
		{"renamed.zip", archive(t, "xl/workbook.xml=x"), kind.Kind{Class: kind.Document, MIME: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}},
		{"x.odt", archive(t, "mimetype=application/vnd.oasis.opendocument.text"), kind.Kind{Class: kind.Document, MIME: "application/vnd.oasis.opendocument.text"}},
		{"x.jar", archive(t, "META-INF/MANIFEST.MF=x"), kind.Kind{Class: kind.Document, MIME: "application/java-archive"}},
		{"x.zip", archive(t, "a.txt=x"), kind.Kind{Class: kind.Document, MIME: "application/zip"}},
		{"cut.xlsx", archive(t, "xl/workbook.xml=x")[:40], kind.Kind{Class: kind.Document, MIME: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}},
		{"moved.xlsx", office(t, "wtf/workbook.xml", "wtf/workbook.xml", sheetMain), doc(ooxml + "spreadsheetml.sheet")},
		{"backslashes.xlsx", office(t, `xl\workbook.xml`, `\XL\Workbook.xml`, sheetMain), doc(ooxml + "spreadsheetml.sheet")},
		{"small.xlsx", archive(t, "[content_types].xml=<Types/>", `xl\workbook.xml=<x/>`), doc(ooxml + "spreadsheetml.sheet")},
		{"embedding.docx", office(t, "word/document.xml", "/word/document.xml", wordMain, "xl/workbook.xml=x", "ppt/slides/slide1.xml=x"), doc(ooxml + "wordprocessingml.document")},
		{"spaced.docx", office(t, "doc one/document.xml", "doc%20one/document.xml", wordMain), doc(ooxml + "wordprocessingml.document")},
		{"strict.xlsx", archive(t, "_rels/.rels=<p:Relationships xmlns:p='x'><p:Relationship Type='http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument' Target='book/main.xml'/></p:Relationships>",
			"book/main.xml=x", "[Content_Types].xml=<Types><Default Extension='XML' ContentType='"+sheetMain+"'/></Types>"), doc(ooxml + "spreadsheetml.sheet")},
		{"x.xlsb", office(t, "xl/workbook.bin", "xl/workbook.bin", "application/vnd.ms-excel.sheet.binary.macroEnabled.main"), doc(kind.BinaryExcelMIME)},
		{"words.zip", archive(t, "word/list.txt=x"), doc("application/zip")},
		{"lost.docx", archive(t, "[Content_Types].xml=x", "word/styles.xml=x"), doc(ooxml + "wordprocessingml.document")},
		{"x.key", archive(t, "Index/Document.iwa=x", "preview.jpg=x"), doc(kind.IWorkMIME)},
		{"old.pages", archive(t, "index.xml=x", "QuickLook/Preview.pdf=x"), doc(kind.IWorkMIME)},
		{"embedding.xls", ole("Workbook", "MBD01/", "WordDocument"), doc(kind.ExcelMIME)},
		{"embedding.doc", ole("WordDocument", "ObjectPool/", "Workbook"), doc("application/msword")},
		{"only-embedded", ole("Contents", "MBD01/", "WordDocument"), kind.Kind{Class: kind.Binary, MIME: "application/x-ole-storage"}},
		{"both.xls", ole("WordDocument", "Workbook"), doc(kind.ExcelMIME)},
		{"both.doc", ole("WordDocument", "Workbook"), doc("application/msword")},
		{"dual.ppt", ole("PP40", "PP97_DUALSTORAGE/", "PowerPoint Document"), doc(kind.PowerPointMIME)},
		{"capitals", ole("ENCRYPTEDPACKAGE"), doc(kind.EncryptedMIME)},
		{"x", ole("BOOK"), doc(kind.ExcelMIME)},
		{"plan", ole("VisioDocument"), doc(kind.VisioMIME)},
		{"leaflet", ole("Contents", "Quill/", "CONTENTS"), doc(kind.PublisherMIME)},
		{"mail", ole("__properties_version1.0", "__attach_version1.0_#00000000/", "WordDocument"), doc(kind.OutlookMIME)},
		{"x", ole("WordDocument"), kind.Kind{Class: kind.Document, MIME: "application/msword"}},
		{"x.docx", ole("EncryptedPackage"), kind.Kind{Class: kind.Document, MIME: kind.EncryptedMIME}},
		{"book", ole("Book"), kind.Kind{Class: kind.Document, MIME: kind.ExcelMIME}},
		{"x.db", ole("MyWorkbook"), kind.Kind{Class: kind.Binary, MIME: "application/x-ole-storage"}},
		{"export.xls", "\n<html><table>", kind.Kind{Class: kind.Document, MIME: kind.ExcelMIME}},
		{"export.xls", "<?xml version='1.0'?><Workbook xmlns='urn:schemas-microsoft-com:office:spreadsheet'>", kind.Kind{Class: kind.Document, MIME: kind.ExcelMIME}},
		{"export.html", "<html><table>", kind.Kind{Class: kind.Text, MIME: "text/html"}},
		{"x.xml", `<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>`, kind.Kind{Class: kind.Document, MIME: kind.ExcelMIME}},
		{"old", "\x09\x04\x06\x00\x00\x00\x10\x00", kind.Kind{Class: kind.Document, MIME: kind.ExcelMIME}},
		{"flat", `<?xml version="1.0"?><office:document xmlns:office="x" office:mimetype="application/vnd.oasis.opendocument.text">`, kind.Kind{Class: kind.Document, MIME: "application/vnd.oasis.opendocument.text"}},
		{"mailed", "Content-Type: application/pdf\r\n\r\n%PDF-1.4\n1 0 obj\n%%EOF\n", kind.Kind{Class: kind.Document, MIME: "application/pdf"}},
		{"about.txt", "A PDF begins with\n%PDF-1.4\nand so on.\n", kind.Kind{Class: kind.Text, MIME: "text/plain"}},
		{"photos.xlsx", archive(t, "a.jpg=x"), kind.Kind{Class: kind.Document, MIME: "application/zip"}},
		{"x.xls", ole(), kind.Kind{Class: kind.Document, MIME: "application/vnd.ms-excel"}},
		{"x.db", ole(), kind.Kind{Class: kind.Binary, MIME: "application/x-ole-storage"}},
	} {
		head := []byte(c.content)
		head = head[:min(len(head), 8<<10)]
		if got := kind.Of(head, c.name, strings.NewReader(c.content), int64(len(c.content))); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestImageSize(t *testing.T) {
	picture := image.NewPaletted(image.Rect(0, 0, 37, 21), color.Palette{color.Black, color.White})
	encoded := map[string]func(*bytes.Buffer) error{
		"image/png":  func(b *bytes.Buffer) error { return png.Encode(b, picture) },
		"image/jpeg": func(b *bytes.Buffer) error { return jpeg.Encode(b, picture, nil) },
		"image/gif":  func(b *bytes.Buffer) error { return gif.Encode(b, picture, nil) },
		"image/bmp":  func(b *bytes.Buffer) error { return bmp.Encode(b, picture) },
		"image/tiff": func(b *bytes.Buffer) error { return tiff.Encode(b, picture, nil) },
		"image/webp": func(b *bytes.Buffer) error {
			// VP8L: signature, then 14 bits each of width-1 and height-1
			b.WriteString("RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f")
			_ = binary.Write(b, binary.LittleEndian, uint32(36|20<<14)) // a buffer takes all
			b.WriteString("\x00\x00\x00\x00\x00\x00\x00\x00\x00")
			return nil
		},
		"image/x-icon": func(b *bytes.Buffer) error {
			b.WriteString("\x00\x00\x01\x00\x02\x00" + "\x10\x10" + strings.Repeat("\x00", 14) + "\x25\x15" + strings.Repeat("\x00", 14))
			return nil
		},
		"image/avif": func(b *bytes.Buffer) error {
			b.WriteString("\x00\x00\x00\x18ftypavif" + "....ispe\x00\x00\x00\x00\x00\x00\x00\x05\x00\x00\x00\x05" + "....ispe\x00\x00\x00\x00\x00\x00\x00\x25\x00\x00\x00\x15")
			return nil
		},
	}
	for mime, encode := range encoded {
		var b bytes.Buffer
		if err := encode(&b); err != nil {
			t.Fatal(err)
		}
		if k := kind.Of(b.Bytes()[:min(b.Len(), 8<<10)], "x", bytes.NewReader(b.Bytes()), int64(b.Len())); k != (kind.Kind{Class: kind.Image, MIME: mime}) {
			t.Errorf("%s: taken for %v", mime, k)
		}
		if w, h, ok := kind.ImageSize(mime, bytes.NewReader(b.Bytes())); w != 37 || h != 21 || !ok {
			t.Errorf("%s: %dx%d, %v", mime, w, h, ok)
		}
		if _, _, ok := kind.ImageSize(mime, bytes.NewReader(b.Bytes()[:5])); ok {
			t.Errorf("%s: a size of 5 bytes", mime)
		}
	}
}

func FuzzOf(f *testing.F) {
	f.Add([]byte("PK\x03\x04"), "x.docx")
	f.Add([]byte("\xff\xd8\xff\xe0"), "x.jpg")
	f.Add([]byte("RIFF....WEBPVP8X"), "x.webp")
	f.Add([]byte("\x00\x00\x01\x00\xff\xff"), "x.ico")
	f.Fuzz(func(t *testing.T, content []byte, name string) {
		k := kind.Of(content[:min(len(content), 8<<10)], name, bytes.NewReader(content), int64(len(content)))
		if k.Class == "" || k.MIME == "" {
			t.Errorf("%q: %v", name, k)
		}
		if w, h, ok := kind.ImageSize(k.MIME, bytes.NewReader(content)); ok && (w <= 0 || h <= 0) {
			t.Errorf("%dx%d", w, h)
		}
	})
}
