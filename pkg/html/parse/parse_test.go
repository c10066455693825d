package parse

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// dump writes all fields of a tree.
func dump(n *html.Node) string {
	var b strings.Builder
	depth := 0
	for at := n; at != nil; {
		fmt.Fprintf(&b, "%*s%d %s %q %q", depth*2, "", at.Type, at.DataAtom, at.Namespace, at.Data)
		attrs := at.Attr
		if at.Namespace == "" && (isFormatting(at.DataAtom) || at.DataAtom == atom.A || at.DataAtom == atom.Nobr) {
			// x/net/html sorts these to compare them, and leaves them sorted
			attrs = slices.SortedFunc(slices.Values(attrs), func(a, b html.Attribute) int { return strings.Compare(a.Key, b.Key) })
		}
		for _, a := range attrs {
			fmt.Fprintf(&b, " %q:%q=%q", a.Namespace, a.Key, a.Val)
		}
		b.WriteByte('\n')
		if at.FirstChild != nil {
			at, depth = at.FirstChild, depth+1
			continue
		}
		for at != n && at.NextSibling == nil {
			at, depth = at.Parent, depth-1
		}
		if at == n {
			break
		}
		at = at.NextSibling
	}
	return b.String()
}

// judge returns the tree of x/net/html; nil if that parser gives up.
func judge(t testing.TB, text string) *html.Node {
	t.Helper()
	doc, err := html.ParseWithOptions(strings.NewReader(text), html.ParseOptionEnableScripting(false))
	if err != nil {
		return nil
	}
	return doc
}

// agrees checks that a tree is that of the judge.
func agrees(t testing.TB, text string) {
	t.Helper()
	want := judge(t, text)
	if want == nil {
		t.Skip("the judge gives up")
	}
	got, reached := Document(text, Limits{})
	if reached != 0 {
		t.Fatalf("reached %b of no limits", reached)
	}
	for n := range got.Descendants() {
		if n.Type == html.CommentNode {
			n.Data = html.UnescapeString(n.Data) // as x/net/html does, though comments have no references
		}
	}
	if g, w := dump(got), dump(want); g != w {
		if departs(text, want) != "" {
			return
		}
		t.Errorf("%q\n%s", crop(text, 400), difference(g, w))
	}
}

func crop(s string, most int) string { return s[:min(most, len(s))] }

// difference shows where two dumps begin to differ.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	i := 0
	for i < len(g) && i < len(w) && g[i] == w[i] {
		i++
	}
	around := func(lines []string) string {
		var b strings.Builder
		for _, line := range lines[max(0, i-3):min(i+8, len(lines))] {
			b.WriteString(crop(line, 200) + "\n")
		}
		return b.String()
	}
	return fmt.Sprintf("at line %d; got\n%s\nwant\n%s", i, around(g), around(w))
}
