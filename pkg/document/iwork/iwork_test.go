package iwork

import (
	"archive/zip"
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/testing/documenttest"
)

// pack returns a document of parts.
func pack(t testing.TB, parts map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, content := range parts {
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
	return b.Bytes()
}

// The preview is read; of a picture it is said that the text is not.
func TestPreview(t *testing.T) {
	t.Parallel()
	pages, err := os.ReadFile("../../../testdata/documents/contract.pdf")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		parts map[string]string
		want  string
	}{
		"pages":   {map[string]string{"index.xml": "x", "QuickLook/Preview.pdf": string(pages)}, "## Page 1"},
		"picture": {map[string]string{"Index/Document.iwa": "x", "preview.jpg": "x"}, "![preview](saved)"},
		"damaged": {map[string]string{"QuickLook/Preview.pdf": "x", "QuickLook/Thumbnail.jpg": "x"}, "![preview](saved)"},
	} {
		data := pack(t, c.parts)
		d, err := Open(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		warned := 0
		q := document.Request{Image: func(document.Image) string { return "saved" }, Warn: func(fault.Text) { warned++ }}
		if got := documenttest.Render(t, d, &q); !strings.Contains(got, c.want) || warned != 1 {
			t.Errorf("%s: %d warnings, got\n%s", name, warned, got)
		}
	}
	data := pack(t, map[string]string{"Index/Document.iwa": "x"})
	if _, err := Open(bytes.NewReader(data), int64(len(data))); !fault.Is(err, fault.UnsupportedContent) {
		t.Error(err)
	}
}
