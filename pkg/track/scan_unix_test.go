//go:build unix

package track_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// settle waits until the clock for files is so far ahead that what was changed before no
// longer counts as changed just now.
func (w *world) settle() {
	w.t.Helper()
	now := func() time.Time {
		name := filepath.Join(w.t.TempDir(), "clock")
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			w.t.Fatal(err)
		}
		info, err := os.Stat(name)
		if err != nil {
			w.t.Fatal(err)
		}
		return info.ModTime()
	}
	for start := now(); now().Sub(start) < 30*time.Millisecond; {
	}
}

// TestHiddenChanges undoes changes that the times of files and directories do not tell,
// or not at once.
func TestHiddenChanges(t *testing.T) {
	const fixture = `mkdir -p d/e/f other; printf 1 > d/a; printf 2 > d/b; printf 3 > d/e/f/c; printf 4 > other/a; printf 5 > other/b`
	const outside = `o=$(mktemp -d); trap 'rm -rf "$o"' EXIT; `
	for name, script := range map[string]string{
		"in place":                       "printf 9 > d/e/f/c",
		"same time":                      outside + `touch -r d/a $o/t; printf 9 > d/a; touch -r $o/t d/a`,
		"renamed onto, same time":        outside + `cp -p d/a $o/a; printf 9 > $o/a; touch -r d/a $o/a; mv $o/a d/a`,
		"new file, time of directory":    outside + `touch -r d/e $o/t; touch d/e/new; touch -r $o/t d/e`,
		"gone file, time of directory":   outside + `touch -r d $o/t; rm d/b; touch -r $o/t d`,
		"deep file alone":                "printf 9 > d/e/f/new",
		"files swapped":                  "mv d/a t; mv d/b d/a; mv t d/b",
		"directories swapped":            "mv d t; mv other d; mv t other",
		"directory replaced, same times": outside + `cp -rp d $o/d; printf 9 > $o/d/b; touch -r d/b $o/d/b; touch -r d $o/d; touch -r . $o/t; rm -r d; mv $o/d d; touch -r $o/t .`,
		"directory replaced by a link":   outside + `touch -r . $o/t; mv d $o/d; mv other/b d; touch -r $o/t .`,
		"mode of a directory":            "chmod 700 d/e",
		"there and back":                 "printf 9 > d/a; printf 1 > d/a; printf 9 > d/b",
		"emptied and filled":             "rm -r d/e; mkdir -p d/e/f; printf 9 > d/e/f/c",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.sh(fixture)
			w.settle()
			w.thereAndBack(w.look(), script)
		})
		// The same while the times of everything are those of just now.
		t.Run(name+", at once", func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.sh(fixture)
			w.thereAndBack(w.look(), script)
		})
	}
}

// TestHardLink notices a change of a file at each of its names.
func TestHardLink(t *testing.T) {
	w := newWorld(t)
	w.sh("mkdir d e; printf 1 > d/a; ln d/a e/b")
	w.settle()
	var changed []string
	for _, c := range w.during("printf 2 > e/b").Changes {
		changed = append(changed, c.Path)
	}
	if !slices.Equal(changed, []string{"d/a", "e/b"}) {
		t.Errorf("changed: %q", changed)
	}
}
