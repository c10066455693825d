package patch

import (
	"fmt"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

func TestPatchSize(t *testing.T) {
	files := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "--- a/%d\n+++ b/%[1]d\n@@ -1 +1 @@\n-a\n+b\n", i)
		}
		return b.String()
	}
	hunks := func(n int) string { return "--- a/x\n+++ b/x\n" + strings.Repeat("@@\n-a\n+b\n", n) }
	for _, tt := range []struct {
		name, patch string
		tooLarge    bool
	}{
		{"100 files", files(100), false},
		{"101 files", files(101), true},
		{"10,000 hunks", hunks(10_000), false},
		{"10,001 hunks", hunks(10_001), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Parse(tt.patch, ""); fault.Is(err, fault.TooLarge) != tt.tooLarge {
				t.Error(err)
			}
		})
	}
}

// Up to two lines of context may be wrong at either end of a hunk.
func TestFuzz(t *testing.T) {
	src := text("first", "second", "third", "fourth", "removed", "fifth")
	for wrong := range 4 {
		var b strings.Builder
		b.WriteString("--- a/x\n+++ b/x\n@@\n")
		for i, line := range []string{"first", "second", "third", "fourth"} {
			if i < wrong {
				line = "other " + line
			}
			fmt.Fprintf(&b, " %s\n", line)
		}
		b.WriteString("-removed\n fifth\n")
		files, err := Parse(b.String(), "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Apply(src, files[0]); (err == nil) != (wrong <= 2) {
			t.Errorf("%d wrong lines: %v", wrong, err)
		}
	}
}

// Five failing hunks are reported with what the file has, the others without.
func TestFailuresShown(t *testing.T) {
	var src, patch strings.Builder
	patch.WriteString("--- a/x\n+++ b/x\n")
	for i := range 7 {
		fmt.Fprintf(&src, "the file has line number %d here\n\n\n\n", i*111)
		fmt.Fprintf(&patch, "@@\n-the file had line number %d here\n+x\n", i*111)
	}
	files, err := Parse(patch.String(), "")
	if err != nil {
		t.Fatal(err)
	}
	_, err = Apply(src.String(), files[0])
	details, _ := fault.As(err).Details.(Failures)
	shown := 0
	for _, h := range details.Hunks {
		if len(h.Candidates) > 0 {
			shown++
		}
	}
	if len(details.Hunks) != 7 || shown != 5 {
		t.Errorf("%d hunks, %d with candidates: %v", len(details.Hunks), shown, err)
	}
}
