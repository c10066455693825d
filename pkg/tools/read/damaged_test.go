package read

import (
	"os"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

// A document that was cut off shows what there is, or says why not.
func TestCutOff(t *testing.T) {
	// LibreOffice writes the pages of a PDF last, so that nothing leads to what is left.
	for name, least := range map[string]int{"budget.xlsx": 3, "contract.docx": 3, "contract.pdf": 0} {
		content, err := os.ReadFile("../../../testdata/documents/" + name)
		if err != nil {
			t.Fatal(err)
		}
		readable := 0
		for tenth := 1; tenth < 10; tenth++ {
			call, _ := world(t, map[string]string{name: string(content[:len(content)*tenth/10])})
			r, err := run(t.Context(), call, args(Args{Path: name}))
			if err != nil {
				if e := fault.As(err); e.Code != fault.BadDocument || e.Hint.IsZero() {
					t.Errorf("%s cut at %d/10: %v", name, tenth, err)
				}
				continue
			}
			readable++
			if len(call.Warnings()) == 0 || strings.TrimSpace(r.Content.Content) == "" {
				t.Errorf("%s cut at %d/10 is read without a word, or without one: %q", name, tenth, r.Content.Content)
			}
		}
		if readable < least {
			t.Errorf("%s: only %d of 9 could be read", name, readable)
		}
	}
}
