// Package rtf reads Rich Text Format, which word processors exchange and mail programs
// keep.
//
// The format is Microsoft's specification 1.9.1:
// https://interoperability.blob.core.windows.net/files/Archive_References/%5bMSFT-RTF%5d.pdf
package rtf

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/fault"
)

// Document is an open document.
type Document struct{ data []byte }

var _ document.Reader = (*Document)(nil)

// is reports whether a file that begins with head is RTF.
func is(head []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n"), []byte(`{\rt`))
}

// Open reads a document into memory. It fails with bad_document if it is not RTF.
func Open(file io.ReaderAt, size int64) (*Document, error) {
	data := make([]byte, size)
	n, err := file.ReadAt(data, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if data = data[:n]; !is(data) {
		return nil, fault.New(fault.BadDocument, fault.T("the file is not RTF")).
			WithHint(fault.T("it may be incomplete: get the file again"))
	}
	return &Document{data}, nil
}

// Info returns the title and the author.
func (d *Document) Info() document.Info {
	r := newReader(&document.Request{}, markdown.NewWriter(markdown.Window{}))
	r.headOnly = true
	_ = r.read(context.Background(), d.data) // Render reports what is wrong
	return document.Info{Format: "rtf", Title: strings.TrimSpace(r.title), Author: strings.TrimSpace(r.author)}
}

// Render writes the document; its notes and comments come at the end.
func (d *Document) Render(ctx context.Context, q *document.Request, w *markdown.Writer) error {
	return newReader(q, w).read(ctx, d.data)
}
