package page

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzRead checks that any text in any type can be read, that the document is valid
// text, and that its parts make the document.
func FuzzRead(f *testing.F) {
	mimes := []string{"text/html", "application/rss+xml", "application/json", "text/plain", "text/markdown", ""}
	formats := []Format{Markdown, Text, HTML, Raw}
	pages, err := filepath.Glob("testdata/*.html")
	if err != nil || len(pages) == 0 {
		f.Fatal(len(pages), err)
	}
	for _, p := range pages {
		text, err := os.ReadFile(p)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text), uint8(0), uint8(0), uint16(200))
	}
	for _, s := range []string{rss, atom1, `<table><tr><td colspan=9 rowspan=9>a<td><pre>b</table><pre><code class=language->`, "<ul><p><dl><dt><dd><ol><li><ol>x", "<math><annotation encoding=tex>", "```\n~~~\n````\n", "<base href='//[::'><a href=%>x"} {
		f.Add(s, uint8(0), uint8(1), uint16(100))
		f.Add(s, uint8(1), uint8(0), uint16(100))
	}
	f.Fuzz(func(t *testing.T, text string, mime, format uint8, most uint16) {
		s := Source{Text: strings.ToValidUTF8(text, "\uFFFD"), MIME: mimes[int(mime)%len(mimes)], URL: address}
		o := Options{Format: formats[int(format)%len(formats)], Whole: format&8 != 0, Links: true, Images: true}
		d, err := Read(s, o)
		if err != nil {
			return // an error is allowed
		}
		if !utf8.ValidString(d.Content) || !utf8.ValidString(d.Title) {
			t.Fatalf("not valid UTF-8: %q", d.Content)
		}
		if again, err := Read(s, o); err != nil || again.Content != d.Content {
			t.Fatal("the same page read twice is not the same document")
		}
		for _, l := range d.Links {
			if strings.HasPrefix(strings.ToLower(l.URL), "javascript:") {
				t.Fatalf("a link to a script: %q", l.URL)
			}
		}
		most = max(most, 1)
		if utf8.RuneCountInString(d.Content)/int(most) < 500 && joined(whole(t, d, int(most))) != d.Content {
			t.Fatal("the parts are not the whole")
		}
	})
}

// FuzzPart cuts any text in each format.
func FuzzPart(f *testing.F) {
	f.Add("# h\n\ntext\n\n```go\na\n\nb\n```\n\n- a\n- b\n\n  c\n", uint8(0), uint16(5))
	f.Add("| a |\n|---|\n| b |\n\n````\n```\n````\nx", uint8(0), uint16(3))
	f.Add("<p>a</p>\n<pre>\n<b>\n</pre><p>é。ü", uint8(2), uint16(4))
	formats := []Format{Markdown, Text, HTML, Raw}
	f.Fuzz(func(t *testing.T, text string, format uint8, most uint16) {
		if !utf8.ValidString(text) {
			return
		}
		d := &Document{Content: text, Format: formats[int(format)%len(formats)]}
		most = max(most, 1)
		if utf8.RuneCountInString(text)/int(most) < 500 && joined(whole(t, d, int(most))) != text {
			t.Fatal("the parts are not the whole")
		}
	})
}
