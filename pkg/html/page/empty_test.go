package page

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/html/extract"
)

// Each kind of empty page has one warning, which says what to do.
func TestEmptyPages(t *testing.T) {
	for name, c := range map[string]struct {
		page, refresh string
		wall          extract.Wall
		want          string
	}{
		"nothing":               {"", "", "", "an empty body; check the address"},
		"white space":           {" \r\n\t", "", "", "an empty body"},
		"no text":               {"<html><head><title>x</title></head><body><div></div></body></html>", "", "", "the page has no text: main=false"},
		"pictures":              {"<body><img src=a.png><img src=b.png>", "", "", "only 2 images: format=html"},
		"a shell":               {"<div id=root></div><script type=module src=/a.js></script>", "", extract.ScriptWall, "render=always runs them if a browser is configured, see web.browser"},
		"a script that leads":   {"<script>location.replace('/next?a=1')</script>", "", extract.ScriptWall, "redirects to https://example.org/next?a=1; fetch that"},
		"an element that does":  {"<meta http-equiv=refresh content='0; url=/next'>", "", "", "redirects to https://example.org/next; fetch that"},
		"a header that does":    {"<p>Moved.", "0; url=/next", "", "redirects to https://example.org/next; fetch that"},
		"a header without url=": {"<p>Moved.", "5,https://example.net/", "", "redirects to https://example.net/; fetch that"},
		"frames":                {"<frameset><frame src=menu.html><frame src='https://example.net/main'></frameset>", "", "", "in frames; fetch them: https://example.org/notes/menu.html https://example.net/main"},
		"a frame":               {"<p>Notes<iframe src=//example.net/inner width=800></iframe>", "", "", "in frames; fetch them: https://example.net/inner"},
		"a login":               {"<form><input name=u><input type=password></form>", "", extract.LoginWall, "web.headers"},
		"consent":               {"<title>Before you continue</title><p>We use cookies.", "", extract.ConsentWall, "accept cookies"},
		"a test":                {"<title>Just a moment...</title>", "", extract.BotWall, "a test for humans"},
		"a base":                {"<base href=https://example.net/deep/><script>location='next'</script>", "", extract.ScriptWall, "redirects to https://example.net/deep/next;"},
	} {
		d := read(t, Source{Text: c.page, MIME: "text/html", Refresh: c.refresh}, Options{Format: Markdown})
		var en, zh []string
		for _, w := range d.Warnings {
			en, zh = append(en, w.In(fault.English)), append(zh, w.In(fault.Chinese))
		}
		said := strings.Join(en, " | ")
		want := 1
		if c.wall == extract.ScriptWall && strings.Contains(c.want, "redirects") {
			want = 2
		}
		ran := read(t, Source{Text: c.page, MIME: "text/html", Refresh: c.refresh, Ran: true}, Options{Format: Markdown})
		if again := fmt.Sprint(ran.Warnings); c.wall == extract.ScriptWall && (strings.Contains(again, "render=") || !strings.Contains(again, "even after its scripts ran")) {
			t.Errorf("%s, rendered: %s", name, again)
		}
		if d.Wall != c.wall || !strings.Contains(said, c.want) || len(en) != want || strings.Join(zh, "") == "" {
			t.Errorf("%s: wall %q, %s", name, d.Wall, said)
		}
	}
	// What leads nowhere, or to itself, is not named.
	for _, page := range []string{
		"<script>location.replace('page.html')</script><p>Kettles", "<script>location='javascript:x'</script><p>Kettles", "<script>location='http://['</script><p>Kettles",
		"<iframe src=page.html></iframe><p>Kettles", "<iframe src='ftp://example.org/x'></iframe><p>Kettles",
	} {
		d := read(t, Source{Text: page, MIME: "text/html"}, Options{Format: Markdown})
		for _, w := range d.Warnings {
			if said := w.In(fault.English); strings.Contains(said, "fetch that") || strings.Contains(said, "fetch them") {
				t.Errorf("%s: %s", page, said)
			}
		}
	}
}

func FuzzRefreshed(f *testing.F) {
	for _, s := range []string{"0; url=/a", "5,https://example.net/", "0;URL='b'", "", "NaN;x", "-1;x", "1e99;x", "0;url", "; ,", "31; url=/a"} {
		f.Add(s)
	}
	base, err := url.Parse("https://example.org/notes/page.html")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, header string) {
		target := refreshed(header)
		if got := elsewhere(base, base, target); got != "" && !strings.HasPrefix(got, "http") {
			t.Errorf("%q leads to %q", header, got)
		}
		if !strings.ContainsAny(header, ";,") && target != "" {
			t.Errorf("%q has %q", header, target)
		}
	})
}
