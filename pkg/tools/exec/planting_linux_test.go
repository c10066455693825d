package exec

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/tool"
)

// way is one way to have the person run code later: what the person had, what a
// command does, and what the person does then. All are for sh in a repository of its
// own, with a submodule in sub. $P is the code, hook FILE makes a hook of it, and evil
// appends a setting with it to the files that it is given.
type way struct{ name, before, plant, act string }

const (
	status   = "git status"
	checkout = "git checkout -q other"
	direnv   = `test ! -f .envrc || . ./.envrc`
	// editor stands for an editor, an agent or a CI that obeys what it finds, on a file
	// system without regard to case.
	editor = `find . -type f -ipath "$OBEYED" ! -path '*.refused-*' -exec sh {} ';'`
)

// ways are at least forty.
func ways() []way {
	all := []way{
		{"hook", "", "hook .git/hooks/post-checkout", checkout},
		{"settings", "", "evil .git/config", status},
		{"settings by git", "", `git config core.fsmonitor "$P;:"`, status},
		{"settings renamed into place", "", "cp .git/config c; evil c; mv -f c .git/config", status},
		{"settings through a link", "", "ln -s .git g; evil g/config", status},
		{"settings through a hard link", "", "ln .git/config c; evil c", status},
		{"settings through a hard link from before", "ln .git/config c", "evil c", status},
		{"settings of the worktree", "git config extensions.worktreeConfig true", "evil .git/config.worktree", status},
		{"a file that settings include", "touch team.cfg; git config include.path ../team.cfg", "evil team.cfg", status},
		{"one that does not exist", "git config include.path ../team.cfg", "evil team.cfg", status},
		{"one under a condition", "git config includeIf.gitdir:/.path ../team.cfg", "evil team.cfg", status},
		{"one that is included by it", "printf '[include]\\npath = more\\n' > .git/first; git config include.path first", "evil .git/more", status},
		{"hooks elsewhere", "mkdir mine; git config core.hooksPath mine", "hook mine/post-checkout", checkout},
		{"hooks in a directory that does not exist", "git config core.hooksPath to/hooks", "hook to/hooks/post-checkout", checkout},
		{"hooks in a directory that is renamed", "mkdir -p to/hooks; git config core.hooksPath to/hooks", "mv to from; hook to/hooks/post-checkout", checkout},
		{"husky", "mkdir .husky; git config core.hooksPath .husky", "hook .husky/post-checkout", checkout},
		{"a filter's program", "mkdir tools; printf 'cat\\n' > tools/clean; chmod +x tools/clean; git config filter.f.clean ./tools/clean; echo '*.f filter=f' > .gitattributes; echo x > a.f; git add .; git commit -qm f",
			`printf '%s\ncat\n' "$P" > tools/clean`, "echo y > a.f; git add a.f"},
		{"the program of fsmonitor", "mkdir tools; echo : > tools/watch; chmod +x tools/watch; git config core.fsmonitor tools/watch", "hook tools/watch", status},
		{"hooks swapped", "", "mv .git/hooks h; hook h/post-checkout; mv h .git/hooks", checkout},
		{"hooks as a link", "", "rm -rf .git/hooks; hook h/post-checkout; ln -s ../h .git/hooks", checkout},
		{".git swapped", "", "mv .git g; cp -r g .git; hook .git/hooks/post-checkout", checkout},
		{".git as a file", "", `mv .git g; evil g/config; echo "gitdir: g" > .git`, status},
		{".git as a link", "", "mv .git g; evil g/config; ln -s g .git", status},
		{"the directory swapped", "", `d=${PWD##*/}; cd ..; mv $d $d.old; cp -r $d.old $d; evil $d/.git/config`, status},
		{"common directory", "", "cp -r .git other; evil other/config; echo ../other > .git/commondir", status},
		{"settings of a submodule", "", "evil .git/modules/sub/config", status},
		{"hook of a submodule", "", "hook .git/modules/sub/hooks/post-checkout", "git submodule foreach -q git checkout -q --detach"},
		{"a submodule led elsewhere", "", `cp -r .git/modules/sub e; git config -f e/config core.worktree ../sub; evil e/config; echo "gitdir: ../e" > sub/.git`, status},
		{"a submodule with its own", "", `rm sub/.git; cp -r .git/modules/sub sub/.git; git config -f sub/.git/config --unset core.worktree; evil sub/.git/config`, status},
		{"a new repository as submodule", "", `git init -q n; git -C n commit -q --allow-empty -m n; evil n/.git/config; git add n 2>/dev/null; echo x > n/x`, status},
		{"a new repository", "", "git init -q n; evil n/.git/config", "cd n; git status"},
		{"a new repository with a hook", "", "git init -q n; git -C n commit -q --allow-empty -m n; hook n/.git/hooks/post-checkout", "git -C n checkout -q --detach"},
		{"a clone", "", "git clone -q . n; evil n/.git/config", "cd n; git status"},
		{"a repository with its directory apart", "", "git init -q --separate-git-dir d n; evil d/config", "cd n; git status"},
		{"one from before", "git init -q --separate-git-dir d n", "evil d/config", "cd n; git status"},
		{"GIT_DIR", "", `mkdir n; GIT_DIR=d GIT_WORK_TREE=n git init -q; evil d/config; echo "gitdir: ../d" > n/.git`, "cd n; git status"},
		{"a directory that git takes for a repository", "", `mkdir -p docs/objects docs/refs docs/w; echo "ref: refs/heads/x" > docs/HEAD; printf '[core]\nrepositoryformatversion=0\nbare=false\nworktree=w\n' > docs/config; evil docs/config`, "cd docs; git status"},
		{"a bare repository", "git init -q --bare b.git", "hook b.git/hooks/post-receive", "git push -q b.git HEAD:x"},
		{"a new bare repository", "", "git init -q --bare b.git; hook b.git/hooks/post-receive", "git push -q b.git HEAD:x"},
		{"a worktree's common directory", "git worktree add -q t", "cp -r .git e; evil e/config; echo ../../../e > .git/worktrees/t/commondir", "cd t; git status"},
		{"a worktree led elsewhere", "git worktree add -q t", `cp -r .git/worktrees/t e; cp -r .git c; evil c/config; echo ../c > e/commondir; echo "gitdir: ../e" > t/.git`, "cd t; git status"},
		{"settings of a new worktree", "git config extensions.worktreeConfig true", "git worktree add -q t; evil .git/worktrees/t/config.worktree", "cd t; git status"},
		{"settings of an old worktree", "git config extensions.worktreeConfig true; git worktree add -q t", "evil .git/worktrees/t/config.worktree", "cd t; git status"},
		{"a submodule of a worktree", "git worktree add -q t; cd t; git submodule --quiet update --init", "evil .git/worktrees/t/modules/sub/config", "cd t; git status"},
		{"another spelling of .git", "", "hook .GIT/hooks/post-checkout", `find . -path './.[gG][iI][tT]/hooks/post-checkout' -exec sh {} ';'`},
		{"direnv", "", `echo "$P" > .envrc`, direnv},
		{"direnv from before", "echo : > .envrc", `echo "$P" >> .envrc`, direnv},
		{"direnv in place", "echo : > .envrc", `echo "$P" > x; mv x .envrc`, direnv},
		{"direnv in a new directory", "", `mkdir -p x/y; echo "$P" > x/y/.envrc`, "cd x/y;" + direnv},
		{"direnv as a link", "", `echo "$P" > x; ln -s x .envrc`, direnv},
		{"direnv as a hard link", "", `echo "$P" > x; ln x .envrc`, direnv},
		{"bash", "", `echo "$P" > .bashrc`, `HOME=$PWD bash -i -c true`},
		{"a login", "", `echo "$P" > .bash_profile`, `HOME=$PWD bash -l -c true`},
		{"a login of any shell", "", `echo "$P" > .profile`, `HOME=$PWD bash -l -c true`},
		{"what a start file names is renamed", "mkdir home; echo : > home/.bashrc", `mv home h; mkdir home; echo "$P" > home/.bashrc`, `HOME=$PWD/home bash -i -c true`},
		{"out of git's objects", "", `o=$(echo "$P" | git hash-object -w --stdin); git update-index --add --cacheinfo 100644,$o,.vscode/tasks.json; git checkout-index .vscode/tasks.json`, "OBEYED='*/.vscode/*';" + editor},
		{"a directory renamed into place", "", `mkdir x; echo "$P" > x/tasks.json; mv x .vscode`, "OBEYED='*/.vscode/*';" + editor},
		{"out of an archive", "", `mkdir x; echo "$P" > x/tasks.json; tar -cf t.tar --transform s,^x,.vscode, x; tar -xf t.tar`, "OBEYED='*/.vscode/*';" + editor},
		{"in a directory from before", "mkdir .vscode; echo : > .vscode/settings.json", `echo "$P" > .vscode/tasks.json`, "OBEYED='*/.vscode/*';" + editor},
		{"in a linked directory", "mkdir .vscode; ln -s .vscode v", `echo "$P" > v/tasks.json`, "OBEYED='*/.vscode/*';" + editor},
		{"through a link from before", "mkdir real; ln -s real .vscode", `echo "$P" > real/tasks.json`, "OBEYED='*/real/*';" + editor},
	}
	for _, name := range []string{
		".vscode/tasks.json", ".VSCode/tasks.json", "c/d/.vscode/tasks.json", ".idea/workspace.xml", "x.code-workspace", ".devcontainer/devcontainer.json", ".zed/tasks.json", ".nvim.lua", ".exrc",
		".dir-locals.el", ".claude/settings.json", ".cursor/mcp.json", ".codex/config.toml", ".gemini/settings.json", ".windsurf/x", ".roo/mcp.json",
		".opencode/x", ".mcp.json", ".aider.conf.yml", ".github/workflows/ci.yml", ".cargo/config.toml", ".npmrc", ".pre-commit-config.yaml", "mise.toml",
		"lefthook.toml", ".config/lefthook.json", "mise.local.toml", "prek.toml", "Jenkinsfile", ".gitea/workflows/x.yml", ".github/hooks/x.json", ".github/mcp.json", ".qwen/x", "crush.json", ".factory/x", ".openhands/setup.sh", ".agents/x", "mcp.json",
		".run/x.xml", ".vs/tasks.json", ".helix/languages.toml", ".pdbrc", ".Rprofile", ".iex.exs", "rust-toolchain.toml", "Rust-Toolchain.toml", "bunfig.toml", ".pnpmfile.cjs", ".yarn/releases/x", ".mvn/jvm.config", ".bazelrc", "global.json",
	} {
		all = append(all, way{name, "", `mkdir -p ` + filepath.Dir(name) + `; echo "$P" > ` + name, "OBEYED='*/" + name + "';" + editor})
	}
	if _, err := exec.LookPath("zsh"); err == nil {
		all = append(all, way{"zsh", "", `echo "$P" > .zshrc`, "HOME=$PWD zsh -i -c true"}, way{"every zsh", "", `echo "$P" > .zshenv`, "HOME=$PWD zsh -c true"})
	}
	return all
}

const planter = `
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
hook() { mkdir -p "$(dirname "$1")"; printf '#!/bin/sh\n%s\n' "$P" > "$1"; chmod +x "$1"; }
evil() { printf '[core]\n\tfsmonitor = "%s;:"\n' "$P" >> "$1"; }
`

// grove is a directory with a repository for each way, and the person's home.
type grove struct {
	t         *testing.T
	dir, home string
	ways      []way
}

func newGrove(t *testing.T, dir string, ways []way) *grove {
	t.Helper()
	for _, judge := range []string{"git", "bash"} {
		if _, err := exec.LookPath(judge); err != nil {
			t.Skip("no " + judge)
		}
	}
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g := &grove{t, dir, home, ways}
	g.person("HOME", "", `git config --global user.name a; git config --global user.email a@b; git config --global protocol.file.allow always; git config --global init.defaultBranch main
		mkdir -p template/hooks template/info; git config --global init.templateDir ~/template
		git config --global advice.addEmbeddedRepo false; mkdir marks lib; cd lib; git init -q; git commit -q --allow-empty -m lib; cd ..; git init -q one; cd one; echo a > a; git add a; git commit -qm a
		git submodule --quiet add ../lib sub; git commit -qm sub; git branch other`)
	var script strings.Builder
	for i, w := range g.ways {
		fmt.Fprintf(&script, "cp -r \"$HOME/one\" w%d; (cd w%d; %s) || exit 1\n", i, i, w.before)
	}
	g.person("", "", script.String())
	return g
}

// person runs a script as the person, in the home or in a directory of the grove.
func (g *grove) person(in, way, script string) {
	g.t.Helper()
	c := exec.Command("sh", "-c", script)
	c.Dir = filepath.Join(g.dir, in)
	if in == "HOME" {
		c.Dir = g.home
	}
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + g.home, "GIT_CONFIG_NOSYSTEM=1", "GIT_EDITOR=true"}
	if out, err := c.CombinedOutput(); err != nil && way == "" {
		g.t.Fatalf("%v %s", err, out)
	}
}

// script does what all ways do, each in its directory.
func (g *grove) script() string {
	var b strings.Builder
	b.WriteString(planter)
	for i, w := range g.ways {
		fmt.Fprintf(&b, "(cd w%d && P='touch %s' && %s) >/dev/null 2>&1\n", i, g.mark(i), w.plant)
	}
	return b.String() + "true\n"
}

func (g *grove) mark(i int) string { return filepath.Join(g.home, "marks", fmt.Sprint(i)) }

// harvest has the person act after each way, and returns the names of those by which
// code ran.
func (g *grove) harvest() (ran []string) {
	g.t.Helper()
	for i, w := range g.ways {
		_ = os.Remove(g.mark(i)) // what a command runs by itself is not what the person runs
		g.person(fmt.Sprintf("w%d", i), w.name, w.act)
		if _, err := os.Stat(g.mark(i)); err == nil {
			ran = append(ran, w.name)
		}
	}
	return ran
}

// TestPlanting first shows that each way works, and then that none does through exec,
// in either sandbox. Ordinary work with git in the same tree goes on.
func TestPlanting(t *testing.T) {
	t.Run("unguarded", func(t *testing.T) {
		g := newGrove(t, t.TempDir(), ways())
		g.person("", "script", g.script())
		ran := map[string]bool{}
		for _, name := range g.harvest() {
			ran[name] = true
		}
		for _, w := range g.ways {
			if !ran[w.name] {
				t.Errorf("%s plants nothing even where nothing guards", w.name)
			}
		}
		if len(g.ways) < 40 {
			t.Errorf("only %d ways", len(g.ways))
		}
	})
	inBothKinds(t, config.Exec{}, func(t *testing.T, call *tool.Call, dir string) {
		g := newGrove(t, dir, ways())
		if err := os.WriteFile(filepath.Join(dir, "plant.sh"), []byte(g.script()), 0o644); err != nil {
			t.Fatal(err)
		}
		_, result := ran(t, call, "sh plant.sh")
		if result.ExitCode != 0 {
			t.Fatalf("%+v", result)
		}
		if planted := g.harvest(); len(planted) > 0 {
			t.Errorf("planted by %d of %d ways: %q\nrestored %q, moved aside %v", len(planted), len(g.ways), planted, result.Restored, result.Planted)
		}
		t.Logf("%d restored, %d moved aside, degraded: %q", len(result.Restored), len(result.Planted), result.Sandbox.Degraded)
	})
}

// TestPlantingMeanwhile has the person act while the command that went all ways still runs.
func TestPlantingMeanwhile(t *testing.T) {
	inBothKinds(t, config.Exec{}, func(t *testing.T, call *tool.Call, dir string) {
		g := newGrove(t, dir, ways())
		if err := os.WriteFile(filepath.Join(dir, "plant.sh"), []byte(g.script()), 0o644); err != nil {
			t.Fatal(err)
		}
		planted, next := filepath.Join(dir, "planted"), filepath.Join(dir, "next")
		for _, pipe := range []string{planted, next} {
			if err := unix.Mkfifo(pipe, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		acted := make(chan []string)
		go func() {
			_, _ = os.ReadFile(planted) // until the command says so, or has ended
			ran := g.harvest()
			if f, err := os.OpenFile(next, os.O_RDWR, 0); err == nil {
				_, _ = f.WriteString("on\n")
				defer f.Close()
			}
			acted <- ran
		}()
		_, result := ran(t, call, "sh plant.sh; echo done > planted; read line < next")
		if f, err := os.OpenFile(planted, os.O_WRONLY|unix.O_NONBLOCK, 0); err == nil {
			_ = f.Close() // the command has not said so
		}
		if all := <-acted; len(all) > 0 || result.ExitCode != 0 {
			t.Errorf("status %d, planted by %d of %d ways: %q", result.ExitCode, len(all), len(g.ways), all)
		}
	})
}

// TestGitWorks does ordinary work with git, of which nothing is refused or taken back.
func TestGitWorks(t *testing.T) {
	inBothKinds(t, config.Exec{}, func(t *testing.T, call *tool.Call, dir string) {
		g := newGrove(t, dir, nil)
		g.person("", "", "cp -r \"$HOME/one/.\" .; git worktree add -q old; mkdir .vscode; echo mine > .vscode/settings.json; git add .vscode; git commit -qm vscode; cp -r \"$HOME/lib\" lib")
		call.Env.Machine = func(machine func() (*tool.Machine, error)) func() (*tool.Machine, error) {
			m, err := machine()
			own := *m
			own.Environ = append(own.Environ, "HOME="+g.home)
			return func() (*tool.Machine, error) { return &own, err }
		}(call.Env.Machine)
		for _, command := range []string{
			"echo b >> a && git add a && git -c user.name=a -c user.email=a@b commit -qm b", "git checkout -q -b mine && git branch -q --set-upstream-to=main mine",
			"git worktree add -q new && git worktree remove old", "git -c protocol.file.allow=always submodule --quiet add ./lib again", "git submodule deinit -q -f sub", "git init -q nested && git clone -q lib cloned",
			"git stash -q; git checkout -q main && git -c user.name=a -c user.email=a@b merge -q mine", "git branch -D mine", "rm -r nested cloned",
		} {
			_, result := ran(t, call, command)
			if result.ExitCode != 0 || len(result.Restored)+len(result.Planted) > 0 {
				t.Errorf("%s: %s\nrestored %q, moved %v", command, result.Output, result.Restored, result.Planted)
			}
		}
	})
}
