package forms

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/html/page"
	"github.com/helve-dev/helve/pkg/web"
)

func TestAddresses(t *testing.T) {
	for from, want := range map[string]string{
		"https://github.com/o/r/issues/7":                     "https://api.github.com/repos/o/r/issues/7",
		"https://github.com/o/r/pull/7#issuecomment-1":        "https://api.github.com/repos/o/r/issues/7",
		"https://github.com/o/r/pull/7/files":                 "https://github.com/o/r/pull/7.diff",
		"https://github.com/o/r/commit/0123abc":               "https://github.com/o/r/commit/0123abc.patch",
		"https://github.com/o/r/commit/0123abc.diff":          "",
		"https://github.com/o/r/releases":                     "https://api.github.com/repos/o/r/releases?per_page=10",
		"https://github.com/o/r/releases/tag/v1.0":            "https://api.github.com/repos/o/r/releases/tags/v1.0",
		"https://github.com/o/r/releases/latest":              "https://api.github.com/repos/o/r/releases/latest",
		"https://github.com/o/r/issues":                       "",
		"https://github.com/o/r":                              "",
		"https://github.com/":                                 "",
		"https://gist.github.com/o/0123456789abcdef0123":      "https://api.github.com/gists/0123456789abcdef0123",
		"https://gist.github.com/discover":                    "",
		"https://stackoverflow.com/questions/11/how-to":       "https://api.stackexchange.com/2.3/questions/11?filter=withbody&site=stackoverflow",
		"https://unix.stackexchange.com/q/12":                 "https://api.stackexchange.com/2.3/questions/12?filter=withbody&site=unix",
		"https://mathoverflow.net/questions/13":               "https://api.stackexchange.com/2.3/questions/13?filter=withbody&site=mathoverflow.net",
		"https://stackoverflow.com/questions/tagged/go":       "",
		"https://old.reddit.com/r/golang/comments/abc/title/": "https://www.reddit.com/r/golang/comments/abc/title.json?limit=200&raw_json=1",
		"https://www.reddit.com/r/golang":                     "",
		"https://news.ycombinator.com/item?id=8863":           "https://hn.algolia.com/api/v1/items/8863",
		"https://news.ycombinator.com/":                       "",
		"https://arxiv.org/abs/1706.03762v2":                  "https://export.arxiv.org/api/query?id_list=1706.03762v2",
		"https://arxiv.org/pdf/1706.03762.pdf":                "https://arxiv.org/html/1706.03762",
		"https://arxiv.org/list/cs.CL/recent":                 "",
		"https://pypi.org/project/requests/2.31.0/":           "https://pypi.org/pypi/requests/2.31.0/json",
		"https://www.npmjs.com/package/@babel/core":           "https://registry.npmjs.org/@babel%2Fcore",
		"https://www.npmjs.com/package/react/v/18.0.0":        "",
		"https://crates.io/crates/serde":                      "https://crates.io/api/v1/crates/serde",
		"https://forum.example.org/t/kettles-and-pots/123/45": "https://forum.example.org/t/123.json",
		"https://forum.example.org/t/kettles":                 "",
		"https://example.org:8443/t/kettles/12":               "",
		"ftp://github.com/o/r/issues/7":                       "",
	} {
		f, ok := Of(web.At(from))
		if f.URL != want || ok != (want != "") {
			t.Errorf("%s: %q", from, f.URL)
		}
	}
}

// Bodies of each form, written after what the sites document.
var bodies = map[string][]string{
	"https://github.com/o/r/releases":                {`[{"tag_name":"v1.1","name":"Spout","published_at":"2024-01-02T03:04:05Z","author":{"login":"ann"},"body":"- less noise\r\n","assets":[{"name":"kettle.tgz","size":12,"browser_download_url":"https://example.org/kettle.tgz"}]},{"tag_name":"v1.0","prerelease":true}]`},
	"https://gist.github.com/o/0123456789abcdef0123": {"{\"description\":\"Kettle\",\"owner\":{\"login\":\"ann\"},\"created_at\":\"2024-01-02T03:04:05Z\",\"files\":{\"b.go\":{\"filename\":\"b.go\",\"language\":\"Go\",\"content\":\"package b // ```\\n\"},\"a.md\":{\"filename\":\"a.md\",\"language\":\"Markdown\",\"content\":\"*hello*\"}}}"},
	"https://stackoverflow.com/questions/11": {
		`{"items":[{"title":"Why &quot;boil&quot;?","body":"<p>Say <code>why()</code>.</p><pre><code>a &lt; b\n  c\n</code></pre>","score":3,"creation_date":1700000000,"answer_count":2,"tags":["go","heat"],"owner":{"display_name":"Zo&#235;"}}]}`,
		`{"items":[{"body":"<p>Because.</p>","score":5,"creation_date":1700000100,"is_accepted":true,"owner":{"display_name":"bob"}},{"body":"<p>Or not.</p>","score":-1,"creation_date":1700000200,"owner":{}}]}`,
	},
	"https://www.reddit.com/r/tea/comments/abc/t": {`[{"kind":"Listing","data":{"children":[{"kind":"t3","data":{"title":"Best kettle","author":"ann","subreddit_name_prefixed":"r/tea","created_utc":1700000000.0,"score":9,"is_self":true,"selftext":"Which *one*?"}}]}},
		{"kind":"Listing","data":{"children":[{"kind":"t1","data":{"author":"bob","body":"Mine.","score":2,"created_utc":1700000100,"replies":{"kind":"Listing","data":{"children":[{"kind":"t1","data":{"author":"cy","body":"No, mine.","score":1,"created_utc":1700000200,"replies":""}}]}}}},{"kind":"more","data":{"count":12,"children":["d1","d2"]}}]}}]`},
	"https://news.ycombinator.com/item?id=1": {`{"title":"A kettle","url":"https://example.org/k?a=1&b=2","author":"ann","created_at":"2024-01-02T03:04:05.000Z","points":7,"text":null,"children":[{"author":"bob","text":"Nice.<p>Very.","created_at":"2024-01-02T04:00:00.000Z","points":null,"children":[{"author":"cy","text":"<i>Indeed</i>","created_at":"2024-01-02T05:00:00.000Z","children":[]}]},{"author":null,"text":null,"children":[]}]}`},
	"https://forum.example.org/t/kettles/12": {
		`{"title":"Kettles","created_at":"2024-01-02T03:04:05.000Z","posts_count":5,"post_stream":{"posts":[{"username":"ann","created_at":"2024-01-02T03:04:05.000Z","cooked":"<p>Which?</p>","post_number":1},{"username":"bob","created_at":"2024-01-02T04:04:05.000Z","cooked":"<p>This <a href=\"/k\">one</a>.</p>","post_number":2,"reply_to_post_number":1,"accepted_answer":true}]}}`,
		"ann | 2024-01-02 03:04:05 UTC | #1\n\nWhich?\n\n-------------------------\n\nbob | 2024-01-02 04:04:05 UTC | #2\n\nThis one.\n\n-------------------------\n\ncy | 2024-01-02 05:04:05 UTC | #3\n\nNeither:\n\n-------------------------\n\nsee above\n\n-------------------------\n\n",
	},
	"https://arxiv.org/abs/1706.1": {`<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom"><entry><id>http://arxiv.org/abs/1706.1v1</id><title>On
  Kettles</title><summary>  We boil
water. </summary><published>2017-06-12T17:57:34Z</published><author><name>Ann A.</name></author><author><name>Bob B.</name></author><arxiv:doi>10.1/2</arxiv:doi><category term="cs.KT"/><link href="http://arxiv.org/pdf/1706.1v1" type="application/pdf"/></entry></feed>`},
	"https://pypi.org/project/kettle":      {`{"info":{"name":"kettle","version":"1.2","summary":"Boils","description":"# Kettle\n\nUse it.","description_content_type":"text/markdown","author":"Ann","requires_python":">=3.9","requires_dist":["water>=1"],"project_urls":{"Home":"https://example.org"}},"urls":[{"upload_time_iso_8601":"2024-01-02T03:04:05Z"}]}`},
	"https://www.npmjs.com/package/kettle": {`{"name":"kettle","description":"Boils","dist-tags":{"latest":"2.0.0"},"time":{"2.0.0":"2024-01-02T03:04:05.000Z","unpublished":{"x":1}},"versions":{"2.0.0":{"license":"MIT","dependencies":{"water":"^1"}}},"readme":"# kettle\n\nPour."}`},
	"https://crates.io/crates/kettle":      {`{"crate":{"name":"kettle","description":"Boils","max_stable_version":"0.3.1","updated_at":"2024-01-02T03:04:05Z","repository":"https://example.org/r","downloads":5},"versions":[{"num":"0.3.1","created_at":"2024-01-02T03:04:05Z","license":"MIT","rust_version":"1.70","yanked":false}]}`},
	"https://github.com/o/r/pull/7":        {`{"title":"Add lid","state":"closed","comments":3,"user":{"login":"ann"},"created_at":"2024-01-02T03:04:05Z","body":null,"labels":[{"name":"hot"}],"pull_request":{"merged_at":"2024-01-03T00:00:00Z"},"author_association":"MEMBER"}`, ``},
}

func TestDocuments(t *testing.T) {
	for from, want := range map[string]string{
		"https://github.com/o/r/releases":                "# Releases\n\n## Spout · v1.1 · 2024-01-02T03:04:05Z · ann\n\n- less noise\n\n- kettle.tgz (12 bytes): https://example.org/kettle.tgz\n\n## v1.0 · pre-release\n",
		"https://gist.github.com/o/0123456789abcdef0123": "# Kettle\n\nann · 2024-01-02T03:04:05Z\n\n## a.md\n\n*hello*\n\n## b.go\n\n````go\npackage b // ```\n````\n",
		"https://stackoverflow.com/questions/11":         "# Why \"boil\"?\n\nZoë · 2023-11-14T22:13:20Z · go, heat\n\n## 1. Zoë · 2023-11-14T22:13:20Z · score 3 · question\n\nSay `why()`.\n\n```\na < b\n  c\n```\n\n## 2. bob · 2023-11-14T22:15:00Z · score 5 · accepted answer\n\nBecause.\n\n## 3. 2023-11-14T22:16:40Z · score -1 · answer\n\nOr not.\n",
		"https://www.reddit.com/r/tea/comments/abc/t":    "# Best kettle\n\nann · 2023-11-14T22:13:20Z · r/tea\n\n## 1. ann · 2023-11-14T22:13:20Z · 9 points\n\nWhich *one*?\n\n## 2. bob · 2023-11-14T22:15:00Z · 2 points\n\nMine.\n\n### 3. cy · 2023-11-14T22:16:40Z · 1 point\n\nNo, mine.\n",
		"https://news.ycombinator.com/item?id=1":         "# A kettle\n\nann · 2024-01-02T03:04:05.000Z\n\n## 1. ann · 2024-01-02T03:04:05.000Z · 7 points\n\n[https://example.org/k?a=1&b=2](https://example.org/k?a=1&b=2)\n\n## 2. bob · 2024-01-02T04:00:00.000Z\n\nNice.\n\nVery.\n\n### 3. cy · 2024-01-02T05:00:00.000Z\n\n*Indeed*\n",
		"https://forum.example.org/t/kettles/12":         "# Kettles\n\nann · 2024-01-02T03:04:05.000Z\n\n## 1. ann · 2024-01-02T03:04:05.000Z\n\nWhich?\n\n## 2. bob · 2024-01-02T04:04:05.000Z · to #1 · accepted answer\n\nThis [one](https://forum.example.org/k).\n\n## 3. cy · 2024-01-02 05:04:05 UTC\n\nNeither:\n\n---\n\nsee above\n",
		"https://arxiv.org/abs/1706.1":                   "# On Kettles\n\nAnn A., Bob B. · 2017-06-12T17:57:34Z · cs.KT\n\nWe boil water.\n\n- DOI: 10.1/2\n- PDF: http://arxiv.org/pdf/1706.1v1\n",
		"https://pypi.org/project/kettle":                "# kettle 1.2\n\nAnn · 2024-01-02T03:04:05Z · Python >=3.9\n\n## Project\n\nBoils\n\n- Home: https://example.org\n- Requires: water>=1\n\n## Description\n\n# Kettle\n\nUse it.\n",
		"https://www.npmjs.com/package/kettle":           "# kettle 2.0.0\n\n2024-01-02T03:04:05.000Z · MIT\n\n## Package\n\nBoils\n\n- Dependencies: water\n\n## Readme\n\n# kettle\n\nPour.\n",
		"https://crates.io/crates/kettle":                "# kettle 0.3.1\n\n2024-01-02T03:04:05Z · 5 downloads\n\n## Crate\n\nBoils\n\n- Readme and API: https://docs.rs/crate/kettle\n- Repository: https://example.org/r\n\n## Versions\n\n- 0.3.1 · 2024-01-02T03:04:05Z · MIT · Rust 1.70\n",
		"https://github.com/o/r/pull/7":                  "# Add lid\n\nann · 2024-01-02T03:04:05Z · merged 2024-01-03T00:00:00Z · hot\n",
	} {
		u := web.At(from)
		f, ok := Of(u)
		if !ok {
			t.Fatal(from)
		}
		d, err := f.Document(bodies[from], u, page.Markdown)
		if err != nil {
			t.Errorf("%s: %v", from, err)
			continue
		}
		if diff := cmp.Diff(want, d.Content); diff != "" {
			t.Errorf("%s (- want, + got):\n%s", from, diff)
		}
		if left := strings.Contains(from, "forum") || strings.Contains(from, "reddit") || strings.Contains(from, "pull") || strings.Contains(from, "stackoverflow"); left != (len(d.Warnings) == 1) {
			t.Errorf("%s: %v", from, d.Warnings)
		}
		if _, err := f.Document(bodies[from], u, page.Text); err != nil {
			t.Errorf("%s as text: %v", from, err)
		}
	}
}

// What is not what the site documents is left to the page itself.
func TestWhatIsNoForm(t *testing.T) {
	for from, of := range bodies {
		f, _ := Of(web.At(from))
		for _, body := range []string{"", "null", "{}", "[]", "[{}]", "<html>", `{"message":"Not Found"}`, `{"items":[]}`, `[{"kind":"t3"}]`, of[0][:len(of[0])/2]} {
			if d, err := f.Document([]string{body, ""}, web.At(from), page.Markdown); err == nil {
				t.Errorf("%s: %q made %q", from, body, d.Content)
			}
		}
	}
}

// FuzzForms checks that any body in any form is refused, or makes valid text.
func FuzzForms(f *testing.F) {
	for from, of := range bodies {
		f.Add(from, of[0], strings.Join(of[1:], ""), false)
	}
	f.Add("https://www.reddit.com/r/a/comments/b", `[{"kind":"Listing","data":{"children":[{"kind":"t3","data":{"replies":1}}]}},{"kind":"more"}]`, "", true)
	f.Fuzz(func(t *testing.T, from, first, more string, text bool) {
		u, err := web.Parse(from)
		if err != nil {
			return
		}
		form, ok := Of(u)
		if !ok || form.AsPage() {
			return
		}
		format := page.Markdown
		if text {
			format = page.Text
		}
		d, err := form.Document([]string{first, more}, u, format)
		if err == nil && (d.Content == "" || !utf8.ValidString(d.Content)) {
			t.Fatalf("%q", d.Content)
		}
	})
}
