package layout

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// Notes in the text are found by what they are called or by where they stand, those of the
// site are not.
func TestCallouts(t *testing.T) {
	t.Parallel()
	const text = "<p>A paragraph of the text that is long enough to be one, and says something.</p>"
	among := func(note string) string { return text + note + text }
	for page, want := range map[string]string{
		among(`<aside class="starlight-aside starlight-aside--tip" aria-label=Tip><p>Tip</p><p>n</p></aside>`): "TIP",
		among(`<aside class=note><p>n</p></aside>`):                                                            "NOTE",
		among(`<aside>n</aside>`):                                                     "NOTE",
		among(`<div role=alert class="bg-yellow-100 p-4">n</div>`):                    "NOTE",
		among(`<div role=note>n</div>`):                                               "NOTE",
		among(`<div class="alert alert-danger" role=alert>n</div>`):                   "CAUTION",
		among(`<div class="alert alert-warning">n</div>`):                             "WARNING",
		among(`<div class="alert alert-warning"><strong>Important:</strong> n</div>`): "IMPORTANT",
		`<div class="theme-admonition theme-admonition-note admonition_x alert alert--secondary"><div>note</div><div>n</div></div>`: "NOTE",
		`<div class="markdown-alert markdown-alert-caution"><p class=markdown-alert-title>Caution</p><p>n</p></div>`:                "CAUTION",
		`<div class="admonition warning"><p class=admonition-title>Warning</p><p>n</p></div>`:                                       "WARNING",
		`<div class="admonitionblock important"><div>n</div></div>`:                                                                 "IMPORTANT",
		`<div class="custom-block danger"><p class=custom-block-title>危险</p><p>n</p></div>`:                                         "CAUTION",
		among(`<div class=NOTE><p>Note</p><p>n</p></div>`):                                                                          "NOTE",
		among(`<p class=tip>n</p>`):                                  "TIP",
		"<h2>h</h2>" + `<div class="callout warning">n</div>` + text: "WARNING",
		text + `<div class=note>n</div><h2>h</h2>`:                   "NOTE",

		`<div role=alert>n</div>` + text:                                              "",
		text + `<aside>n</aside>`:                                                     "",
		`<div>` + text + `</div><aside>n</aside><div>` + text + `</div>`:              "",
		among(`<aside class=newsletter-note>n</aside>`):                               "",
		among(`<aside><a href=/>a link to another page</a></aside>`):                  "",
		among(`<aside><form><input></form>n</aside>`):                                 "",
		among(`<aside>` + strings.Repeat("n", calloutChars+1) + `</aside>`):           "",
		"<nav>" + among(`<aside>n</aside>`) + "</nav>":                                "",
		"<table><tr><td>" + among(`<div class="admonition tip">n</div>`) + "</table>": "",
		among(`<p class=alert>n</p>`):                                                 "",
		among(`<blockquote>n</blockquote>`):                                           "",
	} {
		doc, err := html.Parse(strings.NewReader("<body>" + page))
		if err != nil {
			t.Fatal(err)
		}
		Callouts(doc)
		Callouts(doc) // what is one stays one
		got := ""
		for _, q := range dom.All(doc, atom.Blockquote) {
			got += dom.Attr(q, CalloutKey)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", page, got, want)
		}
	}
}

// Words in large letters are a quote if the text does not have them.
func TestPullQuotes(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]bool{"It is said once.": true, "is long enough": false} {
		doc, err := html.Parse(strings.NewReader("<p>A paragraph of the text that is long enough to be one.</p><aside class=pullquote>" + words + "</aside><p>A paragraph of the text that is long enough to be one.</p>"))
		if err != nil {
			t.Fatal(err)
		}
		Callouts(doc)
		if got := dom.First(doc, atom.Blockquote) != nil; got != want {
			t.Errorf("%s: %v", words, got)
		}
	}
}
