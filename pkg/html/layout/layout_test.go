package layout

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

func body(t testing.TB, source string) *html.Node {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(source))
	if err != nil {
		t.Fatal(err)
	}
	return dom.Body(doc)
}

func markup(t testing.TB, n *html.Node) string {
	t.Helper()
	var b strings.Builder
	for c := range n.ChildNodes() {
		if err := html.Render(&b, c); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// A table of data stays, whatever is round it.
func TestIsData(t *testing.T) {
	cells := strings.Repeat("<tr><td>a<td>b", 4)
	long := strings.Repeat("A text to read. ", 25)
	for name, c := range map[string]struct {
		table string
		want  bool
	}{
		"headers":                        {"<table><tr><th>a<th>b<tr><td>1<td>2</table>", true},
		"headers of rows":                {"<table><tr><th>a<td>1</table>", true},
		"a caption":                      {"<table><caption>c</caption><tr><td>a<td>b</table>", true},
		"an empty caption":               {"<table cellpadding=0 cellspacing=0><caption></caption><tr><td>a<td>b</table>", false},
		"scope":                          {"<table><tr><td scope=col>a<td>b</table>", true},
		"a head":                         {"<table><thead><tr><td>a<td>b<tbody><tr><td>c<td>d</table>", true},
		"a border":                       {"<table border=1 cellpadding=0 cellspacing=0><tr><td>a<td>b</table>", true},
		"a border of nothing":            {"<table border=0 cellpadding=0><tr><td>a<td>b<tr><td>c<td>d</table>", false},
		"a grid":                         {"<table><tr><td>a<td>b<tr><td>c<td>d</table>", true},
		"a grid without space":           {"<table cellpadding=0 cellspacing=0 border=0>" + cells + "</table>", true},
		"a small grid without space":     {"<table cellpadding=0 cellspacing=0 border=0><tr><td>a<td>b<tr><td>c<td>d</table>", false},
		"one cell":                       {"<table><tr><td>a</table>", false},
		"one row":                        {"<table><tr><td>a<td>b<td>c</table>", false},
		"one column":                     {"<table><tr><td>a<tr><td>b<tr><td>c</table>", false},
		"one column and spacers":         {"<table><tr><td><td>a<td><img src=s.gif><tr><td><td>b<td><tr><td><td>c<td></table>", false},
		"role":                           {"<table role=presentation><tr><th>a<th>b" + cells + "</table>", false},
		"role none":                      {"<table role=none><caption>c</caption>" + cells + "</table>", false},
		"role table":                     {"<table role=table><tr><td>a<td>b</table>", true},
		"summary":                        {"<table summary='Rates of pay'><tr><td>a<td>b</table>", true},
		"summary of layout":              {"<table summary='For layout only' cellpadding=0 cellspacing=0><tr><td>a<td>b<tr><td>c<td>d</table>", false},
		"all headers, as in mails":       {"<table><tr><th>a<th>b</table>", false},
		"blocks":                         {"<table><tr><td>a<td>" + strings.Repeat("<p>x", 6) + "<tr><td>c<td>d</table>", false},
		"prose":                          {"<table><tr><td>a<td>" + long + "<tr><td>c<td>" + long + "</table>", false},
		"rows that stretch":              {"<table><tr><td>1<td>a<tr><td colspan=2>b<tr><td>2<td>c<tr><td colspan=2>d</table>", false},
		"a table in one cell of many":    {"<table><tr><th>k<th>v<tr><td>x<td><table><tr><td>1<td>2<tr><td>3<td>4</table></table>", true},
		"tables in the cells of posts":   {"<table><tr><th>Author<th>Message" + strings.Repeat("<tr><td>ida<td><table><tr><td>Posted today<td>Reply<tr><td colspan=2>"+long+"</table><tr><td><td>", 3) + "</table>", false},
		"columns that are named":         {"<table><colgroup><col><col></colgroup><tr><td>a<td>b<tr><td>c<td>d</table>", true},
		"nothing":                        {"<table></table>", false},
		"an image with words":            {"<table><tr><td><img alt=A><td>a<tr><td><img alt=B><td>b</table>", true},
		"forms and text between, strays": {"<table>stray<form><tr><td>a<td>b<tr><td>c<td>d</form></table>", true},
	} {
		t.Run(name, func(t *testing.T) {
			b := body(t, c.table)
			outer := dom.First(b, atom.Table)
			Unwrap(b)
			if got := outer.DataAtom == atom.Table; got != c.want {
				t.Errorf("%t: %s", got, markup(t, b))
			}
		})
	}
}

func TestUnwrap(t *testing.T) {
	for _, c := range []struct{ name, html, want string }{
		{"rows of short cells are lines", "<table cellpadding=0 cellspacing=0><tr class=r><td id=i>a<td> <td>b<tr><td colspan=3>c</table>",
			`<div><div class="r"><span id="i">a</span> <span>b</span></div><div><span>c</span></div></div>`},
		{"two texts side by side", "<table><tr><td>" + strings.Repeat("a", 81) + "<td>" + strings.Repeat("b", 81) + "</table>",
			"<div><div><div>" + strings.Repeat("a", 81) + "</div><div>" + strings.Repeat("b", 81) + "</div></div></div>"},
		{"blocks", "<table role=presentation><tr><td><p>a</p><td><h2>b</h2><ul><li>c</ul></table>", "<div><div><div><p>a</p></div><div><h2>b</h2><ul><li>c</li></ul></div></div></div>"},
		{"one cell", "<table class=t><tr><td class=c id=i bgcolor=red><p>a</p>b</table>", `<div class="t c" id="i"><p>a</p>b</div>`},
		{"cells in cells", "<table><tr><td><table><tr><td><table><tr><td>a</table></table></table>", "<div><span><span>a</span></span></div>"},
		{"a list of links", "<table><tr><td><a href=1>a</a> x<tr><td><a href=2>b</a><tr><td><a href=3>c</a></table>",
			`<ul><li><span><span><a href="1">a</a> x</span></span></li><li><span><span><a href="2">b</a></span></span></li><li><span><span><a href="3">c</a></span></span></li></ul>`},
		{"a list of two links", "<table><tr><td><a href=1>a</a><tr><td><a href=2>b</a></table>", `<div><div><span><a href="1">a</a></span></div><div><span><a href="2">b</a></span></div></div>`},
		{"entries that empty rows part", "<table>" + strings.Repeat("<tr><td><a href=1>a</a><tr><td>of it<tr><td>", 3) + "</table>",
			"<ul>" + strings.Repeat(`<li><span><span><a href="1">a</a></span></span><br/><span><span>of it</span></span></li>`, 3) + "</ul>"},
		{"ranks", "<table><tr><td>Top<tr><td>9.<td><a href=1>a</a><tr><td><td>by x<tr><td>10.<td>b<tr><td>11.<td>c<tr><td><tr><td>end</table>",
			`<div><div><span>Top</span></div><ol start="9"><li><span><span><a href="1">a</a></span></span><br/><span><span>by x</span></span></li><li><span><span>b</span></span></li><li><span><span>c</span></span></li></ol><div><span>end</span></div></div>`},
		{"numbers that are no ranks", "<table cellpadding=0 cellspacing=0><tr><td>7<td>a<tr><td>9<td>b<tr><td>8<td>c<tr><td>x</table>",
			`<div><div><span>7</span> <span>a</span></div><div><span>9</span> <span>b</span></div><div><span>8</span> <span>c</span></div><div><span>x</span></div></div>`},
		{"the headings of a mail", "<table role=presentation><tr><td style='FONT-SIZE:20px; font-weight : 700'>A<tr><td style='font-size:30px'>B<tr><td style='font-size:18px'>c</table>",
			"<div><div><h3>A</h3></div><div><h2>B</h2></div><div><span>c</span></div></div>"},
		{"a table of data in a cell", "<table><tr><td>a<tr><td><table><tr><th>k<td>v</table></table>",
			"<div><div><span>a</span></div><div><div><table><tbody><tr><th>k</th><td>v</td></tr></tbody></table></div></div></div>"},
		{"pictures without words", "<table><tr><td><a href=v><img src=up.gif></a><td>a<tr><td><td>b</table>", "<div><div><span>a</span></div><div><span>b</span></div></div>"},
		{"code", "<table><tr><td><pre>a\n b</pre><td>c</table>", "<div><div><div><pre>a\n b</pre></div><div>c</div></div></div>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := body(t, c.html)
			Unwrap(b)
			if diff := cmp.Diff(c.want, markup(t, b)); diff != "" {
				t.Errorf("(- want, + got):\n%s", diff)
			}
			Unwrap(b)
			if diff := cmp.Diff(c.want, markup(t, b)); diff != "" {
				t.Errorf("the second time (- want, + got):\n%s", diff)
			}
		})
	}
}

// Tables in tables lose no words.
func TestDeepTables(t *testing.T) {
	for _, page := range []string{
		strings.Repeat("<table><tr><td>", 120) + strings.Repeat("word <br>", 20_000),
		strings.Repeat("<table><tr><td>a<td>", 120) + strings.Repeat("word ", 20_000),
		strings.Repeat("<table><tr><td>"+strings.Repeat("<tr><td>1.<td><a href=x>y</a>", 20), 120),
	} {
		b := body(t, page)
		before := words(b)
		Unwrap(b)
		if after := words(b); len(after)*2 < len(before) {
			t.Errorf("%d words of %d are left", len(after), len(before))
		}
	}
}

// words returns the words below n in order, without numbers.
func words(n *html.Node) []string {
	var all []string
	for w := range strings.FieldsSeq(dom.Text(n)) {
		if strings.Trim(w, "0123456789.)") != "" {
			all = append(all, w)
		}
	}
	return all
}

// No word is lost or moved.
func FuzzUnwrap(f *testing.F) {
	f.Add("<table><tr><td>1.<td><a href=x>a</a><tr><td>2.<td>b<tr><td>3.<td>c<tr><td>end</table>")
	f.Add("<table><tr><th>k<td><table><caption>c<tr><td>x<td>y</table></table>z")
	f.Add("<table><form><tr><td><iframe></iframe></form><tr>q<td><center><p>b</center></table>")
	f.Fuzz(func(t *testing.T, page string) {
		b := body(t, page)
		before := words(b)
		Unwrap(b)
		if after := words(b); !slices.Equal(before, after) {
			t.Errorf("%q became %q", before, after)
		}
		for _, n := range dom.All(b, atom.Td, atom.Th, atom.Tr, atom.Tbody) {
			if !dom.Inside(n, atom.Table) {
				t.Errorf("a %s is outside a table: %s", n.Data, markup(t, b))
			}
		}
	})
}
