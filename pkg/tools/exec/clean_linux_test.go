package exec

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/testing/histories"
	"github.com/helve-dev/helve/pkg/tool"
)

// cleanWorld makes files that git ignores, that it does not track, and a repository in a
// repository. Those in build and the repositories are such as no copies are made of.
const cleanWorld = `printf 'build/\n*.log\n' > .gitignore; mkdir sub; echo a > sub/a; git add .; git commit -qm A
mkdir -p build/x 'two words'; echo 1 > build/x/1; echo n > new; echo l > sub/x.log; echo ü > 'two words/ü'; git init -q inner; echo w > inner/work`

// TestCleaned shows of git clean what git deletes, and deletes nothing else that undo would
// not bring back than what it says.
func TestCleaned(t *testing.T) {
	t.Parallel()
	inBothKinds(t, config.Exec{}, func(t *testing.T, call *tool.Call, dir string) {
		recordedIn(call)
		repository(t, dir, cleanWorld)
		for _, c := range []struct {
			command    string
			goes, lost []string
		}{
			{"git clean -fdx", []string{"build/", "new", "sub/x.log", "two words/"}, []string{"build/"}},
			{"git clean -Xdfq", []string{"build/", "sub/x.log"}, []string{"build/"}},
			{"git -C sub clean -fx", []string{"sub/x.log"}, nil},
			{"git clean -fdx -e build sub 'two words'", []string{"sub/x.log", "two words/"}, nil},
			{"git clean --force -d -x --exclude=build -- new", []string{"new"}, nil},
			{"git clean -ffd", []string{"inner/", "new", "two words/"}, []string{"inner/"}},
		} {
			twin := filepath.Join(t.TempDir(), "twin")
			if err := histories.Copy(dir, twin); err != nil {
				t.Fatal(err)
			}
			j, r := judged(t, call, Args{Command: c.command, Timeout: 60, MaxOutput: 10000})
			call.Judgement, call.ChangeSet = j, ""
			text, err := r.cleaned(t.Context(), call)
			if err != nil {
				t.Fatal(err)
			}
			goes, lost, _ := strings.Cut(text, "undo may not restore all of:")
			if d := cmp.Diff([][]string{c.goes, c.lost}, [][]string{named(goes), named(lost)}); d != "" {
				t.Errorf("%s: %s", c.command, d)
			}
			before, err := histories.State(twin)
			if err != nil {
				t.Fatal(err)
			}
			plainGit(t, twin, c.command)
			after, err := histories.State(twin)
			if err != nil {
				t.Fatal(err)
			}
			for name := range before {
				_, left := after[name]
				gone := slices.ContainsFunc(c.goes, func(path string) bool { return strings.HasPrefix(name+"/", strings.TrimSuffix(path, "/")+"/") })
				if left == gone {
					t.Errorf("%s: %s is there afterwards: %t", c.command, name, left)
				}
			}
		}
		if _, r := judged(t, call, Args{Command: "git clean -n -fdx"}); r.verdict.Risk != "read" {
			t.Errorf("git clean -n is %s", r.verdict.Risk)
		}
	})
}

// named lists the paths in a part of a preview.
func named(text string) (names []string) {
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(line, "  "); ok {
			names = append(names, strings.TrimSpace(name))
		}
	}
	return names
}
