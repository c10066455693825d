package markdown

import (
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/helve-dev/helve/pkg/html/dom"
	"github.com/helve-dev/helve/pkg/html/layout"
)

func body(t *testing.T, source string) *html.Node {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(source))
	if err != nil {
		t.Fatal(err)
	}
	b := dom.Body(doc)
	layout.Callouts(b)
	Normalize(b, &url.URL{Scheme: "https", Host: "example.org", Path: "/dir/page"})
	return b
}

func TestOf(t *testing.T) {
	for _, c := range []struct{ name, html, want string }{
		{"inline", "<p>a <b>b</b> <i>c</i> <del>d</del> <code>e|f</code> g_h *i* &lt;j&gt;", "a **b** *c* ~~d~~ `e|f` g\\_h \\*i* &lt;j&gt;\n"},
		{"links", "<a href=x>rel</a> <a href='/y?a=1&b=2#c'>abs</a> <a href='javascript:f()'>js</a> <a href='data:text/html,x'>data</a> <a href=z></a><a>none</a> <a href='http://me:pw@h.example/'>user</a>", "[rel](https://example.org/dir/x) [abs](https://example.org/y?a=1&b=2#c) js data none [user](http://h.example/)\n"},
		{"a link round blocks", "<a href=/c><div><img src=i.png><h3>Card</h3><p>Text</p></div></a>", "### [Card](https://example.org/c)\n\nText\n"},
		{"heading anchors", "<h2>One<a href=#one class=anchor>#</a></h2><h2><a href=#two>Two</a></h2><h2>Three <a class=headerlink href=#x>¶</a></h2><h2></h2>", "## One\n\n## Two\n\n## Three\n"},
		{"anchors of definitions", "<dl><dt><code>run()</code><a class=headerlink href=#run title='Link to this definition'>¶</a></dt><dd><p>Runs.</p></dd></dl>", "- `run()`: Runs.\n"},
		{"links that look like anchors", "<p>See <a href=#s>§</a> and <a href=/e class=anchor>Edit</a>, <a href=#x>¶</a></p>", "See [§](https://example.org/dir/page#s) and [Edit](https://example.org/e), [¶](https://example.org/dir/page#x)\n"},
		{"language of code", "<pre class='brush: js; toolbar: false'>a</pre><pre lang=go>b</pre><div class='highlight highlight-source-shell'><pre>c</pre></div><pre><code class='lang-c++ x'>d</code></pre><pre class=sourceCode lang=en><code class='sourceCode haskell'>e</code></pre><pre class=plain>f</pre>",
			"```js\na\n```\n\n```go\nb\n```\n\n```shell\nc\n```\n\n```c++\nd\n```\n\n```haskell\ne\n```\n\n```\nf\n```\n"},
		{"code keeps its lines", "<pre>a\n\n  b<br>c<span class=lineno>3 </span>\n<div class=line>d</div><div class=line>e</div></pre>", "```\na\n\n  b\nc\nd\ne\n```\n"},
		{"code in a quote", "<blockquote><p>q</p><pre>a\n  b\n\nc</pre></blockquote>", "> q\n>\n> ```\n> a\n>   b\n> \n> c\n> ```\n"},
		{"code in a quote in a quote", "<blockquote><blockquote><pre>a\n b</pre></blockquote><p>q</p></blockquote>", "> > ```\n> > a\n> >  b\n> > ```\n>\n> q\n"},
		{"code in a list in a quote", "<blockquote><ul><li>x<pre>a\n  b</pre></ul></blockquote>", "> - x\n>\n>   ```\n>   a\n>     b\n>   ```\n"},
		{"code in a quote in a list", "<ol><li><blockquote><pre>a\n b</pre></blockquote></ol>", "1. > ```\n   > a\n   >  b\n   > ```\n"},
		{"an empty quote", "<p>a</p><blockquote> </blockquote><p>b</p>", "a\n\nb\n"},
		{"code with fences in it", "<pre>```\nx\n```</pre>", "````\n```\nx\n```\n````\n"},
		{"line numbers beside the code", "<table class=rouge-table><tr><td class=gutter><pre>1\n2\n</pre><td class=code><pre><code class=language-rb>a\nb\n</code></pre></table>", "```rb\na\nb\n```\n"},
		{"a button in code", "<pre><button>Copy</button><code>x</code></pre>", "```\nx\n```\n"},
		{"table", "<table><caption>C</caption><tr><th>A<th>B<tr><td>1<br>2<td><p>x</p><p>y</p><tr><td><ul><li>i<li>j</ul><td><pre>a\nb</pre><tr><td colspan=2>w|x</table>",
			"**C**\n\n| A | B |\n|---|---|\n| 1 / 2 | x y |\n| i; j | `a b` |\n| w\\|x | w\\|x |\n"},
		{"a table without a header", "<table><tr><td>a<td>b<tr><td>c<td>d</table>", "| a | b |\n|---|---|\n| c | d |\n"},
		{"a table in a table", "<table><tr><th>k<th>v<tr><td>x<td><table><tr><td>1<td>2<tr><td>3<td>4</table></table>", "| k | v |\n|---|---|\n| x | 1, 2; 3, 4 |\n"},
		{"a table that lays out the page", "<table role=presentation><tr><td><p>one</p><td><p>two</p></table>", "one\n\ntwo\n"},
		{"spans without end", "<table><tr><th colspan=999999>a<th rowspan=99999>b<tr><td>c<td>d</table>", ""},
		{"lists", "<ol start=9><li>a<li>b</ol><ul><li>x<ul><li>y</ul><ul><li>z</ul></ul>", "9. a\n10. b\n\n- x\n\n  - y\n\n  - z\n"},
		{"what strays in a list", "<ul>text<li><li>a</li><ul><li>b</li></ul><p>c</p></ul>", "- text\n- a\n\n  - b\n- c\n"},
		{"definitions", "<dl><div><dt>T</dt><dd>D</dd><dd>E</dd></div><dt><code>u</code></dt><dd><p>V</p></dd></dl>", "- **T**: D  \n  E\n- `u`: V\n"},
		{"formulas", "<p>so <math alttext='a_1'><mi>a</mi></math> and <span class=katex><span class=katex-mathml><math display=block><semantics><mi>b</mi><annotation encoding='application/x-tex'>b^{*}_2</annotation></semantics></math></span><span aria-hidden=true>b*</span></span>", "so $a_1$ and $$b^{*}_2$$\n"},
		{"images", "<img src=a.png alt=A><img src='data:image/png;base64,x' data-src=b.png alt=B><img src=px.gif width=1 alt=C><img src=d.png><img srcset='e1.png 100w, e2.png 900w' alt=E><img alt=F><figure><img src=g.png><figcaption>G</figcaption></figure>",
			"![A](https://example.org/dir/a.png)![B](https://example.org/dir/b.png)![E](https://example.org/dir/e2.png)F\n\n![](https://example.org/dir/g.png)\n\nG\n"},
		{"films", "<iframe src='https://www.youtube.com/embed/1' title=T></iframe><iframe src='https://ads.example/'></iframe><video><source src=v.mp4></video>", "[T](https://www.youtube.com/embed/1)\n\n[video](https://example.org/dir/v.mp4)\n"},
		{"TeX in the text", "<p>so $a_1*b*c$ and \\[x_1 \\\\ y_2\\] but 5*x_y* <table><tr><th>a<th>b<tr><td>$|x_1|$<td>\\(y_2\\)</table>", "so $a_1*b*c$ and \\[x_1 \\\\ y_2\\] but 5\\*x\\_y*\n\n| a | b |\n|---|---|\n| $\\|x_1\\|$ | \\(y_2\\) |\n"},
		{"a note", "<div class='admonition tip'><p class=admonition-title>Tip</p><p>a</p><pre>b\nc</pre></div>", "> [!TIP]\n> a\n>\n> ```\n> b\n> c\n> ```\n"},
		{"a note with a title of its own", "<div class='admonition warning'><p>Old</p><p>a</p></div><div class='admonition'><b>Note</b> that a</div>", "> [!WARNING]\n> Old\n>\n> a\n\n> [!NOTE]\n> **Note** that a\n"},
		{"footnotes", "<p>a<sup id=r1><a href=#n1>1</a></sup> b<sup><a id=r2 href=#n2>*</a></sup> c<sup><a href=#n1>1</a></sup> <a href=#p>2</a></p><p id=p>p</p><ol><li id=n1><p>One. <a href=#r1>↩</a></p><li id=n2><p>Two</p><p>more <a href=/x>x</a><a href=#r2>↑</a></p></ol>",
			"a[^1] b[^2] c[^1] [2](https://example.org/dir/page#p)\n\np\n\n[^1]: One.\n\n[^2]: Two more [x](https://example.org/x)\n"},
		{"footnotes in blocks", "<p>a<a id=a1 href=#f1>[1]</a></p><div><a id=f1 href=#a1>1</a><div>One.</div></div>", "a[^1]\n\n[^1]: One.\n"},
		{"numbers of items", "<ol><li>a<li value=5>b<li>c<li value=2>d</ol><ol><li value=3>e<li>f</ol>", "1. a\n\n5. b\n6. c\n\n2. d\n\n3. e\n4. f\n"},
		{"lines of code without pre", "<p><code>a<br>b</code></p><p>so: <code>c<br>  d</code></p><code style='white-space: pre-wrap'>e\nf</code><p>x <code style='white-space:pre'>g</code></p>", "```\na\nb\n```\n\nso:\n\n```\nc\n  d\n```\n\n```\ne\nf\n```\n\nx `g`\n"},
		{"bars in code in tables", "<table><tr><th>a<th>b<tr><td><code>x|y</code><td><pre>p | q</pre></table>", "| a | b |\n|---|---|\n| `x\\|y` | `p \\| q` |\n"},
		{"asides", "<details><summary>More</summary><p>x</p></details><div class='admonition note'><p>Note</p></div>", "**More**\n\nx\n\n> [!NOTE]\n> Note\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Of(body(t, c.html))
			if err != nil {
				t.Fatal(err)
			}
			if c.name == "spans without end" {
				if len(got) > 20_000 || !strings.HasPrefix(got, "| a | a |") {
					t.Errorf("%d bytes: %.80q", len(got), got)
				}
				return
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(- want, + got):\n%s", diff)
			}
		})
	}
}

// Deeply nested elements are written in time that grows with their length only.
func TestDepth(t *testing.T) {
	got, err := Of(body(t, strings.Repeat("<ul><li>", 240)+"deep"+strings.Repeat("<blockquote>", 30)+"er"))
	if err != nil || !strings.Contains(got, "deep") || !strings.Contains(got, "er") {
		t.Errorf("%q, %v", got, err)
	}
}

// Nested quotations and items lengthen each line, up to a limit.
func TestPrefixes(t *testing.T) {
	for _, nest := range []string{"<blockquote>", "<ul><li>", "<ol><li><blockquote>"} {
		page := strings.Repeat(nest, 70) + strings.Repeat("word<br>", 1000)
		got, err := Of(body(t, page))
		if err != nil || len(got) > 15*len(page) || strings.Count(got, "word") != 1000 {
			t.Errorf("%s: %d bytes of %d, %v", nest, len(got), len(page), err)
		}
		if text := Text(body(t, page)); len(text) > 15*len(page) || strings.Count(text, "word") != 1000 {
			t.Errorf("%s: %d bytes of text of %d", nest, len(text), len(page))
		}
	}
	if got, err := Of(body(t, "<blockquote>"+strings.Repeat("<ul><li>", 8)+"x")); err != nil || strings.Count(got, "- ") != 8 {
		t.Errorf("%q, %v", got, err)
	}
}

// One long row would fill up many short ones.
func TestWideTable(t *testing.T) {
	page := "<table><tr>" + strings.Repeat("<th>h", 5000) + strings.Repeat("<tr><td>c<td>d", 5000) + "</table>"
	got, err := Of(body(t, page))
	if err != nil || len(got) > 10*len(page) || !strings.Contains(got, "d") {
		t.Errorf("%d bytes of %d, %v", len(got), len(page), err)
	}
}

func TestText(t *testing.T) {
	const page = "<h1>H</h1><p>a  b\n<b>c</b><br>d</p><ul><li>one<ol start=3><li>x</ol><li>two</ul><blockquote>q</blockquote><pre>p\n  r</pre><table><tr><td>1<td>2<tr><td>3<td>4</table><p><a href=x><img src=i.png alt='an image'></a><img alt=another><img class=emoji alt='☕' src=c.png>last $a_1*b$"
	const want = "H\n\na b c\nd\n\n- one\n  3. x\n- two\n\n> q\n\np\n  r\n\n1\t2\n3\t4\n\n☕last $a_1*b$"
	if diff := cmp.Diff(want, Text(body(t, page))); diff != "" {
		t.Errorf("(- want, + got):\n%s", diff)
	}
}

func TestFence(t *testing.T) {
	open := ""
	for i, line := range []string{"text", "````go", "```", "~~~", "````", "`` ` ``", "~~~", "```", "~~~~", "x"} {
		open = Fence(open, line)
		if want := []string{"", "````", "````", "````", "", "", "~~~", "~~~", "", ""}[i]; open != want {
			t.Errorf("after line %d: %q, want %q", i, open, want)
		}
	}
}
