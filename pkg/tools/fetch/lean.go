package fetch

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/html/page"
	"github.com/helve-dev/helve/pkg/web"
)

// leanBytes limits the bytes of a page with much script that are read to find its text.
const leanBytes = 64 << 20

// lean returns a page of which the first request kept only the beginning without most of
// its scripts and styles, if these are more than half of that beginning: the text is
// behind them. That is a second request; if it fails, the beginning stays.
func lean(ctx context.Context, client *web.Client, r *web.Response, mime string, a Args) *web.Response {
	if !r.Truncated || r.Broken || !strings.Contains(mime, "html") {
		return r
	}
	l := &page.Lean{Most: len(r.Body)}
	_, _ = l.Write(r.Body)
	if len(l.Bytes()) > len(r.Body)/2 {
		return r
	}
	all, err := client.Get(ctx, web.Request{
		URL: r.FinalURL, Accept: accept(page.Format(a.Format)), Timeout: time.Duration(a.Timeout) * time.Second, MaxBytes: leanBytes,
		Into: func() (io.Writer, error) {
			l = &page.Lean{Most: unpackedBytes}
			return l, nil
		},
	})
	if err != nil || all.Status != r.Status || all.MIME != r.MIME {
		return r
	}
	without := *r
	without.Body, without.Truncated, without.Size = l.Bytes(), l.Cut, all.Size
	return &without
}
