package sheet

import (
	"strings"
	"testing"
)

// FuzzRange: any range either names parts of the grid or is a fault, and what is named is named the
// same by the address that is made of it.
func FuzzRange(f *testing.F) {
	for _, s := range []string{"B2:F40", "Sales!B:D,'Empty Sheet'!5:20", "Orders[[#All],[id]]", "'It''s'!A1", "Both,Tax", "[[", "'", "!", "A1:XFD1048576", "Orders[", "$", "99999999999"} {
		f.Add(s)
	}
	book := budgetBook()
	f.Fuzz(func(t *testing.T, ranges string) {
		parts, err := resolve(t.Context(), book, "", ranges)
		if err != nil || strings.TrimSpace(ranges) == "" {
			return
		}
		v := &view{sheets: book.Sheets()}
		for _, p := range parts {
			if p.Top < 1 || p.Left < 0 || p.Bottom > MaxRows || p.Right >= MaxColumns || p.Top > p.Bottom || p.Left > p.Right {
				t.Fatalf("%q is %+v", ranges, p)
			}
			again, err := resolve(t.Context(), book, "", v.reference(p))
			if err != nil || len(again) != 1 || again[0] != p {
				t.Fatalf("%q is %+v, its reference %q %+v: %v", ranges, p, v.reference(p), again, err)
			}
		}
	})
}
