package sheet

import (
	"strings"
	"testing"
)

// TestCutHidden: of a run of hidden rows that goes on behind the page, what is shown is named.
func TestCutHidden(t *testing.T) {
	folded := numbered("B", 500, 2)
	for i := range folded.rows {
		folded.rows[i].Hidden = i >= 10
	}
	book := &grid{sheets: []gridSheet{numbered("A", 500, 2), folded}}
	page, err := Show(t.Context(), book, Query{Limit: 100})
	if err != nil || !strings.Contains(page.Markdown, "Hidden: rows 11–50") {
		t.Errorf("%v: %s", err, page.Markdown)
	}
}
