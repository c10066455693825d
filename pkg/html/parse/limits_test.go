package parse

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// measured is the size of a tree.
type measured struct{ nodes, depth, attributes int }

func measure(doc *html.Node) measured {
	m, depth := measured{}, 0
	for at := doc; ; {
		m.nodes, m.depth, m.attributes = m.nodes+1, max(m.depth, depth), m.attributes+len(at.Attr)
		if at.FirstChild != nil {
			at, depth = at.FirstChild, depth+1
			continue
		}
		for at != doc && at.NextSibling == nil {
			at, depth = at.Parent, depth-1
		}
		if at == doc {
			return m
		}
		at = at.NextSibling
	}
}

func text(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

func TestNodesAreLimited(t *testing.T) {
	page := strings.Repeat("<p>x<!--c-->", 1000)
	for _, most := range []int{1, 2, 10, 100, 3000} {
		doc, reached := Document(page, Limits{Nodes: most})
		if got := measure(doc).nodes; reached != Nodes || got > most+8 || got < most/2 {
			t.Errorf("%d nodes of at most %d; reached %b", got, most, reached)
		}
	}
	if doc, reached := Document(page, Limits{Nodes: 3004}); reached != 0 || measure(doc).nodes != 3004 {
		t.Errorf("%d nodes; reached %b", measure(doc).nodes, reached)
	}
}

// Elements that are too deep lose their tags, and what follows them is in its
// place.
func TestDepthIsLimited(t *testing.T) {
	for _, name := range []string{"div", "b", "svg", "x-a", "ul><li", "object", "table><tr><td><i"} {
		first, _, _ := strings.Cut(name, ">")
		page := strings.Repeat("<"+name+">", 100) + "a<br>b<script>c</script><textarea>d</textarea>" + strings.Repeat("</"+first+">", 100) + "<p>e"
		doc, reached := Document(page, Limits{Depth: 20})
		if m := measure(doc); m.depth > 26 || reached != Depth {
			t.Errorf("%s: %d deep; reached %b", name, m.depth, reached)
		}
		letters := strings.Split(text(doc), "")
		slices.Sort(letters) // a table sends text before itself
		if got := strings.Join(letters, ""); got != "abcde" {
			t.Errorf("%s: %q", name, got)
		}
	}
	doc, _ := Document(strings.Repeat("<div>", 100)+strings.Repeat("</div>", 100)+"<p>e", Limits{Depth: 20})
	if p := doc.FirstChild.LastChild.LastChild; p.Data != "p" {
		t.Errorf("the paragraph behind is in %s", p.Data)
	}
	doc, _ = Document(strings.Repeat("<div>", 100)+strings.Repeat("<p>a", 50)+strings.Repeat("</div>", 100)+"<p>b</p>c", Limits{Depth: 20})
	if c := doc.FirstChild.LastChild.LastChild; c.Data != "c" {
		t.Errorf("the end of the paragraph behind is taken for that of one left out: the last is %s", c.Data)
	}
	if _, reached := Document(strings.Repeat("<div>", 18)+"<br>x", Limits{Depth: 20}); reached != 0 {
		t.Errorf("reached %b", reached)
	}
}

func TestMarksAreLimited(t *testing.T) {
	page := "<p>"
	for i := range 100 {
		page += fmt.Sprintf("<b a=%d>", i)
	}
	page += strings.Repeat("<p>x", 10)
	doc, reached := Document(page, Limits{Marks: 5})
	if m := measure(doc); reached != Marks || m.nodes != 3+1+5+10*(1+1+5)+1 {
		t.Errorf("%d nodes; reached %b", m.nodes, reached)
	}
	if _, reached := Document(strings.Repeat("<b>x</b>", 100), Limits{Marks: 5}); reached != 0 {
		t.Errorf("reached %b", reached)
	}
}

func TestAttributesAreLimited(t *testing.T) {
	var many strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&many, " a%d=b", i)
	}
	for _, page := range []string{
		"<p" + many.String() + ">x", strings.Repeat("<p a b c>", 500), "<b" + many.String() + "><p>x<p>y<p>z",
		"<html" + many.String() + ">", "<body><body" + many.String() + "><html" + many.String() + ">", "<svg" + many.String() + ">",
	} {
		doc, reached := Document(page, Limits{Attributes: 700})
		if m := measure(doc); reached != Attributes || m.attributes != 700 {
			t.Errorf("%.20q: %d attributes; reached %b", page, m.attributes, reached)
		}
	}
	if doc, reached := Document("<p"+many.String()+many.String()+">", Limits{Attributes: 1000}); reached != 0 || measure(doc).attributes != 1000 {
		t.Errorf("%d attributes; reached %b", measure(doc).attributes, reached)
	}
}

// hostile returns pages of about a megabyte that try to take much time or memory;
// BenchmarkHostile measures them.
func hostile() map[string]string {
	size := 1 << 20
	if raceDetector {
		size >>= 4
	}
	fill := func(head, unit string) string { return head + strings.Repeat(unit, size/len(unit)) }
	numbered := func(format string) string {
		var b strings.Builder
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	return map[string]string{
		"angles": fill("", "<"), "empty tags": fill("", "</>"), "ends": fill("", "</a"), "links": fill("", "<a>"), "links in links": fill("", "<a><div>"),
		"ampersands": fill("", "&"), "names": fill("", "&no"), "long name": fill("&", "a"), "number": fill("&#", "1"), "numbers": fill("", "&#x0"),
		"values": fill("<a b='", "&"), "open value": fill("", "<a b='"), "attributes": numbered("<a b%d "), "roots": numbered("<html a%d>"), "bodies": numbered("<body a%d>"),
		"one tag": "<p" + strings.ReplaceAll(numbered(" a%d"), ">", "") + ">", "marks": "<div>" + numbered("<b a=%d>")[:size/2] + "</div>" + fill("", "<div>x</div>"),
		"tables": fill("", "<table>"), "cells": fill("", "<table><tr><td>"), "fostered": fill("<table>", "a<tr>"), "fostered twice": fill("<table>", "a<tr><td>b</td></tr>"),
		"pieces": fill("", "a</x>"), "adoption": fill("", "<b><i><p></b></i>"), "adopted": fill("<b><i><u><s><p>", "x<br></u>"), "templates": fill("", "<template>"),
		"dashes": fill("<!--", "-"), "bangs": fill("", "<!---!>"), "comments": fill("", "<!--a--!>"), "open comments": fill("", "<!--"), "declarations": fill("", "<!"),
		"scripts": fill("<script><!--", "<script></script>"), "script ends": fill("<script>", "</scrip"), "text ends": fill("<title>", "</titl"),
		"foreign": fill("", "<svg>"), "foreign ends": fill(strings.Repeat("<svg>", 400), "</x>"), "sections": fill("<svg>", "<![CDATA[]]>"), "points": fill("", "<svg><desc>"),
		"closers": fill(strings.Repeat("<div>", 400), "</p>"), "other ends": fill(strings.Repeat("<x-a>", 400), "</x-b>"), "forms": fill("", "<form></form>"),
		"options": fill("<select>", "<option>"), "items": fill("", "<li>"), "nobr": fill("", "<nobr>"), "doctypes": fill("", "<!doctype "), "marked paragraphs": "<div><b" + strings.ReplaceAll(numbered(" a%d"), ">", "")[:size/2] + "></div>" + fill("", "<p>x</p>"), "fonts": numbered("<font a=%d b=%[1]d>"),
	}
}

// realistic are limits like those of a program.
var realistic = Limits{Nodes: 150_000, Depth: 512, Marks: 24, Attributes: 250_000}

func TestHostile(t *testing.T) {
	for name, page := range hostile() {
		t.Run(name, func(t *testing.T) {
			doc, _ := Document(page, realistic)
			if m := measure(doc); m.nodes > realistic.Nodes+realistic.Depth || m.depth > realistic.Depth+2*realistic.Marks || m.attributes > realistic.Attributes {
				t.Errorf("%+v", m)
			}
		})
	}
}

func BenchmarkHostile(b *testing.B) {
	for name, page := range hostile() {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(page)))
			b.ReportAllocs()
			for b.Loop() {
				Document(page, realistic)
			}
		})
	}
}
