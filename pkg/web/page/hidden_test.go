package page

import (
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

// Much hidden text is said to have been removed, and little is not.
func TestHiddenTextIsSaid(t *testing.T) {
	shown := "<p>" + strings.Repeat("Copper boils water quickly and looks well. ", 20) + "</p>"
	for chars, want := range map[int]bool{99: false, 100: true} {
		d := read(t, Source{Text: shown + `<p style="opacity:0">` + strings.Repeat("x", chars) + `</p>`, MIME: "text/html"}, Options{Format: Markdown})
		said := ""
		for _, w := range d.Warnings {
			said += w.In(fault.English)
		}
		if got := strings.Contains(said, "hidden text of 100 characters was removed; it can hide instructions"); got != want || strings.Contains(d.Content, "xxx") {
			t.Errorf("%d characters: %q", chars, said)
		}
	}
}
