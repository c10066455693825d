//go:build unix

package exec

import (
	"testing"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/policy"
)

// TestBuries asks about what is moved where it may be deleted unasked, and about what is
// deleted with what git ignores, unless undo restores it.
func TestBuries(t *testing.T) {
	call, dir := world(t, config.Exec{})
	repository(t, dir, `mkdir -p dist/js build data src src/data
printf 'dist\nbuild\ndata\n' > .gitignore
echo s > small; head -c 300000 /dev/zero > large; echo o > dist/o; echo d > data/d; echo d > src/data/d; echo c > src/c; echo p > dist/p; echo n > note
git add . && git commit -qm 1; echo n > new`)
	for _, c := range []struct {
		command        string
		asks, undoable bool // without and with policy.undoable
	}{
		{"mv small dist", false, false},
		{"mv new dist/js/x", false, false},
		{"mv new note dist/js", false, false},
		{"mv -t dist/js new", false, false},
		{"mv -f build/x dist", false, false},
		{"mv dist/o build", false, false},
		{"mv dist/o src", false, false},
		{"mv large src", false, false},
		{"mv data src", false, false},
		{"mv large dist", true, true},
		{"mv small large dist/js", true, true},
		{"mv -t dist large", true, true},
		{"mv -tdist large", true, true},
		{"mv --target-directory=dist large", true, true},
		{"mv large dist/renamed", true, true},
		{"mv data dist", true, true},
		{"mv src dist", true, true},
		{`mv "$x" dist`, true, true},
		{"mv l* dist", true, true},
		{"mv small dist; rm -rf dist", true, true},
		{"rm -rf dist", false, false},
		{"rm small", true, false},
		{"rm new", true, false},
		{"rm large", true, true},
		{"rm -rf data", true, true}, // no copies are made of what git ignores
		{"rm -rf src", true, true},
		{"rm data/d", true, true},
		{"rm src/c", true, false},
	} {
		for undoable, asks := range map[bool]bool{false: c.asks, true: c.undoable} {
			p, err := policy.New(nil, policy.Options{Undoable: undoable})
			if err != nil {
				t.Fatal(err)
			}
			call.Env.Policy = p
			j, _ := judged(t, call, Args{Command: c.command})
			if j.Unconfined {
				t.Skip("no sandbox")
			}
			if d := decided(call, j); asks != (d.Verdict == policy.Ask) {
				t.Errorf("%s, undoable=%t: %s %v", c.command, undoable, d.Verdict, d.Reasons)
			}
		}
	}
}
