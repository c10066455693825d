package parse_test

import (
	"fmt"
	"os"

	"golang.org/x/net/html"

	"github.com/helve-dev/helve/pkg/html/parse"
)

func ExampleDocument() {
	doc, reached := parse.Document("<p>One<p>Two <b>bold", parse.Limits{Nodes: 1000, Depth: 100})
	_ = html.Render(os.Stdout, doc)
	fmt.Println()
	fmt.Println(reached&parse.Nodes != 0)
	// Output:
	// <html><head></head><body><p>One</p><p>Two <b>bold</b></p></body></html>
	// false
}

func ExampleTokens() {
	for t := range parse.Tokens(`<a href="/x?a=1&amp;b=2">A &lt; B</a>`) {
		fmt.Printf("%d %q %v\n", t.Kind, t.Data, t.Attr)
	}
	// Output:
	// 2 "a" [{ href /x?a=1&b=2}]
	// 1 "A < B" []
	// 3 "a" []
}
