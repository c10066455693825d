package page

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
	"github.com/helve-dev/helve/pkg/html/extract"
	"github.com/helve-dev/helve/pkg/html/markdown"
)

// Pages that are laid out by tables, or are lists of links, keep their links: all of
// them with all that is visible, and those of the entries in the content.
func TestLinksOfTables(t *testing.T) {
	for name, entries := range map[string][]string{
		"ranking":  {"https://clockwork.example/tidal", "https://stars.example/ada", "/notes/item?id=104", "/notes/item?id=108", "/notes/user?id=ida3", "/notes/page.html?p=2"},
		"replies":  {"https://clockwork.example/tidal", "/notes/user?id=skerry", "https://clockwork.example/float", "/notes/item?id=77"},
		"subforum": {"https://clockwork.example/tidal", "https://stars.example/ada", "/r/harbour/comments/x1/", "/r/harbour/comments/x8/", "/user/ida5"},
		"topic":    {"http://ropes.example/nylon"},
		"mail":     {"https://tide.example/breakwater", "https://tide.example/herring", "https://tide.example/tuesday"},
	} {
		source, err := os.ReadFile("testdata/" + name + ".html")
		if err != nil {
			t.Fatal(err)
		}
		s := Source{Text: string(source), MIME: "text/html"}
		for _, f := range []Format{Markdown, HTML} {
			content := html.UnescapeString(read(t, s, Options{Format: f}).Content)
			for _, e := range entries {
				if !strings.Contains(content, e) {
					t.Errorf("%s in %s: no link to %s", name, f, e)
				}
			}
			content = html.UnescapeString(read(t, s, Options{Format: f, Whole: true}).Content)
			for _, href := range shown(s.Text) {
				if !strings.Contains(content, href) {
					t.Errorf("all of %s in %s: no link to %s", name, f, href)
				}
			}
		}
	}
}

// shown returns the addresses of the links of a page that have words.
func shown(page string) []string {
	doc, _ := extract.Parse(page)
	var all []string
	for _, a := range dom.All(doc, atom.A) {
		if href := markdown.Absolute(address, dom.Attr(a, "href")); href != "" && dom.Text(a) != "" && dom.Attr(a, "aria-hidden") == "" {
			all = append(all, href)
		}
	}
	return all
}

// Embedded pages are named where they stand, and the frames of a page are its content.
func TestEmbeddedPages(t *testing.T) {
	text := "<p>" + strings.Repeat("A page that shows another one. ", 20) + "</p>"
	for page, want := range map[string]string{
		"<main>" + text + "<iframe src=map.html title='The map'></iframe>" + text:             "[iframe: The map](https://example.org/notes/map.html)",
		"<main>" + text + "<iframe srcdoc='&lt;h2>Within&lt;/h2>&lt;p>It says so.'></iframe>": "## Within\n\nIt says so.",
		"<frameset><frame src=menu.html name=menu><frame src=/main.html></frameset>":          "[frame: menu](https://example.org/notes/menu.html)\n\n[frame: /main.html](https://example.org/main.html)\n",
	} {
		for _, whole := range []bool{false, true} {
			if d := read(t, Source{Text: page, MIME: "text/html"}, Options{Format: Markdown, Whole: whole}); !strings.Contains(d.Content, want) {
				t.Errorf("no %q in %q", want, d.Content)
			}
		}
	}
}
