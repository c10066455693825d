package moves

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/workspace/gitdir"
)

// Pull is a pull in its two halves. What the first one fetches says what the second will do.
type Pull struct {
	Fetch []string // the words of a command of git
	// Refused says that git fetches nothing, because of the state of the working tree.
	Refused bool
	rest    []string // those of the second half, up to what was fetched
	// fork is the commit at which a branch that is rebased left the other one, "" where git
	// does not tell: the other one may have lost commits since.
	fork string
}

// Rest returns the words of the second half, once the first one is done; nil if git has
// nothing to join, or too much, and will say so.
func (p Pull) Rest(ctx context.Context, w World, dir string) ([]string, error) {
	const fetched = "FETCH_HEAD"
	d, _ := gitdir.Above(dir)
	heads := slices.DeleteFunc(strings.Split(strings.TrimSpace(gitdir.Text(filepath.Join(d.Path, fetched))), "\n"), func(line string) bool {
		_, note, ok := strings.Cut(line, "\t")
		return !ok || strings.HasPrefix(note, "not-for-merge")
	})
	switch {
	case len(heads) == 0, p.rest[0] == "rebase" && len(heads) > 1:
		return nil, nil
	case p.fork == "":
		return append(slices.Clone(p.rest), fetched), nil
	}
	out, ok, err := w.Git(ctx, dir, "", "merge-base", "--octopus", "HEAD", fetched, p.fork)
	if err != nil || ok && strings.TrimSpace(out) == p.fork {
		return append(slices.Clone(p.rest), fetched), err
	}
	return append(slices.Clone(p.rest), "--onto", fetched, p.fork), nil
}

// Options of a pull that are those of its halves. With a value behind =, it is theirs, too.
const (
	fetchOptions = "--quiet --verbose --tags --no-tags --prune --all --depth --deepen --unshallow --ipv4 --ipv6 --force -q -v -t -p -4 -6 -f"
	bothOptions  = "--quiet --verbose --strategy --strategy-option --gpg-sign --no-gpg-sign --autostash --no-autostash -q -v -s -X -S"
	mergeOptions = "--stat --no-stat --summary --no-summary --log --no-log --signoff --no-signoff --squash --no-squash --commit --no-commit " +
		"--edit --no-edit --cleanup --verify --no-verify --verify-signatures --no-verify-signatures --allow-unrelated-histories -n -e"
)

// pull reads the words of a pull, whose second half is foreseen once the first is done.
func (p *plan) pull(args []string) {
	l := split(args, "-s -X -j --strategy --strategy-option --depth --deepen --shallow-since --shallow-exclude --upload-pack --negotiation-tip --refmap --server-option --jobs --cleanup -o")
	pull := &Pull{Fetch: slices.Concat([]string{"fetch"}, l.only(fetchOptions), l.operands), rest: append(p.joins(l), l.only(bothOptions)...)}
	pull.Refused = p.refusesPull(l)
	if pull.rest[0] == "rebase" {
		pull.fork = p.fork(l.operands)
	} else {
		pull.rest = append(pull.rest, l.only(mergeOptions)...)
	}
	p.f.Pull = pull
}

// joins returns the command by which a pull joins what it fetches, by its options and the
// settings.
func (p *plan) joins(l line) []string {
	ff, _ := l.last("--ff --no-ff --ff-only")
	rebase, chosen := l.last("--rebase --no-rebase -r")
	kind := rebase.value
	if rebase.name == "--no-rebase" {
		kind = "false"
	}
	if ff.name == "" {
		ff.name = map[string]string{"only": "--ff-only", "true": "--ff", "false": "--no-ff"}[p.setting("pull.ff")]
		if chosen && ff.name == "--ff-only" {
			ff.name = "--ff"
		}
	}
	if !chosen {
		kind = p.rebaseSetting()
	}
	switch {
	case ff.name == "--ff-only", ff.name == "" && !chosen && kind == "": // git asks how to join what differs, and joins nothing
		return []string{"merge", "--ff-only"}
	case kind == "false", kind == "" && !chosen:
		return strings.Fields("merge " + ff.name)
	case kind == "merges", kind == "m":
		return []string{"rebase", "--rebase-merges"}
	case kind == "interactive", kind == "i":
		return []string{"rebase", "--interactive"}
	}
	return []string{"rebase"}
}

// refusesPull reports whether git refuses to pull before it fetches: in the middle of a
// merge, and to rebase what is not committed.
func (p *plan) refusesPull(l line) bool {
	unmerged, _ := p.run("ls-files", "--unmerged")
	if unmerged != "" || p.commit("MERGE_HEAD") != "" {
		return true
	}
	stash, chosen := l.last("--autostash --no-autostash")
	stashes, _ := p.run("config", "--type=bool", "--get", "rebase.autoStash")
	if !p.pullRebases(l) || stash.name == "--autostash" || !chosen && strings.TrimSpace(stashes) == "true" {
		return false
	}
	out, ok := p.run("status", "--porcelain", "--untracked-files=no", "--ignore-submodules=all")
	return ok && out != ""
}

// pullRebases reports whether a pull rebases, unless it can go forward.
func (p *plan) pullRebases(l line) bool {
	rebase, chosen := l.last("--rebase --no-rebase -r")
	if chosen {
		return rebase.name != "--no-rebase" && rebase.value != "false"
	}
	kind := p.rebaseSetting()
	return kind != "" && kind != "false"
}

// rebaseSetting returns how the current branch is rebased by a pull that does not say it.
func (p *plan) rebaseSetting() string {
	out, _ := p.run("symbolic-ref", "--quiet", "--short", "HEAD")
	return cmp.Or(p.setting("branch."+strings.TrimSpace(out)+".rebase"), p.setting("pull.rebase"))
}

// setting returns a setting of git, "" if it is not set.
func (p *plan) setting(key string) string {
	out, _ := p.run("config", "--get", key)
	return strings.TrimSpace(out)
}

// fork returns the commit at which the branch left the one that is pulled, as git tells
// before it fetches.
func (p *plan) fork(operands []string) string {
	name, ok := p.run("symbolic-ref", "--quiet", "HEAD")
	if !ok {
		return ""
	}
	other := "@{upstream}"
	if len(operands) > 1 {
		source, _, _ := strings.Cut(strings.TrimPrefix(operands[1], "+"), ":")
		source = strings.TrimPrefix(strings.TrimPrefix(source, "refs/"), "heads/")
		if other = "refs/remotes/" + operands[0] + "/" + source; operands[0] == "." {
			other = "refs/heads/" + source
		}
	}
	if out, ok := p.run("rev-parse", "--symbolic-full-name", other); ok {
		other = strings.TrimSpace(out)
	}
	out, _ := p.run("merge-base", "--fork-point", other, strings.TrimSpace(name))
	return strings.TrimSpace(out)
}
