package provider

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/web"
)

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "",
		"plain":                                 "plain",
		" two \n\t lines ":                      "two lines",
		"<b>bold</b> &amp; <i class=x>more</i>": "bold & more",
		"one<br>two<p>three":                    "one two three",
		"vector<int> and map<K, V>":             "vector<int> and map<K, V>",
		"a < b && c > d":                        "a < b && c > d",
		"&lt;script&gt;":                        "<script>",
		"x<script>alert(1)</script>y<style>p{}</style>z": "xyz",
		"cut <b":            "cut <b",
		"<!-- note -->text": "text",
		"zero\u200bwidth\u202e\u2066 \U000e0041hidden\ufeff": "zerowidth hidden",
		"می\u200cخواهم 👩\u200d💻":                             "می\u200cخواهم 👩\u200d💻",
		"bell\a and \x1b[31mred":                             "bell and [31mred",
	} {
		if got := plain(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestTarget(t *testing.T) {
	for raw, want := range map[string]string{
		"https://example.org/a?b=c": "https://example.org/a?b=c",
		"HTTPS://Example.ORG/A":     "https://example.org/A",
		"//example.org/a":           "https://example.org/a",
		"https://example.org/?utm_source=x&b=%20c&UTM_Medium=y&gclid=1#f":                           "https://example.org/?b=%20c#f",
		"https://example.org/?utm_source=x":                                                         "https://example.org/",
		"https://example.org/?a&&b=":                                                                "https://example.org/?a&b=",
		"//duckduckgo.com/l/?uddg=https%3A%2F%2Fexample.org%2F%3Fa%3D1%26fbclid%3D2&rut=x":          "https://example.org/?a=1",
		"/l/?uddg=https%3A%2F%2Fexample.org%2F":                                                     "https://example.org/",
		"https://www.google.com/url?sa=t&url=https://example.org/":                                  "https://example.org/",
		"https://www.google.com/url?q=//duckduckgo.com/l/%3Fuddg%3Dhttps%253A%252F%252Fexample.org": "https://example.org",
		"https://duckduckgo.com/y.js?ad_domain=x":                                                   "",
		"https://duckduckgo.com/about":                                                              "https://duckduckgo.com/about",
		"https://example.org/?a=1&q=世\u009b31m\u202e&gclid=2":                                       "https://example.org/?a=1&q=%E4%B8%96%C2%9B31m%E2%80%AE",
		"javascript:alert(1)":                                                                       "",
		"data:text/html,x":                                                                          "",
		"//duckduckgo.com/l/?uddg=javascript%3Aalert(1)":                                            "",
		"https://me:word@example.org/":                                                              "",
		"":                                                                                          "",
		"not an address":                                                                            "",
		"http://[::":                                                                                "",
	} {
		got := ""
		if u := target(raw); u != nil {
			got = u.String()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", raw, got, want)
		}
	}
}

func TestSite(t *testing.T) {
	for _, tt := range []struct {
		url, site string
		want      bool
	}{
		{"https://example.org/a", "example.org", true},
		{"https://www.example.org/a", "example.org", true},
		{"https://badexample.org/a", "example.org", false},
		{"https://example.org.evil.com/a", "example.org", false},
		{"https://example.org/docs/a", "example.org/docs", true},
		{"https://example.org/docs", "example.org/docs", true},
		{"https://example.org/docsandmore", "example.org/docs", false},
		{"https://example.org/", "", true},
	} {
		if got := of(target(tt.url), tt.site); got != tt.want {
			t.Errorf("%+v: %t", tt, got)
		}
	}
}

func TestShorten(t *testing.T) {
	for _, tt := range []struct {
		text string
		most int
		want string
	}{
		{"short", 10, "short"},
		{"exactly ten", 11, "exactly ten"},
		{"some words that are, all in all, too many", 34, "some words that are, all in all…"},
		{"一二三四五六七八九十", 5, "一二三四…"},
		{"nospaceatallinthisone", 10, "nospaceat…"},
	} {
		if got := web.Shorten(tt.text, tt.most); got != tt.want || utf8.RuneCountInString(got) > tt.most {
			t.Errorf("%q to %d: %q", tt.text, tt.most, got)
		}
	}
}

// Titles and descriptions are cut to their limits.
func TestLengths(t *testing.T) {
	long := strings.Repeat("x", 1000)
	got := tidy([]Result{{Title: long, URL: "https://example.org/", Description: long}}, Query{Limit: 1}, nil)
	if len(got) != 1 || utf8.RuneCountInString(got[0].Title) != 200 || utf8.RuneCountInString(got[0].Description) != 400 {
		t.Errorf("%+v", got)
	}
}

// FuzzRead reads anything as the response of each service.
func FuzzRead(f *testing.F) {
	for _, r := range recordings {
		f.Add(file(f, r.file), 200)
	}
	for _, r := range refusals(f) {
		f.Add(r.body, r.status)
	}
	f.Add(file(f, "duckduckgo-lite.html"), 200)
	f.Add([]byte(numbered("duckduckgo", 1, 10, 20)), 200)
	f.Add([]byte(`<a class=result__a href="//duckduckgo.com/l/?uddg=%%%"><a class=result__a><td class=result-snippet><td>`), 200)
	f.Add([]byte(`{"results":[{"url":"https://x/<b>","title":"&#0;"}],"web":{"results":[null]},"organic":[{}],"kind":"customsearch#search","items":[{"pagemap":{"metatags":[{}]}}]}`), 200)
	f.Add([]byte(`{"type":"search","query":{"altered":"<b>"},"infobox":{"results":[{"long_desc":"&#0;\u009b","url":"javascript:x"}]},"answerBox":{"answer":"\u202e"},"answers":["\n"],"corrections":[""],"unresponsive_engines":[["\u001b","\u009b"],null]}`), 200)
	f.Fuzz(func(t *testing.T, body []byte, status int) {
		for _, p := range providers() {
			r := &web.Response{Status: status, Body: body}
			for _, e := range []*fault.Error{failure(p, r, nil), refusal(p, r, nil)} {
				if e != nil && (e.Hint.IsZero() || !oneLine(e.Message.In(fault.English))) {
					t.Fatalf("%s: %v", p.name(), e)
				}
			}
			all, err := p.read(r)
			if err != nil {
				if len(all.results) > 0 {
					t.Fatalf("%s: both results and %v", p.name(), err)
				}
				continue
			}
			if said := all.unanswered(nil); !oneLine(said) || utf8.RuneCountInString(said) > 9*(maxSilentText+2) {
				t.Fatalf("%s: %q", p.name(), said)
			}
			if d := all.direct.tidy(nil); d != nil {
				if d.Text == "" || !oneLine(d.Text+d.Title) || utf8.RuneCountInString(d.Text) > maxDirect || d.URL != "" && !strings.HasPrefix(d.URL, "http") {
					t.Fatalf("%s: %+v", p.name(), d)
				}
			}
			if (all.next == nil) != (all.begins == 0) || all.next != nil && all.next.Get("vqd") == "" {
				t.Fatalf("%s: %v from %d", p.name(), all.next, all.begins)
			}
			for _, r := range tidy(all.results, Query{Limit: 10}, nil) {
				for _, text := range []string{r.Title, r.Description, r.Age, r.Site} {
					if !oneLine(text) {
						t.Fatalf("%s: %q", p.name(), text)
					}
				}
				if utf8.RuneCountInString(r.Title) > 200 || utf8.RuneCountInString(r.Description) > 400 || r.Title == "" {
					t.Fatalf("%s: %+v", p.name(), r)
				}
				if !strings.HasPrefix(r.URL, "http://") && !strings.HasPrefix(r.URL, "https://") || strings.ContainsAny(r.URL, "\x1b\u009b\u202e") || strings.ContainsAny(r.URL, " <>\"") && !strings.Contains(r.URL, "?") {
					t.Fatalf("%s: %q", p.name(), r.URL)
				}
				if _, err := json.Marshal(r); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

// oneLine reports whether a text is one line that drives no terminal.
func oneLine(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsAny(text, "\n\r\t\x00\x1b\u009b\u200b\u202e")
}
