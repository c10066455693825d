package extract

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/html/metadata"
)

// nowhere is the address of pages whose address does not matter.
var nowhere = &url.URL{Scheme: "https", Host: "example.org", Path: "/a"}

// What may have been content is told from what surrounds it on every page.
func TestPartial(t *testing.T) {
	t.Parallel()
	text := func(paragraphs int) string {
		var b strings.Builder
		for i := range paragraphs {
			fmt.Fprintf(&b, "<p>Paragraph %d says what a reader of this page wants to know, and takes a hundred characters to say it.</p>", i)
		}
		return b.String()
	}
	for _, test := range []struct {
		name, page string
		m          metadata.Metadata
		want       bool
	}{
		{"nothing is left out", "<main>" + text(20) + "</main>", metadata.Metadata{}, false},
		{"a large menu", "<nav>" + text(30) + "</nav><main>" + text(10) + "</main>", metadata.Metadata{}, false},
		{"a large foot", "<main>" + text(10) + "</main><footer>" + text(4) + "</footer>", metadata.Metadata{}, false},
		{"a foot by its role", "<main>" + text(10) + "</main><div class=footer role=contentinfo>" + text(9) + "</div>", metadata.Metadata{}, false},
		{"many links", "<main>" + text(10) + "</main><div class=sidebar>" + strings.Repeat("<p><a href=/a>an entry of a list of links</a></p>", 99) + "</div>", metadata.Metadata{}, false},
		{"text with the class of a sidebar", "<div>" + text(20) + "</div>" + strings.Repeat("<div class=newsletter>"+text(6)+"</div><h2>a</h2>", 3), metadata.Metadata{}, true},
		{"less of it", "<div>" + text(20) + "</div><div class=newsletter>" + text(6) + "</div>", metadata.Metadata{}, false},
		{"remarks under an article", "<main>" + text(10) + "<div class=comments>" + text(30) + "</div></main>", metadata.Metadata{Kind: metadata.Article}, false},
		{"a few words beside more", "<main>" + text(3) + "</main><div class=newsletter>" + text(1) + "</div><div class=newsletter>" + text(1) + "</div><div hidden>" + text(9) + "</div>", metadata.Metadata{}, true},
		{"more text that is moved away than is shown", "<main>" + text(3) + "</main><div style='position:absolute; left:-9999px'>" + text(9) + "</div>", metadata.Metadata{}, true},
		{"less of it", "<main>" + text(9) + "</main><div style='position:absolute; left:-9999px'>" + text(3) + "</div>", metadata.Metadata{}, false},
		{"hidden text beside all that is shown", "<main>" + text(3) + "</main><div hidden>" + text(9) + "</div>", metadata.Metadata{}, false},
	} {
		doc, _ := Parse(test.page)
		if c := Find(doc, &test.m, nowhere, false); c.Partial != test.want {
			t.Errorf("%s: partial is %v, with %.2f kept by %s", test.name, c.Partial, c.Kept, c.By)
		}
		doc, _ = Parse(test.page)
		if c := Find(doc, &test.m, nowhere, true); c.Partial || c.Kept != 1 {
			t.Errorf("%s: all of it is partial (%v), or not kept (%v)", test.name, c.Partial, c.Kept)
		}
	}
}
