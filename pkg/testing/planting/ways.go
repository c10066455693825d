// Package planting has ways in which a command has a person run code later, with the person
// who does. Tests and benchmarks go them.
package planting

import (
	"os/exec"
	"path/filepath"
	"strings"
)

// Way is one way to have the person run code later: what the person had, what a command
// does, and what the person does then. All are for sh in a repository of its own, with a
// submodule in sub. $P is the code, hook FILE makes a hook of it, and evil appends a setting
// with it to the files that it is given.
type Way struct{ Name, Before, Plant, Act string }

const (
	status   = "git status"
	checkout = "git checkout -q other"
	direnv   = `test ! -f .envrc || . ./.envrc`
	// editor stands for an editor, an agent or a CI that obeys what it finds, on a file
	// system without regard to case.
	editor = `find . -type f -ipath "$OBEYED" ! -path '*.refused-*' -exec sh {} ';'`
)

// Ways are more than forty.
func Ways() []Way {
	all := []Way{
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
		{"the steps of a rebase", "", `mkdir .git/rebase-merge; git rev-parse HEAD > .git/rebase-merge/onto; git rev-parse HEAD > .git/rebase-merge/orig-head; echo refs/heads/main > .git/rebase-merge/head-name
			touch .git/rebase-merge/interactive .git/rebase-merge/done .git/rebase-merge/quiet; echo 1 > .git/rebase-merge/msgnum; echo 1 > .git/rebase-merge/end; echo "exec $P" > .git/rebase-merge/git-rebase-todo`, "git rebase --continue"},
		{"a rebase that stops", "", `git commit -q --allow-empty -m x; git rebase -q -x false -x "$P" HEAD~1`, "git rebase --continue"},
		{"a repository whose objects are a socket", "", `mkdir -p b/refs b/w; echo "ref: refs/heads/x" > b/HEAD; printf '[core]\nrepositoryformatversion=0\nbare=false\nworktree=w\n' > b/config; evil b/config; python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("b/objects")' || mkdir b/objects`, "cd b; git status"},
		{"python's debugger", "", `echo "import os; os.system('$P')" > .pdbrc; echo pass > x.py`, "echo c | python3 -m pdb x.py"},
		{"python's debugger in a linked directory", "", `mkdir d; cd d; echo "import os; os.system('$P')" > .pdbrc; echo pass > x.py`, "cd d; echo c | python3 -m pdb x.py"},
		{"a linked directory of settings", "", `mkdir x; echo "$P" > x/lefthook.json; ln -s x .config`, "OBEYED='*/.config/*'; set -- -L;" + strings.Replace(editor, "find .", "find -L .", 1)},
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
		all = append(all, Way{name, "", `mkdir -p ` + filepath.Dir(name) + `; echo "$P" > ` + name, "OBEYED='*/" + name + "';" + editor})
	}
	if _, err := exec.LookPath("zsh"); err == nil {
		all = append(all, Way{"zsh", "", `echo "$P" > .zshrc`, "HOME=$PWD zsh -i -c true"}, Way{"every zsh", "", `echo "$P" > .zshenv`, "HOME=$PWD zsh -c true"})
	}
	return all
}
