package moves

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
)

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
	ff, _ := l.last("--ff --no-ff --ff-only")
	for _, name := range names {
		if commit := p.commit(name); commit != "" && (ff.name != "--ff-only" || p.leads(commit)) {
			p.merges("HEAD", commit)
		}
	}
	p.autostash(l)
}

// leads reports whether a commit has HEAD's among those before it.
func (p *plan) leads(commit string) bool {
	_, ok := p.run("merge-base", "--is-ancestor", cmp.Or(p.commit("HEAD"), "HEAD"), commit)
	return ok
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
	p.takes(nil) // and brings it back after a merge that fails
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
// renamed between two commits: it looks for the new names of changed files alone, so another
// file that went is not taken for the one that came.
func (p *plan) followed(all []entry, from, to string) []entry {
	out, ok := p.run(words([]string{"diff-tree"}, rawOptions, []string{"--diff-filter=AD", from, to, "--"})...)
	if !ok {
		return all
	}
	var gone, come []string
	for _, e := range parse(out) {
		literal := ":(top,literal)" + e.path
		if e.newBlob == "" && slices.ContainsFunc(all, func(c entry) bool { return c.path == e.path }) {
			gone = append(gone, literal)
		} else if e.newBlob != "" && p.Wants(filepath.Join(p.top, filepath.FromSlash(e.path))) {
			come = append(come, literal)
		}
	}
	if len(gone) == 0 || len(come) == 0 {
		return all
	}
	out, ok = p.run(words([]string{"diff-tree", "-r", "--raw", "--no-abbrev", "-z", "-M", "--diff-filter=R", "--no-ext-diff", "--no-textconv", from, to, "--"}, gone, come)...)
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
			// git follows from the commit before, and from the commit itself to take it back.
			for _, from := range [...]string{e.commit + "^", e.commit} {
				all = p.followed(all, from, cmp.Or(p.commit("HEAD"), "HEAD"))
			}
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
