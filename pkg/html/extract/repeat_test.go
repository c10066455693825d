package extract

import (
	"testing"

	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

func TestDedupe(t *testing.T) {
	for name, c := range map[string]struct{ page, want string }{
		"a card for two screens":      {`<div><div><a href=/x><h3>Talk</h3></a><p>Friday</p><p>Free</p></div><div><a href=/x><h3>Talk</h3></a><p>Friday</p></div></div>`, "Talk Friday Free"},
		"a title over its picture":    {`<div><div><h3><a href=/x>Kettle</a></h3></div><div><h3><a href=/x>Kettle</a></h3>10 €</div></div>`, "Kettle 10 €"},
		"a price twice":               {`<p><span>$10.00</span><span>$10.00</span></p>`, "$10.00"},
		"two prices":                  {`<p><span>$10.00</span> <span>$12.00</span></p>`, "$10.00 $12.00"},
		"a chorus":                    {`<div>La la la</div><div>La la la</div>`, "La la la La la la"},
		"equal cells":                 {`<table><tr><td><a href=/x>yes</a><td><a href=/x>yes</a></table>`, "yes yes"},
		"equal items":                 {`<ul><li><a href=/x>yes</a><li><a href=/x>yes</a></ul>`, "yes yes"},
		"equal code":                  {`<div><pre><a href=x>f()</a></pre></div><div><pre><a href=x>f()</a></pre></div>`, "f() f()"},
		"a text between":              {`<p><a href=/x>one</a> and <a href=/x>one</a></p>`, "one and one"},
		"titles that lead elsewhere":  {`<div><h3><a href=/1>Part</a></h3></div><div><h3><a href=/2>Part</a></h3></div>`, "Part Part"},
		"one more word in the second": {`<div><h3>Part</h3>old</div><div><h3>Part</h3>new</div>`, "Part old Part new"},
	} {
		t.Run(name, func(t *testing.T) {
			doc, _ := Parse("<body>" + c.page)
			body := dom.Body(doc)
			dedupe(body)
			if got := dom.Text(body); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// A card may have its title twice, beside different texts.
func TestRepeatedTitles(t *testing.T) {
	for page, want := range map[string]string{
		`<div><h3><a href=/1>Kettle</a></h3>Sold out</div><div>Copper<h3><a href=/1>Kettle</a></h3>10 €</div>`: "Kettle Sold out Copper 10 €",
		`<a href=/1><h3>Kettle</h3></a><p>x</p><a href=/1><h3>Kettle</h3></a>`:                                 "Kettle x",
		`<h3><a href=/1>Kettle</a></h3><h3><a href=/2>Kettle</a></h3>`:                                         "Kettle Kettle",
		`<h3>Kettle</h3><h3>Kettle</h3>`:                                                                       "Kettle Kettle",
		`<h3><a href=/1>Kettle</a></h3><h3><a href=/2>Pot</a></h3><h3><a href=/1>Kettle</a></h3>`:              "Kettle Pot Kettle",
	} {
		doc, _ := Parse("<body>" + page)
		body := dom.Body(doc)
		repeatedTitles(body)
		if got := dom.Text(body); got != want {
			t.Errorf("%s: %q, want %q", page, got, want)
		}
	}
}

// The image of a repeated part stays.
func TestDedupeKeepsImages(t *testing.T) {
	got := find(t, `<body><main><div><div><img src=/k.png alt=""><h3><a href=/x>Kettle</a></h3></div><div><h3><a href=/x>Kettle</a></h3>10 €</div></div>`+prose("kettles", 9)+`</main>`, "https://example.org/")
	if n := len(dom.All(got.Node, atom.Img)); n != 1 {
		t.Errorf("%d images", n)
	}
}

func TestSeparateWords(t *testing.T) {
	for page, want := range map[string]string{
		`<label>Anchors</label><span>320</span>`:         "Anchors 320",
		`<a href=/1>One</a><a href=/2>two</a>`:           "One two",
		`<span>CasualWear</span><span>Sport</span>`:      "CasualWear Sport",
		`<span>un</span><span>likely</span>`:             "unlikely",
		`<span>H</span><span>2</span><span>O</span>`:     "H2O",
		`<span>(a</span><span>)</span>`:                  "(a)",
		`<code><span>ab</span><span>Cd</span></code>`:    "abCd",
		`<b>bo</b><i>Ld</i>`:                             "boLd",
		`<a href=/1>One</a>, <a href=/2>two</a>`:         "One, two",
		`<p><a href=/1>1</a><sup>st</sup></p>`:           "1st",
		`<a href=/1><span>x </span></a><span>Yes</span>`: "x Yes",
	} {
		doc, _ := Parse("<body>" + page)
		body := dom.Body(doc)
		separateWords(body)
		if got := dom.Text(body); got != want {
			t.Errorf("%s: %q, want %q", page, got, want)
		}
	}
}
