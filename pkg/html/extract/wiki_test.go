package extract

import (
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// A page of MediaWiki keeps its text, its table of facts and the marks of its notes,
// and loses what is for its writers and what leads elsewhere.
func TestWiki(t *testing.T) {
	page := `<body class="mediawiki ns-0"><div id=content role=main><h1>Kettle</h1>
		<span id=coordinates>Coordinates: <span class=geo-default>48°N 2°E</span><span class=geo-multi-punct> / GONE </span><span class=geo-nondefault>48.85; GONE</span></span>
		<table class="infobox"><tr><th>Volume</th><td>2 litres</td></tr><tr><th>Metal</th><td><a href=/wiki/Copper>Copper</a></td></tr></table>
		<table class="sidebar nomobile"><tr><th>GONE series</th></tr>` + items(6, `<tr><td><a href=/s%[1]d>GONE %[1]d</a></td></tr>`) + `</table>
		<p>A kettle boils water.<sup id=cite_ref-1 class=reference><a href="#cite_note-1"><span class=cite-bracket>[</span>1<span class=cite-bracket>]</span></a></sup><sup class="noprint Inline-Template Template-Fact">[<i><a href=/wiki/CN>GONE citation needed</a></i>]</sup> It has a spout.</p>` + prose("kettles", 8) + `
		<div class="mw-heading mw-heading2"><h2 id=History>History</h2><span class=mw-editsection><span>[</span><a href="/w?action=edit">GONE edit</a><span>]</span></span></div>` + prose("the history of kettles", 8) + `
		<ol class=references><li id=cite_note-1><span class=mw-cite-backlink>^ <a href=#cite_ref-1>GONE a</a></span> <span class=reference-text>Ida, <i>Kettles</i>.</span></li></ol>
		<table class="navbox"><tr><th>GONE</th><td><a href=/n1>GONE 1</a> <a href=/n2>GONE 2</a></td></tr></table>
		<div class=navbox role=navigation><table><tr><th>GONE</th><td><a href=/n1>GONE 1</a></td></tr></table></div><div id=catlinks class=catlinks>GONE Categories: <a href=/c>GONE</a></div></div>`
	got := find(t, page, "https://wiki.example/wiki/Kettle")
	text := dom.Text(got.Node)
	if strings.Contains(text, "GONE") {
		t.Errorf("by %s: %q", got.By, text)
	}
	for _, want := range []string{"A kettle boils water.[1] It has a spout.", "Volume 2 litres Metal Copper", "Ida, Kettles.", "History"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %q", want, text)
		}
	}
}
