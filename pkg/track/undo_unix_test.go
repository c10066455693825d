//go:build unix

package track_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/track"
)

// commands change the workspace in the ways of daily work. A line that starts with
// "name:" needs that program.
var commands = []string{
	// text
	"sed -i s/package/PACKAGE/ src/*.go", "sed -i.bak 1d docs/d1.md", "echo more >> new.txt", "echo more >> src/f2.go", ": > data.csv",
	"printf x | tee bin.dat docs/d2.md", "sort -o data.csv data.csv; tac docs/d1.md > t && mv t docs/d1.md", "truncate -s 100 app.js", "truncate -s 0 .env",
	"dd if=/dev/zero of=bin.dat bs=1 count=1 seek=1 conv=notrunc status=none", "dd if=/dev/zero of=big bs=1M count=20 status=none", "truncate -s 40M sparse",
	"awk '{print $2}' docs/d3.md > o && cp o docs/d3.md && rm o", "perl: perl -pi -e s/text/TEXT/ docs/*.md", "cat src/*.go > all.go", "cp app.py app.js",
	"python3: python3 -c 'open(\"app.py\",\"w\").write(\"x=1\\n\")'", "node: node -e 'require(\"fs\").writeFileSync(\"gen.js\",\"1\")'",
	"python3: python3 -c 'import json; json.dump([1], open(\"gen.json\", \"w\"))'", "patch: printf -- '--- a/app.py\\n+++ b/app.py\\n@@ -1 +1 @@\\n-print(1)\\n+print(2)\\n' | patch -sp1",
	// names
	"mv app.py main.py", "mv src lib", "mv src docs/", "mv docs/d1.md docs/d2.md", "mv docs d && mkdir docs && mv d/d1.md docs/", "mv src/f1.go src/f2.go",
	"mv app.py t && mv app.js app.py && mv t app.js", "mv huge large", "mv 'odd names' even", "mv untracked src/deep/", "mv src/deep . && echo x > deep/er/new", "mv src lib && echo x >> lib/deep/er/file",
	"mv data.csv src/deep/er/ && mv bin.dat data.csv", "rename=1; for f in docs/*.md; do mv $f ${f%.md}.txt; done",
	// removal
	"rm new.txt", "rm -f .env x.tmp", "rm -rf src", "rm -rf docs empty untracked", "find . -name '*.md' -delete", "find src -type f -exec rm {} +", "rmdir empty/inner empty",
	"rm -rf 'odd names'", "rm link dangling dirlink", "rm -rf closed", "rm -f readonly", "find . -maxdepth 1 ! -name . ! -name .git ! -name huge ! -name build -exec rm -rf {} +",
	"git ls-files -z | xargs -0 rm -f",
	// making
	"mkdir -p a/b/c && touch a/b/c/d", "mkdir new && mkdir new/empty", "touch created", "cp -r src copy", "cp -a docs docs2 && chmod 700 docs2", "ln app.py hard", "ln -s docs l2",
	"ln -sfn docs link", "ln -sf app.js dangling", "install -D -m 755 app.py bin/app", "tar cf a.tar src && rm -rf src", "tar cf - docs | (mkdir x && cd x && tar xf -)", "mktemp -p . XXXX",
	"cp -r src/. docs", "split -l 1 data.csv part-", "csplit -s -f piece data.csv 2",
	// modes
	"chmod 600 app.py", "chmod -R a-w src", "chmod 000 data.csv", "chmod 711 docs && echo x > docs/new", "chmod 700 closed && echo d > closed/d && chmod 500 closed",
	"chmod u+w closed && rm closed/c && chmod 555 closed", "chmod +x docs/*.md && sed -i s/text/T/ docs/*.md", "mkdir shut && echo x > shut/x && chmod 000 shut/x && chmod 555 shut",
	// kinds
	"rm app.py && mkdir app.py && echo x > app.py/x", "rm -rf docs && echo docs > docs", "rm link && cp run.sh link", "rm run.sh && ln -s app.js run.sh", "rm -rf src && ln -s docs src",
	"rm -rf empty && ln -s docs empty", "rm dirlink && mkdir dirlink && mv docs/d1.md dirlink/",
	// git
	"git add -A", "git commit -qm x", "git commit -qam x && git tag v2", "git stash -q", "git stash -qu && git stash apply -q", "git checkout -q -f other", "git reset -q --hard", "git reset -q --hard HEAD~1",
	"git reset -q HEAD~1", "git rm -qf src/f3.go", "git mv app.py apps.py", "git checkout -q -- src", "git restore --staged staged.txt", "git clean -qfd", "git branch topic", "git branch -qD other",
	"git stash -q && git merge -q -m m other", "git stash -q && git rebase -q other", "git cherry-pick -n other", "git update-ref -d refs/tags/v1", "git config user.name other", "git pack-refs --all",
	"git worktree add -q wt other", "git init -q sub && cd sub && echo s > s && git add s && git commit -qm s", "git commit -q --amend -m amended", "git notes add -m n", "git switch -qc feature",
	"git apply --index --allow-empty /dev/null; git rm -q --cached app.js", "git gc -q",
}

// TestUndoOfCommands undoes commands in a repository; programs that are not ours compare
// what was with what is.
func TestUndoOfCommands(t *testing.T) {
	w := repository(t)
	before := w.look()
	done := 0
	for _, line := range commands {
		program, script, ok := strings.Cut(line, ": ")
		if !ok || strings.ContainsAny(program, " ;") || program == "" {
			script = line
		} else if _, err := exec.LookPath(program); err != nil {
			continue
		}
		t.Run(script, func(t *testing.T) {
			own := *w
			own.t = t
			own.thereAndBack(before, script)
		})
		done++
		if t.Failed() {
			w = repository(t) // nothing may follow from it
			before = w.look()
		}
	}
	if done < 60 {
		t.Errorf("only %d commands", done)
	}
}

// TestUndoOfNames undoes commands on files with several names, some of which are out of
// sight, and redoes them.
func TestUndoOfNames(t *testing.T) {
	for _, c := range []struct{ prepare, run, outside string }{
		{"echo one > a; ln a b", "echo two >> a", ""},
		{"echo one > a; ln a b; mkdir d; ln a d/c", "echo two >> d/c; chmod 600 a", ""},
		{"echo one > a; echo bbb > b", "ln -f a b; echo two >> a", ""},
		{"echo one > a; echo bbb > b", "ln -f a b", ""},
		{"echo one > a; echo one > b; chmod 600 b", "ln -f a b", ""},
		{"echo one > a; echo bbb > b; echo ccc > c; chmod 600 c", "ln -f a b; ln -f a c; echo two >> a", ""},
		{"echo one > a; ln a b", "sed -i s/one/two/ a", ""},
		{"echo one > a; ln a b; echo c > c", "ln -f c b; echo two >> b; rm a", ""},
		{"echo one > a; ln a b", "rm a", ""},
		{"echo one > a; ln a b", "rm a; echo two >> b", ""},
		{"echo one > a; ln a b", "mv a c", ""},
		{"echo one > a; ln a b", "mv a c; chmod 600 c", ""},
		{"echo one > a; ln a b", "mv a c; echo two >> b", ""},
		{"echo one > a", "ln a 0; ln a b; echo two >> a; chmod 600 b", ""},
		{"mkdir s; echo one > a; echo n > s/n; chmod 500 s", "chmod 700 s; ln -f a s/n; chmod 500 s", ""},
		// outside, what undo leaves there
		{"echo one > a; ln a ../out", "echo two >> a", "one"},
		{"echo one > a; ln a b; ln a ../out", "echo two >> a", "one"},
		{"echo one > a; mkdir node_modules; ln a node_modules/n; ln a ../out", "echo two >> a", "one"},
		{"echo bbb > a; echo one > ../out", "ln -f ../out a", "one"},
		{"echo one > a", "ln a ../out; echo two >> a", "one two"},
	} {
		top := newWorld(t)
		dir := filepath.Join(top.dir, "ws") // beside it is what is outside
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		w := openWorld(t, dir, t.TempDir())
		w.sh(c.prepare)
		before := w.look()
		id := w.during(c.run).UndoID
		after := w.look()
		for range 2 {
			id = w.undo(id)
			if diff := cmp.Diff(before, w.look()); diff != "" {
				t.Errorf("%s; %s, undone: %s", c.prepare, c.run, diff)
			}
			if c.outside != "" {
				if got := w.sh("echo $(cat ../out)"); strings.TrimSpace(got) != c.outside {
					t.Errorf("%s; %s, outside: %q, want %q", c.prepare, c.run, got, c.outside)
				}
			}
			id = w.undo(id)
			if diff := cmp.Diff(after, w.look()); diff != "" {
				t.Errorf("%s; %s, redone: %s", c.prepare, c.run, diff)
			}
		}
	}
}

// TestCheckpointOfNames restores files that have got or lost names since.
func TestCheckpointOfNames(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	look := func() string { return w.sh("stat -c '%n %A %h' *; for f in *; do echo $f $(cat $f); done") }
	w.sh("echo one > a; ln a b; echo ccc > c; echo ddd > d; ln a e")
	before := look()
	if _, err := w.Checkpoint(ctx, "names"); err != nil {
		t.Fatal(err)
	}
	w.sh("echo two >> a; chmod 600 b; ln -f c d; echo more >> c")
	after := look()
	if _, err := w.Restore(ctx, "names", "s", true); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(after, look()); diff != "" {
		t.Errorf("a dry run changes: %s", diff)
	}
	done, err := w.Restore(ctx, "names", "s", false)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, look()); diff != "" {
		t.Error(diff)
	}
	// Redo does not link c and d again, but has their bytes.
	w.undo(done.UndoID)
	if got, want := w.sh("cat c d; stat -c %h a"), "ccc\nmore\nccc\nmore\n3\n"; got != want {
		t.Errorf("redone: %q, want %q", got, want)
	}
}

// TestWithoutRepository undoes the removal of a repository: the files come back from its
// packs, which were open; the report says that its objects do not.
func TestWithoutRepository(t *testing.T) {
	w := repository(t)
	w.sh("git gc -q; git checkout -qf")
	before := w.sh("find src docs -type f -exec cksum {} + | sort; cat .git/HEAD .git/index | cksum")
	report := w.during("rm -rf .git src docs")
	if diff := cmp.Diff([]string{".git/objects"}, paths(report.NotCovered)); diff != "" {
		t.Error(diff)
	}
	w.undo(report.UndoID)
	if diff := cmp.Diff(before, w.sh("find src docs -type f -exec cksum {} + | sort; cat .git/HEAD .git/index | cksum")); diff != "" {
		t.Error(diff)
	}
}

func paths(gaps []track.Gap) []string {
	var all []string
	for _, g := range gaps {
		all = append(all, g.Path)
	}
	return all
}

// TestCheckpoint restores the workspace after several commands, and undoes that.
func TestCheckpoint(t *testing.T) {
	w := repository(t)
	ctx := context.Background()
	before := w.look()
	made, err := w.Checkpoint(ctx, "first")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Checkpoint(ctx, "first"); !fault.Is(err, fault.AlreadyExists) {
		t.Errorf("the name is taken: %v", err)
	}
	for _, name := range []string{"../x", "a/b", "-x", ".x", strings.Repeat("x", 65)} {
		if _, err := w.Checkpoint(ctx, name); !fault.Is(err, fault.InvalidArguments) {
			t.Errorf("%q: %v", name, err)
		}
	}
	w.sh("chmod 755 closed; git commit -qam x; rm -rf docs; mv src lib; echo x > lib/deep/er/file; chmod 700 lib/deep; echo n > n; rm .env; git stash -qu; echo more > new.txt; git gc -q")
	after := w.look()
	dry, err := w.Restore(ctx, "first", "s", true)
	if err != nil || dry.UndoID != "" || !slices.Contains(dry.Changes, track.Change{Path: ".env", Action: track.Create}) {
		t.Errorf("%+v %v", dry, err)
	}
	if diff := cmp.Diff(after, w.look()); diff != "" {
		t.Errorf("a dry run changes: %s", diff)
	}
	done, err := w.Restore(ctx, "first", "s", false)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, w.look()); diff != "" {
		t.Errorf("restored: %s", diff)
	}
	w.undo(done.UndoID)
	if diff := cmp.Diff(after, w.look()); diff != "" {
		t.Errorf("undone: %s", diff)
	}
	all, err := w.Checkpoints()
	if diff := cmp.Diff([]track.Checkpoint{made}, all); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	if err := w.DropCheckpoint("first"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Restore(ctx, "first", "s", false); !fault.Is(err, fault.NotFound) {
		t.Errorf("a dropped checkpoint: %v", err)
	}
}

// TestIndexByMeaning undoes commands after the person's own git has renewed what the index
// says of files, which is no change.
func TestIndexByMeaning(t *testing.T) {
	w := repository(t)
	renew := func() {
		t.Helper()
		before := w.sh("cksum .git/index")
		w.sh("touch -d @1000000000 src/f7.go; git update-index -q --refresh || true; touch -d @1100000000 src/f7.go; git update-index -q --refresh || true")
		if w.sh("cksum .git/index") == before {
			t.Fatal("git leaves the index as it is")
		}
	}
	before := w.sh("git log --oneline --all; git ls-files -s; git status --porcelain")
	report := w.during("git add -A; git commit -qm all")
	after := w.sh("git log --oneline --all; git ls-files -s; git status --porcelain")
	renew()
	redo := w.undo(report.UndoID)
	if diff := cmp.Diff(before, w.sh("git log --oneline --all; git ls-files -s; git status --porcelain")); diff != "" {
		t.Error(diff)
	}
	renew()
	again := w.undo(redo)
	if diff := cmp.Diff(after, w.sh("git log --oneline --all; git ls-files -s; git status --porcelain")); diff != "" {
		t.Error(diff)
	}
	w.sh("git rm -q --cached src/f1.go")
	if _, err := w.Journal.Undo(context.Background(), "s", journal.Selector{ID: again}, false); !fault.Is(err, fault.UndoConflict) {
		t.Errorf("the index was changed: %v", err)
	}
}
