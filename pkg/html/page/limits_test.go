package page

import (
	"fmt"
	"strings"
	"testing"
)

// A document lists so many links and images, and no more.
func TestMaxLinks(t *testing.T) {
	var b strings.Builder
	for i := range 600 {
		fmt.Fprintf(&b, `<p>Some words about number %[1]d. <a href="/%[1]d">more</a> <img src="/%[1]d.png" alt="image %[1]d"></p>`, i)
	}
	d := read(t, Source{Text: b.String(), MIME: "text/html"}, Options{Format: Markdown, Whole: true, Links: true, Images: true})
	if len(d.Links) != 500 || len(d.Images) != 500 {
		t.Errorf("%d links, %d images", len(d.Links), len(d.Images))
	}
}

// The longest address that a page may redirect to is one that can be fetched.
func TestMaxRefresh(t *testing.T) {
	base := "https://example.org/"
	for length, want := range map[int]int{8192: 1, 8193: 0} {
		target := base + strings.Repeat("x", length-len(base))
		d := read(t, Source{Text: `<meta http-equiv=refresh content="0; url=` + target + `"><p>Moved.`, MIME: "text/html"}, Options{Format: Markdown})
		if len(d.Warnings) != want {
			t.Errorf("%d bytes: %d warnings", length, len(d.Warnings))
		}
	}
}

// A page redirects only if it says little else.
func TestLeadBytes(t *testing.T) {
	for length, want := range map[int]int{1400: 1, 1600: 0} {
		page := `<meta http-equiv=refresh content="0; url=/x"><p>` + strings.Repeat("x", length)
		if d := read(t, Source{Text: page, MIME: "text/html"}, Options{Format: Markdown}); len(d.Warnings) != want {
			t.Errorf("%d bytes: %d warnings", length, len(d.Warnings))
		}
	}
}

// Excerpts are cut, and so are feeds.
func TestLimitsOfFeeds(t *testing.T) {
	d := read(t, Source{Text: "<p>" + strings.Repeat("word ", 100), MIME: "text/html"}, Options{Format: Markdown})
	if n := len([]rune(d.Excerpt)); n < 295 || n > 301 {
		t.Errorf("%d characters", n)
	}
	for entries, want := range map[int]int{500: 0, 501: 1} {
		feed := "<rss>" + strings.Repeat("<item><title>x</title></item>", entries) + "</rss>"
		d := read(t, Source{Text: feed, MIME: "application/rss+xml"}, Options{Format: Markdown})
		if n := strings.Count(d.Content, "## x"); n != 500 || len(d.Warnings) != want {
			t.Errorf("%d of %d entries, %d warnings", n, entries, len(d.Warnings))
		}
	}
	for depth, want := range map[int]int{50: 0, 51: 1} { // rss and item are elements, too
		feed := "<rss><item><title>x</title>" + strings.Repeat("<a>", depth-2) + strings.Repeat("</a>", depth-2) + "</item></rss>"
		if d := read(t, Source{Text: feed, MIME: "application/rss+xml"}, Options{Format: Markdown}); len(d.Warnings) != want {
			t.Errorf("%d deep: %d warnings", depth, len(d.Warnings))
		}
	}
}

// Indentation that would make JSON too long is left out.
func TestMaxGrowth(t *testing.T) {
	deep := strings.Repeat("[", 300) + strings.Repeat("]", 300)
	if got := indented(deep); got != deep {
		t.Errorf("%d bytes of %d", len(got), len(deep))
	}
	flat := "[1" + strings.Repeat(",1", 100_000) + "]"
	if got := indented(flat); len(got) < 2*len(flat) {
		t.Errorf("%d bytes of %d", len(got), len(flat))
	}
	many := "[1" + strings.Repeat(",1", 1_600_000) + "]"
	if got := indented(many); len(got) < 2*len(many) {
		t.Errorf("%d bytes of %d", len(got), len(many))
	}
	large := "[1" + strings.Repeat(",1", 1_700_000) + "]"
	if got := indented(large); got != large {
		t.Errorf("%d bytes of %d", len(got), len(large))
	}
}
