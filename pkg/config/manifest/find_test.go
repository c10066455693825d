package manifest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFind(t *testing.T) {
	own, brought, outside := t.TempDir(), t.TempDir(), t.TempDir()
	put := func(dir, name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	manifest := func(name string) string {
		return `{"name":"` + name + `","description":"d","run":{"argv":["x"]}}`
	}
	put(own, "a.json", manifest("alpha"))
	put(own, "b.json", manifest("beta"))
	put(own, "c.json", `{`)
	put(own, ".hidden.json", manifest("hidden"))
	put(own, "notes.txt", "no manifest")
	put(brought, "a.json", manifest("alpha"))
	put(brought, "d.json", manifest("delta"))
	put(brought, "e.json", manifest("epsilon"))
	put(outside, "f.json", manifest("phi"))
	if err := os.Symlink(filepath.Join(outside, "f.json"), filepath.Join(brought, "f.json")); err != nil {
		t.Skip("no symlinks")
	}
	if err := os.Mkdir(filepath.Join(brought, "g.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	trusted := map[string]bool{sum([]byte(manifest("alpha"))): true, sum([]byte(manifest("delta"))): true}
	found := Find([]Dir{
		{Path: filepath.Join(own, "absent")}, {Path: own}, {Path: brought, Trusted: func(sha string) bool { return trusted[sha] }},
	}, options)
	var got []string
	for _, f := range found {
		line := filepath.Base(filepath.Dir(f.File)) + "/" + filepath.Base(f.File) + " " + f.Name
		if f.Usable() {
			line += " usable"
		}
		for _, p := range f.Problems {
			line += " " + string(p.Name)
		}
		got = append(got, line)
	}
	want := []string{
		"OWN/a.json alpha usable", "OWN/b.json beta usable", "OWN/c.json c syntax",
		"BROUGHT/a.json a duplicate_name", "BROUGHT/d.json delta usable", "BROUGHT/e.json epsilon", "BROUGHT/f.json f unreadable", "BROUGHT/g.json g unreadable",
	}
	for i := range want {
		want[i] = strings.NewReplacer("OWN", filepath.Base(own), "BROUGHT", filepath.Base(brought)).Replace(want[i])
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestFindIsBounded(t *testing.T) {
	dir := t.TempDir()
	for i := range 501 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%03d.json", i)), []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if found := Find([]Dir{{Path: dir}}, options); len(found) != 500 {
		t.Errorf("%d manifests", len(found))
	}
}

func TestStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "tools")
	tool := parse(t, diskUsage)
	file, err := Store(dir, tool, []byte(diskUsage))
	if err != nil {
		t.Fatal(err)
	}
	found := Find([]Dir{{Path: dir}}, options)
	if len(found) != 1 || !found[0].Usable() || found[0].SHA != tool.SHA || found[0].File != file {
		t.Errorf("%+v", found)
	}
	if err := Remove(file); err != nil || len(Find([]Dir{{Path: dir}}, options)) != 0 {
		t.Error(err)
	}
}
