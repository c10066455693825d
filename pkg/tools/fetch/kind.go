package fetch

import (
	"bytes"
	"cmp"
	"mime"
	"net/url"
	"path"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/kind"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/html/page"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/artifact"
	"github.com/helve-dev/helve/pkg/tools/internal/documents"
	"github.com/helve-dev/helve/pkg/web"
)

// Media is an image that was fetched.
type Media struct {
	Path   string `json:"path,omitzero"` // of the file it was saved to; "" if it was not
	MIME   string `json:"mime"`
	Bytes  int64  `json:"bytes"`
	Width  int    `json:"width,omitzero"`  // pixels
	Height int    `json:"height,omitzero"` // pixels
}

// content describes the content of a body.
type content struct {
	kind.Kind
	name     string // of the file, as far as it is known
	text     bool
	document bool // documents are shown as text, archives as lists
}

// kindOf detects what a body contains: by its bytes, and where they are ambiguous
// by the type that the server sent.
func kindOf(r *web.Response, final *url.URL) content {
	head := r.Body[:min(len(r.Body), text.HeadBytes)]
	name := nameOf(r, final)
	k := kind.Of(head, name, bytes.NewReader(r.Body), int64(len(r.Body)))
	c := content{Kind: k, name: name}
	switch {
	case len(r.Body) > 0 && documents.Reads(k):
		c.document = true
	case k.Class == kind.Text, len(r.Body) == 0:
		c.text = true
		if r.MIME != "" && r.MIME != "application/octet-stream" && !strings.HasPrefix(r.MIME, "image/") {
			c.MIME = r.MIME
		} else if k.MIME == "text/plain" {
			c.MIME = page.Sniff(string(head))
		}
	case k.MIME == "application/octet-stream" && (r.MIME == "" || isText(r.MIME)) && web.Wide(r.Body):
		c.text, c.MIME = true, cmp.Or(r.MIME, "text/plain")
	case k.MIME == "application/octet-stream" && (r.MIME == "" || isText(r.MIME)) && isPage(head):
		c.text, c.MIME = true, cmp.Or(r.MIME, "text/html")
	case k.MIME == "application/octet-stream" && r.MIME != "" && !isText(r.MIME):
		c.MIME = r.MIME
	}
	return c
}

// fewZeros is the most zero bytes, one in so many, that a page has by mistake.
const fewZeros = 100

// isPage reports whether bytes begin a page, although some of them are zero.
func isPage(head []byte) bool {
	whole := bytes.ReplaceAll(head, []byte{0}, nil)
	return (len(head)-len(whole))*fewZeros <= len(head) && page.Sniff(string(whole)) == "text/html"
}

// nameOf returns the name of the file that was sent: the one that the server gives it, or
// else the last part of the address.
func nameOf(r *web.Response, final *url.URL) string {
	if _, params, err := mime.ParseMediaType(r.Header.Get("Content-Disposition")); err == nil && params["filename"] != "" {
		return path.Base(strings.ReplaceAll(params["filename"], `\`, "/"))
	}
	return path.Base(final.Path)
}

// literal reports whether the server insists on the type that it sent.
func literal(r *web.Response) bool {
	return strings.EqualFold(strings.TrimSpace(r.Header.Get("X-Content-Type-Options")), "nosniff")
}

func isText(mime string) bool {
	return strings.HasPrefix(mime, "text/") || strings.HasSuffix(mime, "+json") || strings.HasSuffix(mime, "+xml") || mime == "application/json" || mime == "application/xml"
}

// attach saves an image where the caller can open it. The fault for anything else
// is unsupported_content.
func (p *Page) attach(call *tool.Call, r *web.Response, c content) error {
	if c.Class != kind.Image || r.Truncated {
		return noPage(r, c)
	}
	m := Media{MIME: c.MIME, Bytes: int64(len(r.Body))}
	m.Width, m.Height, _ = kind.ImageSize(c.MIME, bytes.NewReader(r.Body))
	saved, err := artifact.Image(call, r.Body, c.MIME)
	if err != nil {
		call.Warn(fault.T("the image could not be saved: %s", fault.As(err).Message))
	}
	m.Path = saved
	p.Media = []Media{m}
	return nil
}
