package metadata

import (
	"strings"
	"testing"
)

// Linked data is read up to a depth and a number of texts.
func TestLimitsOfLinkedData(t *testing.T) {
	for texts, want := range map[int]int{50: 50, 60: 50} {
		m := of(t, `<script type="application/ld+json">[`+strings.TrimSuffix(strings.Repeat(`{"@type":"Book","description":"d"},`, texts), ",")+`]</script>`)
		if len(m.Texts) != want {
			t.Errorf("%d texts: %d", texts, len(m.Texts))
		}
	}
	for depth, want := range map[int]int{12: 1, 13: 0} {
		m := of(t, `<script type="application/ld+json">`+strings.Repeat(`{"hasPart":`, depth)+`{"@type":"Book","description":"d"}`+strings.Repeat("}", depth)+`</script>`)
		if len(m.Texts) != want {
			t.Errorf("%d deep: %d texts", depth, len(m.Texts))
		}
	}
}
