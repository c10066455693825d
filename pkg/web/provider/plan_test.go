package provider

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

// shape is what a test looks at of a request.
func shape(a asked) string {
	body := ""
	for _, name := range []string{"q", "query", "num", "max_results", "numResults", "page", "topic", "category", "gl", "hl", "country", "userLocation"} {
		if v, ok := a.Body[name]; ok {
			body += fmt.Sprintf(" %s=%v", name, v)
		}
	}
	return strings.Join(strings.Fields(a.Path+" "+a.Query+body), " ")
}

// blank is an answer of each service without results.
func blank(name string) string {
	switch name {
	case "brave":
		return `{"type":"search"}`
	case "serper":
		return `{"searchParameters":{}}`
	case "google":
		return `{"kind":"customsearch#search"}`
	case "duckduckgo":
		return `<div class="no-results">No results.</div>`
	}
	return `{"results":[]}`
}

// Each service is asked for pages, news, countries and languages in its own way, and
// what it cannot do is said.
func TestPlans(t *testing.T) {
	page3 := Query{Text: "x", Limit: 5, Page: 3}
	news := Query{Text: "x", Limit: 5, News: true}
	german := Query{Text: "x", Limit: 5, Country: "CH", Language: "de"}
	strange := Query{Text: "x", Limit: 5, Country: "ZZ", Language: "qu"}
	for _, tt := range []struct {
		name string
		q    Query
		want string // the first request
		warn string // what the warnings have in common
	}{
		{"brave", page3, "/res/v1/web/search count=5&offset=2&q=x&result_filter=web%2Cquery%2Cinfobox", "page 3 is empty"},
		{"brave", news, "/res/v1/news/search count=5&q=x", ""},
		{"brave", german, "/res/v1/web/search count=5&country=CH&q=x&result_filter=web%2Cquery%2Cinfobox&search_lang=de", ""},
		{"brave", strange, "/res/v1/web/search count=5&q=x&result_filter=web%2Cquery%2Cinfobox", "country ZZ"},
		{"brave", Query{Text: "x", Limit: 5, Language: "ja"}, "/res/v1/web/search count=5&q=x&result_filter=web%2Cquery%2Cinfobox&search_lang=jp", ""},
		{"brave", Query{Text: "x", Limit: 5, Country: "TW", Language: "zh"}, "/res/v1/web/search count=5&country=TW&q=x&result_filter=web%2Cquery%2Cinfobox&search_lang=zh-hant", ""},
		{"tavily", page3, "/search query=x max_results=15", "page 3 is empty"},
		{"tavily", news, "/search query=x max_results=5 topic=news", ""},
		{"tavily", german, "/search query=x max_results=5 country=switzerland", "language de"},
		{"tavily", Query{Text: "x", Limit: 5, Country: "US", News: true}, "/search query=x max_results=5 topic=news", "country US"},
		{"tavily", Query{Text: "x", Limit: 5, Country: "AE"}, "/search query=x max_results=5 country=united arab emirates", ""},
		{"exa", page3, "/search query=x numResults=15", "page 3 is empty"},
		{"exa", news, "/search query=x numResults=5 category=news", ""},
		{"exa", german, "/search query=x numResults=5 userLocation=CH", "language de"},
		{"serper", page3, "/search q=x num=10 page=2", "page 3 is empty"},
		{"serper", Query{Text: "x", Limit: 5, Page: 2}, "/search q=x num=10", "page 2 is empty"},
		{"serper", news, "/news q=x num=5", ""},
		{"serper", german, "/search q=x num=5 gl=ch hl=de", ""},
		{"google", page3, "/customsearch/v1 cx=cx1&num=5&q=x&start=11", "page 3 is empty"},
		{"google", news, "/customsearch/v1 cx=cx1&num=5&q=x", "no search for news"},
		{"google", german, "/customsearch/v1 cx=cx1&gl=ch&lr=lang_de&num=5&q=x", ""},
		{"google", strange, "/customsearch/v1 cx=cx1&gl=zz&num=5&q=x", "language qu"},
		{"google", Query{Text: "x", Limit: 5, Language: "he"}, "/customsearch/v1 cx=cx1&lr=lang_iw&num=5&q=x", ""},
		{"searxng", page3, "/search format=json&q=x", "page 3 is empty"},
		{"searxng", news, "/search categories=news&format=json&q=x", ""},
		{"searxng", german, "/search format=json&language=de-CH&q=x", ""},
		{"searxng", Query{Text: "x", Limit: 5, Country: "CH"}, "/search format=json&q=x", "country CH"},
		{"duckduckgo", page3, "/html/ q=x", "page 3 is empty"},
		{"duckduckgo", news, "/html/ q=x", "no search for news"},
		{"duckduckgo", german, "/html/ kl=ch-de&q=x", ""},
		{"duckduckgo", strange, "/html/ q=x", "country ZZ"},
		{"duckduckgo", Query{Text: "x", Limit: 5, Language: "ja"}, "/html/ kl=jp-jp&q=x", "its region jp-jp"},
		{"duckduckgo", Query{Text: "x", Limit: 5, Country: "US", Language: "fr"}, "/html/ kl=us-en&q=x", "its region us-en"},
		{"duckduckgo", Query{Text: "x", Limit: 5, Country: "GB"}, "/html/ kl=uk-en&q=x", ""},
		{"duckduckgo", Query{Text: "x", Limit: 5, Language: "qu"}, "/html/ q=x", "language qu"},
	} {
		s := recorded(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(blank(tt.name))) })
		got, err := engineOf(s.URL, tt.name).Search(t.Context(), tt.q, tt.name)
		if err != nil {
			t.Errorf("%s, %+v: %v", tt.name, tt.q, err)
			continue
		}
		if first := shape(s.seen[0]); first != tt.want {
			t.Errorf("%s, %+v:\n%s, want\n%s", tt.name, tt.q, first, tt.want)
		}
		if warnings := said(got.Warnings); warnings != "" && tt.warn == "" || !strings.Contains(warnings, tt.warn) || warnings != "" && !strings.Contains(warnings, tt.name) {
			t.Errorf("%s, %+v: %q, want %q", tt.name, tt.q, warnings, tt.warn)
		}
	}
}

// numbered answers as a service that has a list of results, numbered from 1.
func numbered(name string, from, count, all int) string {
	var b strings.Builder
	for i := from; i < min(from+count, all+1); i++ {
		if name == "duckduckgo" {
			fmt.Fprintf(&b, `<a class="result__a" href="https://example.org/%d">%d</a>`, i, i)
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"title":"%d","url":"https://example.org/%d","link":"https://example.org/%[1]d"}`, i, i)
	}
	switch name {
	case "duckduckgo":
		if b.Len() == 0 {
			return blank(name)
		}
		if next := from + count - 1; next < all {
			fmt.Fprintf(&b, `<form action="/html/" method="post"><input type="submit" value="Previous"><input type="hidden" name="q" value="x"><input type="hidden" name="s" value="%d"><input type="hidden" name="vqd" value="4-1"></form>
				<form action="/html/" method="post"><input type="submit" value="Next"><input type="hidden" name="q" value="x"><input type="hidden" name="s" value="%d"><input type="hidden" name="nextParams" value=""><input type="hidden" name="v" value="l"><input type="hidden" name="o" value="json"><input type="hidden" name="dc" value="%d"><input type="hidden" name="api" value="d.js"><input type="hidden" name="vqd" value="4-1&amp;2"></form>`, max(0, from-11), next, next+1)
		}
		return b.String()
	case "brave":
		return `{"type":"search","web":{"results":[` + b.String() + `]}}`
	case "serper":
		return `{"searchParameters":{},"organic":[` + b.String() + `]}`
	case "google":
		return `{"kind":"customsearch#search","items":[` + b.String() + `]}`
	}
	return `{"results":[` + b.String() + `]}`
}

// lister starts a service with so many results.
func lister(t *testing.T, name string, all int) *service {
	number := func(text string, none int) int {
		if n, err := strconv.Atoi(text); err == nil {
			return n
		}
		return none
	}
	var s *service
	s = recorded(t, func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		a := s.seen[len(s.seen)-1]
		s.mu.Unlock()
		v := r.URL.Query()
		in := func(name string, none int) int {
			if n, ok := a.Body[name].(float64); ok {
				return int(n)
			}
			return none
		}
		from, count := 1, 7 // an odd size, as searxng may have
		switch name {
		case "brave":
			count = number(v.Get("count"), 0)
			from += count * number(v.Get("offset"), 0)
		case "tavily":
			count = in("max_results", 0)
		case "exa":
			count = in("numResults", 0)
		case "serper":
			count = 10 // whatever num says
			from += count * (in("page", 1) - 1)
		case "google":
			count, from = number(v.Get("num"), 0), number(v.Get("start"), 1)
		case "searxng":
			from += count * (number(v.Get("pageno"), 1) - 1)
		case "duckduckgo":
			if count = 10; r.Method == http.MethodPost {
				for part := range strings.SplitSeq(a.Query, "&") {
					if value, ok := strings.CutPrefix(part, "s="); ok {
						from += number(value, 0)
					}
				}
				if !strings.Contains(a.Query, "vqd=4-1%262") || !strings.Contains(a.Query, "api=d.js") {
					_, _ = w.Write(file(t, "duckduckgo-puzzle.html"))
					return
				}
				count = 15
			}
		}
		_, _ = w.Write([]byte(numbered(name, from, count, all)))
	})
	return s
}

// The pages follow each other: no result is left out, none comes twice.
func TestPages(t *testing.T) {
	for _, p := range providers() {
		for _, limit := range []int{3, 5, 10} {
			s := lister(t, p.name(), 33)
			e := engineOf(s.URL, p.name())
			var got []string
			pages := 20 / limit
			for page := 1; page <= pages; page++ {
				answer, err := e.Search(t.Context(), Query{Text: "x", Limit: limit, Page: page}, p.name())
				short := p.name() == "searxng" && page == 1 && limit > 7 // its page has no more
				if err != nil || len(answer.Results) != limit && !short || len(answer.Warnings) > 0 {
					t.Fatalf("%s, page %d of %d: %+v, %v", p.name(), page, limit, answer, err)
				}
				for _, r := range answer.Results {
					got = append(got, r.Title)
				}
			}
			var want []string
			for i := 1; i <= max(len(got), pages*limit-3); i++ {
				want = append(want, strconv.Itoa(i))
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s, %d a page: %s", p.name(), limit, d)
			}
		}
	}
}

// The page after the last one is empty, and says so; it is never the first one again.
func TestLastPages(t *testing.T) {
	for _, p := range providers() {
		s := lister(t, p.name(), 13)
		e := engineOf(s.URL, p.name())
		for page, want := range map[int]int{1: 5, 2: 5, 3: 3, 4: 0} {
			got, err := e.Search(t.Context(), Query{Text: "x", Limit: 5, Page: page}, p.name())
			if err != nil || len(got.Results) != want || want > 0 && got.Results[0].Title != strconv.Itoa(5*(page-1)+1) {
				t.Errorf("%s, page %d: %+v, %v", p.name(), page, got, err)
				continue
			}
			if (want == 0) != strings.Contains(said(got.Warnings), "page 4 is empty") {
				t.Errorf("%s, page %d: %q", p.name(), page, said(got.Warnings))
			}
		}
	}
}

// A page too far and a query too long are said without asking the service, and passed
// on to another.
func TestBeyond(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("word ", 120))
	for _, tt := range []struct {
		name string
		q    Query
		want string
	}{
		{"brave", Query{Text: "x", Limit: 5, Page: 11}, "page 11"},
		{"brave", Query{Text: long, Limit: 5}, "400 characters"},
		{"brave", Query{Text: strings.Repeat("a ", 60), Limit: 5}, "50 words"},
		{"tavily", Query{Text: "x", Limit: 10, Page: 3}, "page 3"},
		{"tavily", Query{Text: long, Limit: 5}, "400 characters"},
		{"exa", Query{Text: "x", Limit: 10, Page: 11}, "page 11"},
		{"serper", Query{Text: "x", Limit: 10, Page: 11}, "page 11"},
		{"google", Query{Text: "x", Limit: 10, Page: 11}, "page 11"},
		{"searxng", Query{Text: "x", Limit: 10, Page: 6}, "page 6"},
		{"duckduckgo", Query{Text: "x", Limit: 10, Page: 6}, "page 6"},
		{"duckduckgo", Query{Text: long, Limit: 5}, "499 characters"},
	} {
		s := recorded(t, func(http.ResponseWriter, *http.Request) {})
		_, err := engineOf(s.URL, tt.name).Search(t.Context(), tt.q, tt.name)
		if !fault.Is(err, fault.Unsupported) || !strings.Contains(err.Error(), tt.want) || fault.As(err).Hint.IsZero() || len(s.seen) > 0 {
			t.Errorf("%s: %v, %v", tt.name, err, s.seen)
		}
	}
	s := lister(t, "exa", 100)
	got, err := engineOf(s.URL, "tavily", "exa").Search(t.Context(), Query{Text: "x", Limit: 10, Page: 3}, "")
	if err != nil || got.Provider != "exa" || !strings.Contains(said(got.Warnings), "tavily failed: tavily lists only the first 20") || !strings.Contains(said(got.Warnings), "page 3 of exa") {
		t.Errorf("%+v, %v", got, err)
	}
}

// A puzzle on the way to a later page is a puzzle.
func TestPuzzleOnTheWay(t *testing.T) {
	s := recorded(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			w.WriteHeader(http.StatusAccepted)
			_, _ = w.Write(file(t, "duckduckgo-puzzle.html"))
			return
		}
		_, _ = w.Write([]byte(numbered("duckduckgo", 1, 10, 100)))
	})
	got, err := engineOf(s.URL, "duckduckgo").Search(t.Context(), Query{Text: "x", Limit: 10, Page: 2}, "")
	if !fault.Is(err, fault.RateLimited) {
		t.Errorf("%+v, %v", got, err)
	}
}

// A form that leads back, to itself or nowhere is not followed for ever.
func TestFormsThatLeadBack(t *testing.T) {
	for name, form := range map[string]string{
		"itself":  `<form><input name=q value=x><input name=s value=10><input name=vqd value=1></form>`,
		"back":    `<form><input name=q value=x><input name=s value=-5><input name=vqd value=1></form>`,
		"no vqd":  `<form><input name=q value=x><input name=s value=10></form>`,
		"nowhere": `<form></form></form><input name=s value=10>`,
	} {
		s := recorded(t, func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`<a class="result__a" href="https://example.org/">x</a>` + form))
		})
		got, err := engineOf(s.URL, "duckduckgo").Search(t.Context(), Query{Text: "x", Limit: 5, Page: 3}, "")
		if err != nil || len(got.Results) != 0 || len(s.seen) > 2 {
			t.Errorf("%s: %+v, %v, %d requests", name, got, err, len(s.seen))
		}
	}
}

// News are asked of an engine that has them first.
func TestNewsFirst(t *testing.T) {
	s := recorded(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/customsearch") {
			_, _ = w.Write(file(t, "google.json"))
			return
		}
		_, _ = w.Write(file(t, "searxng.json"))
	})
	for kind, want := range map[bool]string{false: "google", true: "searxng"} {
		got, err := engineOf(s.URL, "google", "searxng").Search(t.Context(), Query{Text: "x", Limit: 5, News: kind}, "")
		if err != nil || got.Provider != want {
			t.Errorf("news %t: %+v, %v", kind, got, err)
		}
	}
}
