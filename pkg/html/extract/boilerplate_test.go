package extract

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// items returns n entries from a format that takes their numbers.
func items(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// Pages other than articles keep their entries and lose their boilerplate.
func TestEntries(t *testing.T) {
	links := items(12, `<li><a href="/x%d">Some part of a shop</a></li>`)
	for name, c := range map[string]struct{ page, holds, lacks string }{
		"a directory is its links": {
			`<h1>Fasteners</h1><p>Choose a part.</p>` + items(8, `<div class=letter><a href=/a%[1]d>Anchor%[1]d</a> <a href=/b%[1]d>Bolt%[1]d</a> <a href=/c%[1]d>Clamp%[1]d</a></div>`),
			"Clamp7", "",
		},
		"but not its menu": {
			`<nav><ul>` + items(90, `<li><a href=/m%[1]d>GONE %[1]d</a></li>`) + `</ul></nav><p>Choose a part.</p>` + items(24, `<div class=letter><a href=/a%[1]d>Anchor%[1]d</a> <a href=/b%[1]d>Bolt%[1]d</a> <a href=/c%[1]d>Clamp%[1]d</a></div>`),
			"Clamp7", "GONE",
		},
		"links beside prose": {
			`<main>` + prose("links", 9) + `<div class=elsewhere><a href=/1>GONE</a> <a href=/2>GONE</a> <a href=/3>GONE</a></div></main>`,
			"Paragraph 8", "GONE",
		},
		"entries with titles": {
			`<main>` + prose("entries", 5) + `<div class=row>` + items(4, `<a href=/e%[1]d><h3>Entry %[1]d</h3></a>`) + `</div>` + items(20, `<div><h3>Price %[1]d</h3><p>10 crowns</p></div>`) + `</main>`,
			"Entry 3", "",
		},
		"the foot of an entry": {
			`<main>` + items(9, `<div class=card><h3><a href=/%[1]d>Card %[1]d</a></h3><p>It says what it is in so many words.</p><div class="card-footer">By Writer%[1]d</div></div>`) + `</main><div class="page-footer">GONE</div>`,
			"Writer8", "GONE",
		},
		"the main part, if it is small": {
			items(9, `<div class=promo>GONE, as it is shown on every page of the shop, and is long. It goes on for %d lines.</div>`) + items(9, `<footer>GONE %d</footer>`) + `<main><h1>Sets</h1><div class=toolbar>` + items(14, `Sort the sets by %d. `) + `</div><h2>Three sets</h2></main>`,
			"Three sets", "GONE",
		},
		"the part by whose name it was taken for boilerplate": {
			`<header>` + items(30, `<a href=/m%[1]d>GONE %[1]d</a> `) + `</header><h1>Mowers</h1><section class="related-product">` + items(9, `<div><h4><a href=/k%[1]d>Mower %[1]d</a></h4><p>It mows and mows.</p></div>`) + `</section>
				<div class="site-footer">` + items(12, `GONE in %d ways. `) + `</div><footer>` + items(12, `GONE in %d ways. `) + `</footer>`,
			"Mower 5", "GONE",
		},
		"the page, if its main part is not the main part": {
			`<main><h1>Kettles</h1>` + items(40, `<div>Kettle %d, 10 crowns</div>`) + `</main><div class=text>` + prose("choosing a kettle", 14) + `</div>`,
			"Paragraph 13", "",
		},
		"headings above what is read": {
			`<main>` + items(9, `<div><header><h3><a href=/%[1]d>Show %[1]d</a></h3></header><p>What show %[1]d is about, in a text that is long enough to be read, and long enough to count as prose, too.</p></div>`) + `<ul>` + links + `</ul></main>`,
			"Show 8", "",
		},
		"what a list says of each entry": {
			`<main>` + items(9, `<div class=meta><h3>A paper about the subject that has number %[1]d</h3><p>It says what was found, and how, and what is left to be found out by others.</p><div class=authors><a href=/ida>Ida</a>, <a href=/bo>Bo</a>, <a href=/cy>Cy%[1]d</a></div><div class="list-comments">Comments: %[1]d pages</div></div>`) + `</main>`,
			"Ida, Bo, Cy8 Comments: 8 pages", "",
		},
		"but not the links of each entry": {
			`<main>` + prose("links", 9) + items(9, `<div class=rate><a href=/1>GONE</a> <a href=/2>GONE</a> <a href=/%d>GONE</a></div>`) + `</main>`,
			"Paragraph 8", "GONE",
		},
		"headings of content and of boilerplate": {
			`<main>` + prose("papers", 9) + `<h2>Related work</h2>` + prose("what others did", 2) + `<h2>Recommended settings</h2><p>Threads: four. Memory: as much as there is, and a little more than that for the tests.</p>
				<h2>Related posts</h2><ul>` + items(5, `<li><a href=/%d>GONE</a></li>`) + `</ul></main>`,
			"about what others did says something, and says it at some length, so that nobody takes it for a caption. Recommended settings Threads: four.", "GONE",
		},
		"the part with the title, by whatever name": {
			`<title>Kettle of steel | A shop</title><div class="row"><div class="offer-sticky-navbar"><h1>Kettle of steel</h1><p>It boils a litre of water in four minutes, and whistles when it is done.</p></div></div>` +
				items(9, `<div class=text><p>The shop says in %d words what it says of everything that it has for sale, at some length.</p></div>`) + `<div class=navbar>GONE</div>`,
			"It boils a litre of water in four minutes", "GONE",
		},
		"what a click opens": {
			`<main><h1>A shelf</h1>` + prose("the shelf", 9) + `<div class="size-modal"><h2>Measurements</h2><span>Width:</span> 30 cm <span>Height:</span> 57 cm <span>Weight:</span> 46 kg</div><div class="cart-modal">GONE: added to your cart. <a href=/cart>See it</a></div>` +
				`<div class="panel hide"><h2>Where it stands</h2>` + prose("the place", 3) + `</div><div class="hide">GONE, a message</div><div class="hide"><form>` + prose("GONE", 3) + `</form></div></main>`,
			"Width: 30 cm Height: 57 cm Weight: 46 kg Where it stands Paragraph 0", "GONE",
		},
		"cards beside an article": {
			`<body><div class=row>` + prose("the offers", 9) + items(9, `<p>%d. is a short line of it</p>`) + `</div><div class=row>` +
				items(6, `<div class="card"><div class="card-header darkbg"><p>Offer %d is for those who have just begun, and want to go on</p></div></div>`) + `</div>`,
			"Offer 5 is for those who have just begun", "",
		},
		"a notice": {
			`<main>` + prose("cookies", 6) + `<div>We use cookies and do GONE with them, as everybody does.</div><p>Except as otherwise noted, the content of this page is licensed under GONE.</p><p>Nobody knows whether we use cookies.</p></main>`,
			"whether we use cookies", "GONE",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := find(t, "<body>"+c.page, "https://example.org/")
			if text := dom.Text(got.Node); !strings.Contains(text, c.holds) || c.lacks != "" && strings.Contains(text, c.lacks) {
				t.Errorf("by %s: %q", got.By, text)
			}
		})
	}
}

// Restored parts return to their places, whichever of their neighbours stay away.
func TestUndo(t *testing.T) {
	doc, _ := Parse(`<body><a></a><b></b><i></i><u><s></s></u>`)
	body := dom.Body(doc)
	before := markup(t, body)
	var r removals
	for _, n := range dom.Elements(body)[1:] {
		r.remove(n)
	}
	r.undo(nothing)
	if got := markup(t, body); got != before {
		t.Errorf("%s, want %s", got, before)
	}
	for _, n := range dom.Elements(body) {
		r.remove(n)
	}
	r.undo(func(one removal) bool { return one.node.Data == "b" })
	if got, want := markup(t, body), strings.Replace(before, "<b></b>", "", 1); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func markup(t *testing.T, n *html.Node) string {
	t.Helper()
	var b strings.Builder
	if err := html.Render(&b, n); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
