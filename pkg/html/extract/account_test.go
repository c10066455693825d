package extract

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
	"github.com/helve-dev/helve/pkg/html/metadata"
)

// What no rule may remove alone, many removals do not remove together.
func TestRemovedTogether(t *testing.T) {
	t.Parallel()
	section := func(mark string) string {
		return items(10, `<h2>Way %[1]d</h2><div `+mark+`><p>Way %[1]d is said in a paragraph that is long enough to be prose, and says what to do first.</p><p>And HELD%[1]d in another one, that is long enough, too, and says what to do after that.</p></div>`)
	}
	for name, c := range map[string]struct{ page, holds, lacks string }{
		"numbered ids":               {`<article><h1>Ten ways</h1>` + section(`class=body id=TOC_TITLE_%[1]d`) + `</article>`, "HELD9", ""},
		"classes":                    {`<article><h1>Ten ways</h1>` + section(`class="toc toc-%[1]d"`) + `</article>`, "HELD9", ""},
		"asides":                     {`<article><h1>Ten ways</h1>` + strings.NewReplacer("<div", "<aside", "</div", "</aside").Replace(section(`class=step`)) + `</article>`, "HELD9", ""},
		"what every page has":        {`<article>` + prose("ways", 9) + `</article>` + items(4, `<div class="cookie-note"><p>GONE in %d ways, as this page and all others say of their cookies, in a paragraph of prose.</p></div>`), "Paragraph 8", "GONE"},
		"what is outside the main":   {`<main>` + prose("ways", 4) + `</main>` + items(4, `<div class=promo><p>GONE in %d ways, as this page and all others say of their offers, in a paragraph of prose.</p></div>`), "Paragraph 3", "GONE"},
		"a little of it":             {`<article>` + prose("ways", 30) + `</article>` + items(3, `<div class=toc><p>GONE in %d ways, as a page says in a paragraph that is long enough to be taken for prose.</p></div>`), "Paragraph 29", "GONE"},
		"questions in buttons":       {`<main><h1>Questions</h1>` + prose("it", 3) + items(5, `<div><button class=q>How is HELD%[1]d done?</button><div class=a><p>Thing %[1]d is done in a way that takes a paragraph to be told, and another to be understood.</p></div></div>`) + `</main>`, "How is HELD4 done? Thing 4", ""},
		"questions in their own box": {`<main><h1>Questions</h1>` + prose("it", 3) + items(5, `<div class=q><span><button>How is HELD%[1]d done?</button></span></div><div class=a><p>Thing %[1]d is done in a way that takes a paragraph to be told, and another to be understood.</p></div>`) + `</main>`, "How is HELD4 done? Thing 4", ""},
		"controls above text":        {`<main><h1>Things</h1>` + prose("it", 3) + items(5, `<div><button class=q>GONE to favourites</button><div class=a><p>Thing %[1]d is done in a way that takes a paragraph to be told, and another to be understood.</p></div></div>`) + `</main>`, "Thing 4", "GONE"},
		"controls above a form":      {`<main><h1>Things</h1>` + prose("it", 3) + items(5, `<button class=q>GONE %d times over</button><div><form><p>Tell us in which of the many ways you want it to be done, and when.</p></form></div>`) + `</main>`, "Paragraph 2", "GONE"},
		"heads of cards":             {`<main><h1>Plans</h1>` + prose("it", 3) + items(5, `<div class=card><div class=card-header>Plan HELD%[1]d</div><div class=card-body><p>Plan %[1]d is for those who want a paragraph that tells them what it is, and what it is not.</p></div></div>`) + `</main>`, "Plan HELD4 Plan 4", ""},
		"summaries":                  {`<main><h1>Questions</h1>` + prose("it", 3) + items(5, `<details><summary>How is HELD%[1]d done?</summary><p>Thing %[1]d is done in a way that takes a paragraph to be told, and another to be understood.</p></details>`) + `</main>`, "How is HELD4 done? Thing 4", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := find(t, "<body>"+c.page, "https://example.org/")
			if text := dom.Text(got.Node); !strings.Contains(text, c.holds) || c.lacks != "" && strings.Contains(text, c.lacks) {
				t.Errorf("by %s: %q", got.By, text)
			}
		})
	}
}

// Elements that few readers of a tree know are turned into those that they do.
func TestRewritten(t *testing.T) {
	t.Parallel()
	for page, want := range map[string]string{
		`<p><ruby>漢<rt>kan</rt>字<rt>ji</rt></ruby>`:                                                              "漢(kan)字(ji)",
		`<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>`:                                                      "漢(kan)",
		`<ul><li class=task-list-item><input type=checkbox class=task-list-item-checkbox checked>done</li></ul>`: "[x] done",
		`<ul><li><input type=checkbox>no task</li></ul>`:                                                         "no task",
	} {
		doc, _ := Parse("<body>" + page)
		body := dom.Body(doc)
		prepare(body)
		if got := dom.Text(body); got != want {
			t.Errorf("%s: %q, want %q", page, got, want)
		}
	}
	doc, _ := Parse(`<amp-img src=a.png alt=A layout=responsive><noscript><img src=a.png></noscript></amp-img><p>after</p>`)
	body := dom.Body(doc)
	prepare(body)
	if images := dom.All(body, atom.Img); len(images) != 1 || dom.Attr(images[0], "src") != "a.png" || dom.Text(body) != "after" {
		t.Errorf("%s", markup(t, body))
	}
}

// The parts that stay out are named where there are several of a kind.
func TestLeft(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		left string // out of the content
		want []Left
	}{
		"cards and questions": {
			items(6, `<div class="plan-card"><p>Card %d.</p></div>`) + items(4, `<div class=faq-question>What is %d?</div>`),
			[]Left{{Cards, 6}, {Questions, 4}},
		},
		"parts of a card":     {items(6, `<div class=card-body>Body %d.</div>`), nil},
		"two of a kind":       {items(2, `<div class=card>Card %d.</div>`), nil},
		"links":               {items(6, `<div class=card><a href=/>Card %d.</a></div>`), nil},
		"parts of the menu":   {`<nav>` + items(6, `<div class=card>Card %d.</div>`) + `</nav>`, nil},
		"what is the content": {items(6, `<div class=card>Held %d.</div>`), nil},
	} {
		content := items(6, "<p>Held %d.</p>")
		doc, _ := Parse("<body>" + c.left + content)
		l := newLoss(dom.Body(doc), 0)
		shown, _ := Parse("<body>" + content)
		l.settle(dom.Body(shown))
		if got := l.left(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	doc, _ := Parse("<body><main>" + prose("it", 3) + "</main>" + items(9, "<div class=newsletter><div class=card>"+prose("%d", 2)+"</div></div><h2>part</h2>"))
	if c := Find(doc, &metadata.Metadata{}, nowhere, false); !c.Partial || !slices.Equal(c.Left, []Left{{Cards, 9}}) {
		t.Errorf("partial is %v, left are %v", c.Partial, c.Left)
	}
}
