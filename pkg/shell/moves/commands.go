package moves

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
)

// commands read the words behind the subcommand, by its name.
var commands = map[string]func(*plan, []string){
	"checkout": (*plan).checkout, "switch": (*plan).switches, "reset": (*plan).reset, "restore": (*plan).restore, "merge": (*plan).merge,
	"stash": (*plan).stash, "cherry-pick": (*plan).picks, "revert": (*plan).picks, "rebase": (*plan).rebase, "pull": (*plan).pull,
	"worktree": (*plan).worktree, "am": (*plan).am, "apply": (*plan).apply,
}

// emptyTree is the id of a tree without files, which git knows without having it.
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

func (p *plan) checkout(args []string) {
	l := split(args, "-b -B --orphan --conflict --pathspec-from-file --unified -U --inter-hunk-context")
	creates := l.has("-b -B --orphan")
	source := ""
	if len(l.operands) > 0 {
		source = p.branch(l.operands[0])
	}
	paths := l.paths
	if len(l.operands) > 0 && !creates {
		named := l.operands
		if source != "" {
			named = named[1:]
		}
		paths = append(slices.Clone(named), paths...)
	}
	switch {
	case len(paths) > 0 || l.has("-p --patch --pathspec-from-file"):
		p.overwritesFrom(source, paths)
	case source != "" || len(l.operands) == 0:
		p.goes(cmp.Or(source, "HEAD"), l.has("-f --force"))
	}
}

// branch returns the commit that checkout and switch go to by a name: also that of the
// branch of a remote with that name, which they follow then.
func (p *plan) branch(name string) string {
	if name == "-" {
		name = "@{-1}"
	}
	if id := p.commit(name); id != "" {
		return id
	}
	out, ok := p.run("for-each-ref", "--format=%(objectname)", "refs/remotes/*/"+name)
	if ids := strings.Fields(out); ok && len(ids) > 0 && !slices.ContainsFunc(ids, func(id string) bool { return id != ids[0] }) {
		return ids[0]
	}
	return ""
}

// goes adds that the working tree becomes that of a commit, where HEAD leads to, too.
func (p *plan) goes(commit string, forced bool) {
	if forced {
		p.overwrites(commit, nil)
	}
	if from := p.commit("HEAD"); from != "" && from != commit && commit != "HEAD" {
		p.becomes(from, commit, false)
		p.f.Head = commit
	}
}

// overwritesFrom adds that files get what they have in a commit, "" for the index.
func (p *plan) overwritesFrom(commit string, paths []string) {
	if commit == "" {
		p.overwritesByIndex(paths)
	} else {
		p.overwrites(commit, paths)
	}
}

func (p *plan) switches(args []string) {
	l := split(args, "-c -C --create --force-create --orphan --conflict")
	if l.has("--orphan") {
		if from := p.commit("HEAD"); from != "" {
			p.becomes(from, emptyTree, false)
		}
		return
	}
	if commit := p.branch(l.operand(0, "HEAD")); commit != "" {
		p.goes(commit, l.has("-f --force --discard-changes"))
	}
}

func (p *plan) reset(args []string) {
	l := split(args, "--pathspec-from-file")
	if !l.has("--hard --merge --keep") {
		return
	}
	if commit := p.commit(l.operand(0, "HEAD")); commit != "" {
		p.overwrites(commit, nil)
	}
}

func (p *plan) restore(args []string) {
	l := split(args, "-s --source --conflict --pathspec-from-file")
	if l.has("-S --staged") && !l.has("-W --worktree") {
		return
	}
	paths := append(slices.Clone(l.operands), l.paths...)
	name, ok := l.value("-s --source")
	if !ok && l.has("-S --staged") {
		name, ok = "HEAD", true
	}
	if !ok {
		p.overwritesByIndex(paths)
	} else if commit := p.commit(name); commit != "" {
		p.overwrites(commit, paths)
	}
}

func (p *plan) worktree(args []string) {
	if len(args) == 0 || args[0] != "add" {
		return
	}
	l := split(args[1:], "-b -B --reason")
	if len(l.operands) == 0 || l.has("--no-checkout --orphan") {
		return
	}
	dir := join(p.dir, l.operands[0])
	commit := ""
	if len(l.operands) > 1 {
		commit = p.branch(l.operands[1])
	} else if !l.has("-b -B --detach -d") {
		commit = p.branch(filepath.Base(dir))
	}
	if commit = cmp.Or(commit, p.commit("HEAD")); commit == "" {
		return
	}
	if real, err := filepath.EvalSymlinks(filepath.Dir(dir)); err == nil {
		dir = filepath.Join(real, filepath.Base(dir))
	}
	all := p.files(commit)
	if !slices.ContainsFunc(all, func(e entry) bool { return p.Wants(filepath.Join(dir, filepath.FromSlash(e.path))) }) {
		return
	}
	o := p.origin(commit)
	for _, e := range all {
		p.change(dir, e.path, o.brings(e.path, e.newBlob, false), false, e.newBlob)
	}
	p.shows(p.dir, "diff-tree", "-p", "--no-ext-diff", "--no-textconv", emptyTree, commit)
}
