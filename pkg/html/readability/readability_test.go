package readability

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-shiori/go-readability"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// go-readability judges: both find about the same articles in its own test pages.
func TestAgreesWithGoReadability(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/go-shiori/go-readability").Output()
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "test-pages", "*", "source.html"))
	if err != nil || len(pages) < 100 {
		t.Fatal(len(pages), err)
	}
	every := 2
	if raceDetector {
		every = 12
	}
	sum, n := 0.0, 0
	for i := 0; i < len(pages); i += every {
		source, err := os.ReadFile(pages[i])
		if err != nil {
			t.Fatal(err)
		}
		judge, err := readability.FromReader(strings.NewReader(string(source)), nil)
		if err != nil || judge.Node == nil {
			continue // it finds nothing
		}
		doc, err := html.Parse(strings.NewReader(string(source)))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range dom.All(doc, atom.Script, atom.Style, atom.Noscript) {
			dom.Remove(s)
		}
		want := dom.Text(judge.Node)
		got := ""
		if a := Article(dom.Body(doc), Options{Title: judge.Title}); a != nil {
			got = dom.Text(a)
		}
		f := alike(got, want)
		sum, n = sum+f, n+1
		if f < 0.5 && !strings.Contains(pages[i], "hidden") { // hidden parts were removed before
			t.Errorf("%s: only %.2f of the words are the same", filepath.Base(filepath.Dir(pages[i])), f)
		}
	}
	if mean := sum / float64(n); n < 8 || mean < 0.97 {
		t.Errorf("of %d pages, %.3f of the words are the same", n, mean)
	}
}

// alike returns the F1 of the words of two texts.
func alike(a, b string) float64 {
	count := map[string]int{}
	for w := range strings.FieldsSeq(b) {
		count[w]++
	}
	common, n := 0, 0
	for w := range strings.FieldsSeq(a) {
		if count[w] > 0 {
			count[w]--
			common++
		}
		n++
	}
	if n == 0 && b == "" {
		return 1
	}
	return 2 * float64(common) / float64(n+len(strings.Fields(b)))
}

func TestArticleLeavesThePage(t *testing.T) {
	page := "<body><nav><a href=/>Home</a></nav><div class=content><h1>Title</h1>" + strings.Repeat("<p>A paragraph with some words, a comma, and more words that make it long enough to count.</p>", 12) +
		"<p class=byline>By Ida</p></div><div class=sidebar><p>Something else entirely, that has nothing to do with it.</p></div>"
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var before, after strings.Builder
	_ = html.Render(&before, doc)
	a := Article(dom.Body(doc), Options{Title: "Title"})
	_ = html.Render(&after, doc)
	if before.String() != after.String() {
		t.Error("the page was changed")
	}
	text := dom.Text(a)
	for _, gone := range []string{"Home", "Title", "By Ida", "Something else"} {
		if strings.Contains(text, gone) {
			t.Errorf("%q is in the article", gone)
		}
	}
	if !strings.Contains(dom.Text(Article(dom.Body(doc), Options{Bylines: true})), "By Ida") {
		t.Error("the byline is gone although it was wanted")
	}
	if a := Article(dom.Element(atom.Body), Options{}); a != nil && dom.Text(a) != "" {
		t.Error("an empty page has an article")
	}
}

func TestIsData(t *testing.T) {
	for table, want := range map[string]bool{
		"<tr><th>a<th>b<tr><td>1<td>2":                        true,
		"<tr><td>a<td>b<tr><td>1<td>2":                        false,
		"<caption>c</caption><tr><td>a":                       true,
		"<tr><td><table><tr><th>x</table>":                    true,
		"<tr><td><table><tr><td>x</table>":                    false,
		strings.Repeat("<tr><td>a<td>b", 10):                  true,
		"<tr>" + strings.Repeat("<td>a", 6) + "<tr><td>b":     true,
		"<tr><td colspan=999999999>a<tr><td rowspan=x>b<td>c": true,
	} {
		doc, err := html.Parse(strings.NewReader("<table>" + table + "</table>"))
		if err != nil {
			t.Fatal(err)
		}
		if got := IsData(dom.First(doc, atom.Table)); got != want {
			t.Errorf("%s: %t", table, got)
		}
	}
}
