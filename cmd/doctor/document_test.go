package doctor

import (
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

// The last line says what all the others come to.
func TestSummary(t *testing.T) {
	for want, levels := range map[string][]Level{
		"\nhelve works here, and nothing is missing.\n":                                   {OK, OK},
		"\nhelve works here; what is missing, most calls do without: check b, check c.\n": {OK, Warning, Warning},
		"\nhelve does not work here yet: mend check c first.\n":                           {OK, Warning, Error},
	} {
		f := &Findings{}
		for i, level := range levels {
			f.Checks = append(f.Checks, Check{Name: "check", Of: string(rune('a' + i)), Level: level})
		}
		if got := f.In(fault.English).Text(); !strings.HasSuffix(got, want) {
			t.Errorf("%v: %s", levels, got)
		}
	}
}
