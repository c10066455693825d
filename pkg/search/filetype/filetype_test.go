package filetype

import (
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

func TestTable(t *testing.T) {
	names := Names()
	if !slices.IsSorted(names) || len(names) < 200 {
		t.Fatalf("%d names, sorted %v", len(names), slices.IsSorted(names))
	}
	for _, name := range names {
		if globs, err := Globs(name); err != nil || len(globs) == 0 {
			t.Errorf("%s: %v %v", name, globs, err)
		}
	}
}

func TestGlobs(t *testing.T) {
	matches := func(name, path string) bool {
		globs, err := Globs(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range globs {
			if g.Match(path) {
				return true
			}
		}
		return false
	}
	if !matches("go", "a/b.go") || matches("go", "a/b.c") || !matches("make", "x/Makefile") || !matches("PY", "a.pyi") {
		t.Error("types do not match their files")
	}
	_, err := Globs("tsx")
	if !fault.Is(err, fault.InvalidArguments) || !strings.Contains(fault.As(err).Hint.String(), "ts") {
		t.Errorf("%v", err)
	}
}
