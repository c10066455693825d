package fetch

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/html/page"
)

// fixtures are documents that other programs wrote.
const fixtures = "../../document/"

func fixture(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.FromSlash(fixtures + name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// sendFile serves a file as a server does that knows its type no better.
func sendFile(mime, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", mime)
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = io.WriteString(w, body)
	}
}

// Documents of every family are shown as text by the readers of read, whatever the server
// calls them, and their parts are the whole.
func TestDocuments(t *testing.T) {
	for _, c := range []struct{ name, sent, format, has string }{
		{"docx/testdata/pandoc-report.docx", "application/octet-stream", "docx", "#"},
		{"docx/testdata/loodt-article.docx", "application/zip", "docx", "\n\n"},
		{"odf/testdata/report.odt", "application/vnd.oasis.opendocument.text", "odt", "\n"},
		{"odf/testdata/sales.ods", "application/octet-stream", "ods", "|"},
		{"odf/testdata/slides.odp", "text/plain", "odp", "\n"},
		{"doc/testdata/report.doc", "application/msword", "doc", "\n"},
		{"epub/testdata/pandoc-epub3.epub", "application/epub+zip", "epub", "#"},
		{"officecrypt/testdata/plain.xlsx", "application/octet-stream", "xlsx", "|"},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := fixture(t, c.name)
			w := newWorld(t, sendFile(c.sent, body))
			whole, err := w.fetch(func(a *Args) { a.MaxChars = 400_000 })
			if err != nil || whole.Document == nil || whole.Document.Format != c.format || whole.Extractor != asDocument || whole.Format != page.Markdown || !strings.Contains(whole.Content, c.has) || whole.Truncated {
				t.Fatalf("%+v, %v", whole.Page, err)
			}
			var parts strings.Builder
			for start, n := 0, 0; ; n++ {
				r, err := w.fetch(func(a *Args) { a.MaxChars, a.Start = 300, start })
				if err != nil || r.SHA != whole.SHA || n > 2000 {
					t.Fatalf("part at %d: %v", start, err)
				}
				parts.WriteString(r.Content)
				if start = r.NextStart; start == 0 {
					break
				}
			}
			if parts.String() != whole.Content {
				t.Error("the parts are not the whole")
			}
		})
	}
}

// What a document says of itself is in the result.
func TestDocumentMetadata(t *testing.T) {
	w := newWorld(t, sendFile("application/pdf", fixture(t, "pdf/testdata/chromium_columns.pdf")))
	r, err := w.fetch(nil)
	if err != nil || r.MIME != "application/pdf" || r.Document == nil || r.Document.Pages == 0 || r.Content == "" {
		t.Errorf("%+v, %v", r.Page, err)
	}
}

func TestArchives(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range []string{"a/readme.txt", "b.bin"} {
		if _, err := z.Create(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, sendFile("application/zip", b.String()))
	r, err := w.fetch(nil)
	if err != nil || r.Document == nil || r.Document.Entries != 2 || !strings.Contains(r.Content, "a/readme.txt") || r.Format != page.Text {
		t.Errorf("%+v, %v", r.Page, err)
	}
}

// A file that is compressed by itself is read as what is in it, not too often and not
// without end.
func TestCompressedFile(t *testing.T) {
	packed := func(body string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = io.WriteString(z, body)
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	w := newWorld(t, func(w http.ResponseWriter, r *http.Request) { // not a coding: the file itself is compressed
		w.Header().Set("Content-Type", "application/gzip")
		switch r.URL.Path {
		case "/sitemap.xml.gz":
			_, _ = io.WriteString(w, packed(`<?xml version="1.0"?><urlset><url><loc>https://example.org/one</loc></url></urlset>`))
		case "/often.gz":
			_, _ = io.WriteString(w, packed(packed(packed("x"))))
		case "/long.txt.gz":
			_, _ = io.WriteString(w, packed(strings.Repeat("many words\n", 2_000_000)))
		case "/report.docx.gz":
			_, _ = io.WriteString(w, packed(fixture(t, "docx/testdata/pandoc-report.docx")))
		case "/cut.gz":
			_, _ = io.WriteString(w, packed("some text")[:12])
		}
	})
	at := func(path string) func(*Args) { return func(a *Args) { a.URL += path } }
	if r, err := w.fetch(at("/sitemap.xml.gz")); err != nil || !strings.Contains(r.Content, "https://example.org/one") {
		t.Errorf("%+v, %v", r.Page, err)
	}
	if r, err := w.fetch(at("/long.txt.gz")); err != nil || r.TotalChars > unpackedBytes || len(w.warnings) == 0 {
		t.Errorf("%d, %v, %v", r.TotalChars, w.warnings, err)
	}
	if r, err := w.fetch(at("/report.docx.gz")); err != nil || r.Document == nil || r.Document.Format != "docx" {
		t.Errorf("%+v, %v", r.Page, err)
	}
	for _, path := range []string{"/often.gz", "/cut.gz"} {
		if r, err := w.fetch(at(path)); err == nil && strings.Contains(r.Content, "x") && r.Document == nil {
			t.Errorf("%s: %+v", path, r.Page)
		}
	}
}

func TestNotebook(t *testing.T) {
	const cells = `{"nbformat":4,"metadata":{},"cells":[{"cell_type":"markdown","source":["# Kettles"]},{"cell_type":"code","source":["boil()"],"outputs":[]}]}`
	w := newWorld(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		if r.URL.Path == "/other.ipynb" {
			_, _ = io.WriteString(w, `{"n":1}`)
			return
		}
		_, _ = io.WriteString(w, cells)
	})
	r, err := w.fetch(func(a *Args) { a.URL += "/a.ipynb" })
	if err != nil || r.Document == nil || r.Document.Format != "ipynb" || !strings.Contains(r.Content, "# Kettles\n") || !strings.Contains(r.Content, "```") {
		t.Errorf("%+v, %v", r.Page, err)
	}
	if r, err = w.fetch(func(a *Args) { a.URL += "/a.ipynb"; a.Format = "raw" }); err != nil || r.Content != cells {
		t.Errorf("%+v, %v", r.Page, err)
	}
	if r, err = w.fetch(func(a *Args) { a.URL += "/other.ipynb" }); err != nil || r.Document != nil || !strings.Contains(r.Content, `"n": 1`) {
		t.Errorf("%+v, %v", r.Page, err)
	}
}

// What cannot be shown says its type and length, and how to get it.
func TestUnshown(t *testing.T) {
	docx := fixture(t, "docx/testdata/pandoc-report.docx")
	for _, c := range []struct {
		name, body, format string
		code               fault.Code
		says               string
	}{
		{"video", "\x00\x00\x00\x18ftypmp42" + strings.Repeat("\x00\x01", 900), "", fault.UnsupportedContent, "video/mp4"},
		{"binary", "\x7fELF" + strings.Repeat("\x00\x01\x02\xff\xfe", 99), "", fault.UnsupportedContent, "499 bytes"},
		{"raw document", docx, "raw", fault.UnsupportedContent, "format=raw"},
		{"encrypted", fixture(t, "officecrypt/testdata/agile-sha256.xlsx"), "", fault.EncryptedDocument, "encrypted"},
		{"encrypted PDF", fixture(t, "pdf/object/testdata/aes-256.pdf"), "", fault.EncryptedDocument, "encrypted"},
		{"encrypted text", fixture(t, "odf/testdata/locked.odt"), "", fault.EncryptedDocument, "encrypted"},
		{"cut in two", docx[:len(docx)/8], "", fault.BadDocument, ""},
		{"too large", "%PDF-1.7\n" + strings.Repeat("%\n", documentBytes/2), "", fault.TooLarge, strconv.Itoa(documentBytes+9) + " bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, sendFile("application/octet-stream", c.body))
			_, err := w.fetch(func(a *Args) {
				if c.format != "" {
					a.Format = c.format
				}
			})
			if err == nil {
				t.Fatal("no error")
			}
			e := fault.As(err)
			if !fault.Is(err, c.code) || !strings.Contains(e.Message.In(fault.English), c.says) || !strings.Contains(e.Hint.In(fault.English), "save=PATH") {
				t.Errorf("%v, %s", err, e.Hint.In(fault.English))
			}
			if details, ok := e.Details.(map[string]any); !ok || details["bytes"] != int64(len(c.body)) {
				t.Errorf("details %v", e.Details)
			}
		})
	}
}

// A document beyond the limit of pages is read whole, with a second request.
func TestLargeDocument(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	out, err := z.CreateHeader(&zip.FileHeader{Name: "large.bin", Method: zip.Store})
	if err != nil {
		t.Fatal(err)
	}
	_, _ = out.Write(make([]byte, 12<<20))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	asked := 0
	w := newWorld(t, func(w http.ResponseWriter, r *http.Request) {
		asked++
		sendFile("application/zip", b.String())(w, r)
	})
	r, err := w.fetch(nil)
	if err != nil || r.Document == nil || r.Document.Entries != 1 || asked != 2 {
		t.Errorf("%+v, %v, asked %d times", r.Page, err, asked)
	}
}
