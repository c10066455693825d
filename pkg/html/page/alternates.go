package page

import (
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
	"github.com/helve-dev/helve/pkg/html/markdown"
)

// Alternates are other forms of a page and lists of the pages of its site, as the page
// names them.
type Alternates struct {
	Markdown string   `json:"markdown,omitzero"` // the page itself
	LLMs     string   `json:"llms_txt,omitzero"` // https://llmstxt.org
	Feeds    []string `json:"feeds,omitzero"`
	Sitemap  string   `json:"sitemap,omitzero"`
}

// maxFeeds limits the number of feeds listed.
const maxFeeds = 5

// IsZero reports whether there are none.
func (a *Alternates) IsZero() bool {
	return a.Markdown == "" && a.LLMs == "" && len(a.Feeds) == 0 && a.Sitemap == ""
}

// linked adds what the link elements of a page name.
func (a *Alternates) linked(doc *html.Node, base *url.URL) {
	for _, l := range dom.All(doc, atom.Link) {
		a.add(base, dom.Attr(l, "href"), dom.Attr(l, "rel"), dom.Attr(l, "type"))
	}
}

// Linked adds what the header of a response names in Link fields (RFC 8288).
func (a *Alternates) Linked(h http.Header, base *url.URL) {
	for _, field := range h.Values("Link") {
		for field != "" {
			_, rest, ok := strings.Cut(field, "<")
			if !ok {
				break
			}
			target, after, ok := strings.Cut(rest, ">")
			if !ok {
				break
			}
			end := strings.IndexByte(after, '<') // of the next link; no value here has one
			if end < 0 {
				end = len(after)
			}
			var rel, kind string
			for parameter := range strings.SplitSeq(after[:end], ";") {
				name, value, _ := strings.Cut(strings.TrimSpace(parameter), "=")
				value = strings.Trim(strings.TrimRight(value, ", "), "\" ")
				switch strings.ToLower(strings.TrimSpace(name)) {
				case "rel":
					rel = value
				case "type":
					kind = value
				}
			}
			a.add(base, target, rel, kind)
			field = after[end:]
		}
	}
}

// add adds a link with its relations and its type. The first of each counts.
func (a *Alternates) add(base *url.URL, href, rel, kind string) {
	address := markdown.Absolute(base, strings.TrimSpace(href))
	if address == "" || !strings.HasPrefix(address, "http") || len(address) > maxRefresh {
		return
	}
	first := func(field *string) {
		if *field == "" {
			*field = address
		}
	}
	relations := strings.Fields(strings.ToLower(rel))
	kind, _, _ = strings.Cut(strings.ToLower(kind), ";")
	alternate := slices.Contains(relations, "alternate")
	switch {
	case slices.Contains(relations, "sitemap"):
		first(&a.Sitemap)
	case slices.Contains(relations, "llms-txt"), (alternate || slices.Contains(relations, "help")) && named(address, "llms.txt"):
		first(&a.LLMs)
	case alternate && strings.TrimSpace(kind) == "text/markdown":
		first(&a.Markdown)
	case alternate && isFeedType(strings.TrimSpace(kind)) && len(a.Feeds) < maxFeeds && !slices.Contains(a.Feeds, address):
		a.Feeds = append(a.Feeds, address)
	}
}

// named reports whether the file of an address has a name.
func named(address, name string) bool {
	u, err := url.Parse(address)
	return err == nil && path.Base(u.Path) == name
}

func isFeedType(kind string) bool {
	return kind == "application/rss+xml" || kind == "application/atom+xml" || kind == "application/feed+json"
}
