//go:build unix

package exec

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/state/journal"
)

// TestHostileUndone runs the hostile commands that nobody is asked about, in the
// sandbox, and undoes each: then everything is as it was.
func TestHostileUndone(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	call, dir := tracked(t, sandbox.Namespaces)
	setup := exec.Command("sh", "-ec", `git init -q . && git config user.name a && git config user.email a@b.c
mkdir src && printf 'one\ntwo\n' > src/a && cp src/a a && echo b > b && cp src/a f && printf 'rm -rf src\n' > x.sh && chmod 755 x.sh
printf 'clean:\n\trm -rf src\n' > Makefile && printf 'BEGIN { system("rm -rf src") }\n' > x && echo 'import shutil; shutil.rmtree("src")' > x.py
echo src > list && tar cf a.tar a src && cp a.tar x.tar && mkdir dist && echo d > dist/x
git add . && git commit -qm 1 && echo dirty >> src/a && echo new > new && mkdir .helve`)
	setup.Dir = dir
	setup.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + t.TempDir(), "GIT_CONFIG_NOSYSTEM=1"}
	if out, err := setup.CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	before := outside(t, dir)
	ran, changed := 0, 0
	for _, command := range append(corpus(t, "hostile.tsv"), corpus(t, "disguised.tsv")...) {
		if strings.IndexByte(command.text, 0) >= 0 {
			continue // a call cannot hold it
		}
		a := Args{Command: command.text, Timeout: 20, MaxOutput: 1000}
		j, r := judged(t, call, a)
		if decided(call, j).Verdict != policy.Allow {
			continue
		}
		ran++
		own := *call
		own.Judgement = j
		res, err := execute(t.Context(), &own, r)
		if err != nil {
			t.Fatalf("%q: %v", command.text, err)
		}
		after := outside(t, dir)
		if after == before {
			continue
		}
		changed++
		log, err := call.Env.Journal()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := log.Undo(t.Context(), "s", journal.Selector{ID: res.UndoID}, false); err != nil {
			t.Fatalf("%q: %v %+v", command.text, err, res)
		}
		if diff := cmp.Diff(strings.Split(before, "\n"), strings.Split(outside(t, dir), "\n")); diff != "" {
			t.Fatalf("%q: %s", command.text, diff)
		}
	}
	t.Logf("%d hostile commands run unasked, %d of them change something", ran, changed)
	if ran < 30 || changed < 20 {
		t.Errorf("only %d run, and %d change something", ran, changed)
	}
}
