package layout

import (
	"strings"
	"testing"

	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// Only the code is left of what highlighters write.
func TestCode(t *testing.T) {
	const code = "a := 1\nb := 2\n"
	for name, page := range map[string]string{
		"Pygments, table":    `<table class=highlighttable><tr><td class=linenos><div class=linenodiv><pre>1` + "\n" + `2</pre></div><td class=code><div><pre><span></span>a := 1` + "\n" + `b := 2` + "\n" + `</pre></div></table>`,
		"Rouge":              `<table class=rouge-table><tr><td class="rouge-gutter gl"><pre class=lineno>1` + "\n" + `2` + "\n" + `</pre><td class=rouge-code><pre>a := 1` + "\n" + `b := 2` + "\n" + `</pre></table>`,
		"numbers, no class":  `<table><tr><td><pre>7` + "\n" + `8</pre><td><pre>a := 1` + "\n" + `b := 2` + "\n" + `</pre></table>`,
		"a row for a line":   `<table class="highlight js-file-line-container"><tr><td class="blob-num" data-line-number=1><td class="blob-code">a := 1<tr><td class="blob-num" data-line-number=2><td class="blob-code">b := 2</table>`,
		"lines of a forge":   `<table><tr><td class="lines-num"><span data-line-number=1></span><td class="lines-code"><code class="code-inner">a := 1</code><tr><td class="lines-num"><span data-line-number=2></span><td class="lines-code"><code class="code-inner">b := 2</code></table>`,
		"Pygments, inline":   `<pre><span class=linenos>1</span>a := 1` + "\n" + `<span class=linenos>2</span>b := 2` + "\n" + `</pre>`,
		"Chroma":             `<pre><span class=line><span class=ln>1</span><span class=cl>a := 1` + "\n" + `</span></span><span class=line><span class=ln>2</span><span class=cl>b := 2` + "\n" + `</span></span></pre>`,
		"React":              `<pre><code><span><span class="linenumber react-syntax-highlighter-line-number">1</span>a := 1` + "\n" + `</span><span><span class="linenumber">2</span>b := 2` + "\n" + `</span></code></pre>`,
		"modules of CSS":     `<pre><code><span class="codeLineNumber_Tfdd">1</span>a := 1` + "\n" + `<span class="codeLineNumber_Tfdd">2</span>b := 2` + "\n" + `</code></pre>`,
		"attributes":         `<pre><a data-line-number=1 href=#1>1</a>a := 1` + "\n" + `<a data-line-number=2 href=#2>2</a>b := 2` + "\n" + `</pre>`,
		"numbers beside":     `<div><div class=nums><span>1</span> <span>2</span></div><pre>a := 1` + "\n" + `b := 2` + "\n" + `</pre></div>`,
		"beside its frame":   `<div><pre>1` + "\n" + `2</pre><div><pre>a := 1` + "\n" + `b := 2` + "\n" + `</pre></div></div>`,
		"inline style":       `<pre><span style="opacity:.5; -webkit-user-select : NONE">$ </span>a := 1` + "\n" + `<i style="user-select:none!important">> </i>b := 2` + "\n" + `</pre>`,
		"class":              `<pre><span class="mr-2 select-none">$ </span>a := 1` + "\n" + `<i class=unselectable>> </i>b := 2` + "\n" + `</pre>`,
		"buttons":            `<pre><button>Copy</button><div class="copy-btn">Copied!</div><code>a := 1` + "\n" + `b := 2` + "\n" + `</code><span class="code-copy-button">Copy</span></pre>`,
		"all of it":          `<pre style="user-select:none"><code class="no-select">a := 1` + "\n" + `b := 2` + "\n" + `</code></pre>`,
		"lines with numbers": `<pre><span data-line-number=1>a := 1` + "\n" + `</span><span class=line-numbers>b := 2` + "\n" + `</span></pre>`,
	} {
		t.Run(name, func(t *testing.T) {
			b := body(t, "<main>"+page+"</main>")
			Code(b)
			Unwrap(b)
			pre := dom.First(b, atom.Pre)
			if pre == nil || dom.RawText(pre) != code || dom.Text(b) != dom.Text(pre) {
				t.Errorf("%q", markup(t, b))
			}
		})
	}
}

// What looks like numbers or code stays if it is neither.
func TestCodeStays(t *testing.T) {
	for _, page := range []string{
		`<p>1 2 3</p><p>x</p><pre>code</pre>`,
		`<p>See 1</p><pre>code</pre>`,
		`<p>1</p><pre>code</pre>`,
		`<pre>1` + "\n" + `2` + "\n" + `3</pre><pre>two` + "\n" + `lines</pre>`, // what a program printed
		`<table><tbody><tr><td class="ln">1</td><td class="code"><pre>a</pre><p>and more</p></td></tr></tbody></table>`,
		`<pre>1` + "\n" + `2</pre>`,
		`<table><tbody><tr><th>code</th><th>meaning</th></tr><tr><td><code>1</code></td><td>one</td></tr></tbody></table>`,
		`<table><tbody><tr><td>1</td><td><pre>code</pre></td></tr><tr><td>x</td><td><pre>code</pre></td></tr></tbody></table>`,
		`<p class="gutter">words</p>`,
		`<p style="user-select:none">words</p>`,
	} {
		b := body(t, page)
		before := markup(t, b)
		Code(b)
		after := markup(t, b)
		if after != before {
			t.Errorf("%s became %s", before, after)
		}
	}
}

// Code that is no gutter keeps its characters.
func FuzzCode(f *testing.F) {
	f.Add(`<table><tr><td class=linenos><pre>1</pre><td class=code><pre>a</pre></table>`)
	f.Add(`<div><pre>1 2</pre><div><pre>x<pre>y</div><i class=ln>3`)
	f.Fuzz(func(t *testing.T, page string) {
		b := body(t, page)
		var want []string
		if !strings.ContainsAny(page, "=0123456789") && !strings.Contains(page, "<button") && !strings.Contains(page, "<t") && !strings.Contains(page, "<s") {
			want = words(b)
		}
		Code(b)
		if got := words(b); want != nil && strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%q became %q", want, got)
		}
	})
}
