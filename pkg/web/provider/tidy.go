package provider

import (
	"cmp"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/parse"
	"github.com/helve-dev/helve/pkg/policy/secret"
	"github.com/helve-dev/helve/pkg/web"
)

// How much of a result's texts is shown, in characters.
const (
	maxTitle       = 200
	maxDescription = 400
	maxDirect      = 1000
)

// tidy returns the results to show: web pages of the requested site, each once,
// without markup and tracking parameters.
func tidy(found []Result, q Query, secrets []string) []Result {
	results := []Result{}
	seen := map[string]bool{}
	for _, r := range found {
		u := target(r.URL)
		if u == nil || !of(u, q.Site) {
			continue
		}
		key := strings.TrimPrefix(u.Hostname(), "www.") + strings.TrimSuffix(u.EscapedPath(), "/") + "?" + u.RawQuery
		if seen[key] {
			continue
		}
		seen[key] = true
		show := func(text string, most int) string { return web.Shorten(secret.Hide(plain(text), secrets...), most) }
		r = Result{
			Title: show(r.Title, maxTitle), URL: secret.Hide(u.String(), secrets...), Description: show(r.Description, maxDescription),
			Age: date(show(r.Age, maxTitle)), Site: show(strings.TrimPrefix(u.Hostname(), "www."), maxTitle),
		}
		if r.Title == "" {
			r.Title = r.Site
		}
		if results = append(results, r); len(results) == q.Limit {
			break
		}
	}
	return results
}

// tidy returns the answer to show, without markup; nil without a text.
func (d *Direct) tidy(secrets []string) *Direct {
	if d == nil {
		return nil
	}
	show := func(text string, most int) string { return web.Shorten(secret.Hide(plain(text), secrets...), most) }
	shown := Direct{Title: show(d.Title, maxTitle), Text: show(d.Text, maxDirect)}
	if shown.Text == "" {
		return nil
	}
	if u := target(d.URL); u != nil {
		shown.URL = secret.Hide(u.String(), secrets...)
	}
	return &shown
}

// target returns the page behind the address of a result, without the redirects
// that search engines count clicks by and without tracking parameters; nil if it is
// not a web page.
func target(raw string) *url.URL {
	for range 3 { // one such redirect may lead to another
		u, err := url.Parse(strings.TrimSpace(raw))
		if err != nil {
			return nil
		}
		if u.Scheme == "" && u.Host != "" {
			u.Scheme = "https"
		}
		host := strings.TrimPrefix(u.Hostname(), "www.")
		switch {
		case (host == "duckduckgo.com" || host == "") && u.Path == "/l/" && u.Query().Has("uddg"):
			raw = u.Query().Get("uddg")
			continue
		case host == "google.com" && u.Path == "/url" && (u.Query().Has("q") || u.Query().Has("url")):
			raw = cmp.Or(u.Query().Get("q"), u.Query().Get("url"))
			continue
		}
		if u.Scheme != "http" && u.Scheme != "https" || strings.Trim(u.Hostname(), ".") == "" || u.User != nil {
			return nil
		}
		if host == "duckduckgo.com" && u.Path == "/y.js" { // an advertisement
			return nil
		}
		u.Host = strings.ToLower(u.Host)
		var kept []string
		for part := range strings.SplitSeq(u.RawQuery, "&") {
			if name, _, _ := strings.Cut(part, "="); part != "" && !tracks(strings.ToLower(name)) {
				kept = append(kept, part)
			}
		}
		u.RawQuery, u.ForceQuery = web.EscapeQuery(strings.Join(kept, "&")), false
		return u
	}
	return nil
}

// tracks reports whether a parameter only tracks readers.
func tracks(name string) bool {
	switch name {
	case "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "fbclid", "msclkid", "yclid", "twclid", "ttclid", "igshid", "mc_cid", "mc_eid",
		"_hsenc", "_hsmi", "vero_id", "srsltid", "ref_src", "mkt_tok", "_ga", "_gl", "oly_enc_id", "oly_anon_id", "rut":
		return true
	}
	return strings.HasPrefix(name, "utm_")
}

// of reports whether a page belongs to a site, which may have a path.
func of(u *url.URL, site string) bool {
	if site == "" {
		return true
	}
	host, path, _ := strings.Cut(site, "/")
	name := u.Hostname()
	return (name == host || strings.HasSuffix(name, "."+host)) && (path == "" || strings.HasPrefix(u.Path+"/", "/"+strings.TrimSuffix(path, "/")+"/"))
}

// plain returns a text without markup, on one line, see [web.OneLine]. Text that
// only looks like markup stays, as in vector<int>.
func plain(text string) string {
	if strings.ContainsAny(text, "<&") {
		var b strings.Builder
		hidden := false // in a script or style element
		for t := range parse.Tokens(text) {
			switch t.Kind {
			case parse.Text:
				if !hidden {
					b.WriteString(t.Data)
				}
			case parse.StartTag, parse.EndTag:
				switch t.Atom {
				case atom.Script, atom.Style:
					hidden = t.Kind == parse.StartTag
				case atom.Br, atom.P, atom.Div, atom.Li, atom.Td:
					b.WriteByte(' ')
				case 0:
					b.WriteString(t.Raw)
				}
			case parse.Unfinished:
				b.WriteString(t.Raw)
			}
		}
		text = b.String()
	}
	return web.OneLine(text)
}

// date returns the day of a time, and any other text as it is.
func date(text string) string {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04:05.999999", "2006-01-02 15:04:05", time.RFC1123, time.RFC1123Z} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.Format(time.DateOnly)
		}
	}
	return text
}
