package patch_test

import (
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/patch"
)

// TestEnvelopeAsModelsWriteIt reads hunks that hold only blank lines, and files that are edited
// in another word. What may be cut off stays refused.
func TestEnvelopeAsModelsWriteIt(t *testing.T) {
	t.Parallel()
	const change = "@@\n-two\n+2\n"
	for _, c := range []struct {
		name, body string
		hunks      int // 0 is a fault
	}{
		{"blank hunk last", change + "@@\n\n", 1},
		{"blank hunk first", "@@\n\n" + change, 1},
		{"blank hunks between", change + "@@\n\n@@\n \t\n\n@@\n-three\n+3\n", 2},
		{"blank hunk of several lines", change + "@@\n\n\n\n", 1},
		{"nested headers", "@@ func a\n@@ func b\n-two\n+2\n", 1},
		{"nothing but a blank hunk", "@@\n\n", 0},
		{"header that names a place", change + "@@ func a\n\n", 0},
		{"header at the end", change + "@@\n", 0},
	} {
		for _, word := range []string{"Update", "Edit"} {
			text := "*** Begin Patch\n*** " + word + " File: a.txt\n" + c.body + "*** End Patch\n"
			files, err := patch.Parse(text, "")
			switch {
			case c.hunks == 0 && !fault.Is(err, fault.PatchSyntax):
				t.Errorf("%s, %s: %v, want a fault", c.name, word, err)
			case c.hunks > 0 && (err != nil || len(files) != 1 || files[0].Action != patch.Modify || len(files[0].Hunks) != c.hunks):
				t.Errorf("%s, %s: %+v, %v", c.name, word, files, err)
			}
		}
	}
}
