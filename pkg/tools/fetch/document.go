package fetch

import (
	"bytes"
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/archive"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/kind"
	"github.com/helve-dev/helve/pkg/html/page"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/internal/documents"
	"github.com/helve-dev/helve/pkg/web"
)

// Document is the description of a file other than a page. Unknown counts are left out.
type Document struct {
	document.Info
	Sheets  []string `json:"sheets,omitzero"`
	Entries int      `json:"entries,omitzero"` // of an archive
}

const (
	// documentBytes is the largest document that is read, in bytes. Its readers need all
	// of it, in memory.
	documentBytes = 32 << 20
	// unpackedBytes limits the bytes read of a compressed text, as of a page.
	unpackedBytes = 10 << 20
	// mostPacked limits the layers of compression of a file.
	mostPacked = 2
	// asDocument is the extractor of documents.
	asDocument = "document"
)

// file returns all of a document of which the first request kept only the beginning, and
// what is in a file that is compressed by itself.
func file(ctx context.Context, client *web.Client, call *tool.Call, r *web.Response, final *url.URL, k content, a Args) (*web.Response, content, error) {
	if r.Truncated && !r.Broken && r.Size <= documentBytes && page.Format(a.Format) != page.Raw {
		all, err := ask(ctx, client, call, web.Request{
			URL: r.FinalURL, Accept: accept(page.Format(a.Format)), Timeout: time.Duration(a.Timeout) * time.Second, MaxBytes: documentBytes,
		})
		if err != nil {
			return nil, content{}, err
		}
		if err := failure(all, final); err != nil {
			return nil, content{}, err
		}
		all.URL, all.Redirects = r.URL, r.Redirects
		r, k = all, kindOf(all, final)
	}
	for range mostPacked {
		if !k.document || r.Truncated || !archive.Reads(k.MIME) || page.Format(a.Format) == page.Raw {
			break
		}
		inner, err := unpacked(ctx, r, k)
		switch {
		case err != nil:
			return nil, k, unread(err, r, k)
		case inner == nil:
			return r, k, nil
		}
		name := k.name
		for _, end := range [...]string{".gz", ".bz2"} {
			name = strings.TrimSuffix(name, end)
		}
		r, k = inner, kindOf(inner, &url.URL{Path: name})
		if k.text && len(r.Body) > unpackedBytes {
			r.Body, r.Truncated = r.Body[:unpackedBytes:unpackedBytes], true
		}
	}
	return r, k, nil
}

// unpacked returns a response with what is in a file that is compressed by itself; nil for
// an archive.
func unpacked(ctx context.Context, r *web.Response, k content) (*web.Response, error) {
	packed, err := archive.Open(ctx, bytes.NewReader(r.Body), int64(len(r.Body)), k.MIME, k.name)
	if err != nil {
		return nil, err
	}
	if packed.Name == "" {
		return nil, nil
	}
	m, err := packed.Read(ctx, "")
	if err != nil {
		return nil, err
	}
	inner := *r
	inner.Body, inner.Size, inner.MIME, inner.Charset = m.Data, int64(len(m.Data)), "", ""
	inner.Header = nil // it is about the compressed file
	return &inner, nil
}

// convert fills in a part of a document.
func (p *Page) convert(ctx context.Context, call *tool.Call, r *web.Response, k content, a Args) error {
	switch {
	case page.Format(a.Format) == page.Raw && k.Class != kind.Notebook:
		return noText(r, k)
	case r.Truncated:
		return tooLarge(r, k)
	case page.Format(a.Format) == page.Raw:
		return p.read(ctx, call, r, &url.URL{Path: k.name}, a)
	}
	t, err := documents.Whole(ctx, r.Body, k.Kind, k.name)
	if err != nil {
		if k.Class == kind.Notebook { // it has only the name of one
			return p.read(ctx, call, r, &url.URL{Path: k.name}, a)
		}
		return unread(err, r, k)
	}
	r.Body = nil // it may be large, and is no longer needed
	d := &page.Document{
		Title: t.Info.Title, Byline: t.Info.Author, Content: t.Content, Format: page.Markdown, Extractor: asDocument, Warnings: t.Warnings,
	}
	if t.Lines {
		d.Format = page.Text
	}
	if t.Cut {
		d.Warnings = append(d.Warnings, fault.T("the document is longer than the %d bytes of text that are read of it; save it with save, then read the rest with read", documents.TextBytes))
	}
	t.Info.Title, t.Info.Author = "", "" // they are those of the page
	p.Document = &Document{Info: t.Info, Sheets: t.Sheets, Entries: t.Entries}
	return p.show(call, r, d, a)
}

// saveHint says how to get a file that is not shown.
func saveHint() fault.Text {
	return fault.T("save it with save=PATH, which takes files up to %d MiB; a saved document or image can be read with read", saveBytes>>20)
}

// noPage returns the fault of content that is not shown.
func noPage(r *web.Response, k content) error {
	message := fault.T("this is not a page but a file of type %s", k.MIME)
	if r.Size >= 0 {
		message = fault.T("this is not a page but a file of type %s with %d bytes", k.MIME, r.Size)
	}
	return fault.New(fault.UnsupportedContent, message).WithHint(saveHint()).WithDetails(about(r, k))
}

// noText returns the fault of format=raw for what is no text.
func noText(r *web.Response, k content) error {
	return fault.New(fault.UnsupportedContent, fault.T("format=raw shows text, and this is a file of type %s", k.MIME)).
		WithHint(fault.T("leave format out to read it as Markdown, or save the original with save=PATH")).
		WithDetails(about(r, k))
}

// tooLarge returns the fault of a document of which only a part came.
func tooLarge(r *web.Response, k content) error {
	message := fault.T("the file of type %s is larger than the %d bytes that fetch reads, and a part of it cannot be shown", k.MIME, documentBytes)
	switch {
	case r.Broken:
		message = fault.T("only a part of the file of type %s came, which cannot be shown", k.MIME)
	case r.Size > 0:
		message = fault.T("the file of type %s has %d bytes; fetch reads up to %d, and a part of it cannot be shown", k.MIME, r.Size, documentBytes)
	}
	return fault.New(fault.TooLarge, message).WithHint(saveHint()).WithDetails(about(r, k))
}

// unread returns the fault of a document that its reader cannot read. The reader's own hint
// is about arguments that fetch does not have.
func unread(err error, r *web.Response, k content) error {
	e := fault.As(err)
	switch e.Code {
	case fault.EncryptedDocument:
		return e.WithHint(fault.T("save it with save=PATH, then read it with read and its password")).WithDetails(about(r, k))
	case fault.BadDocument, fault.UnsupportedContent, fault.TooLarge, fault.Timeout:
		return e.WithHint(saveHint()).WithDetails(about(r, k))
	}
	return err
}

// about are the details of the faults of files.
func about(r *web.Response, k content) map[string]any {
	details := map[string]any{"mime": k.MIME, "url": r.FinalURL.String()}
	if r.Size >= 0 {
		details["bytes"] = r.Size
	}
	return details
}
