package page_test

import (
	"fmt"
	"net/url"

	"github.com/helve-dev/helve/pkg/html/page"
)

func ExampleRead() {
	address, _ := url.Parse("https://example.org/kettle")
	d, err := page.Read(
		page.Source{Text: `<title>Kettles</title><nav><a href=/>Home</a></nav><main><h1>Kettles</h1><p>A kettle <a href=boil>boils</a> water.</p></main>`, MIME: "text/html", URL: address},
		page.Options{Format: page.Markdown},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Title)
	fmt.Print(d.Content)
	// Output:
	// Kettles
	// # Kettles
	//
	// A kettle [boils](https://example.org/boil) water.
}
