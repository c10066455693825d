package page

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const rss = `<?xml version="1.0" encoding="ISO-8859-1"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel><title>Tide &amp; Time</title><link>https://example.org/</link><description>News of the sea</description>
<image><title>Logo</title><url>/logo.png</url></image>
<item><title><![CDATA[High <b>water</b>]]></title><link>/high</link><pubDate>Mon, 01 Jul 2024 10:00:00 GMT</pubDate><dc:creator>Ida</dc:creator>
<description>Short.</description><content:encoded><![CDATA[<p>It was <em>high</em>, and <a href="/map">here</a> is where.</p><script>x()</script>]]></content:encoded></item>
<item><guid>https://example.org/2</guid><description>Only &lt;i&gt;this&lt;/i&gt;.</description></item>
</channel></rss>`

const atom1 = `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en"><title>Log</title><author><name>Bo</name></author>
<entry><title type="html">One &amp;amp; two</title><link rel="self" href="/self"/><link href="/one"/><updated>2024-05-01T00:00:00Z</updated><published>2024-04-30T00:00:00Z</published>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Body &#233;</p></div></content></entry></feed>`

func TestFeeds(t *testing.T) {
	for _, c := range []struct{ name, mime, text, title, want string }{
		{"rss", "application/rss+xml", rss, "Tide & Time", `## [High water](https://example.org/high)

Mon, 01 Jul 2024 10:00:00 GMT · Ida

It was *high*, and [here](https://example.org/map) is where.

## [https://example.org/2](https://example.org/2)

Only *this*.
`},
		{"atom, announced as text", "text/xml", atom1, "Log", "## [One & two](https://example.org/one)\n\n2024-04-30T00:00:00Z\n\nBody é\n"},
		{"cut off", "application/xml", rss[:strings.Index(rss, "<item><guid>")+20], "Tide & Time", "## [High water](https://example.org/high)\n\nMon, 01 Jul 2024 10:00:00 GMT · Ida\n\nIt was *high*, and [here](https://example.org/map) is where.\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := read(t, Source{Text: c.text, MIME: c.mime}, Options{Format: Markdown})
			if d.Extractor != ByFeed || d.Title != c.title {
				t.Errorf("%q by %s", d.Title, d.Extractor)
			}
			if diff := cmp.Diff(c.want, d.Content); diff != "" {
				t.Errorf("(- want, + got):\n%s", diff)
			}
			if (c.name == "cut off") != (len(d.Warnings) == 1) {
				t.Errorf("%d warnings", len(d.Warnings))
			}
		})
	}
	// Entities that a feed declares are not expanded: they could grow without limit.
	bomb := `<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><rss><channel><title>x &b;</title><item><title>&b;</title></item></channel></rss>`
	if d := read(t, Source{Text: bomb, MIME: "application/rss+xml"}, Options{Format: Markdown}); strings.Contains(d.Content, "aaaa") {
		t.Errorf("entities were replaced: %q", d.Content)
	}
}
