package parse

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// ingredients are tags whose rules affect each other.
var ingredients = strings.Fields(`
	a b i em font nobr code p div address span h1 h3 ul ol li dl dt dd pre listing textarea title style script xmp iframe noembed noframes noscript plaintext
	table caption colgroup col tbody thead tfoot tr td th template form input button select option optgroup hr br img image svg math
	mi mo mtext annotation-xml mglyph malignmark foreignObject desc g path ruby rb rt rtc rp object applet marquee html head body frame
	meta link base embed param source wbr keygen menu main details summary dialog unknown-element selectedcontent`)

var attributes = []string{"", "", "", "", ` x=1`, ` type=hidden`, ` encoding="text/html"`, ` color=red`, ` size=3 face=x`, `/`, ` a='&amp&lt;&notit;' b`, ` viewbox=0 xlink:href=x xml:lang=y definitionurl`}

var words = []string{"x", " ", "\n", " y ", "&amp;", "\x00", "a\x00b", "<!--c-->", "<!-->", "<![CDATA[d]]>", "</ z>", "<!e>", "<?f>", "<", "&#0;", "<!doctype html>", "\r\n", "]]>", "<script>\n<!--<script>", "-->", "é"}

// soup returns a text of n ingredients.
func soup(r *rand.Rand, n int) string {
	var b strings.Builder
	few := r.IntN(3) == 0
	pick := make([]string, 6)
	for i := range pick {
		pick[i] = ingredients[r.IntN(len(ingredients))]
	}
	name := func() string {
		if few {
			return pick[r.IntN(len(pick))]
		}
		return ingredients[r.IntN(len(ingredients))]
	}
	for range n {
		switch r.IntN(8) {
		case 0, 1, 2, 3:
			b.WriteString("<" + name() + attributes[r.IntN(len(attributes))] + ">")
		case 4, 5, 6:
			b.WriteString("</" + name() + ">")
		default:
			b.WriteString(words[r.IntN(len(words))])
		}
	}
	return b.String()
}

func TestSoup(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 2))
	for range 4000 {
		agrees(t, soup(r, 1+r.IntN(40)))
	}
}
