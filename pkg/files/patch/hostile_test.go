package patch

import (
	"fmt"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

// TestHostile checks that repetitive texts and patches are refused and do not take
// hours: the test would time out.
func TestHostile(t *testing.T) {
	same := strings.Repeat("}\n", 50_000)
	for _, c := range []struct {
		name, src, patch string
		code             fault.Code
	}{
		{"every line is the same", same, "--- a/x\n+++ b/x\n" + strings.Repeat("@@ }\n }\n-}\n }\n", 50), fault.HunkAmbiguous},
		{"and is no end of any function", same, "*** Update File: x\n" + strings.Repeat("@@ }\n", 20) + "-}\n", fault.HunkAmbiguous},
		{"all hunks fail", strings.Repeat("some line\nother line\n", 20_000), "--- a/x\n+++ b/x\n" + strings.Repeat("@@\n some line\n-other lime\n some line\n", 300), fault.HunkNotFound},
		{"all hunks fail but for their edges", strings.Repeat("aaaaaa\nbbbbbb\ncccccc\n", 10_000), "--- a/x\n+++ b/x\n" + strings.Repeat("@@\n x\n aaaaaa\n-bbbbbb\n cccccc\n y\n", 300), fault.HunkAmbiguous},
		{"too much to do", strings.Repeat("a\n", 400_000), "--- a/x\n+++ b/x\n" + strings.Repeat("@@\n-a\n+b\n", 600), fault.TooLarge},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := outcome(c.src, c.patch)
			if !fault.Is(err, c.code) || r.Text != c.src {
				t.Errorf("%.200v, want %s", err, c.code)
			}
			if n := len(fmt.Sprint(fault.As(err).Message)); n > 10_000 {
				t.Errorf("the message has %d bytes", n)
			}
		})
	}
}
