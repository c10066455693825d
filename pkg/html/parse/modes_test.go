package parse

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// Each mode meets the tags that it has rules for.
func TestModes(t *testing.T) {
	for mode, texts := range map[string][]string{
		"initial":    {"", " ", "x", "<!--c--><!doctype html>", "<!doctype>", "<!DOCTYPE hTmL PUBLIC '-//W3C//DTD HTML 4.01//EN' \"x\">", "<!doctype html system 'about:legacy-compat'>", "</p>", "<!doctype html publi>", "<!doctype html public>x", "<!doctype html public ''''>", "<!doctype html public 'a", "<!doctype a b"},
		"quirks":     {"<!doctype html><p><table>", "<p><table>", `<!doctype html public "-//W3C//DTD HTML 3.2 Final//EN"><p><table>`, `<!doctype html public "-//W3C//DTD HTML 4.01 Transitional//EN"><p><table>`, `<!doctype html public "-//W3C//DTD HTML 4.01 Transitional//EN" "x"><p><table>`, `<!doctype html system "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd"><p><table>`, "<!doctype html x><p><table>", "<!doctype html public 'a'b><p><table>"},
		"beforeHTML": {"<!doctype html> <!--c--><html a=b>", "<!doctype html></div></br>x", "<html></html><html c=d a=e>x"},
		"beforeHead": {"<html> <!--c--><!doctype x><head a=b>", "<html><html a=b></div></head>", "<html>x"},
		"inHead": {"<head> x", "<head><title>a<b>&amp;</title><base><link><meta a=b>", "<head><style><!--</style>--></style>", "<script>a<b</script >", "<script><!--<script></script></script>x", "<script><!--<script>--></script>x", "<script><!--></script>x",
			"<script><!-- <scriptx></script>x", "<script>x</scrip", "<script>x</script", "<head><head a=b></div></html>", "<head><noframes><p></noframes><head>", "<title>a</titlex></TITLE a='>'>b", "<head></template>"},
		"inHeadNoscript": {"<head><noscript><link><style></style><meta><!--c--></noscript>x", "<head><noscript><head><noscript><img>x", "<noscript></br></noscript>", "<noscript></p>x", "<noscript><html a=b>"},
		"afterHead":      {"<head></head> <!--c-->x", "<head></head><title>x</title><body a=b>", "<head></head><template>x</template><head></head></div></br>", "<head></head><frameset>", "<head></head> </html>"},
		"inBody": {"a\x00b", "<body><html a=b><body c=d a=e>", "<p>a<div>b</p>c", "<h1>a<h2>b</h3>c", "<pre>\n\na</pre><listing>\nb", "<form><form>x</form><p></form>y", "<ul><li>a<ul><li>b</ul><li>c<div><li>d</li></div></li>", "<dl><dt>a<dd>b<p><dt>c</dl>", "<plaintext></plaintext>&amp;", "<button>a<p>b<button>c</button>d",
			"<object><b>x</object>y", "<marquee><p></marquee></p>", "<image a=b>", "<input type=HIDDEN><frameset>", "<input><frameset>", "<textarea>\n&lt;</textarea>", "<xmp>&amp;</xmp><iframe><p></iframe><noembed><p></noembed>", "<ruby>a<rb>b<rt>c<rp>d<rtc>e<rt>f</ruby>", "</br></p>x", "<a href=1>a<a href=2>b<div>c</a>d",
			"<nobr>a<nobr>b<p><nobr>c", "</body>x</body><p>", "<p><hr><br/></br><wbr>", "<menu><summary><dialog><search>x</search></summary>", "<caption><col><td><frame><head>x", "<x-a>a<b>b</x-a>c", "</svg><p></x></p>", "<frameset>", "<div><frameset>", " <frameset> <frame></frameset>"},
		"formatting":    {"<b><i><p>x</b>y</i>z", "<b><b><b><b><p>x", "<font a=1 b=2><font b=2 a=1><font a=1 b=2><font a=1 b=2><p>x", "<b>1<table>2<td>3</b>4</table>5", "<b><div><i><div><u><div><s><div>x</b>y", "<a><table><a>x</table>y", "<b><p><i></b>x</i>", "<p><b></p><p>x</b>y", "<b></i></b><em><td></em>"},
		"select":        {"<select><option>a<option>b<optgroup>c<option>d<hr><input>e", "<select><select>x", "<select><p>a</select>b", "<option>a<optgroup>b<option>c", "<select><div><option>a<optgroup>b", "<select><button><p>x</button><table><td>y</select>z", "<select><textarea>x</textarea><keygen>y"},
		"inTable":       {"<table> x<tr>y<td>z", "<table><caption>a<tr>b", "<table><col><td>", "<table><table>x", "<table><input type=hidden><input>", "<table><form><input></form><td></form>", "<table><style>x</style><script>y</script>z", "<table></td></caption></body>x</table>", "<table><b>x</table>y", "<table>a<b>b<td>c<table>d</b>e", "<table>&amp; </table>"},
		"inCaption":     {"<table><caption>a<p>b</caption>c", "<table><caption><td>x", "<table><caption></td></table>x", "<table><caption><table><caption>x</table>y"},
		"inColumnGroup": {"<table><colgroup> <col>x", "<table><colgroup><!--c--></colgroup></col><col/>", "<table><colgroup><template>x</template><html a=b><td>", "<template><col>x<td>y</template>"},
		"inTableBody":   {"<table><tbody> <td>x<tbody>y", "<table><thead><tr></tfoot></thead><tfoot></td></table>", "<table><tr><td>a<tbody><caption>b"},
		"inRow":         {"<table><tr>x<td>a<th>b</tr>c", "<table><tr></td></tbody><tr></table>", "<table><tr><caption>x"},
		"inCell":        {"<table><td>a</th>b</td>c", "<table><td><b>a<td>b</b>c", "<table><td></table>x", "<table><td></body></tfoot><p>x</tr>y"},
		"inTemplate":    {"<template>a<td>b", "<template><tr>a</tr><p>b</template>c", "<template><div></p></template></template>", "<template><template>a</template>b", "<template><caption>a<col>", "<template><b></template>x", "<div><template><form><form></template></div><form>"},
		"afterBody":     {"</body> <!--c--></html><!--d--> ", "</body></html>x<!--c-->", "</html><html a=b><p>", "</body></p>x", "</html></html><div>"},
		"frames":        {"<frameset> x<!--c--><frame><frameset><frame></frameset></frameset> y<noframes>z</noframes></html> <!--d-->w<noframes>v", "<frameset><html a=b></frameset><html c=d></html><html e=f>", "<frameset></frame><p></frameset></frameset></html></html>"},
		"foreign": {"<svg><path d=x/>a<g/>b</svg>c", "<svg viewbox=1 xlink:href=a xml:lang=b xmlns:xlink=c definitionurl=d>", "<math definitionurl=a viewbox=b><mi>x<p>y</mi>z", "<svg><foreignobject><p>a</foreignobject>b", "<svg><desc><div>a<svg><title>b</svg>c", "<math><annotation-xml><p>a", "<math><annotation-xml encoding=Text/HTML><p>a</annotation-xml>b",
			"<math><annotation-xml><svg>a<p>b", "<svg><p>a", "<svg><font>a<font color=b>c", "<svg></p>a</br>b", "<svg><![CDATA[a<b]]>c<![CDATA[]]><![CDATA[d", "<p><![CDATA[a]]>", "<svg>a\x00b", "<svg><script>a<b</script>c", "<svg><style>a<b>c", "<math><mi><mglyph><p>a", "<svg><lineargradient></LINEARGRADIENT>a<altglyphdef><feFuncA>",
			"<table><svg><td>a", "<svg><g></svg></g>a", "<div><svg><a></div>b", "<svg><title></svg>a", "<math><mtext><b>a</math>b", "<svg><tr><td><svg><desc><td>a"},
		"tags": {"<", "<a", "</", "</a", "a<b", "1 < 2", "<a/b/c=d>x", "<a =b==c>", "<a b='c'd=\"e\">", "<a b=c/>x", "<a b=>x", "<a b= 'c' B=d>", "<A\nB\t=\fC>", "<a b='c", "<a b", "<a b=", "<a\x00b c\x00d=e\x00f>", "</a b=c/>", "</ a>", "</1>", "<!>", "<!-", "<!--", "<!-->", "<!--->", "<!---->", "<!----!>", "<!--a--!>b", "<!--a-", "<!--a--", "<!--a--!", "<!--a---->b",
			"<!--a--!-->b", "<!-- -- > -->b", "<?a>b", "<!a>b", "<p\r\na='\r\n\r'>\r\nb\r", "<a b='&lt;&ltx&lt=&lt&notin;&notit;&#x80;&#0;&#xd800;&nosuch;&semi;&amp;&am;&'>", "&lt;&ltx&lt=&lt&notin;&notit;&#x80;&#0;&#xd800;&nosuch;&#9 &#x;&#;&#x110000;"},
	} {
		t.Run(mode, func(t *testing.T) {
			for _, text := range texts {
				agrees(t, text)
			}
		})
	}
}

// Where x/net/html departs from the standard, the tree is that of the standard.
func TestStandard(t *testing.T) {
	for text, want := range map[string]string{
		"a</>b":                                         `<body>ab</body>`,
		"<table> </>x</table>":                          `<body> x<table></table></body>`,
		"<p>a<search><b></p>":                           `<body><p>a</p><search><b><p></p></b></search></body>`,
		"<pre></x>\nb</pre>":                            "<body><pre>\nb</pre></body>",
		"<table><caption>a<th>b</table>":                `<body><table><caption>a</caption><tbody><tr><th>b</th></tr></tbody></table></body>`,
		"<font b=1 a=2>x</font>":                        `<body><font b="1" a="2">x</font></body>`,
		"<svg><desc><template>a</template>b":            `<body><svg><desc><template>a</template>b</desc></svg></body>`,
		"<script><!--<?<script></script>x--></script>y": `<head><script><!--<?<script></script>x--></script></head><body>y</body>`,
		"<!doctype html public 'a' 'b' c><p><table>":    `<p></p><table></table>`,
		"<svg><![CDATA[a&amp;b]]></svg>":                `<body><svg>a&amp;amp;b</svg></body>`,
		"</body><!doctype html><!--c-->":                `<body></body><!--c-->`,
		"<!--&amp;-->":                                  `<body></body>`,
	} {
		doc, _ := Document(text, Limits{})
		var b strings.Builder
		if err := html.Render(&b, doc); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(strings.ReplaceAll(b.String(), "<pre>\n\n", "<pre>\n"), want) {
			t.Errorf("%q: %s", text, b.String())
		}
	}
	doc, _ := Document("<!--&amp;-->", Limits{})
	if got := doc.FirstChild.Data; got != "&amp;" {
		t.Errorf("a comment with a reference: %q", got)
	}
}
