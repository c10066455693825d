package git

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// programs are the long options by which git runs a program, whatever the
// subcommand. They may be shortened.
const programs = "upload-pack receive-pack exec ext-diff textconv open-files-in-pager filters extcmd tool gui template config config-env " +
	"exec-path smtp-server sendmail-cmd to-cmd cc-cmd remote to"

// harmless are the long options of the subcommands that read, and those of others
// that begin like one of programs.
const harmless = "oneline graph decorate no-decorate stat shortstat numstat dirstat summary name-only name-status " +
	"name-rev patch no-patch raw patch-with-stat patch-with-raw unified minimal patience histogram diff-algorithm anchored cached staged " +
	"merge-base color no-color color-words word-diff word-diff-regex color-moved color-moved-ws ignore-space-change ignore-all-space " +
	"ignore-space-at-eol ignore-cr-at-eol ignore-blank-lines ignore-matching-lines ignore-submodules submodule find-renames no-renames " +
	"find-copies find-copies-harder find-object diff-filter pickaxe-regex pickaxe-all relative no-relative text binary full-index abbrev no-abbrev " +
	"exit-code quiet check function-context inter-hunk-context src-prefix dst-prefix no-prefix line-prefix no-ext-diff no-textconv " +
	"max-count skip since after until before author committer grep all-match invert-grep regexp-ignore-case basic-regexp " +
	"extended-regexp fixed-strings perl-regexp merges no-merges min-parents max-parents first-parent not all branches tags remotes " +
	"glob exclude reflog alternate-refs single-worktree ignore-missing bisect stdin cherry-mark cherry-pick left-only right-only cherry " +
	"walk-reflogs merge boundary simplify-by-decoration full-history dense sparse simplify-merges ancestry-path " +
	"show-pulls date-order author-date-order topo-order reverse objects no-walk do-walk pretty format abbrev-commit no-abbrev-commit " +
	"encoding expand-tabs notes no-notes show-signature relative-date date parents children left-right cc combined-all-paths root follow " +
	"no-follow source use-mailmap log-size count " +
	"porcelain short branch show-stash long untracked-files ignored column no-column ahead-behind no-ahead-behind null verbose very-verbose " +
	"show-toplevel show-prefix show-cdup git-dir absolute-git-dir git-common-dir is-inside-work-tree is-inside-git-dir is-bare-repository " +
	"symbolic symbolic-full-name abbrev-ref verify revs-only no-revs flags no-flags default sq show-superproject-working-tree show-object-format " +
	"show-ref-format path-format git-path shared-index-path deleted modified others stage killed unmerged resolve-undo directory exclude-standard " +
	"exclude-from exclude-per-directory error-unmatch full-name recurse-submodules eol deduplicate " +
	"batch batch-check batch-all-objects batch-command buffer unordered follow-symlinks show-tree-size contains no-contains merged no-merged points-at " +
	"sort list show-current get get-all get-regexp get-urlmatch show-origin show-scope name-value includes show-names type bool int path global " +
	"system local worktree file numbered summary email group line-porcelain score-debug incremental show-name show-number show-email " +
	"index threads max-depth untracked no-index line-number column files-with-matches files-without-match only-matching heading break " +
	"show-function after-context before-context context and or ignore-case word-regexp invert-match recursive no-recursive " +
	"is-ancestor octopus independent fork-point dereference head exists hash heads refs tags always dirty broken long candidates exact-match match " +
	"dry-run no-verify message edit no-edit amend signoff allow-empty track no-track update force-with-lease depth shallow-since prune " +
	"intent-to-add renormalize chmod pathspec-from-file interactive no-ff ff-only squash strategy strategy-option abort continue skip " +
	"keep-index include-untracked create orphan detach quiet help version ff commit no-commit mainline autostash no-autostash rebase no-rebase onto " +
	"no-tags recurse single-branch no-single-branch origin bare initial-branch object-format directory-prefix reject whitespace stat 3way " +
	"remove-section tool-help to-stdout exec-batch go"

// readOptions reads the options of a subcommand that only reads.
func (c *Call) readOptions(args []word.Word) {
	for i, w := range args {
		switch {
		case w.Text == "--" && w.Known():
			return
		case !w.Known():
		case w.Text == "-o" && !word.Listed("ls-files grep log diff", c.Command):
			if i+1 < len(args) {
				c.do(Writes, args[i+1])
			}
		case strings.HasPrefix(w.Text, "--"):
			name, value, _ := strings.Cut(w.Text[2:], "=")
			switch {
			case strings.HasPrefix("output", name) && len(name) > 1 || name == "output-directory":
				c.do(Output, w)
				if value == "" && i+1 < len(args) {
					c.do(Writes, args[i+1])
				} else {
					c.do(Writes, word.Literal(value))
				}
			case !word.Listed(harmless, name) && !strings.HasPrefix(name, "no-") && !strings.HasPrefix(name, "color") && !strings.HasPrefix(name, "output-indicator"):
				c.do(Unknown, w)
			}
		case !strings.HasPrefix(w.Text, "-") && !strings.Contains(w.Text, ":"):
			c.do(Reads, w)
		}
	}
}

// outputs reads the options and operands of a subcommand that name what it
// writes.
func (c *Call) outputs(args []word.Word) {
	for i, w := range args {
		name, value, joined := strings.Cut(w.Text, "=")
		operand := !strings.HasPrefix(w.Text, "-")
		switch {
		case word.Listed("-o --output --output-directory --directory", name) && !joined && i+1 < len(args):
			c.do(Writes, args[i+1])
		case word.Listed("--output --output-directory --directory", name) && joined:
			c.do(Writes, word.Literal(value))
		case operand && (c.Command == "init" || c.Command == "bundle" && i > 0):
			c.do(WritesBelow, w)
		}
	}
}

// operandsOf returns the words that are no options, and all behind "--".
func operandsOf(args []word.Word) []word.Word {
	var operands []word.Word
	for i, w := range args {
		if w.Text == "--" && w.Known() {
			return append(operands, args[i+1:]...)
		}
		if !strings.HasPrefix(w.Text, "-") {
			operands = append(operands, w)
		}
	}
	return operands
}

// hasOption reports whether one of the arguments is one of the options in list,
// with or without a value behind "=".
func hasOption(args []word.Word, list string) bool {
	return list != "" && slices.ContainsFunc(args, func(w word.Word) bool {
		name, _, _ := strings.Cut(w.Text, "=")
		return word.Listed(list, name)
	})
}

// edits reports whether branch or tag would change something.
func edits(args []word.Word) bool {
	const long = "--delete --move --copy --force --set-upstream-to --unset-upstream --edit-description --track --create-reflog " +
		"--annotate --sign --local-user --message --file --edit --del --mov --cop --forc --set-up --unset"
	return hasOption(args, long) || slices.ContainsFunc(args, func(w word.Word) bool {
		return strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "--") && strings.ContainsAny(w.Text, "dDmMcCfuae") && !word.Listed("-a --all -av -vva -avv", w.Text)
	})
}
