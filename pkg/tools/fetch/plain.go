package fetch

import (
	"context"
	"net/http"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/html/page"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/web"
	"github.com/helve-dev/helve/pkg/web/forms"
)

// form returns the plain form that is read instead of a page, if there is one: of the
// content alone, where no browser and no original is asked for.
func form(a Args, asked web.Address) (forms.Form, bool) {
	format := page.Format(a.Format)
	if !a.Main || format != page.Markdown && format != page.Text || a.Save != "" || a.Screenshot || a.Render == "always" {
		return forms.Form{}, false
	}
	return forms.Of(asked)
}

// plain reads the plain form of a page. ok is false if there is none, or it cannot be read
// for whatever reason: then the page itself is read. It takes at most half of the time.
func plain(ctx context.Context, client *web.Client, call *tool.Call, a Args, asked web.Address) (p Page, ok bool, err error) {
	f, ok := form(a, asked)
	if !ok || f.AsPage() {
		return Page{}, false, nil
	}
	half, cancel := context.WithTimeout(ctx, time.Duration(a.Timeout)*time.Second/2)
	defer cancel()
	first, body := part(half, client, call, f.URL, a)
	if first == nil {
		return Page{}, false, nil
	}
	bodies := []string{body}
	for _, address := range f.More {
		_, body := part(half, client, call, address, a)
		bodies = append(bodies, body)
	}
	d, err := f.Document(bodies, asked, page.Format(a.Format))
	if err != nil {
		return Page{}, false, nil
	}
	p = Page{
		URL: asked.String(), FinalURL: first.FinalURL.String(), Status: first.Status, MIME: first.MIME, Untrusted: true, Cached: first.Cached,
		Redirects: first.Redirects, Format: d.Format, Extractor: d.Extractor,
	}
	call.Warn(fault.T("this is the page's content as the site gives it at %s; main=false reads the page itself", f.URL))
	return p, true, p.show(call, first, d, a)
}

// part reads one address of a form, nil if that fails.
func part(ctx context.Context, client *web.Client, call *tool.Call, address string, a Args) (*web.Response, string) {
	q := web.Request{URL: web.At(address), Accept: "application/json, application/atom+xml;q=0.9, */*;q=0.5", NoRetry: true}
	if a.Start > 0 {
		q.Reuse = maxReuse
	}
	r, err := ask(ctx, client, call, q)
	if err != nil || r.Status != http.StatusOK || r.Truncated || len(r.Body) == 0 {
		return nil, ""
	}
	text := r.Text().Text
	r.Body = nil
	return r, text
}
