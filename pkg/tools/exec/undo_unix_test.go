//go:build unix

package exec

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/track"
)

// tracked is a world with a journal, whose sandbox is of a kind.
func tracked(t *testing.T, kind sandbox.Kind) (call *tool.Call, dir string) {
	t.Helper()
	settings := config.Exec{}
	if kind == sandbox.None {
		settings.Sandbox = "off"
	}
	call, dir = world(t, settings)
	if kind != sandbox.None {
		kept, err := call.Env.State()
		if err != nil {
			t.Fatal(err)
		}
		support := native.Probe(sandbox.Cache{Store: func(found []byte) error {
			if kind != sandbox.Namespaces {
				found = without(t, found, "namespaces")
			}
			return kept.WriteFile("sandbox", found)
		}})
		if kind == sandbox.Namespaces && !support.Namespaces || kind == sandbox.Landlock && (support.LandlockABI == 0 || !support.Seccomp) {
			t.Skipf("no %s here", kind)
		}
	}
	recordedIn(call)
	return call, dir
}

// recordedIn gives a call a journal, in which its changes are recorded.
func recordedIn(call *tool.Call) {
	call.Env.Journal = sync.OnceValues(func() (*journal.Journal, error) {
		root, err := call.Env.Root()
		if err != nil {
			return nil, err
		}
		kept, err := call.Env.State()
		if err != nil {
			return nil, err
		}
		return journal.New(kept, root.Tree(), journal.Options{Restoring: root.Restorer()}), nil
	})
}

// do runs a command as one that was allowed.
func do(t *testing.T, call *tool.Call, line string) Result {
	t.Helper()
	a := Args{Command: line, Shell: "sh", Timeout: 60, MaxOutput: 1000}
	j, r := judged(t, call, a)
	own := *call
	own.Judgement = j
	res, err := execute(context.Background(), &own, r)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	if res.ExitCode != 0 {
		t.Fatalf("%s: %d %s", line, res.ExitCode, res.Output)
	}
	return res
}

// outside describes a directory with a program of the system.
func outside(t *testing.T, dir string) string {
	t.Helper()
	c := exec.Command("sh", "-ec", `find . -path ./.git/objects -prune -o -path ./.helve -prune -o -exec ls -ld --time-style=+ {} + | sort -k6
find . -path ./.git/objects -prune -o -path ./.helve -prune -o -type f -exec cksum {} + | sort`)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil {
		t.Skipf("no find: %s", out)
	}
	return string(out)
}

// TestUndoInEveryTier undoes what commands did, whatever confined them.
func TestUndoInEveryTier(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	for _, kind := range []sandbox.Kind{sandbox.Namespaces, sandbox.Landlock, sandbox.None} {
		t.Run(string(kind), func(t *testing.T) {
			call, dir := tracked(t, kind)
			setup := exec.Command("sh", "-ec", `git init -q . && git config user.name a && git config user.email a@b.c
mkdir -p src/deep && echo a > src/a && echo b > src/deep/b && chmod 755 src/deep/b && ln -s src link && echo 'out/' > .gitignore
git add . && git commit -qm 1 && echo dirty >> src/a && echo new > new && mkdir out && echo o > out/o`)
			setup.Dir = dir
			setup.Env = append(os.Environ(), "HOME="+dir+"/out", "GIT_CONFIG_NOSYSTEM=1")
			if out, err := setup.CombinedOutput(); err != nil {
				t.Fatal(err, string(out))
			}
			for _, line := range []string{
				"sed -i s/a/A/ src/a", "rm -rf src", "mv src lib && echo x > lib/x", "git stash -q", "git commit -qam 2", "git reset -q --hard", "chmod -R go-rwx src",
				"rm link && mkdir link && cp new link", "for i in 1 2 3; do echo $i > new$i; done",
			} {
				before := outside(t, dir)
				res := do(t, call, line)
				if res.UndoID == "" || len(res.Changes) == 0 || len(res.NotCovered) > 0 {
					t.Errorf("%s: %+v", line, res)
					continue
				}
				after := outside(t, dir)
				j, err := call.Env.Journal()
				if err != nil {
					t.Fatal(err)
				}
				id := res.UndoID
				for i, want := range []string{before, after, before} {
					r, err := j.Undo(t.Context(), "s", journal.Selector{ID: id}, false)
					if err != nil {
						t.Fatalf("%s: %d: %v", line, i, err)
					}
					id = r.ID
					if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(outside(t, dir), "\n")); diff != "" {
						t.Errorf("%s: %d: %s", line, i, diff)
					}
				}
			}
			res := do(t, call, "echo more > out/o; echo y > src/deep/b")
			if diff := cmp.Diff([]track.Uncovered{{Path: "out", Why: "git ignores it"}}, res.NotCovered); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff([]Change{{Path: "src/deep/b", Action: "modify"}}, res.Changes); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestReadingIsNotTracked runs a command that only reads: it leaves nothing in the state
// directory.
func TestReadingIsNotTracked(t *testing.T) {
	call, dir := tracked(t, sandbox.None)
	if err := os.WriteFile(filepath.Join(dir, "f"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if res := do(t, call, "cat f"); res.UndoID != "" || len(res.Changes) > 0 {
		t.Errorf("%+v", res)
	}
	kept, err := call.Env.State()
	if err != nil {
		t.Fatal(err)
	}
	if names, err := kept.List(state.TrackDir); err != nil || len(names) > 0 {
		t.Errorf("%q %v", names, err)
	}
}

// without returns what was found about the machine with one thing less.
func without(t *testing.T, found []byte, what string) []byte {
	t.Helper()
	if !bytes.Contains(found, []byte(what+"=")) {
		t.Fatalf("%s is not in %q", what, found)
	}
	return bytes.ReplaceAll(found, []byte(what+"=true"), []byte(what+"=false"))
}
