package extract

import (
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/html/dom"
	"github.com/helve-dev/helve/pkg/html/metadata"
)

// post returns a post of a thread as forums write it.
func post(name, about, text string) string {
	return `<article class="message"><section class="message-user"><div class="userinfo"><a class="username" href="/u">` + name + `</a><dl class="userextras"><dt>Joined</dt><dd>` + about + `</dd></dl></div></section>
		<div class="message-content">` + text + `</div><aside class="signature">` + about + `</aside></article>`
}

func TestThread(t *testing.T) {
	said := "Which kettle boils fastest, and does it matter, when the tea must draw for five minutes all the same?"
	page := `<body><main>` +
		post("Ada", "GONE", "<p>"+said+"</p>"+prose("kettles", 3)) +
		post("Bert", "GONE", "<blockquote><b>Ada said:</b><p>"+said+"</p></blockquote><p>It does not, but one likes to know.</p>"+prose("tea", 3)) +
		post("Cleo", "GONE", `<blockquote><p>Whoever wrote this book was no friend of tea, as nobody who reads it can fail to see.</p></blockquote><p>So much for that.</p><ul><li><a href="/p/3">#3</a></li></ul>`) +
		`</main>`
	text := dom.Text(find(t, page, "https://forum.example.org/threads/kettles.17/").Node)
	for _, want := range []string{"Ada", "Bert", "Cleo", "Ada said: Which kettle boils fastest,", "one likes to know", "can fail to see"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %q", want, text)
		}
	}
	if n := strings.Count(text, "all the same"); n != 1 || strings.Contains(text, "GONE") || strings.Contains(text, "#3") {
		t.Errorf("said %d times: %q", n, text)
	}
	// Quotes in an article stay.
	text = dom.Text(find(t, "<body><article><p>"+said+"</p>"+prose("kettles", 6)+"<blockquote>"+said+"</blockquote></article>", "https://example.org/kettles").Node)
	if n := strings.Count(text, "all the same"); n != 2 {
		t.Errorf("said %d times: %q", n, text)
	}
}

func TestFirstWords(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{
		{"", 5, ""}, {"one two three", 8, "one two"}, {"one two three", 3, "one"}, {"abcdefgh", 3, "abc"}, {" öäü  ö ", 10, "öäü ö"},
	} {
		if got := firstWords(c.text, c.most); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// The comments under an answer are content where the page says that it is a
// discussion. Where it does not, how much was left out is counted.
func TestCommentsUnderAnswers(t *testing.T) {
	t.Parallel()
	body := "<p>" + strings.Repeat("The loop captures its variable, so each closure sees the last value. ", 12) + "</p>"
	remark := "Beware that this differs from version to version of the language. "
	page := `<div id=content><h1>Why does the loop capture?</h1><div class=question><div class=post-text>` + body +
		`</div></div><div class=answer><div class=post-text>` + body + body + `</div><div id=comments-7 class="comments js-comments-container"><ul class=comments-list>` +
		strings.Repeat(`<li class="comment js-comment"><div class=comment-body><span class=comment-copy>`+remark+`</span> – <a class=comment-user href=/u>ann</a></div></li>`, 4) +
		`</ul></div></div></div>`
	for kind, kept := range map[metadata.Kind]bool{metadata.Discussion: true, metadata.Unknown: false, metadata.Article: false} {
		doc, _ := Parse(page)
		c := Find(doc, &metadata.Metadata{Kind: kind}, nowhere, false)
		if got := strings.Contains(dom.Text(c.Node), "version to version"); got != kept {
			t.Errorf("kind %d: kept %v, want %v", kind, got, kept)
		}
		least, most := 4*len("Bewarethatthisdiffersfromversiontoversionofthelanguage."), 4*len(remark)+20
		if kept && c.Remarks != 0 || !kept && (c.Remarks < least || c.Remarks > most) {
			t.Errorf("kind %d: %d characters of remarks, want %d to %d", kind, c.Remarks, least, most)
		}
	}
}
