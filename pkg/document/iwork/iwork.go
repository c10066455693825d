// Package iwork shows what there is to see of a document of Pages, Numbers or Keynote without
// its programs: the preview that they put into it.
package iwork

import (
	"bytes"
	"context"
	"io"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/document/pdf"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/zipped"
)

// Document is an open document: its preview.
type Document struct {
	pages   *pdf.Document // nil if there is but a picture
	picture []byte
}

var _ document.Reader = (*Document)(nil)

// Open opens a document. The faults are bad_document, and unsupported_content for one without
// a preview.
func Open(file io.ReaderAt, size int64) (*Document, error) {
	parts, err := zipped.OpenPackage(file, size)
	if err != nil {
		return nil, err
	}
	if data, err := parts.Read("QuickLook/Preview.pdf"); err == nil {
		if pages, err := pdf.Open(bytes.NewReader(data), int64(len(data)), ""); err == nil {
			return &Document{pages: pages}, nil
		}
	}
	for _, name := range [...]string{"preview.jpg", "QuickLook/Thumbnail.jpg", "preview-web.jpg", "preview-micro.jpg"} {
		if data, err := parts.Read(name); err == nil && len(data) > 0 {
			return &Document{picture: data}, nil
		}
	}
	return nil, fault.New(fault.UnsupportedContent, fault.T("documents of Pages, Numbers and Keynote are not read, and this one has no preview")).
		WithHint(fault.T("export it as PDF, or convert a copy with: soffice --headless --convert-to pdf FILE"))
}

// Info implements [document.Reader].
func (d *Document) Info() document.Info {
	info := document.Info{}
	if d.pages != nil {
		info = d.pages.Info()
	}
	info.Format = "iwork"
	return info
}

// Render writes the preview.
func (d *Document) Render(ctx context.Context, q *document.Request, w *markdown.Writer) error {
	if d.pages != nil {
		q.Warning(fault.T("this is the preview that the document has; what it leaves out is not shown"))
		return d.pages.Render(ctx, q, w)
	}
	q.Warning(fault.T("the text of the document is not read: it has only a picture of its beginning; export it as PDF, or convert a copy with: soffice --headless --convert-to pdf FILE"))
	w.Paragraph(q.Show(document.Image{MIME: "image/jpeg", Data: d.picture, Alt: "preview", Anchor: "page 1"}))
	return ctx.Err()
}
