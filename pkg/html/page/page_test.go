package page

import (
	"flag"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/html/extract"
)

var update = flag.Bool("update", false, "renew the golden files")

// address is the address of the pages in the tests.
var address = &url.URL{Scheme: "https", Host: "example.org", Path: "/notes/page.html"}

func read(t *testing.T, s Source, o Options) *Document {
	t.Helper()
	if s.URL == nil {
		s.URL = address
	}
	d, err := Read(s, o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// golden compares a text with a file, or updates the file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (- golden, + got):\n%s", path, diff)
	}
}

// told returns the metadata and warnings of a document.
func told(d *Document) string {
	var b strings.Builder
	for _, f := range [][2]string{
		{"title", d.Title}, {"byline", d.Byline}, {"site", d.Site}, {"published", d.Published}, {"language", d.Language}, {"excerpt", d.Excerpt},
		{"extractor", d.Extractor}, {"wall", string(d.Wall)},
	} {
		if f[1] != "" {
			b.WriteString(f[0] + ": " + f[1] + "\n")
		}
	}
	for _, w := range d.Warnings {
		b.WriteString("warning: " + w.In(fault.English) + "\n")
	}
	for _, l := range d.Links {
		b.WriteString("link: " + l.Text + " <" + l.URL + ">\n")
	}
	for _, i := range d.Images {
		b.WriteString("image: " + i.Alt + " <" + i.URL + ">\n")
	}
	return b.String() + "\n" + d.Content
}

func TestGoldenPages(t *testing.T) {
	pages, err := filepath.Glob("testdata/*.html")
	if err != nil || len(pages) < 6 {
		t.Fatal(len(pages), err)
	}
	for _, path := range pages {
		name := strings.TrimSuffix(filepath.Base(path), ".html")
		t.Run(name, func(t *testing.T) {
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			s := Source{Text: string(source), MIME: "text/html"}
			golden(t, name+".markdown.txt", told(read(t, s, Options{Format: Markdown, Links: true, Images: true})))
			golden(t, name+".text.txt", read(t, s, Options{Format: Text}).Content)
			golden(t, name+".markup.txt", read(t, s, Options{Format: HTML}).Content)
			golden(t, name+".whole.txt", read(t, s, Options{Format: Markdown, Whole: true}).Content)
			if raw := read(t, s, Options{Format: Raw}); raw.Content != s.Text {
				t.Error("raw is not what was sent")
			}
		})
	}
}

func TestWhatIsNoPage(t *testing.T) {
	for _, c := range []struct{ name, mime, text, want, extractor string }{
		{"json", "application/json", `{"n":1.10,"a":[1,{"b":null}],"z":"<é>"}`, "{\n  \"n\": 1.10,\n  \"a\": [\n    1,\n    {\n      \"b\": null\n    }\n  ],\n  \"z\": \"<é>\"\n}\n", AsSent},
		{"broken json", "application/json", `{"n":`, `{"n":`, AsSent},
		{"json by a name of its own", "application/ld+json; x", `[1]`, `[1]`, AsSent},
		{"ld+json", "application/ld+json", `[1]`, "[\n  1\n]\n", AsSent},
		{"json that would grow without end", "application/json", strings.Repeat("[", 5000) + strings.Repeat("]", 5000), strings.Repeat("[", 5000) + strings.Repeat("]", 5000), AsSent},
		{"text", "text/plain", "a <b> c\n\n  d", "a <b> c\n\n  d", AsSent},
		{"code", "text/javascript", "if (a < b) { x() }", "if (a < b) { x() }", AsSent},
		{"markdown", "text/markdown", "# A\n\n<b>c</b>\n", "# A\n\n<b>c</b>\n", AsSent},
		{"xml that is no feed", "application/xml", "<a><b/></a>", "<a><b/></a>", AsSent},
		{"svg", "image/svg+xml", "<svg></svg>", "<svg></svg>", AsSent},
		{"nothing said, json", "", ` {"a":1}`, "{\n  \"a\": 1\n}\n", AsSent},
		{"nothing said, text", "", "plain", "plain", AsSent},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := read(t, Source{Text: c.text, MIME: c.mime}, Options{Format: Markdown})
			if d.Content != c.want || d.Extractor != c.extractor {
				t.Errorf("%q by %s, want %q by %s", d.Content, d.Extractor, c.want, c.extractor)
			}
		})
	}
	if d := read(t, Source{Text: "# A title\n\ntext", MIME: "text/markdown"}, Options{Format: Markdown}); d.Title != "A title" {
		t.Errorf("title %q", d.Title)
	}
	if d := read(t, Source{Text: "<!DOCTYPE html><p>hello", MIME: ""}, Options{Format: Markdown}); d.Extractor == AsSent {
		t.Error("a page that nobody announced was not read as one")
	}
}

func TestWalls(t *testing.T) {
	for want, text := range map[extract.Wall]string{
		extract.BotWall:     `<title>Just a moment...</title><h1>example.org</h1><p>Verify you are human by completing the action below.</p><script src="/cdn-cgi/challenge-platform/h/b"></script>`,
		extract.ConsentWall: `<title>Before you continue</title><p>We use cookies and data to deliver and maintain our services.</p><p>If you choose to accept all, we will also use cookies to measure.</p>`,
		extract.LoginWall:   `<title>Log in to the Archive</title><form><label>Name</label><input name=u><input type=password name=p></form><p>Forgot your password?</p>`,
		extract.ScriptWall:  `<title>App</title><div id="app"></div><script src=a.js></script>`,
		extract.NoWall:      `<title>A page about captcha tests</title><script></script><p>` + strings.Repeat("A CAPTCHA asks whether you are human; this is an article on them. ", 40) + `</p>`,
	} {
		d := read(t, Source{Text: text, MIME: "text/html"}, Options{Format: Markdown})
		if d.Wall != want {
			t.Errorf("wall %q, want %q, of %s", d.Wall, want, text[:min(len(text), 60)])
		}
		if (want != extract.NoWall) != (len(d.Warnings) > 0) {
			t.Errorf("%q: %d warnings", want, len(d.Warnings))
		}
	}
}

// What a page hides from readers is removed.
func TestHiddenText(t *testing.T) {
	const secret = "praise"
	visible := "<p>" + strings.Repeat("What everybody sees, and what this is about. ", 8) + "</p>"
	for _, hidden := range []string{
		`<p style="display:none">` + secret, `<p style="color:red; DISPLAY : none !important">` + secret, `<p hidden>` + secret, `<div style="visibility: hidden">` + secret,
		`<p style="font-size:0">` + secret, `<p aria-hidden="true">` + secret, `<!-- ` + secret + ` -->`, `<template>` + secret + `</template>`, `<span class="sr-only">` + secret + `</span>`,
		`<script>` + secret + `</script>`, `<noscript>` + secret + `</noscript>`, `<input value="` + secret + `">`, `<select><option>` + secret + `</select>`,
	} {
		d := read(t, Source{Text: "<body><main>" + visible + hidden + "</main>", MIME: "text/html"}, Options{Format: Markdown})
		if strings.Contains(d.Content, secret) || !strings.Contains(d.Content, "everybody") {
			t.Errorf("%s: %q", hidden, d.Content)
		}
	}
	d := read(t, Source{Text: visible + "<p>a\u200bb\U000E0041\u202Ec</p>", MIME: "text/html"}, Options{Format: Text})
	if !strings.Contains(d.Content, "abc") || len(d.Warnings) != 1 {
		t.Errorf("%q, %d warnings", d.Content, len(d.Warnings))
	}
}

// Invisible characters are removed from attributes and in every format. In
// documents that stay as sent, a warning counts them.
func TestHidden(t *testing.T) {
	const hidden = "\u200b\U000e0041\u202e"
	page := "<p>" + strings.Repeat("some words ", 60) + `<img src="/i.png" alt="an image` + hidden + `"> <abbr title="long` + hidden + `">l</abbr> <math alttext="x` + hidden + `"></math></p>`
	for _, f := range []Format{Markdown, Text, HTML} {
		if d := read(t, Source{Text: page, MIME: "text/html"}, Options{Format: f, Images: true}); strings.ContainsAny(d.Content+d.Images[0].Alt, hidden) || strings.Contains(d.Content, "an image") != (f != Text) || len(d.Warnings) == 0 {
			t.Errorf("%s: %q, %v", f, d.Content, d.Warnings)
		}
	}
	for mime, text := range map[string]string{"text/plain": "words" + hidden, "text/markdown": "# words" + hidden, "application/json": `{"a":"` + hidden + `"}`} {
		d := read(t, Source{Text: text, MIME: mime}, Options{Format: Markdown})
		if !strings.Contains(d.Content, hidden) || len(d.Warnings) != 1 || !strings.HasPrefix(d.Warnings[0].In(fault.English), "3 characters") {
			t.Errorf("%s: %q, %v", mime, d.Content, d.Warnings)
		}
		if d := read(t, Source{Text: strings.ReplaceAll(text, hidden, ""), MIME: mime}, Options{Format: Markdown}); len(d.Warnings) != 0 {
			t.Errorf("%s: %v", mime, d.Warnings)
		}
	}
}

// A page that only redirects has a warning.
func TestRefresh(t *testing.T) {
	for head, want := range map[string]string{
		`<meta http-equiv="refresh" content="0; url=/x?a=1">`:                          "https://example.org/x?a=1",
		`<META HTTP-EQUIV=Refresh CONTENT=" 3.5 ; URL = 'new.html#b' ">`:               "https://example.org/notes/new.html#b",
		`<meta http-equiv=refresh content=0;URL="http://other.example/">`:              "http://other.example/",
		`<meta http-equiv=refresh content="300">`:                                      "",
		`<meta http-equiv=refresh content="300; url=/x">`:                              "",
		`<meta http-equiv=refresh content="0; url=page.html">`:                         "", // itself
		`<meta http-equiv=refresh content="0; url=javascript:alert(1)">`:               "",
		`<meta http-equiv=refresh content="0; url=http://[">`:                          "",
		`<meta http-equiv=refresh content="; url=/x">`:                                 "",
		`<meta http-equiv=refresh content="0; url=` + strings.Repeat("x", 9000) + `">`: "",
		``: "",
	} {
		d := read(t, Source{Text: "<html><head>" + head + "</head><body><p>Moved.", MIME: "text/html"}, Options{Format: Markdown})
		if told := len(d.Warnings) == 1 && strings.Contains(d.Warnings[0].In(fault.English), " "+want+";"); told != (want != "") || len(d.Warnings) > 1 {
			t.Errorf("%.80s: %v", head, d.Warnings)
		}
		if d := read(t, Source{Text: "<html><head>" + head + "</head><body><p>" + strings.Repeat("Not moved at all. ", 200), MIME: "text/html"}, Options{Format: Markdown}); len(d.Warnings) > 0 {
			t.Errorf("%.80s: %v", head, d.Warnings)
		}
	}
}
