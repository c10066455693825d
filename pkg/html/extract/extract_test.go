package extract

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
	"github.com/helve-dev/helve/pkg/html/metadata"
)

func find(t *testing.T, page, address string) Content {
	t.Helper()
	doc, _ := Parse(page)
	base, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	m := metadata.Of(doc, base, base)
	return Find(doc, &m, base, false)
}

// prose returns n paragraphs about a subject.
func prose(subject string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "<p>Paragraph %d about %s says something, and says it at some length, so that nobody takes it for a caption.</p>", i, subject)
	}
	return b.String()
}

func TestWhatSurroundsTheContentGoes(t *testing.T) {
	surroundings := []string{
		`<nav><a href=/>GONE</a></nav>`, `<div class="main-navigation"><ul><li><a href=/>GONE</a></li></ul></div>`, `<footer>GONE</footer>`, `<div id="site-footer"><p>GONE</p></div>`,
		`<aside>GONE</aside>`, `<div class=breadcrumbs><a href=/>GONE</a></div>`, `<div class=cookie-notice>GONE</div>`, `<div role=search>GONE</div>`, `<section class="newsletter-signup"><p>GONE</p></section>`,
		`<div><h3>Related articles</h3><ul><li><a href=/1>GONE</a></li><li><a href=/2>GONE</a></li></ul></div>`, `<h2>You may also like</h2><p>GONE</p>`, `<div id=comments><p>GONE</p></div>`,
		`<span class=visually-hidden>GONE</span>`, `<ul class="social-share"><li><a href=/>GONE</a></li></ul>`,
	}
	for _, s := range surroundings {
		c := find(t, "<body><main><h1>Kettles</h1>"+prose("kettles", 6)+s+"</main></body>", "https://example.org/")
		text := dom.Text(c.Node)
		if strings.Contains(text, "GONE") || !strings.Contains(text, "Paragraph 5") {
			t.Errorf("%s: %q", s, text)
		}
	}
	stays := []string{
		`<pre><span class=menu>STAYS</span></pre>`, `<p class=share-price>STAYS and falls, as shares do, for reasons that nobody knows before, and everybody knows after it has happened to them.</p>`,
		`<p>See <a href=/m>STAYS</a></p>`, `<table><tr><th>print</th></tr><tr><td><span>STAYS</span></td></tr></table>`, `<div class="d-none d-md-block"><p>STAYS</p></div>`,
		`<h2><a class="toc-backref" href="#id1">STAYS</a></h2><p>Under it.</p>`,
		`<div class="tab-pane" style="display:none"><p>STAYS</p></div>`, `<button aria-expanded=false>STAYS?</button>`,
	}
	for _, s := range stays {
		c := find(t, "<body><main><h1>Kettles</h1>"+prose("kettles", 2)+s+prose("more kettles", 3)+"</main></body>", "https://docs.example.org/")
		if !strings.Contains(dom.Text(c.Node), "STAYS") {
			t.Errorf("%s: %q", s, dom.Text(c.Node))
		}
	}
}

// A page whose every class names boilerplate keeps its content.
// The name of an author goes with the byline if the metadata have it, and else stays.
func TestBylines(t *testing.T) {
	page := `<body><div class=post><h1>Kettles</h1><p class="postauthor">user of kettles</p>` + prose("kettles", 6) + `</div>`
	for head, stays := range map[string]bool{"": true, `<meta name=author content="Ann Bell">`: false} {
		c := find(t, head+page, "https://example.org/kettles")
		if c.By != ByReadability || strings.Contains(dom.Text(c.Node), "user of kettles") != stays {
			t.Errorf("%q: by %s: %q", head, c.By, dom.Text(c.Node))
		}
	}
}

func TestBadlyNamedPage(t *testing.T) {
	c := find(t, `<body class="has-menu"><div class="widget-sidebar footer"><div class="popup modal-overlay">`+prose("badly named things", 12)+`</div></div>`, "https://example.org/")
	if text := dom.Text(c.Node); !strings.Contains(text, "Paragraph 11") {
		t.Errorf("%q", text)
	}
}

func TestChoice(t *testing.T) {
	listing := `<main>` + strings.Repeat(`<div class=item><h3><a href=/x>A thing to buy</a></h3><p>10 crowns</p></div>`, 40) + prose("the shop", 3) + `</main>`
	code := `<div role=main>` + strings.Repeat(`<h2>Step</h2><div><pre>run it</pre></div><p>Then do the next one, as soon as it is done, and not before.</p>`, 12) + `</div>`
	for _, c := range []struct{ page, address, by, holds string }{
		{"<article>" + prose("an article", 20) + "</article>" + strings.Repeat("<div><h3>Teaser</h3><p>A few words, and then: read on</p></div>", 60), "https://example.org/2024/05/x", ByReadability, "Paragraph 19"},
		{listing, "https://example.org/shop", "", "A thing to buy"},
		{code, "https://docs.example.org/steps", ByMain, "run it"},
		{"<p>Hello.</p>", "https://example.org/", "", "Hello."},
		{`<div id=root></div><script type="application/ld+json">{"@type":"Article","articleBody":"` + strings.Repeat("The whole article as data. ", 20) + `"}</script>`, "https://example.org/", ByData, "article as data"},
	} {
		got := find(t, "<body>"+c.page, c.address)
		if text := dom.Text(got.Node); !strings.Contains(text, c.holds) || c.by != "" && got.By != c.by {
			t.Errorf("%s by %s, want %s: %.200q", c.address, got.By, c.by, text)
		}
	}
}

func TestRoles(t *testing.T) {
	for name, want := range map[string]role{
		"":                      0,
		"content main-content":  0,
		"elementor-widget-text": 0,
		"navbar":                boilerplate,
		"c-breadcrumbs__list":   boilerplate,
		"site-footer":           boilerplate | suspect | placed,
		"main menu":             suspect,
		"menu-item-4":           suspect,
		"comments-area":         remarks,
		"product-reviews":       reviews,
		"message-userExtras":    poster,
		"sr-only":               unseen,
		"d-none d-lg-block":     0,
		"hidden md:flex":        0,
		"hidden":                unseen,
		"shared-memory":         0,
		"navigator-talk":        0,
		"adventure":             0,
	} {
		if got := roleOf(name); got != want {
			t.Errorf("%q: %b, want %b", name, got, want)
		}
	}
}

// The tree is bounded for any page.
func TestParseIsBounded(t *testing.T) {
	marks := "<div>"
	for i := range 400 {
		marks += fmt.Sprintf("<b a=%d>", i)
	}
	var attributes strings.Builder
	attributes.WriteString("<p")
	for i := range 200_000 {
		fmt.Fprintf(&attributes, " a%d", i)
	}
	for name, page := range map[string]string{
		"deep":       strings.Repeat(strings.Repeat("<div>", 1000)+"x"+strings.Repeat("</div>", 1000), 100),
		"deeper":     strings.Repeat("<table><tr><td><svg><foreignobject>", 20_000) + "x",
		"wide":       strings.Repeat("<p>x", 400_000),
		"marks":      marks + "</div>" + strings.Repeat("<div>x</div>", 100_000),
		"attributes": attributes.String() + ">x",
		"angles":     strings.Repeat("<", 2_000_000),
		"comments":   strings.Repeat("<!---->", 400_000),
	} {
		t.Run(name, func(t *testing.T) {
			doc, _ := Parse(page)
			nodes, deepest := 0, 0
			var walk func(n *html.Node, depth int)
			walk = func(n *html.Node, depth int) {
				nodes++
				deepest = max(deepest, depth)
				if len(n.Attr) > 250_000 {
					t.Errorf("an element has %d attributes", len(n.Attr))
				}
				for c := range n.ChildNodes() {
					walk(c, depth+1)
				}
			}
			walk(doc, 0)
			if nodes > 100_000+100 || deepest > 512+24 {
				t.Errorf("%d nodes, %d deep", nodes, deepest)
			}
		})
	}
}

// Elements that nest too deeply lose their tags only.
func TestDeepPagesKeepTheirText(t *testing.T) {
	deep := strings.Repeat("<div>", 512+50) + "x" + strings.Repeat("</div>", 512+50) + "<p>y</p>"
	doc, cut := Parse(deep)
	body := dom.Body(doc)
	if cut || dom.Text(body) != "x y" || body.LastChild.DataAtom != atom.P {
		t.Errorf("%q, cut %t", dom.Text(body), cut)
	}
}

// The elements that were once written for pre are code.
func TestOldCode(t *testing.T) {
	c := find(t, "<body><h1>Old</h1><p>text<xmp>a\n <b>c</xmp><listing>d\n e</listing><plaintext>f\n <g>", "https://example.org/")
	var got []string
	for _, pre := range dom.All(c.Node, atom.Pre) {
		got = append(got, pre.FirstChild.Data)
	}
	if strings.Join(got, "|") != "a\n <b>c|d\n e|f\n <g>" {
		t.Errorf("%q", got)
	}
}
