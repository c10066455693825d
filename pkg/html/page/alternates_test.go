package page

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAlternates(t *testing.T) {
	d, err := Read(Source{Text: `<!doctype html><title>T</title><link rel=alternate type=text/markdown href=/page.md><link rel="alternate" type="application/rss+xml" href="/feed"><link rel="alternate" type="application/atom+xml; charset=utf-8" href="/feed">
		<link rel=alternate hreflang=de href=/de><link rel=sitemap type=application/xml href=/sitemap.xml><link rel=alternate type=text/markdown href=/other.md><link rel=alternate type=text/markdown href="javascript:x"><main><p>A text.</p></main>`, MIME: "text/html", URL: address}, Options{Format: Markdown})
	if err != nil {
		t.Fatal(err)
	}
	d.Alternates.Linked(http.Header{"Link": {`</llms.txt>; rel="llms-txt", <https://other.example/feed.json>; type="application/feed+json"; rel=alternate`, `broken <`, `</x>; rel`}}, address)
	at := address.Scheme + "://" + address.Host
	want := Alternates{Markdown: at + "/page.md", LLMs: at + "/llms.txt", Feeds: []string{at + "/feed", "https://other.example/feed.json"}, Sitemap: at + "/sitemap.xml"}
	if diff := cmp.Diff(want, d.Alternates); diff != "" {
		t.Errorf("(- want, + got):\n%s", diff)
	}
}

// FuzzLinks checks that any field can be read, and that reading it ends.
func FuzzLinks(f *testing.F) {
	f.Add(`</a>; rel="alternate"; type="text/markdown", <b>`)
	f.Add(`<<>>;;=,"`)
	f.Fuzz(func(t *testing.T, field string) {
		var a Alternates
		a.Linked(http.Header{"Link": {field}}, address)
		if len(a.Feeds) > maxFeeds {
			t.Fatal(a.Feeds)
		}
	})
}

func TestListsOfAddresses(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{`<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.org/a</loc><lastmod>2024-01-02</lastmod></url><url><loc> https://example.org/b?x=1&amp;y=2 </loc></url></urlset>`,
			"- https://example.org/a · 2024-01-02\n- https://example.org/b?x=1&y=2\n"},
		{`<sitemapindex><sitemap><loc>https://example.org/s1.xml</loc></sitemap></sitemapindex>`, "- https://example.org/s1.xml\n"},
		{`<opml version="2.0"><head><title>Tea</title></head><body><outline text="Kettles"><outline text="A [blog]" xmlUrl="https://example.org/feed" htmlUrl="https://example.org/"/></outline></body></opml>`,
			"- Kettles\n- A [blog]: https://example.org/feed\n"},
		{`<urlset><url><loc>https://example.org/a</loc></url><url><loc>cut`, "- https://example.org/a\n"},
	} {
		d, err := Read(Source{Text: c.body, MIME: "application/xml", URL: address}, Options{Format: Markdown})
		if err != nil || d.Content != c.want || d.Extractor != ByFeed {
			t.Errorf("%s: %q by %s, %v", c.body, d.Content, d.Extractor, err)
		}
	}
}
