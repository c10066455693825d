package fetch

import (
	"bytes"
	"context"
	"net/url"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/kind"
	"github.com/helve-dev/helve/pkg/html/extract"
	"github.com/helve-dev/helve/pkg/html/page"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/artifact"
	"github.com/helve-dev/helve/pkg/web"
	"github.com/helve-dev/helve/pkg/web/browser"
)

// reserve is the part of a call's time that is kept for what comes after the browser.
const reserve = 500 * time.Millisecond

// document reads the page that the server sent or, as render says, the one that its
// scripts make of it in a browser.
func (p *Page) document(ctx context.Context, call *tool.Call, s page.Source, a Args) (*page.Document, error) {
	o := page.Options{Format: page.Format(a.Format), Whole: !a.Main, Links: a.Links, Images: a.Images}
	d, err := page.Read(s, o)
	if err != nil {
		return nil, err
	}
	must := a.Render == "always" || a.Screenshot
	switch {
	case !must && (a.Render == "never" || d.Wall != extract.ScriptWall):
		return d, nil
	case s.MIME != "text/html" && s.MIME != "application/xhtml+xml":
		call.Warn(fault.T("this is no page of HTML, so no browser has shown it"))
		return d, nil
	}
	b, err := tool.Service[*browser.Browser](call.Env)
	if err == nil && !b.Allowed() {
		err = browser.NotConfigured()
	}
	if err != nil {
		if must {
			return nil, err
		}
		if f := fault.As(err); f.Code == fault.NotConfigured {
			d.Warnings = append(d.Warnings, fault.T("a browser can run its scripts; %s", f.Hint))
		}
		return d, nil
	}
	rendered, err := p.render(ctx, call, b, web.At(s.URL.String()), o, a)
	if err != nil && !must && ctx.Err() == nil {
		d.Warnings = append(d.Warnings, fault.T("%s; this is the page without its scripts", fault.As(err).Message))
		return d, nil
	}
	return rendered, err
}

// render reads the page that a browser shows.
func (p *Page) render(ctx context.Context, call *tool.Call, b *browser.Browser, at web.Address, o page.Options, a Args) (*page.Document, error) {
	left := time.Duration(a.Timeout) * time.Second
	if until, ok := ctx.Deadline(); ok {
		left = min(left, time.Until(until)-reserve)
	}
	call.Progress(0, 0, fault.T("running the scripts of %s in a browser", at.Hostname()))
	shown, err := b.Open(ctx, browser.Request{URL: at, Timeout: max(left, time.Millisecond), Screenshot: a.Screenshot})
	if err != nil {
		return nil, err
	}
	final, err := url.Parse(shown.FinalURL)
	if err != nil {
		return nil, err
	}
	d, err := page.Read(page.Source{Text: shown.HTML, MIME: "text/html", URL: final, Ran: true}, o)
	if err != nil {
		return nil, err
	}
	for _, w := range shown.Warnings {
		call.Warn(w)
	}
	p.FinalURL, p.Rendered, p.Cached = shown.FinalURL, true, false
	if shown.Status > 0 {
		p.Status = shown.Status
	}
	if shown.Screenshot != nil {
		p.picture(call, shown.Screenshot)
	}
	return d, nil
}

// picture saves a picture of the page where the caller can open it.
func (p *Page) picture(call *tool.Call, data []byte) {
	m := Media{MIME: "image/png", Bytes: int64(len(data))}
	m.Width, m.Height, _ = kind.ImageSize(m.MIME, bytes.NewReader(data))
	saved, err := artifact.Image(call, data, m.MIME)
	if err != nil {
		call.Warn(fault.T("the picture could not be saved: %s", fault.As(err).Message))
	}
	m.Path = saved
	p.Media = append(p.Media, m)
}
