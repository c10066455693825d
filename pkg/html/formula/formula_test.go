package formula

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

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

// Each formula is there once, as TeX.
func TestReplace(t *testing.T) {
	const annotated = `<math><semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">x_1</annotation></semantics></math>`
	for name, c := range map[string]struct{ page, want string }{
		"MathML with TeX":                     {`a ` + annotated + ` b`, "a $x_1$ b"},
		"alttext":                             {`<math alttext="{\displaystyle x_1}" display=block><mi>x</mi></math>`, "$$x_1$$"},
		"KaTeX":                               {`a <span class=katex><span class=katex-mathml>` + annotated + `</span><span class=katex-html aria-hidden=true><span>x</span><span>1</span></span></span> b`, "a $x_1$ b"},
		"KaTeX, displayed":                    {`<span class=katex-display><span class=katex>` + annotated + `</span></span>`, "$$x_1$$"},
		"KaTeX without MathML":                {`a <span class=katex data-tex="x_1"><span class=katex-html>x1</span></span> b`, "a $x_1$ b"},
		"MathJax 2":                           {`a <span class=MathJax_Preview>x</span> <span class=MathJax><nobr>x1</nobr><span class=MJX_Assistive_MathML><math><mi>x</mi></math></span></span><script type="math/tex">x_1</script> b`, "a $x_1$ b"},
		"MathJax 2, displayed":                {`<div class=MathJax_Display>x1</div><script type="math/tex; mode=display">x_1</script>`, "$$x_1$$"},
		"MathJax 3":                           {`a <mjx-container class=MathJax><mjx-math aria-hidden=true>x</mjx-math><mjx-assistive-mml><math><msub><mi>x</mi><mn>1</mn></msub></math></mjx-assistive-mml></mjx-container> b`, "a $x_1$ b"},
		"MediaWiki":                           {`a <span class=mwe-math-element><span class=mwe-math-mathml-inline style="display: none;">` + annotated + `</span><img class=mwe-math-fallback-image-inline alt="{\displaystyle x_1}" src=x.svg></span> b`, "a $x_1$ b"},
		"MediaWiki, image":                    {`a <img class=mwe-math-fallback-image-inline alt="{\displaystyle x_1}" src=x.svg> b`, "a $x_1$ b"},
		"an image":                            {`<img class=latex alt="x^2">`, "$x^2$"},
		"another image":                       {`<img class=photo alt="x^2">`, ""},
		"fraction":                            {`<math><mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><msqrt><mi>b</mi></msqrt></mfrac></math>`, `$\frac{a+1}{\sqrt{b}}$`},
		"sum":                                 {`<math display=block><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>0</mn></mrow><mi>n</mi></munderover><msup><mi>x</mi><mi>i</mi></msup></math>`, `$$\sum_{i=0}^nx^i$$`},
		"names":                               {`<math><mi>sin</mi><mi>x</mi><mo>≤</mo><mi>abc</mi><mover><mi>v</mi><mo>→</mo></mover></math>`, `$\sin x\le\mathrm{abc}\vec{v}$`},
		"a table":                             {`<math><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd></mtr></mtable></math>`, `$\begin{matrix} 1 & 2 \\ 3 \end{matrix}$`},
		"missing parts":                       {`<math><msup></msup><mfrac></mfrac><mroot><mn>8</mn></mroot></math>`, `${}\frac{}{}\sqrt[]{8}$`},
		"nothing":                             {`a<math></math>`, "a"},
		"a part of the page by the same name": {`<div class=mathjax><p>` + strings.Repeat("words ", 40) + annotated + `</p></div>`, strings.Repeat("words ", 40) + "$x_1$"},
		"several in one":                      {`<div class=mathjax>` + annotated + annotated + `</div>`, "$x_1$$x_1$"},
	} {
		t.Run(name, func(t *testing.T) {
			b := body(t, c.page)
			Replace(b)
			if diff := cmp.Diff(c.want, dom.Text(b)); diff != "" {
				t.Errorf("(- want, + got):\n%s", diff)
			}
		})
	}
}

// TeX in a text is marked, and prices and names are not.
func TestProtect(t *testing.T) {
	for text, want := range map[string]string{
		`so $a_1*b$ and $$x_{i}^2$$.`:               "so <$a_1*b$> and <$$x_{i}^2$$>.",
		`\(a_1\) and \[ b_2 \]`:                     `<\(a_1\)> and <\[ b_2 \]>`,
		`\begin{align*} a_1 &= b \end{align*} end`:  `<\begin{align*} a_1 &= b \end{align*}> end`,
		"$$a\n = b_1$$":                             "<$$a = b_1$$>",
		"$$a % why\n = b_1$$":                       "<$$a % why\n = b_1$$>",
		"from $5 to $10_000, or $5*2 and $3*4":      "from $5 to $10_000, or $5*2 and $3*4",
		"$HOME and $PATH_X are set":                 "$HOME and $PATH_X are set",
		`a \$5_0\$ b`:                               `a \$5_0\$ b`,
		`not closed: $a_1, \(b_1, \[c, \begin{x} $`: `not closed: $a_1, \(b_1, \[c, \begin{x} $`,
		"$$$$ and \\(\\) and $x$":                   "$$$$ and \\(\\) and $x$",
		`\\(a_1\\)`:                                 `\\(a_1\\)`,
		"":                                          "",
	} {
		b := dom.NewText(text)
		root := body(t, "<p></p>")
		root.FirstChild.AppendChild(b)
		Protect(root)
		var got strings.Builder
		for d := range root.FirstChild.ChildNodes() {
			if d.Type == html.TextNode {
				got.WriteString(d.Data)
			} else {
				got.WriteString("<" + dom.RawText(d) + ">")
			}
		}
		if got.String() != want {
			t.Errorf("%q became %q, want %q", text, got.String(), want)
		}
	}
	code := body(t, "<pre>$a_1*b$</pre><code>$a_1*b$</code>")
	Protect(code)
	if dom.Text(code) != "$a_1*b$ $a_1*b$" || len(dom.Elements(code)) != 2 || len(dom.Elements(code.FirstChild)) != 0 {
		t.Error("code was changed")
	}
}

// Many signs that open and never close take little work, and no text is lost.
func FuzzProtect(f *testing.F) {
	f.Add(strings.Repeat(`$a \(`, 20_000))
	f.Add(`$a_1$ \[x\] \begin{a}\end{a} $$`)
	f.Fuzz(func(t *testing.T, text string) {
		root := body(t, "<p></p>")
		root.FirstChild.AppendChild(dom.NewText(text))
		want := dom.Collapse(dom.RawText(root))
		Protect(root)
		if got := dom.Collapse(dom.RawText(root)); got != want {
			t.Errorf("%q became %q", want, got)
		}
	})
}

func FuzzReplace(f *testing.F) {
	f.Add(`<span class=katex><math><msup><mi>x<annotation encoding=tex>y</math></span><script type=math/tex>z</script>`)
	f.Fuzz(func(t *testing.T, page string) {
		b := body(t, page)
		Replace(b)
		Replace(b)
	})
}
