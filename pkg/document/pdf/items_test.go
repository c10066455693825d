package pdf

import (
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/document"
)

// Items of lists that were numbered keep their numbers, without escapes, and a mark is no
// part of a link.
func TestLists(t *testing.T) {
	lines := func(lines ...string) string {
		return "BT /F 10 Tf 12 TL 50 700 Td (" + strings.Join(lines, ") Tj T* (") + ") Tj ET"
	}
	for _, c := range []struct{ name, content, want string }{
		{"numbers", lines("1. Deliver the goods.", "2. Send an invoice", "within a month.", "3. Answer."), "1. Deliver the goods.\n2. Send an invoice\n   within a month.\n3. Answer."},
		{"after text", lines("Duties are:", "1\\) deliver", "2\\) answer"), "Duties are:\n\n1) deliver\n2) answer"},
		{"one", lines("7. Seventh"), "7. Seventh"},
		{"no list", lines("It was in the year", "2019. Nobody knew of", "1. This is no list"), "It was in the year\n2019\\. Nobody knew of\n1\\. This is no list"},
		{"no sequence", lines("1. one", "5. five", "2. two"), "1. one\n   5\\. five\n2. two"},
		{"zero", lines("The sum is", "0. Nothing was paid"), "The sum is\n0\\. Nothing was paid"},
		{"letters", lines("a\\) one", "b\\) two"), "a) one\nb) two"},
		{"a mark alone", lines("1.", "2. two"), "1\\.\n2\\. two"},
	} {
		got, _ := read(t, build(c.content, ""), document.Request{})
		if got := strings.TrimSpace(strings.TrimPrefix(got, "## Page 1")); got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
	more := make([]string, 21)
	for i := range more {
		more[i] = "null"
	}
	more[10], more[11] = "<</Type/OCG>>", "<</Type/OCG>>"
	more[20] = "<</Subtype/Link/Rect[40 695 200 712]/A<</S/URI/URI(https://a.example/x)>>>>" // 30 0
	got, _ := read(t, build(lines("1. All of it"), "", more...), document.Request{})
	if want := "## Page 1\n\n1. [All of it](https://a.example/x)\n"; got != want {
		t.Errorf("%q", got)
	}
}
