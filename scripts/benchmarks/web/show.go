package main

import (
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// The parts of the labelled pages.
const (
	seen   = "seen"
	unseen = "unseen"
)

// part returns the part that a page belongs to by its name, so that rules made by looking
// at some pages can be judged by others: one in four is unseen.
func (s *sample) part() string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(s.name))
	if h.Sum32()>>8&3 == 3 {
		return unseen
	}
	return seen
}

// show writes the blocks of the reference that the extractor missed, and the blocks
// of its content that are not in the reference.
func show(w io.Writer, s *sample, out output) {
	got, want := blocksOf(out.html), strings.Split(s.want, "\n")
	found := tokens(visible(out.html))
	_, _ = fmt.Fprintf(w, "== %s %s %s\nreference %d characters, found %d, F1 %.3f\n", s.kind, s.name, s.url, utf8.RuneCountInString(s.want), len(visible(out.html)), f1(found, s.words))
	lacking(w, "-", want, found)
	lacking(w, "+", got, s.words)
}

// lacking writes the blocks that have most of their words not in among, which
// counts words.
func lacking(w io.Writer, mark string, blocks []string, among map[string]int) {
	left := maps.Clone(among)
	for _, b := range blocks {
		all, lost := 0, 0
		for word, n := range tokens(b) {
			all += n
			lost += n - min(n, left[word])
			left[word] -= min(n, left[word])
		}
		if lost*2 > all {
			_, _ = fmt.Fprintf(w, "%s %s\n", mark, b)
		}
	}
}

// blocksOf returns the texts of the innermost blocks of HTML.
func blocksOf(content string) []string {
	doc, err := html.Parse(strings.NewReader(content))
	if err != nil {
		return nil
	}
	var all []string
	var b strings.Builder
	flush := func() {
		if text := strings.Join(strings.Fields(b.String()), " "); text != "" {
			all = append(all, text)
		}
		b.Reset()
	}
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
			return
		}
		if dom.Silent(n) {
			return
		}
		if dom.IsBlock(n) {
			flush()
		}
		for c := range n.ChildNodes() {
			walk(c)
		}
		if dom.IsBlock(n) {
			flush()
		}
	}
	walk(doc)
	flush()
	return all
}
