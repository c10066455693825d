package markdown_test

import (
	"fmt"
	"net/url"

	"github.com/helve-dev/helve/pkg/html/dom"
	"github.com/helve-dev/helve/pkg/html/markdown"
	"github.com/helve-dev/helve/pkg/html/parse"
)

func ExampleOf() {
	doc, _ := parse.Document(`<h2>Boil<a class=anchor href=#boil>#</a></h2><p>See <a href=/spout>the spout</a>.</p><pre class="brush: sh">boil --now</pre>`, parse.Limits{})
	body := dom.Body(doc)
	markdown.Normalize(body, &url.URL{Scheme: "https", Host: "example.org", Path: "/kettle"})
	text, err := markdown.Of(body)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(text)
	// Output:
	// ## Boil
	//
	// See [the spout](https://example.org/spout).
	//
	// ```sh
	// boil --now
	// ```
}

func ExampleText() {
	doc, _ := parse.Document(`<h2>Cups</h2><ul><li>one<li>two</ul><table><tr><td>a<td>b</table>`, parse.Limits{})
	fmt.Print(markdown.Text(dom.Body(doc)))
	// Output:
	// Cups
	//
	// - one
	// - two
	//
	// a	b
}
