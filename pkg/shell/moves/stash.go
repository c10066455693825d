package moves

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

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
