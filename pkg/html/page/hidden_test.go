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

// That comments were left out is said if they are more than a form for one.
func TestCommentsLeftOutAreSaid(t *testing.T) {
	shown := "<p>" + strings.Repeat("Copper boils water quickly and looks well. ", 40) + "</p>"
	for chars, want := range map[int]bool{299: false, 300: true} {
		d := read(t, Source{Text: shown + `<div class=comments><p>` + strings.Repeat("y", chars) + `</p></div>`, MIME: "text/html"}, Options{Format: Markdown})
		said := fault.Join(d.Warnings, "\n").In(fault.English)
		if got := strings.Contains(said, "comments of 300 characters are left out; main=false shows all of the page"); got != want || strings.Contains(d.Content, "yyy") {
			t.Errorf("%d characters: %q", chars, said)
		}
	}
}
