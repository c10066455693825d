package policy

import (
	"os"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/schema"
)

// The policy follows the table about deleting in the documentation.
func TestLossTable(t *testing.T) {
	text, err := os.ReadFile("../../docs/policy-and-approvals.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "| what happens to a file |")
	if !found {
		t.Fatal("the page has no such table")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	rows := strings.Split(table, "\n")
	var columns []Kept
	for _, head := range cells(rows[0]) {
		kept, known := map[string]Kept{"undo restores it": ByUndo, "it is build output": Generated, "nothing restores it": Nowhere}[head]
		if !known {
			t.Fatalf("column %q", head)
		}
		columns = append(columns, kept)
	}
	verdict := map[string]Verdict{"asks": Ask, "runs": Allow}
	seen := 0
	for _, row := range rows[2:] {
		cell := cells(row)
		use, known := map[string]schema.PathUse{"it is deleted": schema.RemovePath, "it is overwritten or truncated": schema.WritePath}[cell[0]]
		if !known {
			t.Fatalf("row %q", cell[0])
		}
		for i, kept := range columns {
			strict, _, _ := strings.Cut(cell[i+1], ";")
			free := strict
			if _, other, differs := strings.Cut(cell[i+1], "; with `policy.undoable=allow` "); differs {
				free = other
			}
			for undoable, word := range map[bool]string{false: strict, true: free} {
				seen++
				loss := &Loss{Deletes: use == schema.RemovePath, Kept: kept}
				p := build(t, Options{Undoable: undoable})
				d := p.Decide(touch("patch", Write, Path{Path: "other", Use: schema.EditPath}, Path{Path: "a", Use: use, Loss: loss}))
				if d.Verdict != verdict[word] {
					t.Errorf("%s, %q, undoable=%v: %s, the page says %q", cell[0], kept, undoable, d.Verdict, word)
				}
				if d.Verdict == Ask && !strings.Contains(d.Reasons[0].In(""), " a") {
					t.Errorf("%s, %q: %s", cell[0], kept, d.Reasons[0].In(""))
				}
			}
		}
	}
	if seen != 12 {
		t.Errorf("%d cases", seen)
	}
}

// cells returns the cells of a row of a table.
func cells(row string) []string {
	var all []string
	for cell := range strings.SplitSeq(strings.Trim(row, "| "), "|") {
		all = append(all, strings.TrimSpace(cell))
	}
	return all
}

// A setting that decides is part of what an approval is bound to.
func TestLossRevision(t *testing.T) {
	a, err := build(t, Options{}).Revision()
	if err != nil {
		t.Fatal(err)
	}
	b, err := build(t, Options{Undoable: true}).Revision()
	if err != nil || a == b {
		t.Errorf("%s %s %v", a, b, err)
	}
}
