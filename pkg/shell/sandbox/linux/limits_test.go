//go:build linux

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

// TestSecretEntries leaves a secret out of a directory with as many entries as are listed,
// and then with one more.
func TestSecretEntries(t *testing.T) {
	p := workspaceIn(t, outsideDir(t)) // in /tmp others come and go meanwhile
	dir := filepath.Dir(p.Workspace)
	p.Secrets = []string{filepath.Join(dir, "secret")}
	entries, err := entriesOf(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i := range maxBeside - len(entries) {
		write(t, filepath.Join(dir, fmt.Sprint("file", i)), "")
	}
	if _, complete := landlockRules(p, "/bin/sh"); !complete {
		t.Errorf("%d are too many", maxBeside)
	}
	write(t, filepath.Join(dir, "last"), "")
	if _, complete := landlockRules(p, "/bin/sh"); complete {
		t.Errorf("%d are not too many", maxBeside+1)
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
