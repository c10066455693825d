package markdown

import (
	"bytes"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/marker"
	"golang.org/x/net/html"

	"github.com/helve-dev/helve/pkg/html/dom"
	"github.com/helve-dev/helve/pkg/html/layout"
)

// quote writes a blockquote. The library puts its sign before lines of text only, and the
// lines of code after the first left the quote. A note begins with its kind.
func quote(ctx converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	var inner bytes.Buffer
	ctx.RenderChildNodes(ctx, &inner, n)
	text := bytes.TrimSpace(inner.Bytes())
	if len(text) == 0 {
		return converter.RenderSuccess
	}
	var b bytes.Buffer
	b.WriteString("\n\n")
	if kind := dom.Attr(n, layout.CalloutKey); kind != "" {
		b.WriteString("> [!" + kind + "]\n")
	}
	blank := false
	for line := range bytes.Lines(text) {
		line = bytes.TrimRight(line, "\r\n")
		if empty := len(bytes.TrimSpace(line)) == 0; empty {
			if blank {
				continue
			}
			blank, line = true, nil
		} else {
			blank = false
		}
		b.WriteString("> ")
		b.Write(bytes.ReplaceAll(line, marker.BytesMarkerCodeBlockNewline, append(bytes.Clone(marker.BytesMarkerCodeBlockNewline), "> "...)))
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
	if _, err := w.Write(b.Bytes()); err != nil {
		return converter.RenderTryNext
	}
	return converter.RenderSuccess
}
