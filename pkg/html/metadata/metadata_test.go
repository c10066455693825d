package metadata

import (
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
)

func of(t *testing.T, page string) Metadata {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	u := &url.URL{Scheme: "https", Host: "example.org", Path: "/a/b"}
	return Of(doc, u, u)
}

func TestOf(t *testing.T) {
	for _, c := range []struct {
		name, page string
		want       Metadata
	}{
		{"nothing", "<p>text", Metadata{}},
		{
			"linked data", `<html lang=de><script type="application/ld+json">[{"@context":"x","@graph":[
				{"@type":"WebSite","name":"The &amp; Site"},
				{"@type":["Article","X"],"headline":"A headline","author":{"name":"Ida"},"datePublished":"2024-02-03T04:05:06Z","articleBody":"Line one.\nLine two.","description":"About."}]}]</script>`,
			Metadata{
				Title: "A headline", Byline: "Ida", Site: "The & Site", Published: "2024-02-03T04:05:06Z", Language: "de", Excerpt: "About.", Kind: Article,
				Texts: []Text{{Title: "A headline", Body: "Line one.\nLine two.", Article: true}},
			},
		},
		{
			"open graph and meta", `<title>A long enough title of a page - Site</title><meta property="og:title" content=" Graph  title "><meta property="og:site_name" content=Site>
				<meta name=author content="By Bo"><meta property="article:published_time" content="2024-05-01 10:00:00+0200"><meta name=description content=d><meta property="og:locale" content=pt_BR><meta property="og:type" content=article>`,
			Metadata{Title: "Graph title", Byline: "Bo", Site: "Site", Published: "2024-05-01T10:00:00+02:00", Language: "pt-BR", Excerpt: "d", Kind: Article},
		},
		{
			"elements", `<title>The real title | Site</title><meta property="og:site_name" content=site><article><header><span class="byline">by Ann</span><time datetime="2020-01-02">2 January</time></header><h1>Heading</h1></article>`,
			Metadata{Title: "The real title", Byline: "Ann", Site: "site", Published: "2020-01-02"},
		},
		{"questions and answers", `<html itemscope itemtype="https://schema.org/QAPage"><meta property="og:type" content=website>`, Metadata{Kind: Discussion}},
		{
			"links", `<link rel=canonical href="/c"><link rel=alternate type=text/markdown href=b.md><link rel=alternate type=application/rss+xml href=//feeds.example/x><link rel=alternate hreflang=de href=/de>`,
			Metadata{Markdown: "https://example.org/a/b.md"},
		},
		{"a title of a drawing is none", `<body><svg><title>Icon</title></svg><h1>Heading</h1>`, Metadata{Title: "Heading"}},
		{"broken data says nothing", `<script type="application/ld+json">{"@type":"Article","headline":</script><title>T</title>`, Metadata{Title: "T"}},
		{"a profile is no name", `<meta name=author content="https://example.org/me">`, Metadata{}},
		{"a forum", `<meta name=generator content="vBulletin 5">`, Metadata{Kind: Discussion}},
		{"a product", `<script type="application/ld+json">{"@type":"Product","name":"Kettle","description":"It boils."}</script>`, Metadata{Kind: Product, Texts: []Text{{Title: "Kettle", Body: "It boils."}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, of(t, c.page)); diff != "" {
				t.Errorf("(- want, + got):\n%s", diff)
			}
		})
	}
}

// Deep or repeated data takes little time and memory.
func TestEndlessData(t *testing.T) {
	deep := strings.Repeat(`{"mainEntity":`, 5000) + `{"@type":"Article","headline":"x"}` + strings.Repeat("}", 5000)
	if m := of(t, `<script type="application/ld+json">`+deep+`</script>`); m.Title != "" {
		t.Errorf("what is nested 5000 deep was read: %q", m.Title)
	}
	wide := "[" + strings.Repeat(`{"@type":"Answer","text":"an answer"},`, 9999) + "{}]"
	if m := of(t, `<script type="application/ld+json">`+wide+`</script>`); len(m.Texts) != linkedTexts {
		t.Errorf("%d texts", len(m.Texts))
	}
}

func TestBare(t *testing.T) {
	for _, c := range [][3]string{
		{"A title | Site", "Site", "A title"},
		{"Site: - A title", "", "Site: - A title"},
		{"site - A title", "Site", "A title"},
		{"One - two | Site", "Site", "One - two"},
		{"What everybody should know about kettles - Blog", "", "What everybody should know about kettles"},
		{"A - B", "", "A - B"},
	} {
		if got := bare(c[0], c[1]); got != c[2] {
			t.Errorf("%q of %q: %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

func TestThreads(t *testing.T) {
	for address, want := range map[string]bool{
		"https://forums.example.org/threads/kettles.17/":   true,
		"https://example.org/forum/topic/17-kettles":       true,
		"https://community.example.org/t/kettles/17":       true,
		"https://example.org/board/viewtopic.php?t=17":     true,
		"https://example.org/t/shirts":                     false,
		"https://forum.example.org/about":                  false,
		"https://example.org/blog/forum-threads-explained": false,
		"https://example.org/questions":                    false,
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := isThread(u); got != want {
			t.Errorf("%s: %t", address, got)
		}
	}
}
