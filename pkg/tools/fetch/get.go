package fetch

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/html/page"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/web"
)

// maxReuse limits the age of a stored page when a later part of it is asked for.
const maxReuse = time.Hour

// get requests the page. If it does not exist and the URL seems to have caught the
// end of a sentence, get requests it once more without that.
func get(ctx context.Context, client *web.Client, call *tool.Call, a Args, asked web.Address) (*web.Response, error) {
	q := web.Request{URL: asked, Accept: accept(page.Format(a.Format)), Timeout: time.Duration(a.Timeout) * time.Second, Partial: true}
	if a.Start > 0 {
		q.Reuse = maxReuse // parts are cut from the same bytes
	}
	if raw, ok := source(asked); ok && a.Main {
		q.URL = raw
	} else if f, ok := form(a, asked); ok && f.AsPage() {
		q.URL = web.At(f.URL)
	}
	r, err := ask(ctx, client, call, q)
	if err != nil {
		return nil, err
	}
	if q.URL != asked && r.Status != http.StatusOK { // the page may say why
		q.URL = asked
		if r, err = ask(ctx, client, call, q); err != nil {
			return nil, err
		}
	}
	if q.URL != asked {
		call.Warn(fault.T("this is the file itself: %s", r.FinalURL))
	}
	if trimmed := strings.TrimRight(a.URL, ".,;:!?)]}>'\"*"); r.Status == http.StatusNotFound && trimmed != a.URL && trimmed != "" {
		q.URL = web.At(trimmed)
		if again, err := ask(ctx, client, call, q); err == nil && again.Status == http.StatusOK {
			call.Warn(fault.T("there is no such page; this is %s", trimmed))
			return again, nil
		}
	}
	return r, nil
}

// accept returns the Accept header for a format. Some sites send Markdown on
// request.
func accept(f page.Format) string {
	switch f {
	case page.Markdown:
		return "text/markdown, text/html;q=1.0, application/xhtml+xml;q=0.9, text/plain;q=0.8, application/json;q=0.8, */*;q=0.5"
	case page.Raw:
		return "*/*"
	}
	return "text/html, application/xhtml+xml, text/plain;q=0.9, application/json;q=0.8, */*;q=0.5"
}

// source returns the address of the file that a page of a code host shows, if it is one.
func source(asked web.Address) (raw web.Address, ok bool) {
	u := asked.URL()
	if u.Scheme != "https" || u.RawQuery != "" {
		return raw, false
	}
	path := u.EscapedPath()
	var from, to string
	switch u.Host {
	case "github.com":
		parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
		if len(parts) < 5 || parts[2] != "blob" {
			return raw, false
		}
		return web.At("https://raw.githubusercontent.com/" + strings.Join(append(parts[:2:2], parts[3:]...), "/")), true
	case "gitlab.com":
		from, to = "/-/blob/", "/-/raw/"
	case "codeberg.org":
		from, to = "/src/", "/raw/"
	default:
		return raw, false
	}
	before, after, ok := strings.Cut(path, from)
	if !ok {
		return raw, false
	}
	return web.At("https://" + u.Host + before + to + after), true
}
