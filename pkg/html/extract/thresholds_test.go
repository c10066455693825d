package extract

import (
	"strings"
	"testing"

	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
	"github.com/helve-dev/helve/pkg/html/metadata"
)

// filler returns n characters of text.
func filler(n int) string { return strings.Repeat("some words ", n/11+1)[:n] }

// A page is an error page or a wall only up to a length.
func TestShortPages(t *testing.T) {
	for name, c := range map[string]struct {
		page  string
		chars int // of the longest such page
		found func(Content) bool
	}{
		"a missing page": {"<title>Page not found</title><p>", 1500, func(c Content) bool { return c.Complaint == Missing }},
		"a failure":      {"<title>Internal server error</title><p>", 600, func(c Content) bool { return c.Complaint == Failed }},
		"no title":       {"<p>Page not found. ", 400, func(c Content) bool { return c.Complaint == Missing }},
		"a wall":         {"<title>Just a moment...</title><p>", 1500, func(c Content) bool { return c.Wall == BotWall }},
	} {
		for chars, want := range map[int]bool{c.chars - 20: true, c.chars + 20: false} {
			doc, _ := Parse(c.page)
			length := chars - len(dom.Text(dom.Body(doc)))
			if got := c.found(find(t, "<body>"+c.page+filler(length), "https://example.org/")); got != want {
				t.Errorf("%s of %d characters: %t", name, chars, got)
			}
		}
	}
}

// Only a quote that repeats enough letters is shortened.
func TestShortQuotes(t *testing.T) {
	for letters, want := range map[int]bool{38: false, 42: true} {
		said := strings.Repeat("ab", letters/2)
		doc, _ := Parse("<body><p>" + said + "</p><blockquote>" + strings.Repeat("<p>"+said+"</p>", 5) + "</blockquote>")
		body := dom.Body(doc)
		shortenQuotes(body)
		quote := dom.Text(dom.First(body, atom.Blockquote))
		if got := strings.Contains(quote, "…"); got != want {
			t.Errorf("%d letters: %q", letters, quote)
		}
		if kept := dom.Length(quote); want && (kept < 75 || kept > 90) {
			t.Errorf("%d characters are kept", kept)
		}
	}
}

// A noscript element holds the page only from a length on.
func TestShortNoscript(t *testing.T) {
	for chars, want := range map[int]bool{390: false, 410: true} {
		doc, _ := Parse("<body><p>x</p><noscript><p>" + filler(chars) + "</p></noscript>")
		body := dom.Body(doc)
		prepare(body)
		if got := len(dom.Text(body)) > 100; got != want {
			t.Errorf("%d characters: shown %t", chars, got)
		}
	}
}

// A hidden part is a panel only beside another of some length.
func TestShortPanels(t *testing.T) {
	for chars, want := range map[int]bool{95: false, 105: true} {
		text := filler(chars - 1)
		doc, _ := Parse("<body><div><div class=p>a" + text + "</div><div class=p hidden>b" + text + "</div></div>")
		body := dom.Body(doc)
		prepare(body)
		if got := strings.Contains(dom.Text(body), "bsome"); got != want {
			t.Errorf("%d characters: shown %t", chars, got)
		}
	}
}

// Data is used only for a page that shows almost nothing, and only its prose.
func TestShortContent(t *testing.T) {
	for chars, want := range map[int]bool{190: true, 210: false} {
		page := "<body><p>" + filler(chars-1) + "x</p><script type=application/json>[\"" + filler(400) + "\"]</script>"
		if got := find(t, page, "https://example.org/").By == ByData; got != want {
			t.Errorf("%d characters: %t", chars, got)
		}
	}
	for words, want := range map[int]int{11: 0, 12: 1} {
		doc, _ := Parse(`<script type=application/json>["` + strings.TrimSpace(strings.Repeat("word ", words)) + `"]</script>`)
		if got := len(dataTexts(doc, &metadata.Metadata{})); got != want {
			t.Errorf("%d words: %d texts", words, got)
		}
	}
}

// Only small parts are compared with their neighbours.
func TestLargeParts(t *testing.T) {
	for page, want := range map[string]bool{
		strings.Repeat("<i>", 199):         true,
		strings.Repeat("<i></i>", 199):     true,
		strings.Repeat("<i></i>", 201):     false,
		"<i>" + strings.Repeat("x", 4096):  true,
		"<i>" + strings.Repeat("x", 4097):  false,
		"<pre>" + strings.Repeat("x", 100): false,
	} {
		doc, _ := Parse("<body><div>" + page)
		if got := summaryOf(dom.First(doc, atom.Div)) != nil; got != want {
			t.Errorf("%.20s, %d bytes: %t", page, len(page), got)
		}
	}
}
