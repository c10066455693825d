package extract

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
	"github.com/helve-dev/helve/pkg/html/metadata"
)

// A page just below each limit of the tree is read as it is, and one just above
// it is not.
func TestLimitsOfTheTree(t *testing.T) {
	for nodes, want := range map[int]bool{99_000: false, 101_000: true} {
		if _, cut := Parse(strings.Repeat("<p>x", nodes/2)); cut != want {
			t.Errorf("about %d nodes: cut %t", nodes, cut)
		}
	}
	for depth, want := range map[int]int{505: 505, 600: 512 - 2} { // html and body are open, too
		doc, _ := Parse(strings.Repeat("<div>", depth))
		if got := len(dom.All(doc, atom.Div)); got != want {
			t.Errorf("%d elements deep: %d", depth, got)
		}
	}
	for marks, want := range map[int]int{24: 24, 30: 24} {
		var b strings.Builder
		for i := range marks {
			fmt.Fprintf(&b, "<b a=%d>", i)
		}
		doc, _ := Parse(b.String() + "x")
		if got := len(dom.All(doc, atom.B)); got != want {
			t.Errorf("%d marks: %d", marks, got)
		}
	}
	for attributes, want := range map[int]int{240_000: 240_000, 260_000: 250_000} {
		doc, _ := Parse(strings.Repeat("<p a b c d e f g h>", attributes/8))
		got := 0
		for _, p := range dom.All(doc, atom.P) {
			got += len(p.Attr)
		}
		if got != want {
			t.Errorf("%d attributes: %d", attributes, got)
		}
	}
}

func TestLimitsOfTexts(t *testing.T) {
	for length, want := range map[int]bool{3 << 20: false, 3<<20 + 1: true} {
		doc, _ := Parse("<body>" + strings.Repeat("x", length))
		if cut := truncateText(dom.Body(doc), MaxText); cut != want || len(dom.RawText(doc)) != 3<<20 {
			t.Errorf("%d bytes: cut %t, %d left", length, cut, len(dom.RawText(doc)))
		}
	}
	// Texts are taken from data until there are 200 KiB.
	var data strings.Builder
	for i := range 400 {
		fmt.Fprintf(&data, `,"Text number %d is %s"`, i, strings.Repeat("one of many words ", 57))
	}
	doc, _ := Parse(`<script type="application/json">["x"` + data.String() + `]</script>`)
	sum := 0
	for _, text := range dataTexts(doc, &metadata.Metadata{}) {
		sum += len(text.Body)
	}
	if sum < 199<<10 || sum > 202<<10 {
		t.Errorf("%d bytes of data", sum)
	}
}
