package page

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/html/extract"
)

const (
	// leadBytes is the longest content, in bytes, of a page that only redirects to
	// another.
	leadBytes = 1500
	// maxRefresh is the longest address, in bytes, that such a page may redirect to.
	maxRefresh = 8 << 10
	// maxWait is the longest time, in seconds, after which such a page redirects.
	maxWait = 30
	// bareBytes is the longest content, in bytes, of a page that is taken for empty.
	bareBytes = 200
	// namedFrames limits the frames that a warning names.
	namedFrames = 5
)

// barrier returns the warning about a wall, with advice.
func barrier(w extract.Wall) fault.Text {
	switch w {
	case extract.BotWall:
		return fault.T("this is a test for humans, not the page: the site blocks programs; use another source")
	case extract.ConsentWall:
		return fault.T("this is a request to accept cookies, not the page; use another source")
	case extract.LoginWall:
		return fault.T("the page requires a login; the content may be incomplete: use another source, or ask the person, who can set the headers of a login for this host in web.headers")
	case extract.ScriptWall:
		return fault.T("the page is empty until its scripts run: render=always runs them if a browser is configured, see web.browser; else look for an API, a feed or another source")
	}
	return fault.Text{}
}

// leads returns the warnings of a page with little content that leads elsewhere, with what
// to fetch next. refresh is the absolute address that its meta element names.
func (d *Document) leads(s Source, c *extract.Content, refresh string, base *url.URL) []fault.Text {
	next := refresh
	for _, target := range [...]string{refreshed(s.Refresh), c.Target} {
		if next == "" && target != "" {
			next = elsewhere(base, s.URL, target)
		}
	}
	if next != "" && len(next) <= maxRefresh && len(d.Content) < leadBytes {
		return []fault.Text{fault.T("in a browser this page redirects to %s; fetch that", next)}
	}
	var pages []string
	for _, frame := range c.Frames {
		if page := elsewhere(base, s.URL, frame); page != "" && len(page) <= maxRefresh && len(pages) < namedFrames {
			pages = append(pages, page)
		}
	}
	if len(pages) == 0 || len(d.Content) >= bareBytes {
		return nil
	}
	return []fault.Text{fault.T("the page shows others in frames; fetch them: %s", strings.Join(pages, " "))}
}

// blank explains an empty page, unless another warning does. images counts the images in
// its content.
func (d *Document) blank(s Source, c *extract.Content, images int) fault.Text {
	switch {
	case strings.TrimSpace(d.Content) != "" || c.Wall != extract.NoWall || len(d.Warnings) > 0:
		return fault.Text{}
	case strings.TrimSpace(s.Text) == "":
		return fault.T("the server sent an empty body; check the address, or use another source")
	case images > 0:
		return fault.T("the page has no text, only %d images: format=html shows their addresses", images)
	}
	return fault.T("the page has no text: main=false shows all of it, format=raw what the server sent")
}

// refreshed returns the address in a header Refresh, as it is written there; "" for none.
func refreshed(header string) string {
	at := strings.IndexAny(header, ";,")
	if at < 0 {
		return ""
	}
	wait, target := header[:at], header[at+1:]
	seconds, err := strconv.ParseFloat(strings.TrimSpace(wait), 64)
	target = strings.TrimSpace(target)
	if err != nil || !(seconds >= 0 && seconds <= maxWait) {
		return ""
	}
	if len(target) > 3 && strings.EqualFold(target[:3], "url") {
		if _, after, ok := strings.Cut(target, "="); ok {
			target = strings.TrimSpace(after)
		}
	}
	return strings.Trim(target, "\"'")
}

// elsewhere returns the absolute form of an address in a page; "" if it cannot be fetched
// or is the address of the page itself.
func elsewhere(base, page *url.URL, target string) string {
	u, err := base.Parse(strings.TrimSpace(target))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return ""
	}
	if u.Scheme == page.Scheme && u.Host == page.Host && u.EscapedPath() == page.EscapedPath() && u.RawQuery == page.RawQuery {
		return "" // the page reloads itself
	}
	return u.String()
}
