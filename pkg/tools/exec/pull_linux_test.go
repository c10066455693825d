package exec

import (
	"context"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/testing/histories"
	"github.com/helve-dev/helve/pkg/tool"
)

// gitRemote makes the repository that pulls come from. Its main has lost a commit and got
// others, which change what others obey; plain changes none of that.
const gitRemote = `printf '/remote\n' >> .git/info/exclude
git clone -q . remote; git remote add origin ./remote; git fetch -q; git branch -q -u origin/main main; git reset -q --hard main~1; echo 3 > src/b; git add .; git commit -qm E
cd remote; cp ../.git/info/exclude .git/info; git config user.name a; git config user.email a@b.c
git checkout -q -b plain; echo p > src/p; git add .; git commit -qm P
git checkout -q main; git reset -q --hard HEAD~1; echo v5 > lefthook.yml; rm .gitlab-ci.yml; ln -s src/a .gitlab-ci.yml; echo e > .envrc; git add .; git commit -qm F; echo 4 > src/c; git add .; git commit -qm G`

// TestGitPull has a person decide about the second half of a pull by what the first one has
// fetched. Approved, it ends as that of git alone; declined, only git knows more.
func TestGitPull(t *testing.T) {
	t.Parallel()
	fetched := []string{".envrc", ".gitlab-ci.yml", "lefthook.yml"}
	n := 0
	for _, kind := range []string{"namespaces", "landlock", "off"} {
		n++ // another sample of the commands for each
		for _, c := range []struct {
			before, command string
			asked           []string
		}{
			{"", "git pull -q --no-rebase --no-edit", fetched},
			{"", "git pull -q --rebase", fetched},
			{"", "git pull -q --rebase=merges origin main", fetched},
			{"", "git pull -q --no-rebase --no-edit -X theirs --no-commit origin main", fetched},
			{"", "git pull -q", nil}, // git wants to be told how
			{"git config pull.rebase true", "git pull -q", fetched},
			{"git config pull.ff only", "git pull -q", nil},
			{"git config pull.ff only; git config pull.rebase true; git reset -q --hard HEAD~1", "git pull -q", fetched},
			{"git config branch.main.rebase false", "git pull -q --no-edit --no-ff", fetched},
			{"git branch -q --unset-upstream", "git pull -q --rebase", nil},
			{"echo dirty > lefthook.yml", "git pull -q --no-rebase --no-edit", fetched},
			{"echo dirty > src/b", "git pull -q --rebase", nil},
			{"echo dirty > src/b", "git pull -q --rebase --autostash", fetched},
			{"echo x > src/b; git add .; git stash -q; echo y > src/b; git commit -qam y; git stash pop -q", "git pull -q", nil},
			{"", "git pull -q --no-rebase --no-edit origin plain", nil},
			{"", "git pull -q --rebase origin plain main", nil},
		} {
			for _, declined := range []bool{false, true} {
				if n++; !*all && n%sampled != 0 {
					continue
				}
				name := kind + " " + c.before + " " + c.command
				if declined {
					name += " declined"
				}
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					call, dir, _ := gitTwins(t, kind, false)
					plainGit(t, dir, gitRemote+"\ncd ..\n"+c.before)
					twin := filepath.Join(t.TempDir(), "twin")
					if err := histories.Copy(dir, twin); err != nil {
						t.Fatal(err)
					}
					recordedIn(call)
					before := gitState(t, dir)
					var asked []string
					call.Env.Decide = func(_ context.Context, second *tool.Call) error {
						asked = askedOf(second.Judgement)
						if declined {
							return fault.New(fault.Denied, fault.T("no"))
						}
						return nil
					}
					j, r := judged(t, call, Args{Command: c.command, Timeout: 60, MaxOutput: 10000})
					call.Judgement = j
					result, err := execute(t.Context(), call, r)
					if d := cmp.Diff(c.asked, asked); d != "" {
						t.Errorf("asked about: %s", d)
					}
					want := before
					if refused := declined && c.asked != nil; refused != fault.Is(err, fault.Denied) || !refused && err != nil {
						t.Fatal(err)
					} else if !refused {
						plainGit(t, twin, c.command)
						want = gitState(t, twin)
					}
					got := gitState(t, dir)
					if declined && c.asked != nil {
						for _, state := range []map[string]string{got, want} { // what was fetched is there in any case
							maps.DeleteFunc(state, func(key, _ string) bool { return strings.HasPrefix(key, "ref refs/remotes/") })
						}
					}
					if d := cmp.Diff(want, got); d != "" {
						t.Errorf("%s\n%+v", d, result)
					}
				})
			}
		}
	}
}
