package metadata

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
)

func TestAuthors(t *testing.T) {
	for given, want := range map[string]string{
		"":                                  "",
		"By Ann Bell":                       "Ann Bell",
		"by: Ann Bell":                      "Ann Bell",
		"Posted by Ann Bell on May 1, 2024": "Ann Bell",
		"Von Jörg Müller":                   "Jörg Müller",
		"Par Élise Roy":                     "Élise Roy",
		"Автор: Иван Петров":                "Иван Петров",
		"作者：王小明":                            "王小明",
		"Ann Bell and Bo Carr":              "Ann Bell, Bo Carr",
		"Ann Bell, Bo Carr & Cy Dent":       "Ann Bell, Bo Carr, Cy Dent",
		"Ann Bell; Bo Carr; Ann Bell":       "Ann Bell, Bo Carr",
		"Ann Bell, Senior Staff Writer":     "Ann Bell",
		"Ann Bell, MD, DVM":                 "Ann Bell, MD, DVM",
		"Ann Bell | May 1, 2024":            "Ann Bell",
		"Ann Bell · Editor":                 "Ann Bell",
		"Ann Bell, May 1, 2024":             "Ann Bell",
		"Ann Bell ann@example.org":          "Ann Bell",
		"ann@example.org":                   "",
		"https://example.org/ann":           "",
		"www.example.org":                   "",
		"admin":                             "",
		"The Site":                          "",
		"Byron Vance":                       "Byron Vance",
		"Von Trier":                         "Von Trier",
		"von der Heide":                     "von der Heide",
		"Di Canio":                          "Di Canio",
		"Vonnegut":                          "Vonnegut",
		"Author Name Smith":                 "Author Name Smith",
		strings.Repeat("a very long sentence ", 9): "",
		"---": "",
	} {
		if got := authors([]string{given}, "The Site"); got != want {
			t.Errorf("%q: %q, want %q", given, got, want)
		}
	}
}

func TestPagesAuthors(t *testing.T) {
	const ld = `<script type="application/ld+json">`
	for _, c := range []struct{ name, page, want string }{
		{"objects", ld + `{"@type":"Article","author":[{"@type":"Person","name":"Ann"},{"@type":"Person","name":"Bo"}]}</script>`, "Ann, Bo"},
		{"persons before organizations", ld + `{"@type":"Article","author":[{"@type":"Organization","name":"The Desk"},{"@type":"Person","name":"Ann"}]}</script>`, "Ann"},
		{"an organization", ld + `{"@type":"Article","author":{"@type":"Organization","name":"The Desk"}}</script>`, "The Desk"},
		{"a reference", ld + `{"@graph":[{"@type":"Article","author":{"@id":"#ann"}},{"@type":"Person","@id":"#ann","name":"Ann"}]}</script>`, "Ann"},
		{"a reference to another block", ld + `{"@type":"Article","author":"#ann"}</script>` + ld + `{"@type":"Person","@id":"#ann","name":"Ann"}</script>`, "Ann"},
		{"a reference to nothing", ld + `{"@type":"Article","author":{"@id":"#ann"}}</script>`, ""},
		{"a name in parts", ld + `{"@type":"Article","author":{"@type":"Person","givenName":"Ann","familyName":"Bell"}}</script>`, "Ann Bell"},
		{"a line break in a string", ld + "{\"@type\":\"Article\",\"description\":\"a\nb\",\"author\":{\"name\":\"Ann\"},}</script>", "Ann"},
		{"a wrong type", ld + `{"@type":"Article","author":17}</script><meta name=author content=Bo>`, "Bo"},
		{"several in meta", `<meta name=citation_author content="Bell, Ann"><meta name=citation_author content="Carr, Bo">`, "Bell, Ann, Carr, Bo"},
		{"a profile, then a name", `<meta property="article:author" content="https://example.org/ann"><meta name=parsely-author content=Ann>`, "Ann"},
		{"a link", `<h1>The heading</h1><a rel="author nofollow" href=/ann>Ann Bell</a>`, "Ann Bell"},
		{"microdata", `<h1>The heading</h1><div itemprop=author itemscope><img alt=x><span itemprop=name>Ann Bell</span> Editor of much</div>`, "Ann Bell"},
		{"a line", `<h1>The heading</h1><p>By <b>Ann Bell</b> on September 8, 2021</p>`, "Ann Bell"},
		{"a German line", `<html lang=de><h1>Die Überschrift</h1><div>Von Jörg Müller | 8.9.2021</div>`, "Jörg Müller"},
		{"a line of a Chinese paper", `<html lang=zh><h1>港口表决推迟</h1><div>2026年3月4日 09:15　来源：晨报　作者：王小明</div>`, "王小明"},
		{"a Chinese reporter before the date", `<html lang=zh><h1>港口表决推迟</h1><div>来源:晨报 记者: 王小明 | 2026-03-04</div>`, "王小明"},
		{"a Chinese sentence", `<html lang=zh><h1>港口表决推迟</h1><p>这本书的作者：他们在港口生活了很多年，并且写了许多故事，后来又离开了那里。</p>`, ""},
		{"no line of prose", `<h1>The heading</h1><p>By the time they had arrived, all was over.</p>`, ""},
		{"not a comment's", `<h1>The heading</h1><div class=comments><span class=author>Bo</span></div>`, ""},
		{"one of two is declared", `<meta name=author content="Ann Bell"><h1>The heading</h1><p>By Ann Bell and Bo Carr</p>`, "Ann Bell, Bo Carr"},
		{"the second of three is declared", ld + `{"@type":"Article","datePublished":"2024-05-01","author":{"name":"Bo Carr"}}</script><h1>The heading</h1><div>By <a rel=author href=/a>Ann Bell</a>, <a rel=author href=/b>Bo Carr</a> and <a rel=author href=/c>Cy Dent</a></div>`, "Ann Bell, Bo Carr, Cy Dent"},
		{"two links in a line", `<h1>The heading</h1><div>By <a rel=author href=/a>Ann Bell</a> and <a rel=author href=/b>Bo Carr</a></div>`, "Ann Bell, Bo Carr"},
		{"another line is about others", `<meta name=author content="Ann Bell"><h1>The heading</h1><p>By Bo Carr and Cy Dent</p>`, "Ann Bell"},
		{"a line about another text", `<meta name=author content="Ann Bell"><h1>The heading</h1><p>By Ann Bell</p><p>A paragraph.</p><p>By Ann Bell and Bo Carr</p>`, "Ann Bell"},
		{"a declared author with a title", `<meta name=author content="Ann Bell"><h1>The heading</h1><p>By Ann Bell, Co-Founder & COO</p>`, "Ann Bell"},
		{"the site", `<meta property="og:site_name" content="The Site"><meta name=author content="the site"><h1>The heading</h1><p>By Ann Bell</p>`, "Ann Bell"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := of(t, c.page).Byline; got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestRepaired(t *testing.T) {
	for given, want := range map[string]string{
		`{"a":1}`:                 `{"a":1}`,
		"{\"a\":\"b\nc\"}":        `{"a":"b c"}`,
		`{"a":[1,2,],}`:           `{"a":[1,2 ] }`,
		`{"a":"it\'s","b":"\"}"}`: `{"a":"it's","b":"\"}"}`,
		`{"a":",}"};`:             `{"a":",}"}`,
		"<!-- {\"a\":1}":          ` {"a":1}`,
		`"\`:                      `"\`,
	} {
		if got := string(repaired(given)); got != want {
			t.Errorf("%s: %s, want %s", given, got, want)
		}
	}
}

// No linked data makes the reader fail, and repairing changes no good JSON.
func FuzzLinked(f *testing.F) {
	for _, s := range []string{
		`{"@type":"Article","author":[{"@id":"#a"},"x"],"datePublished":"2021"}`, `[{"@graph":[{"@type":["Person"],"@id":"#a","name":"Ann"}]}]`, `{"a":"\u00e9\n",}`, "<!-- {\"a\":\"\x01\"}; -->", `{"@type":"Article"}{"@type":"Product"}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		l := linkedData{Metadata: &Metadata{}}
		l.linked(s)
		_ = authors(l.names(l.author), "")
		var before, after any
		if json.Unmarshal([]byte(s), &before) == nil {
			if err := json.Unmarshal(repaired(s), &after); err != nil {
				t.Errorf("%q became %q: %v", s, repaired(s), err)
			}
		}
		if doc, err := html.Parse(strings.NewReader(`<h1>T</h1><script type="application/ld+json">` + s)); err == nil {
			show(doc, &Metadata{Title: "T"}, false, dayFirst, time.Now())
		}
	})
}
