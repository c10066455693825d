package open

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/fault"
)

// TextsSize limits the bytes of the texts kept for a workspace.
const TextsSize = 256 << 20

// Cache keeps texts from one process to the next. It may forget any of them.
type Cache interface {
	// Get returns a kept text, nil if there is none.
	Get(key string) ([]byte, error)
	Put(key string, text []byte) error
}

// Texts keeps the texts of documents, each under the sum of its bytes, so that one that is
// searched often is converted once.
type Texts struct {
	Cache Cache
	// Version is the version of the readers: another one may find more in the same bytes.
	Version string
}

// Text returns a document as Markdown, in which each image is one word. A nil t keeps
// nothing.
func (t *Texts) Text(ctx context.Context, mime string, file io.ReaderAt, size int64) ([]byte, error) {
	if t == nil {
		return convert(ctx, mime, file, size)
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(file, 0, size)); err != nil {
		return nil, fault.System(err, "")
	}
	key := t.Version + " " + hex.EncodeToString(sum.Sum(nil))
	if text, err := t.Cache.Get(key); err == nil && text != nil {
		return text, nil
	}
	text, err := convert(ctx, mime, file, size)
	if err != nil {
		return nil, err
	}
	// A text that cannot be kept is converted again.
	_ = t.Cache.Put(key, text)
	return text, nil
}

// convert returns a document as Markdown, as far as it can be read.
func convert(ctx context.Context, mime string, file io.ReaderAt, size int64) ([]byte, error) {
	d, err := Open(ctx, file, size, mime, "")
	if err != nil {
		return nil, err
	}
	if d.Book != nil {
		page, err := Show(ctx, d.Book, sheet.Query{MaxBytes: markdown.MaxBytes})
		if page == nil || page.Markdown == "" || ctx.Err() != nil {
			return nil, err
		}
		return []byte(page.Markdown), nil
	}
	var q document.Request
	w := markdown.NewWriter(markdown.Window{})
	for n := 0; ; n++ {
		// Images have their lines, as in what read shows.
		q.Image = func(document.Image) string { return "" }
		if err := Render(ctx, d.Text, &q, w); err != nil && (len(w.Bytes()) == 0 || ctx.Err() != nil) {
			return nil, err
		}
		pages, cut := q.Left()
		if !cut || pages == "" {
			return w.Bytes(), nil
		}
		if n == maxReadings {
			return nil, fault.New(fault.TooLarge, fault.T("reading all pages of the document takes more work than a call may")).
				WithHint(fault.T("read its pages instead: %s is what is left", pages))
		}
		if d, err = Open(ctx, file, size, mime, ""); err != nil { // each reading may take as much work
			return nil, err
		}
		q = document.Request{Pages: pages}
	}
}

// maxReadings limits the further readings of a document that one does not bring to its end.
const maxReadings = 8
