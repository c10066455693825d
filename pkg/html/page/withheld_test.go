package page

import (
	"strings"
	"testing"
)

// What a page keeps for those who pay is said, and read where the page carries it.
func TestWithheld(t *testing.T) {
	t.Parallel()
	const offer = "for subscribers"
	teaser := "<p>The teaser of an article, which is long enough to be one, and says what the article is about.</p>"
	data := func(more string) string {
		return `<script type="application/ld+json">{"@type":"NewsArticle","headline":"Paid",` + more + `}</script>`
	}
	body := "The teaser of an article, which is long enough to be one, and says what the article is about. HELD " + strings.Repeat("and so on for a while, ", 60)
	for name, c := range map[string]struct {
		page     string
		withheld bool
		held     bool
	}{
		"linked data":               {data(`"isAccessibleForFree":false`) + "<article>" + strings.Repeat(teaser, 3) + "</article>", true, false},
		"linked data, as text":      {data(`"isAccessibleForFree":"False"`) + "<article>" + strings.Repeat(teaser, 3) + "</article>", true, false},
		"linked data, as a type":    {data(`"isAccessibleForFree":"http://schema.org/False"`) + "<article>" + strings.Repeat(teaser, 3) + "</article>", true, false},
		"a part":                    {data(`"hasPart":{"@type":"WebPageElement","isAccessibleForFree":false}`) + "<article>" + strings.Repeat(teaser, 3) + "</article>", true, false},
		"a free page":               {data(`"isAccessibleForFree":true`) + "<article>" + strings.Repeat(teaser, 3) + "</article>", false, false},
		"an offer":                  {"<article>" + strings.Repeat(teaser, 3) + "<div class=wall><h3>This article is for subscribers only</h3></div></article>", true, false},
		"an offer in Spanish":       {"<article>" + strings.Repeat(teaser, 3) + "<div class=wall><p>Contenido exclusivo para suscriptores</p></div></article>", true, false},
		"an offer in Japanese":      {"<article>" + strings.Repeat(teaser, 3) + "<div class=wall><p>この記事は有料会員限定です</p></div></article>", true, false},
		"an offer beside much text": {"<article>" + strings.Repeat(teaser, 60) + "<p>Subscribe to continue</p></article>", false, false},
		"a text about offers":       {"<article>" + strings.Repeat(teaser, 3) + "<p>" + strings.Repeat("Newspapers say that articles are for subscribers only, and more. ", 5) + "</p></article>", false, false},
		"the article in the data":   {data(`"isAccessibleForFree":false,"articleBody":"`+body+`"`) + "<article>" + teaser + strings.Repeat("<p>Subscribe.</p>", 30) + "</article>", false, true},
		"another article":           {data(`"articleBody":"`+strings.ToUpper(strings.Replace(body, "The teaser", "Another", 1))+`"`) + "<article>" + strings.Repeat(strings.ReplaceAll(teaser, "The teaser of", "What is said of"), 3) + "</article>", false, false},
	} {
		d := read(t, Source{Text: "<title>Paid</title>" + c.page, MIME: "text/html"}, Options{Format: Markdown})
		warned := false
		for _, w := range d.Warnings {
			warned = warned || strings.Contains(w.String(), offer)
		}
		if warned != c.withheld || strings.Contains(d.Content, "HELD") != c.held {
			t.Errorf("%s: %v, %s", name, d.Warnings, d.Content)
		}
	}
}
