package tool_test

import (
	"testing"

	"github.com/helve-dev/helve/pkg/tool"
)

func TestSplitProject(t *testing.T) {
	lib := &tool.Env{}
	e := &tool.Env{Enter: func(id string) *tool.Env {
		if id == "lib" {
			return lib
		}
		return nil
	}}
	for _, c := range []struct {
		path, id, rest string
		named          bool
	}{
		{"[lib]/a/b.go", "lib", "a/b.go", true},
		{"[lib]", "lib", ".", true},
		{"[lib]/", "lib", ".", true},
		{"[lib]//etc/passwd", "lib", "etc/passwd", true},
		{"[lib]a", "", "[lib]a", false},
		{"[slug]/page.tsx", "", "[slug]/page.tsx", false},
		{"[lib/a", "", "[lib/a", false},
		{"lib/a", "", "lib/a", false},
		{"./[lib]/a", "", "./[lib]/a", false},
	} {
		if id, rest, named := e.SplitProject(c.path); id != c.id || rest != c.rest || named != c.named {
			t.Errorf("%s: %q, %q, %v", c.path, id, rest, named)
		}
	}
	if _, _, named := (&tool.Env{}).SplitProject("[lib]/a"); named {
		t.Error("an environment without projects knows one")
	}
}
