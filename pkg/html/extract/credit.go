package extract

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// The most that a credit holds.
const (
	creditChars = 400
	creditLinks = 12
)

// isCredit reports whether n, with what it holds, is the short line of an entry or a
// post that names who wrote it and when. It may be little but links, as in "ida, 3
// hours ago, 12 comments", and is no menu.
func isCredit(n *html.Node, t tally) bool {
	if t.chars > creditChars || t.anchors > creditLinks || dom.Is(n, atom.Nav) {
		return false
	}
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && dom.HasClass(d, "user", "username", "age", "timestamp", "posted", "byline") {
			return true
		}
	}
	return false
}
