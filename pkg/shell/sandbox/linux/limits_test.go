//go:build linux && (amd64 || arm64)

package linux

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// TestFewRules has a secret in a directory with more entries than there is time for: what
// the profile names and the workspace come first, and of the others there are as many as can
// be.
func TestFewRules(t *testing.T) {
	p := workspaceIn(t, outsideDir(t)) // in /tmp others come and go meanwhile
	dir := filepath.Dir(p.Workspace)
	p.Secrets = []string{filepath.Join(dir, "secret")}
	const files = 300
	for i := range files {
		write(t, filepath.Join(dir, fmt.Sprint("file", i)), "")
	}
	p.Readable = []string{filepath.Join(dir, "file299"), filepath.Join(dir, "outside")}
	whole := len(grants(p, "/bin/sh", 1<<30).rules)
	last := 0
	for _, most := range []int{20, whole - files/2, whole - 1, whole} {
		g := grants(p, "/bin/sh", most)
		paths := map[string]bool{}
		for _, r := range g.rules {
			paths[r.Path] = true
		}
		for _, path := range append(p.Readable, p.Workspace, p.Temp, "/dev/null") {
			if !paths[path] {
				t.Errorf("%d rules: none for %s", most, path)
			}
		}
		if (g.left == 0) != (most == whole) || len(g.rules) < last || len(g.rules) > most+len(p.Readable)+20 || paths[p.Secrets[0]] {
			t.Errorf("%d rules: %d, %d left out", most, len(g.rules), g.left)
		}
		last = len(g.rules)
	}
}

// TestSnapshotLimits protects as much as can be kept, and a little more, which the
// report says.
func TestSnapshotLimits(t *testing.T) {
	p := newProfile(t)
	all := func(paths ...string) bool {
		p.Protected = paths
		sb, err := newConfined(p, sandbox.Support{LandlockABI: 1, Seccomp: true}, sandbox.Landlock)
		if err != nil {
			t.Fatal(err)
		}
		kept, err := sb.takeSnapshot()
		if err != nil {
			t.Fatal(err)
		}
		said := slices.Contains(sb.Report().Degraded, sandbox.Partial)
		if said == (len(kept.paths) == len(paths)) {
			t.Errorf("of %q, %q is kept, and the report says %q", paths, kept.paths, sb.Report().Degraded)
		}
		return !said
	}
	hooks, config := filepath.Join(p.Workspace, ".git/hooks"), filepath.Join(p.Workspace, ".git/config")
	for i := range snapshotFiles - 1 {
		write(t, filepath.Join(hooks, strconv.Itoa(i)), "")
	}
	if !all(hooks) {
		t.Errorf("a directory with %d files is too much", snapshotFiles-1)
	}
	if all(hooks, config) {
		t.Errorf("%d files are not too many", snapshotFiles+1)
	}
	write(t, config, strings.Repeat("x", snapshotBytes))
	if !all(config) {
		t.Errorf("%d bytes are too many", snapshotBytes)
	}
	write(t, config, strings.Repeat("x", snapshotBytes+1))
	if all(config) {
		t.Errorf("%d bytes are not too many", snapshotBytes+1)
	}
}

// TestLeftoverLimits leaves many processes, and one with a long command line.
func TestLeftoverLimits(t *testing.T) {
	o := run(t, sandbox.None, newProfile(t), "sh", "-c",
		`for i in $(seq 30); do sleep 300.$i & done; until [ "$(ps --ppid $$ -o comm= | grep -c sleep)" = 30 ]; do :; done`)
	if len(o.left) != 20 {
		t.Errorf("%d processes are named", len(o.left))
	}
	o = run(t, sandbox.None, newProfile(t), "sh", "-c", ": "+strings.Repeat("x", 300)+"; (sleep 300; true) &")
	if !slices.ContainsFunc(o.left, func(line string) bool { return strings.HasPrefix(line, "sh") && len(line) == 200 }) {
		t.Errorf("%q", o.left)
	}
}
