package layout

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

func TestEmbedded(t *testing.T) {
	inner := func(s string) *html.Node { return body(t, s) }
	for page, want := range map[string]string{
		`<iframe src=/map title="The  map"></iframe>`:                                                                       `<p><a href="/map">iframe: The map</a></p>`,
		`<iframe src="https://docs.example/form?a=1" name=f></iframe>`:                                                      `<p><a href="https://docs.example/form?a=1">iframe: f</a></p>`,
		`<iframe src="https://docs.example/form"></iframe>`:                                                                 `<p><a href="https://docs.example/form">iframe: docs.example</a></p>`,
		`<iframe data-src=late.html></iframe>`:                                                                              `<p><a href="late.html">iframe: late.html</a></p>`,
		`<iframe src=x srcdoc="<p>In <b>it</b><iframe src=y></iframe>"></iframe>`:                                           `<div><p>In <b>it</b></p></div>`,
		`<iframe src="https://www.youtube.com/embed/1"></iframe>`:                                                           `<iframe src="https://www.youtube.com/embed/1"></iframe>`,
		`<iframe></iframe><iframe src=""></iframe>`:                                                                         ``,
		`<iframe src="javascript:f()"></iframe><iframe src="data:text/html,x"></iframe><iframe src="about:blank"></iframe>`: ``,
		`<iframe src="//www.googletagmanager.com/ns.html?id=1"></iframe>`:                                                   ``,
		`<iframe src=/x width=1 height=1></iframe><iframe src=/x style="WIDTH: 0; border: 0"></iframe>`:                     ``,
		`<iframe src=/x width=1 srcdoc="<p>hidden"></iframe>`:                                                               ``,
		`<iframe src=/banner class="box ads"></iframe>`:                                                                     ``,
		`<iframe src="http://[">`:                                                                                           ``,
	} {
		b := body(t, page)
		Embedded(b, inner)
		if got := markup(t, b); got != want {
			t.Errorf("%s became %s, want %s", page, got, want)
		}
	}
	b := body(t, strings.Repeat("<iframe srcdoc='<p>"+strings.Repeat("x", 100<<10)+"'></iframe>", 5))
	Embedded(b, inner)
	if n := len(dom.All(b, atom.P)); n != 2 {
		t.Errorf("%d contents", n)
	}
	b = body(t, strings.Repeat("<iframe src=/x></iframe>", 50))
	Embedded(b, inner)
	if n := len(dom.All(b, atom.A)); n != maxEmbedded {
		t.Errorf("%d links", n)
	}
}

func TestFrames(t *testing.T) {
	for page, want := range map[string]string{
		`<html><head><title>t</title></head><frameset cols="20%,80%"><frame src=menu.html name=menu><frameset><frame src="main.html" title="The text"><frame></frameset><noframes>Get a browser.</noframes></frameset></html>`: `<p><a href="menu.html">frame: menu</a></p><p><a href="main.html">frame: The text</a></p>`,
		`<frameset></frameset>`:                     "none",
		`<p>x<frameset><frame src=a></frameset>`:    "none",
		`<p>x`:                                      "none",
		`<frameset><frame src="javascript:void 0">`: "none",
	} {
		doc, err := html.Parse(strings.NewReader(page))
		if err != nil {
			t.Fatal(err)
		}
		got := "none"
		if b := Frames(doc); b != nil {
			got = markup(t, b)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", page, got, want)
		}
	}
}
