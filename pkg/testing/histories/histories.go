// Package histories makes random repositories whose branches differ in files that other
// programs obey, and commands of git that move between them. What git does without helve,
// in a twin of the repository, is what helve is compared with.
package histories

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// Obeyed are files that other programs run or obey.
var Obeyed = []string{".envrc", ".github/workflows/ci.yml", ".gitlab-ci.yml", ".husky/pre-push", ".vscode/settings.json", "lefthook.yml"}

var ordinary = []string{"README", "src/a", "src/b", "src/deep/c"}

const branches = 4

// epoch is the time of the first commit.
const epoch = 1_700_000_000

// Maker makes one history from a seed.
type Maker struct {
	dir   string
	r     *rand.Rand
	trees int
}

// Make makes a repository in an empty directory, and in it the one that it pulls from.
func Make(dir string, seed uint64) (*Maker, error) {
	m := &Maker{dir: dir, r: rand.New(rand.NewPCG(seed, 1))} //nolint:gosec // it must be the same again
	steps := []string{
		"git init -q . && git config user.name a && git config user.email a@b.c && git config commit.gpgsign false && git branch -M b0 2>/dev/null || :",
		"printf '/p.patch\n/m.mbox\n/wt*\n/.helve\n/remote\n' > .git/info/exclude",
	}
	for range 3 {
		steps = append(steps, m.write(), m.write())
	}
	steps = append(steps, "git add -A; git commit -qm base; git branch -M b0")
	for b := range branches {
		if b > 0 {
			steps = append(steps, fmt.Sprintf("git checkout -qf b%d; git checkout -qb b%d", m.r.IntN(b), b))
		}
		for range 1 + m.r.IntN(3) {
			for range 1 + m.r.IntN(3) {
				steps = append(steps, m.change())
			}
			steps = append(steps, fmt.Sprintf("git add -A; git commit -qm c%d", m.r.IntN(1000)))
		}
		if b > 1 && m.r.IntN(4) == 0 {
			steps = append(steps, fmt.Sprintf("git merge -q --no-edit b%d || git merge --abort || git reset -q --hard", m.r.IntN(b)))
		}
	}
	steps = append(steps, fmt.Sprintf("git format-patch -q --stdout -1 b%d > m.mbox; git diff b%d~1 b%[2]d > p.patch", m.branch(), m.branch()))
	steps = append(steps, fmt.Sprintf("git checkout -qf b%d", m.branch()), m.change(), m.change(), "git stash -q -u || :", fmt.Sprintf("git checkout -qf b%d", m.branch()))
	steps = append(steps, m.remote()...)
	for i, step := range steps {
		// Some are of the same second, and all are the same when the history is made again.
		date := fmt.Sprintf("@%d +0000", epoch+i/2)
		if out, err := runIn(dir, step, "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date); err != nil && strings.Contains(out, "fatal: not a git") {
			return nil, fmt.Errorf("%s: %w: %s", step, err, out)
		}
	}
	return m, nil
}

// remote are the steps that make the other repository, in which some branches have gone on
// and some have lost commits.
func (m *Maker) remote() []string {
	steps := []string{"git clone -q . remote && cp .git/info/exclude remote/.git/info/exclude && git remote add origin ./remote"}
	for b := range branches {
		steps = append(steps, fmt.Sprintf("git -C remote checkout -qf b%d", b))
	}
	steps = append(steps, "git fetch -q")
	for b := range branches {
		steps = append(steps, fmt.Sprintf("git branch -q -u origin/b%d b%[1]d; git -C remote checkout -qf b%[1]d", b))
		if m.r.IntN(4) == 0 {
			steps = append(steps, "git -C remote reset -q --hard HEAD~1")
		}
		for range m.r.IntN(3) {
			steps = append(steps, fmt.Sprintf("cd remote\n%s\ngit add -A; git -c user.name=a -c user.email=a@b.c commit -qm r%d", m.change(), m.r.IntN(1000)))
		}
	}
	return steps
}

func (m *Maker) branch() int { return m.r.IntN(branches) }

// pick returns a file, which others obey two times out of three.
func (m *Maker) pick() string {
	if m.r.IntN(3) > 0 {
		return Obeyed[m.r.IntN(len(Obeyed))]
	}
	return ordinary[m.r.IntN(len(ordinary))]
}

// write is a step that gives a file lines, some of which most versions have.
func (m *Maker) write() string {
	name := m.pick()
	var text strings.Builder
	for line := range 8 {
		version := 0
		if m.r.IntN(4) == 0 {
			version = m.r.IntN(100)
		}
		fmt.Fprintf(&text, "line %d %d\n", line, version)
	}
	return fmt.Sprintf("rm -f %[1]s; mkdir -p %[2]s && cat > %[1]s <<'END'\n%[3]sEND", name, filepath.Dir(name), text.String())
}

func (m *Maker) change() string {
	name := m.pick()
	switch m.r.IntN(8) {
	case 0:
		return "rm -f " + name
	case 1:
		to := m.pick()
		return fmt.Sprintf("if test -f %[1]s && test %[1]s != %[2]s; then mkdir -p %[3]s && mv -f %[1]s %[2]s; fi", name, to, filepath.Dir(to))
	case 2:
		return fmt.Sprintf("rm -f %[1]s; mkdir -p %[2]s && ln -s target%[3]d %[1]s", name, filepath.Dir(name), m.r.IntN(9))
	case 3:
		return fmt.Sprintf("if test -f %[1]s && ! test -L %[1]s; then chmod +x %[1]s; fi", name)
	}
	return m.write()
}

// Command returns a command line that moves the working tree, in the state in which it is.
func (m *Maker) Command() string {
	b := fmt.Sprintf("b%d", m.branch())
	for _, state := range []struct{ file, ends string }{
		{"rebase-merge", "git rebase --abort|git rebase --skip|git add -A && git rebase --continue"},
		{"rebase-apply", "git am --abort|git am --skip"},
		{"MERGE_HEAD", "git merge --abort|git add -A && git commit -qm merged"},
		{"CHERRY_PICK_HEAD", "git cherry-pick --abort|git cherry-pick --skip"},
		{"REVERT_HEAD", "git revert --abort|git revert --skip"},
	} {
		if _, err := os.Lstat(filepath.Join(m.dir, ".git", state.file)); err == nil {
			ends := strings.Split(state.ends, "|")
			return ends[m.r.IntN(len(ends))]
		}
	}
	m.trees++
	all := []string{
		"git checkout -q " + b, "git switch -q " + b, "git merge -q --no-edit " + b, "git rebase -q " + b, "git stash -q -u", "git stash pop -q", "git stash apply -q",
		"git pull -q --no-rebase --no-edit . " + b, "git pull -q --rebase . " + b,
		"git pull -q --no-rebase --no-edit", "git pull -q --rebase", "git pull -q", "git pull -q --no-rebase -X theirs", "git pull -q --rebase=merges origin " + b, "git pull -q --ff-only origin " + b, "git pull -q --no-rebase --no-edit origin " + b, "git pull -q --rebase origin " + b, "git reset -q --hard " + b, "git cherry-pick " + b, "git cherry-pick " + b + "~1.." + b,
		"git revert --no-edit HEAD", "git restore --source=" + b + " -- .", "git restore .", "git checkout -q " + b + " -- .", fmt.Sprintf("git worktree add -q --detach wt%d %s", m.trees, b),
		"git am -q m.mbox", "git am -q -3 m.mbox", "git apply p.patch", "git checkout -q " + b + " && git merge -q --no-edit b0", "git checkout -qf " + b,
	}
	return all[m.r.IntN(len(all))]
}

// Run runs a command line, without helve.
func Run(dir, line string) (string, error) { return runIn(dir, line) }

func runIn(dir, line string, more ...string) (string, error) {
	c := exec.CommandContext(context.Background(), "sh", "-c", line)
	c.Dir = dir
	c.Env = append(more, "PATH="+os.Getenv("PATH"), "HOME=/home/nobody", "GIT_CONFIG_NOSYSTEM=1", "GIT_EDITOR=false", "GIT_SEQUENCE_EDITOR=false")
	out, err := c.CombinedOutput()
	return string(out), err
}

// Copy copies a repository to a directory that does not exist.
func Copy(from, to string) error {
	if out, err := exec.CommandContext(context.Background(), "cp", "-a", from, to).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// ids finds the names of commits in the marks of a conflict, which differ as their times do.
var ids = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^([<>|]{7}) [0-9a-f]{7,40}\b`) })

// named finds short names of commits, as the subjects of stashes have them.
var named = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b[0-9a-f]{7,12}\b`) })

// State returns all of a repository that a command of git may change, but for the times and
// names of commits.
func State(dir string) (map[string]string, error) {
	state := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		switch {
		case d.Name() == ".git" && d.IsDir(), rel == "remote":
			return filepath.SkipDir
		case d.Name() == ".git", rel == "m.mbox", rel == "p.patch", rel == ".helve":
			return err
		}
		info, statErr := d.Info()
		if err = errors.Join(err, statErr); err != nil {
			return err
		}
		var data []byte
		switch {
		case d.Type()&fs.ModeSymlink != 0:
			var target string
			target, err = os.Readlink(path)
			data = []byte(target)
		case d.Type().IsRegular():
			data, err = os.ReadFile(path)
		}
		state[rel] = info.Mode().String() + " " + ids().ReplaceAllString(string(data), "$1 id")
		return err
	})
	for _, question := range [...]string{"ls-files -s", "status --porcelain", "rev-parse --abbrev-ref HEAD", "stash list --format=%T%gd", "diff --stat"} {
		out, _ := Run(dir, "git "+question) // what it says if there is no answer is compared, too
		state["git "+question] = out
	}
	return state, errors.Join(err, history(dir, state))
}

// history adds to a state what each reference names: a digest of the commit's tree, its
// subject and, in the same way, of its parents. So it does not depend on the times of
// commits, nor on the order in which git lists those of different branches.
func history(dir string, state map[string]string) error {
	log, err := Run(dir, "git log --all HEAD --topo-order --reverse --format='%H%x00%P%x00%T %s'")
	if err != nil {
		return fmt.Errorf("%w %s", err, log)
	}
	digests := map[string]string{}
	for line := range strings.Lines(log) {
		id, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\x00")
		parents, about, _ := strings.Cut(rest, "\x00")
		sum := sha256.New()
		sum.Write([]byte(named().ReplaceAllString(about, "id")))
		for parent := range strings.FieldsSeq(parents) {
			sum.Write([]byte("\n" + digests[parent]))
		}
		digests[id] = hex.EncodeToString(sum.Sum(nil))
	}
	refs, err := Run(dir, "echo HEAD $(git rev-parse HEAD); git for-each-ref --format='%(refname) %(objectname)'")
	for line := range strings.Lines(refs) {
		name, id, _ := strings.Cut(strings.TrimSpace(line), " ")
		state["ref "+name] = digests[id]
	}
	return err
}
