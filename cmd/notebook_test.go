package cmd_test

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/cmd/cmdtest"
	"github.com/helve-dev/helve/pkg/document/notebook"
	"github.com/helve-dev/helve/pkg/files/diff"
)

// TestNotebooksAsPythonWrites has notebooks in which Python's json, with which Jupyter writes
// them, has changed sources: ours are the same bytes.
func TestNotebooksAsPythonWrites(t *testing.T) {
	t.Parallel()
	var made []struct {
		Before, After string
		Changes       map[string]string
	}
	cmdtest.JudgedByPython(t, "notebooks.py", map[string]int{"count": 600}, &made, "json")
	for seed, m := range made {
		c, err := notebook.Open(m.Before)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		var splices []diff.Splice
		for i := range len(m.Changes) + 5 {
			if text, ok := m.Changes[strconv.Itoa(i)]; ok {
				splices = append(splices, c.Replacing(i, text))
			}
		}
		got, err := c.Edited(splices)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if diff := cmp.Diff(m.After, got); diff != "" {
			t.Errorf("seed %d: %s", seed, diff)
		}
	}
}
