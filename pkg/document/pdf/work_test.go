package pdf

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
)

// laborious returns a PDF of so many pages, each of which says its number and runs so many
// operators, of a content that all share.
func laborious(t testing.TB, pages, operators int) []byte {
	t.Helper()
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	if _, err := z.Write(bytes.Repeat([]byte("q Q "), operators/2)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[")
	for n := range pages {
		fmt.Fprintf(&b, "%d 0 R ", 10+2*n)
	}
	fmt.Fprintf(&b, "]/Count %d>>endobj\n3 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\n4 0 obj%s endobj\n",
		pages, stream("/Filter/FlateDecode", packed.String()))
	for n := range pages {
		fmt.Fprintf(&b, "%d 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents[%d 0 R 4 0 R]/Resources<</Font<</F 3 0 R>>>>>>endobj\n%d 0 obj%s endobj\n",
			10+2*n, 11+2*n, 11+2*n, stream("", fmt.Sprintf("BT /F 10 Tf 50 700 Td (number %d) Tj ET", n+1)))
	}
	b.WriteString("trailer<</Root 1 0 R>>\n%%EOF\n")
	return b.Bytes()
}

// What takes too much work for one reading is left to others, which together read all of it.
func TestWork(t *testing.T) {
	t.Parallel()
	const pages = 7
	data := laborious(t, pages, 10_000)
	whole, _ := read(t, data, document.Request{})
	var parts strings.Builder
	var q document.Request
	for readings := 1; ; readings++ {
		d, err := Open(bytes.NewReader(data), int64(len(data)), "")
		if err != nil {
			t.Fatal(err)
		}
		d.most = 20_000 // two pages, and a third to see that these were too much
		w := markdown.NewWriter(markdown.Window{})
		if err := d.Render(t.Context(), &q, w); err != nil {
			t.Fatal(err)
		}
		if parts.Len() > 0 {
			parts.WriteByte('\n')
		}
		parts.Write(w.Bytes())
		left, cut := q.Left()
		if !cut {
			if readings != 4 {
				t.Errorf("%d readings", readings)
			}
			break
		}
		if left == q.Pages {
			t.Fatalf("%s are left again", left)
		}
		q = document.Request{Pages: left}
	}
	if parts.String() != whole {
		t.Errorf("the parts are\n%s\nthe whole is\n%s", parts.String(), whole)
	}
}

// The end of a call is an error, never a shorter text.
func TestEnded(t *testing.T) {
	t.Parallel()
	data := laborious(t, 3, 10)
	d, err := Open(bytes.NewReader(data), int64(len(data)), "")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	q := document.Request{Progress: func(n, _ int) {
		if n == 2 {
			cancel()
		}
	}}
	if err := d.Render(ctx, &q, markdown.NewWriter(markdown.Window{})); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
