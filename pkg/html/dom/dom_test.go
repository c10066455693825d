package dom

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func parse(t *testing.T, source string) *html.Node {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(source))
	if err != nil {
		t.Fatal(err)
	}
	return Body(doc)
}

func source(t *testing.T, n *html.Node) string {
	t.Helper()
	var b strings.Builder
	for c := range n.ChildNodes() {
		if err := html.Render(&b, c); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func TestText(t *testing.T) {
	for page, want := range map[string]string{
		"":                           "",
		" a \n b<b>c</b> d ":         "a bc d",
		"<p>a</p><p>b</p>c<br>d":     "a b c d",
		"<ul><li>a<li>b</ul>":        "a b",
		"a<script>x</script><i>b":    "ab",
		"<table><tr><td>a<td>b":      "a b",
		"a&nbsp;\u3000b\u200bc<!--x": "a b\u200bc",
	} {
		if got := Text(parse(t, page)); got != want {
			t.Errorf("%q: %q, want %q", page, got, want)
		}
	}
	for s, want := range map[string]int{"": 0, "  ": 0, " a  b\n": 3, "äö ü": 4} {
		if got := Length(s); got != want {
			t.Errorf("%q: %d", s, got)
		}
	}
}

func TestChanges(t *testing.T) {
	b := parse(t, `<div id=a class="X y"><p>1</p>t<p>2</p></div><i>3</i>`)
	d := First(b, atom.Div)
	if Mark(d) != "x y a" || Attr(d, "id") != "a" || Has(d, "href") || len(All(b, atom.P, atom.I)) != 3 || len(Elements(d)) != 2 {
		t.Error(source(t, b))
	}
	c := Clone(b)
	Unwrap(d)
	if got := source(t, b); got != "<p>1</p>t<p>2</p><i>3</i>" {
		t.Error(got)
	}
	p := First(b, atom.P)
	Replace(p, NewText("one"))
	Rename(First(b, atom.P), atom.H2)
	Remove(First(b, atom.I))
	if got := source(t, b); got != "onet<h2>2</h2>" {
		t.Error(got)
	}
	e := Element(atom.Section)
	SetAttr(e, "k", "v")
	SetAttr(e, "k", "w")
	Adopt(e, b)
	b.AppendChild(e)
	b.AppendChild(Raw("<r>"))
	if got := source(t, b); got != `<section k="w">onet<h2>2</h2></section><x-raw>&lt;r&gt;</x-raw>` {
		t.Error(got)
	}
	if got := source(t, c); got != `<div id="a" class="X y"><p>1</p>t<p>2</p></div><i>3</i>` {
		t.Errorf("the copy changed: %s", got)
	}
	h := First(b, atom.H2)
	if !Contains(b, h) || !Contains(h, h) || Contains(h, b) || !Inside(h, atom.Section) || Inside(h, atom.P) || Heading(h) != 2 || Heading(b) != 0 {
		t.Error("what lies in what")
	}
	Remove(e)
	Remove(e) // it is in no tree
}
