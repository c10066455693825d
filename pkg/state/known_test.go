package state

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Workspaces are listed by what their directories say; what says nothing is left out.
func TestList(t *testing.T) {
	base := filepath.Join(t.TempDir(), "state")
	if all, err := List(base, "x"); err != nil || len(all) > 0 {
		t.Fatal(all, err)
	}
	var want []Known
	for i := range 3 {
		root := must[string](t)(filepath.EvalSymlinks(t.TempDir()))
		d := must[*Dir](t)(Open(base, root, Options{}))
		check(t, d.WriteFile("a", nil))
		if i == 1 {
			check(t, d.WriteFile("x", nil))
		}
		want = append(want, Known{root, i == 1})
	}
	check(t, os.Mkdir(filepath.Join(base, "other"), 0o700))
	check(t, os.WriteFile(filepath.Join(base, "file"), nil, 0o600))
	check(t, os.Mkdir(filepath.Join(base, "damaged"), 0o700))
	check(t, os.WriteFile(filepath.Join(base, "damaged", identity), []byte("{"), 0o600))
	all, err := List(base, "x")
	check(t, err)
	for _, k := range want {
		if !slices.Contains(all, k) {
			t.Errorf("%+v is not among %+v", k, all)
		}
	}
	if len(all) != len(want) {
		t.Errorf("%+v", all)
	}
	if _, err := List(filepath.Join(base, "file"), "x"); err == nil {
		t.Error("a file was listed")
	}
}
