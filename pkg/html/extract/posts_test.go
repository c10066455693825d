package extract

import (
	"fmt"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/html/dom"
	"github.com/helve-dev/helve/pkg/html/metadata"
)

func TestThreadsByTheirPosts(t *testing.T) {
	t.Parallel()
	rows := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(format, "%d", fmt.Sprint(i)))
		}
		return b.String()
	}
	const (
		post = `<div class="m n%d"><a class=user href=/u/%d>user %d</a> <span class=date>3 May</span><p>Post %d says what its author thinks of the post above it.</p></div>`
		text = `<p>A paragraph of the article, %d, that no reader of the page wrote, says what there is to say.</p>`
	)
	for _, test := range []struct {
		name, page string
		want       bool
	}{
		{"posts", rows(5, post), true},
		{"posts in a list", "<ol>" + rows(3, "<li class=p>"+post+"</li>") + "</ol>", true},
		{"posts in a table", "<table>" + rows(3, "<tr><td class=author>u %d</td><td><time>3 May</time> "+post+"</td></tr>") + "</table>", true},
		{"posts with their authors as headings", rows(4, "<article><h4><a class=username href=/u>u %d</a></h4><time>1 May</time><p>Post %d says what its author thinks of it.</p></article>"), true},
		{"two posts", rows(2, post), false},
		{"posts without dates", strings.ReplaceAll(rows(5, post), "class=date", ""), false},
		{"posts without authors", strings.ReplaceAll(rows(5, post), "class=user", ""), false},
		{"a list of articles", rows(5, "<article><h2><a href=/%d>Article %d</a></h2><span class=author>u</span><time>1 May</time><p>The beginning of article %d, which goes on elsewhere.</p></article>"), false},
		{"a list of cards", rows(5, "<div class=card><a href=/%d><h3>Article %d</h3></a><span class=author>u</span><time>1 May</time><p>The beginning of article %d, which goes on elsewhere.</p></div>"), false},
		{"an article with remarks", "<article>" + rows(20, text) + "</article>" + rows(5, post), false},
		{"a menu of posts", "<nav>" + rows(5, post) + "</nav>" + rows(3, text), false},
		{"nothing", "", false},
		{"links", rows(9, "<a class=user href=/>3 May</a>"), false},
	} {
		doc, _ := Parse(test.page)
		if got := isThread(dom.Body(doc)); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

// What the page says of itself stands.
func TestFindTellsThreads(t *testing.T) {
	t.Parallel()
	page := strings.Repeat(`<div class=m><a class=user href=/u>a user</a> <time>3 May</time><p>`+strings.Repeat("A post of some length. ", 9)+`</p></div><hr>`, 4)
	for said, want := range map[metadata.Kind]metadata.Kind{metadata.Unknown: metadata.Discussion, metadata.Article: metadata.Article, metadata.Product: metadata.Product} {
		doc, _ := Parse(page)
		m := metadata.Metadata{Kind: said}
		Find(doc, &m, nowhere, false)
		if m.Kind != want {
			t.Errorf("a page of kind %d is found to be of kind %d", said, m.Kind)
		}
	}
}

func TestNumbersOfPosts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"#1": true, "#17": true, "Post #2 of 7": true, "post #12": true,
		"": false, "#": false, "17": false, "# of 7": false, "#topic": false, "Post 2 of 7": false, "#2 of many": false, "post": false,
	} {
		if isNumber(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
