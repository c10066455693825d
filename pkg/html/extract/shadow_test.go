package extract

import (
	"strings"
	"testing"

	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// What a component shows is its shadow tree, with its own content in the slots.
func TestShadows(t *testing.T) {
	for _, c := range []struct{ name, page, want string }{
		{"a tree", `<x-a><template shadowrootmode=open><style>p{color:red}</style><p>In the shadow</p></template></x-a>`, "In the shadow"},
		{"a closed one", `<x-a><template shadowrootmode=CLOSED><p>In the shadow</p></template></x-a>`, "In the shadow"},
		{"a slot", `<x-a><template shadowrootmode=open><p>before</p><slot></slot><p>after</p></template><p>light</p></x-a>`, "before light after"},
		{"named slots", `<x-a><p slot=b>second</p><template shadowrootmode=open><slot name=a>default a</slot><hr><slot name=b>default b</slot><slot></slot></template> <p>rest</p><p slot=a>first</p><p slot=none>GONE</p></x-a>`, "first second rest"},
		{"a default", `<x-a><template shadowrootmode=open><slot><p>default</p></slot></template> </x-a>`, "default"},
		{"not slotted", `<x-a><template shadowrootmode=open><p>shadow</p></template><p>GONE</p></x-a>`, "shadow"},
		{"one in another", `<x-a><template shadowrootmode=open><x-b><template shadowrootmode=open><p>inner</p><slot></slot></template><slot></slot></x-b></template><p>light</p></x-a>`, "inner light"},
		{"two trees", `<x-a><template shadowrootmode=open><p>first</p></template><template shadowrootmode=open><p>GONE</p></template></x-a>`, "first"},
		{"two trees and a slot", `<x-a><template shadowrootmode=open><slot></slot></template><template shadowrootmode=open><p>GONE</p></template><p>light</p></x-a>`, "light"},
		{"a slot in a default", `<x-a><template shadowrootmode=open><slot name=a>default <slot></slot></slot></template>light</x-a>`, "default light"},
		{"an ordinary template", `<x-a><template><p>GONE</p></template><p>light</p></x-a>`, "light"},
		{"hidden in it", `<x-a><template shadowrootmode=open><p hidden>GONE</p><p>shown</p></template></x-a>`, "shown"},
	} {
		if text, _ := prepared("<body>" + c.page); strings.Join(strings.Fields(text), " ") != c.want {
			t.Errorf("%s: %q, want %q", c.name, text, c.want)
		}
	}
}

// Components in components and many slots cost no more than their size.
func TestShadowsAreLinear(t *testing.T) {
	deep := strings.Repeat("<x-a><template shadowrootmode=open><slot></slot>", 400) + strings.Repeat("<slot></slot>", 100_000)
	wide := "<x-a><template shadowrootmode=open>" + strings.Repeat("<slot name=a></slot>", 100_000) + "</template>" + strings.Repeat("<b slot=a>x</b>", 100_000)
	for _, page := range []string{deep, wide} {
		doc, _ := Parse("<body>" + page)
		body := dom.Body(doc)
		placeShadows(body)
		if left := dom.All(body, atom.Slot); len(left) > 0 {
			t.Errorf("%d slots are left", len(left))
		}
	}
}
