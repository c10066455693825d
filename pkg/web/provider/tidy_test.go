package provider

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

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

func FuzzRead(f *testing.F) {
	for _, r := range recordings {
		f.Add(file(f, r.file))
	}
	f.Add(file(f, "duckduckgo-lite.html"))
	f.Add([]byte(`<a class=result__a href="//duckduckgo.com/l/?uddg=%%%"><a class=result__a><td class=result-snippet><td>`))
	f.Add([]byte(`{"results":[{"url":"https://x/<b>","title":"&#0;"}],"web":{"results":[null]},"organic":[{}],"kind":"customsearch#search","items":[{"pagemap":{"metatags":[{}]}}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, p := range providers() {
			found, err := p.read(&web.Response{Status: 200, Body: body})
			if err != nil {
				if len(found) > 0 {
					t.Fatalf("%s: both results and %v", p.name(), err)
				}
				continue
			}
			for _, r := range tidy(found, Query{Limit: 10}, nil) {
				for _, text := range []string{r.Title, r.Description, r.Age, r.Site} {
					if !utf8.ValidString(text) || strings.ContainsAny(text, "\n\r\t\x00\x1b\u009b\u200b\u202e") {
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
