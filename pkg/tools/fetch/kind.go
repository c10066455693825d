package fetch

import (
	"bytes"
	"net/url"
	"path"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/kind"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/artifact"
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

// content is what a body contains.
type content struct {
	kind.Kind
	text bool
}

// kindOf detects what a body contains: by its bytes, and where they are ambiguous
// by the type that the server sent.
func kindOf(r *web.Response, final *url.URL) content {
	head := r.Body[:min(len(r.Body), text.HeadBytes)]
	k := kind.Of(head, path.Base(final.Path), bytes.NewReader(r.Body), int64(len(r.Body)))
	c := content{Kind: k}
	switch {
	case k.Class == kind.Text, k.Class == kind.Notebook, len(r.Body) == 0:
		c.text = true
		if r.MIME != "" && r.MIME != "application/octet-stream" && !strings.HasPrefix(r.MIME, "image/") {
			c.MIME = r.MIME
		}
	case k.MIME == "application/octet-stream" && r.MIME != "" && !isText(r.MIME):
		c.MIME = r.MIME
	}
	return c
}

func isText(mime string) bool {
	return strings.HasPrefix(mime, "text/") || strings.HasSuffix(mime, "+json") || strings.HasSuffix(mime, "+xml") || mime == "application/json" || mime == "application/xml"
}

// attach saves an image where the caller can open it. The fault for anything else
// is unsupported_content.
func (result *Result) attach(call *tool.Call, r *web.Response, c content) error {
	if c.Class != kind.Image || r.Truncated {
		size := r.Size
		details := map[string]any{"mime": c.MIME, "url": r.FinalURL}
		message := fault.T("this is not a page but a file of type %s", "这不是网页，而是 %s 类型的文件", c.MIME)
		if size >= 0 {
			details["bytes"] = size
			message = fault.T("this is not a page but a file of type %s with %d bytes", "这不是网页，而是 %s 类型的文件，共 %d 字节", c.MIME, size)
		}
		return fault.New(fault.UnsupportedContent, message).
			WithHint(fault.T("download it with a command if it is needed, or look for a page with the same content", "如有需要请用命令下载，或寻找内容相同的网页")).
			WithDetails(details)
	}
	m := Media{MIME: c.MIME, Bytes: int64(len(r.Body))}
	m.Width, m.Height, _ = kind.ImageSize(c.MIME, bytes.NewReader(r.Body))
	saved, err := artifact.Image(call, r.Body, c.MIME)
	if err != nil {
		call.Warn(fault.T("the image could not be saved: %s", "无法保存该图片：%s", fault.As(err).Message))
	}
	m.Path = saved
	result.Media = []Media{m}
	return nil
}
