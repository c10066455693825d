package effect

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/state/journal"
)

// TestTenThousand deletes and creates whole trees, which is one change each.
func TestTenThousand(t *testing.T) {
	b := newBench(t)
	b.sh("mkdir many; cd many; for d in $(seq 100); do mkdir $d; (cd $d; for f in $(seq 100); do echo $d $f > $f; done); done")
	before := b.tree()
	set, stage := b.preview("cp -a many copy; rm -rf many; echo x > copy/x")
	if len(set.Changes) != 2 || set.Changes[1].Before.Files != 10_100 || len(set.Changes[1].Inside) != 100 {
		t.Fatalf("%d changes: %s", len(set.Changes), set.Text())
	}
	if lines := strings.Count(set.Text(), "\n"); lines > 300 {
		t.Errorf("the preview has %d lines", lines)
	}
	sha, err := stage.Keep(set)
	check(t, err)
	_, err = b.commit(stage.ID, sha)
	check(t, err)
	after := b.tree()
	if len(after) != len(before)+1 {
		t.Errorf("%d entries, were %d", len(after), len(before))
	}
	_, err = b.journal.Undo(context.Background(), "s", journal.Selector{}, false)
	check(t, err)
	if d := cmp.Diff(before, b.tree()); d != "" {
		t.Error(d)
	}
}

// TestTextLimits reads files of the largest size that is shown and of one byte more,
// and previews more text than is shown and than is written.
func TestTextLimits(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.sh("head -c 1048576 /dev/zero > most; head -c 1048577 /dev/zero > more")
	for name, want := range map[string]bool{"most": true, "more": false} {
		if _, ok, err := readText(b.root, name); err != nil || ok != want {
			t.Errorf("%s: %v %v", name, ok, err)
		}
	}
	b.sh("mkdir texts; for i in $(seq 33); do head -c 1048576 /dev/zero | tr '\\0' a | fold -w 100 > texts/$i; truncate -s 1048576 texts/$i; done")
	set, stage := b.preview("for f in texts/*; do tr a b < $f > t && cp t $f; done; rm t")
	diffs := 0
	for _, c := range set.Changes {
		diffs += len(c.Diff)
	}
	if diffs < 200<<10 || diffs > 257<<10 { // the last one may pass the limit by a line
		t.Errorf("%d bytes of diffs are kept", diffs)
	}
	if written := b.planned(set, stage)[journal.Write]; written != 32 {
		t.Errorf("%d files of 1 MiB are written", written)
	}
}

// planned counts the planned changes of the journal.
func (b *bench) planned(set *ChangeSet, stage *Stage) map[journal.Op]int {
	b.t.Helper()
	changes, err := stage.Plan(set, b.root)
	check(b.t, err)
	count := map[journal.Op]int{}
	for _, c := range changes {
		count[c.Op]++
	}
	return count
}

// TestChangeLimits deletes as many files as are kept on their own and one more, and
// counts as many changes as can be applied and one more.
func TestChangeLimits(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.sh("mkdir many; cd many; seq 501 | xargs touch")
	for script, want := range map[string]int{"rm many/*; touch many/501": 500, "rm many/*": 0} {
		if set, stage := b.preview(script); b.planned(set, stage)[journal.Delete] != want {
			t.Errorf("%s: %d changes, %v", script, len(set.Changes), b.planned(set, stage))
		}
	}
	for n, applicable := range map[int]bool{10_000: true, 10_001: false} {
		c := collector{set: &ChangeSet{Changes: make([]Change, n)}}
		if c.checkCount(); c.set.Obstacle.IsZero() != applicable {
			t.Errorf("%d changes: %v", n, c.set.Obstacle)
		}
	}
}
