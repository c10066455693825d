package moves

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/workspace/gitdir"
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

func (p *plan) merge(args []string) {
	l := split(args, "-s -X -m -F --strategy --strategy-option --message --file --into-name --cleanup")
	switch {
	case l.has("--abort"):
		p.overwrites("HEAD", nil)
		p.applies("MERGE_AUTOSTASH")
		return
	case l.has("--continue --quit"):
		return
	}
	names := l.operands
	if len(names) == 0 {
		names = []string{"@{upstream}"}
	}
	for _, name := range names {
		if commit := p.commit(name); commit != "" {
			p.merges("HEAD", commit)
		}
	}
	p.autostash(l)
}

// merges adds that what changed on the way to a commit is merged into another one.
func (p *plan) merges(into, commit string) {
	out, ok := p.run("merge-base", cmp.Or(p.commit(into), into), commit)
	base := strings.TrimSpace(out)
	switch head := p.commit(into); {
	case !ok || base == "":
		base = emptyTree
	case base == commit:
		return
	case base == head:
		p.becomes(head, commit, false)
		p.f.Head = commit
		return
	}
	out, ok = p.run(words([]string{"diff-tree"}, rawOptions, []string{base, commit, "--"})...)
	all := parse(out)
	if !ok {
		return
	}
	all = p.followed(all, base, cmp.Or(p.commit(into), into))
	if !p.wanted(all) {
		return
	}
	p.addAll(all, p.origin(commit), true)
	p.shows(p.dir, "diff-tree", "-p", "--no-ext-diff", "--no-textconv", base, commit)
}

// followed adds to some changes those of the files' other names, as git follows what was
// renamed between two commits.
func (p *plan) followed(all []entry, from, to string) []entry {
	out, ok := p.run("diff-tree", "-r", "--raw", "--no-abbrev", "-z", "-M", "--diff-filter=R", "--no-ext-diff", "--no-textconv", from, to, "--")
	if !ok {
		return all
	}
	for _, e := range parse(out) {
		if i := slices.IndexFunc(all, func(c entry) bool { return c.path == e.path }); i >= 0 && e.to != "" {
			renamed := all[i]
			renamed.path = e.to
			all = append(all, renamed)
		}
	}
	return all
}

// autostash adds that git takes changes away and brings them back.
func (p *plan) autostash(l line) {
	if l.has("--autostash") {
		p.takes(nil)
	}
}

// takes adds that what differs from HEAD goes, and may come back.
func (p *plan) takes(paths []string) {
	out, ok := p.run(words([]string{"diff-index", "-R"}, rawOptions, []string{"HEAD", "--"}, paths)...)
	all := parse(out)
	if !ok || !p.wanted(all) {
		return
	}
	for _, e := range all {
		if abs := filepath.Join(p.top, filepath.FromSlash(e.path)); p.Wants(abs) {
			p.f.Takes = append(p.f.Takes, abs)
		}
	}
	p.addAll(all, p.origin("HEAD"), true)
	p.shows(p.dir, "diff-index", "-p", "-R", "--no-ext-diff", "--no-textconv", "HEAD")
}

func (p *plan) stash(args []string) {
	sub := "push"
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		sub, args = args[0], args[1:]
	}
	l := split(args, "-m --message --pathspec-from-file")
	switch sub {
	case "push", "save":
		var paths []string
		if sub == "push" {
			paths = append(slices.Clone(l.operands), l.paths...)
		}
		p.takes(paths)
		if l.has("-u -a --include-untracked --all") {
			p.takesUntracked(l.has("-a --all"), paths)
		}
	case "pop", "apply":
		p.applies(stashName(l.operand(0, "0")))
	case "branch":
		name := stashName(l.operand(1, "0"))
		if commit := p.commit(name + "^1"); commit != "" {
			p.goes(commit, false)
		}
		p.applies(name)
	}
}

// stashName returns the full name of a stash, which may be a number.
func stashName(name string) string {
	if _, err := strconv.Atoi(name); err == nil {
		return "stash@{" + name + "}"
	}
	return name
}

// takesUntracked adds that files go which git does not track.
func (p *plan) takesUntracked(ignored bool, paths []string) {
	args := []string{"ls-files", "-z", "--full-name", "--others"}
	if !ignored {
		args = append(args, "--exclude-standard")
	}
	if len(paths) == 0 {
		paths = []string{":/"}
	}
	out, ok := p.run(words(args, []string{"--"}, paths)...)
	if !ok {
		return
	}
	for rel := range strings.SplitSeq(out, "\x00") {
		if abs := filepath.Join(p.top, filepath.FromSlash(rel)); rel != "" && p.Wants(abs) {
			p.f.Takes = append(p.f.Takes, abs)
			p.change(p.top, rel, false, true, "")
		}
	}
}

// applies adds that a stash is applied.
func (p *plan) applies(name string) {
	commit := p.commit(name)
	if commit == "" {
		return
	}
	out, ok := p.run(words([]string{"diff-tree"}, rawOptions, []string{commit + "^1", commit, "--"})...)
	all := parse(out)
	if !ok {
		return
	}
	untracked := p.commit(commit + "^3")
	if untracked != "" {
		all = append(all, p.files(untracked)...)
	}
	if all = p.followed(all, commit+"^1", cmp.Or(p.commit("HEAD"), "HEAD")); !p.wanted(all) {
		return
	}
	o := p.origin(commit)
	for _, e := range all {
		abs := filepath.Join(p.top, filepath.FromSlash(e.path))
		known := !p.Doubts && p.Had != nil && p.Had(abs, e.newBlob) // it was in the working tree
		p.change(p.top, e.path, o.brings(e.path, e.newBlob, false) && !known, true, e.newBlob)
	}
	p.shows(p.dir, "diff-tree", "-p", "--no-ext-diff", "--no-textconv", commit+"^1", commit)
	if untracked != "" {
		p.shows(p.dir, "diff-tree", "-p", "--no-ext-diff", "--no-textconv", emptyTree, untracked)
	}
}

// files returns the files of a commit as entries.
func (p *plan) files(commit string) []entry {
	out, ok := p.run(words([]string{"diff-tree"}, rawOptions, []string{emptyTree, commit, "--"})...)
	if !ok {
		return nil
	}
	return parse(out)
}

// picks reads the words of cherry-pick and revert.
func (p *plan) picks(args []string) {
	l := split(args, "-m -X --mainline --strategy --strategy-option --cleanup")
	switch {
	case l.has("--quit"):
		return
	case l.has("--abort"):
		p.overwrites("HEAD", nil)
		if commit := p.commit(p.git.First("sequencer/head")); commit != "" {
			p.goes(commit, true)
		}
		return
	case l.has("--continue --skip"):
		p.overwrites("HEAD", nil)
		p.pick(p.git.Todo("sequencer/todo"))
		return
	}
	walk := slices.ContainsFunc(l.operands, func(name string) bool { return strings.Contains(name, "..") || strings.HasPrefix(name, "^") })
	list := []string{"rev-list"}
	if !walk {
		list = append(list, "--no-walk=unsorted")
	}
	names := slices.Clone(l.operands)
	for i, name := range names {
		names[i] = p.moved(name)
	}
	if out, ok := p.run(words(list, names, []string{"--"})...); ok && len(names) > 0 {
		p.pick(strings.Fields(out))
	}
}

// pick adds that the changes of some commits are made again, or taken back.
func (p *plan) pick(ids []string) {
	if len(ids) == 0 {
		return
	}
	out, ok := p.ask(strings.Join(ids, "\n")+"\n", "log", "--format=%H", "--raw", "--no-abbrev", "-z", "-m", "--no-walk=unsorted", "--no-renames", "--no-show-signature", "--stdin", "--")
	all := parse(out)
	if !ok {
		return
	}
	commits := map[string]bool{}
	for _, e := range all {
		commits[e.commit] = true
	}
	bases := map[string]bool{}
	for _, e := range all {
		if !bases[e.commit] {
			bases[e.commit] = true
			all = p.followed(all, e.commit, cmp.Or(p.commit("HEAD"), "HEAD"))
		}
		if len(bases) == mostFollowed {
			break
		}
	}
	if !p.wanted(all) {
		return
	}
	unknown := p.unknown(ids)
	for _, e := range all {
		p.change(p.top, e.path, unknown == nil || unknown[e.commit], true, e.newBlob)
	}
	p.shows(p.dir, words([]string{"log", "-p", "--no-walk=unsorted", "--format=%h %s", "--no-ext-diff", "--no-textconv", "--no-show-signature"}, ids[:min(len(ids), mostFollowed)])...)
}

// mostFollowed limits the commits for which renames are followed, and those that are
// shown.
const mostFollowed = 50

// unknown returns those of some commits that are not known; nil for all.
func (p *plan) unknown(ids []string) map[string]bool {
	if p.Doubts {
		return nil
	}
	out, ok := p.ask(p.but(ids...), "--no-replace-objects", "rev-list", "--ignore-missing", "--stdin", "--")
	if !ok {
		return nil
	}
	found := map[string]bool{}
	for id := range strings.FieldsSeq(out) {
		found[id] = true
	}
	return found
}

func (p *plan) rebase(args []string) {
	l := split(args, "-s -X -x -C --onto --strategy --strategy-option --exec --whitespace --empty")
	state := "rebase-merge"
	if p.git.First(state+"/orig-head") == "" {
		state = "rebase-apply"
	}
	switch {
	case l.has("--quit --edit-todo --show-current-patch"):
		return
	case l.has("--abort"):
		p.overwrites("HEAD", nil)
		if commit := p.commit(p.git.First(state + "/orig-head")); commit != "" {
			p.goes(commit, true)
		}
		p.applies(p.git.First(state + "/autostash"))
		return
	case l.has("--continue --skip"):
		p.overwrites("HEAD", nil)
		p.pick(p.git.Todo(state + "/git-rebase-todo"))
		p.patches(p.git.Mails("rebase-apply"), nil)
		p.applies(p.git.First(state + "/autostash"))
		return
	}
	branch := p.commit(l.operand(1, "HEAD"))
	upstream := p.commit(l.operand(0, "@{upstream}"))
	onto := upstream
	if l.has("--root") {
		branch, upstream = p.commit(l.operand(0, "HEAD")), ""
	}
	if name, ok := l.value("--onto"); ok {
		onto = p.commit(name)
	}
	if branch == "" || onto == "" && upstream == "" && !l.has("--root") {
		return
	}
	p.rebases(branch, upstream, onto)
	p.autostash(l)
}

// rebases adds that the commits from one commit to a branch are made again on another.
func (p *plan) rebases(branch, upstream, onto string) {
	p.goes(branch, false)
	if onto != "" {
		p.becomes(branch, onto, true)
	}
	list := []string{"rev-list", "--no-merges", "--reverse", branch}
	if upstream != "" {
		list = append(list, "^"+upstream)
	}
	if out, ok := p.run(append(list, "--")...); ok {
		p.pick(strings.Fields(out))
	}
}

// pull reads the words of a pull, whose second half is foreseen once the first is done.
func (p *plan) pull(args []string) {
	l := split(args, "-s -X -j --strategy --strategy-option --depth --deepen --shallow-since --shallow-exclude --upload-pack --negotiation-tip --refmap --server-option --jobs --cleanup -o")
	fetch := []string{"fetch"}
	for _, o := range l.options {
		switch {
		case slices.ContainsFunc([]string{"--quiet", "--verbose", "--tags", "--no-tags", "--prune", "--all", "--depth", "--deepen", "--unshallow", "--ipv4", "--ipv6", "--force"}, func(name string) bool { return abbreviates(o.name, name) }),
			slices.Contains([]string{"-q", "-v", "-t", "-p", "-4", "-6", "-f"}, o.name):
			if fetch = append(fetch, o.name); o.value != "" {
				fetch[len(fetch)-1] += "=" + o.value
			}
		}
	}
	rest := []string{"merge"}
	if p.rebasing(l) {
		rest = []string{"rebase"}
	}
	for _, o := range l.options {
		if slices.Contains([]string{"-q", "--quiet"}, o.name) || slices.Contains([]string{"--no-commit", "--squash", "--no-ff", "--ff-only", "--ff", "--no-edit", "--autostash", "--no-verify", "--allow-unrelated-histories"}, o.name) && (rest[0] == "merge" || o.name == "--autostash") {
			rest = append(rest, o.name)
		}
	}
	p.f.Fetch, p.f.Rest = append(fetch, l.operands...), append(rest, "FETCH_HEAD")
}

// rebasing reports whether a pull rebases, by its options or the settings.
func (p *plan) rebasing(l line) bool {
	if l.has("--no-rebase") {
		return false
	}
	if value, ok := l.value("-r --rebase"); ok {
		return value != "false"
	}
	out, ok := p.run("symbolic-ref", "--quiet", "--short", "HEAD")
	for _, key := range []string{"branch." + strings.TrimSpace(out) + ".rebase", "pull.rebase"} {
		if value, set := p.run("config", "--get", key); ok && set {
			return strings.TrimSpace(value) != "false"
		}
	}
	return false
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

func (p *plan) am(args []string) {
	l := split(args, "-C -p --directory --exclude --include --patch-format --resolvemsg --whitespace")
	switch {
	case l.has("--quit --show-current-patch"):
		return
	case l.has("--abort"):
		p.overwrites("HEAD", nil)
		if commit := p.commit("ORIG_HEAD"); commit != "" {
			p.goes(commit, true)
		}
		return
	case l.has("--continue --resolved -r --skip"):
		p.overwrites("HEAD", nil)
		p.patches(p.git.Mails("rebase-apply"), nil)
		return
	}
	p.patches(p.named(append(l.operands, l.paths...)), where(l))
}

func (p *plan) apply(args []string) {
	l := split(args, "-C -p --directory --exclude --include --whitespace --build-fake-ancestor")
	if l.has("--cached") || l.has("--check --stat --numstat --summary --build-fake-ancestor") && !l.has("--apply") {
		return
	}
	p.patches(p.named(append(l.operands, l.paths...)), where(l))
}

// where returns the options that say where the paths of a patch lead.
func where(l line) (options []string) {
	if value, ok := l.value("-p"); ok {
		options = append(options, "-p"+value)
	}
	if value, ok := l.value("--directory"); ok {
		options = append(options, "--directory="+value)
	}
	return options
}

// named returns the files of patches that words name, "" for the standard input.
func (p *plan) named(names []string) (files []string) {
	for _, name := range names {
		if name == "-" {
			files = append(files, "")
		} else {
			files = append(files, join(p.dir, name))
		}
	}
	if len(names) == 0 {
		files = append(files, "")
	}
	return files
}

// patches adds the changes that patches in files make.
func (p *plan) patches(files, options []string) {
	for _, file := range files {
		input := ""
		if file == "" {
			input, file = p.call.Text, p.call.Input
		}
		if input == "" && file == "" {
			continue
		}
		brought := false
		for _, back := range [][]string{nil, {"-R"}} { // backwards, it names the files that go
			args := words([]string{"apply", "--numstat", "-z"}, options, back)
			if file != "" {
				args = append(args, "--", file)
			}
			out, ok := p.ask(input, args...)
			if !ok {
				continue
			}
			for one := range strings.SplitSeq(out, "\x00") {
				if fields := strings.SplitN(one, "\t", 3); len(fields) == 3 {
					before := len(p.f.Brought())
					for _, top := range slices.Compact([]string{p.top, p.dir}) {
						p.change(top, fields[2], true, true)
					}
					brought = brought || len(p.f.Brought()) > before
				}
			}
		}
		if brought {
			text := input
			if file != "" {
				text = gitdir.Text(file)
			}
			p.f.shows = append(p.f.shows, show{text: text})
		}
	}
}
