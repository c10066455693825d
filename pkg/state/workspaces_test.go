package state

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWorkspaces(t *testing.T) {
	base := filepath.Join(t.TempDir(), "state")
	if all, err := Workspaces(base, "x"); all != nil || err != nil {
		t.Errorf("no base: %v, %v", all, err)
	}
	var want []Known
	parent := must[string](t)(filepath.EvalSymlinks(t.TempDir()))
	for _, name := range []string{"a", "b", "gone"} {
		root := filepath.Join(parent, name)
		check(t, os.Mkdir(root, 0o700))
		d := must[*Dir](t)(Open(base, root, Options{}))
		if name == "b" {
			check(t, d.WriteFile("x", nil))
		}
		want = append(want, Known{must[string](t)(d.ID()), root, name == "b"})
	}
	check(t, os.Remove(want[2].Root))
	for name, content := range map[string]string{"copy": `{"v":1,"root":"` + want[0].Root + `"}`, "damaged": "{", "relative": `{"v":1,"root":"a"}`} {
		check(t, os.Mkdir(filepath.Join(base, name), 0o700))
		check(t, os.WriteFile(filepath.Join(base, name, identity), []byte(content), 0o600))
	}
	check(t, os.WriteFile(filepath.Join(base, "file"), nil, 0o600))
	got := must[[]Known](t)(Workspaces(base, "x"))
	if diff := cmp.Diff(want[:2], got); diff != "" {
		t.Error(diff)
	}
	for root, knows := range map[string]bool{want[0].Root: true, want[1].Root: true, want[2].Root: false, want[0].Root + "/": false, parent: false, "": false} {
		if Knows(base, root) != knows {
			t.Errorf("Knows(%q) = %v", root, !knows)
		}
	}
}

func TestStamp(t *testing.T) {
	d := fresh(t, Options{})
	if got := d.Stamp("a"); got != "" {
		t.Errorf("nothing: %q", got)
	}
	check(t, d.WriteFile("a", []byte("1")))
	before := d.Stamp("a")
	check(t, d.WriteFile("a", []byte("12")))
	if after := d.Stamp("a"); before == "" || after == before {
		t.Errorf("%q, %q", before, after)
	}
}
