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
	large := "[1" + strings.Repeat(",1", 2_200_000) + "]"
	if got := indented(large); got != large {
		t.Errorf("%d bytes of %d", len(got), len(large))
	}
}
