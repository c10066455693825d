package extract

import (
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// What a browser shows, or lets the reader open, is kept.
func TestWhatIsShown(t *testing.T) {
	long := strings.Repeat("Some words that fill a panel. ", 6)
	for name, c := range map[string]struct{ page, shown, hidden string }{
		"a frame that noscript leaves open":  {`<noscript><iframe src=x /></noscript><p>SHOWN</p><noscript><iframe></iframe>HIDDEN</noscript>`, "SHOWN", "HIDDEN"},
		"a page that waits for its scripts":  {`<main><div style="display:none"><p>SHOWN ` + prose("x", 4) + `</div></main>`, "SHOWN", ""},
		"a dialog on a page that is shown":   {`<main><p>SHOWN ` + prose("x", 4) + `<div style="display:none"><p>HIDDEN ` + prose("y", 9) + `</div></main>`, "SHOWN", "HIDDEN"},
		"a panel that a tab opens":           {`<a role=tab href="#p2">Two</a><div id=p2 style="display: none">SHOWN</div>`, "SHOWN", ""},
		"a panel by its name":                {`<div class="tabs__content" hidden>SHOWN</div><div class="spoiler-body" hidden>SHOWN</div>`, "SHOWN SHOWN", ""},
		"a panel beside the one that is":     {`<div><div class=p>` + long + `</div><div class=p style="display:none">SHOWN ` + long + `</div></div>`, "SHOWN", ""},
		"an answer that a button opens":      {`<button aria-expanded=false aria-controls=a>Why?</button><div id=a hidden>SHOWN</div>`, "SHOWN", ""},
		"an answer that only controls tell":  {`<div><button type=button aria-controls=a>SHOWN?</button><div id=a aria-hidden=true hidden>SHOWN!</div></div>`, "SHOWN? SHOWN!", ""},
		"a basket that a button opens":       {`<button aria-expanded=false aria-controls=b>Basket</button><div id=b class=cart-drawer hidden>HIDDEN</div>`, "", "HIDDEN"},
		"a menu that a button opens":         {`<nav><button aria-expanded=false aria-controls=m>Menu</button></nav><div id=m hidden>HIDDEN</div>`, "", "HIDDEN"},
		"a dialog that a button opens":       {`<button data-toggle=modal data-target="#d">Buy</button><div id=d hidden>HIDDEN</div>`, "", "HIDDEN"},
		"a text that nothing leads to":       {`<p>` + long + `</p><div hidden>HIDDEN</div><div style="visibility:hidden">HIDDEN</div>`, "", "HIDDEN"},
		"a hidden text beside another shown": {`<div class=p>` + long + `</div><div class=p hidden>HIDDEN</div>`, "", "HIDDEN"},
	} {
		t.Run(name, func(t *testing.T) {
			doc, _ := Parse("<body>" + c.page)
			body := dom.Body(doc)
			prepare(body)
			text := dom.Text(body)
			if !strings.Contains(text, c.shown) || c.hidden != "" && strings.Contains(text, c.hidden) {
				t.Errorf("%q", text)
			}
		})
	}
}

// Only unclosed frames change.
func TestCloseFrames(t *testing.T) {
	for _, same := range []string{"", "<p>x", "<noscript>", "<noscript><iframe></iframe></noscript>x", "<noscript>a</noscript><noscript>b"} {
		if got := closeFrames(same); got != same {
			t.Errorf("%q became %q", same, got)
		}
	}
	if got, want := closeFrames("a<noscript><iframe></noscript>b<noscript>c</noscript>"), "a<noscript><iframe></iframe></noscript>b<noscript>c</noscript>"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
