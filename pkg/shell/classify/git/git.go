package classify

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// versionControl is git; others reach other machines and are not looked into.
func versionControl() []program {
	return []program{{names: "git", judge: (*analysis).git}}
}

// git judges git by its subcommand. A name that is not known may be an alias,
// which runs anything.
func (a *analysis) git(c call) {
	args := c.args
	args, elsewhere, ok := a.gitGlobals(args)
	if !ok || len(args) == 0 {
		return
	}
	sub, rest := args[0], args[1:]
	if !sub.Known() {
		a.raise(Destructive, Obfuscated, fault.T("the git command is computed: %s", "git 子命令是计算得来的：%s", sub.Source))
		return
	}
	a.gitDanger(sub.Text, rest)
	before := a.part().Risk
	switch {
	case a.gitReads(sub.Text, rest):
	case a.gitChanges(sub.Text, rest, c.context):
	default:
		a.gitRefused(sub.Text)
	}
	if elsewhere && (a.part().Risk.Worse(before) || sub.Text != "" && !gitReader(sub.Text)) {
		a.raise(Destructive, Outside, fault.T("git changes a repository outside the workspace", "git 会修改工作区之外的仓库"))
	}
}

// gitGlobals judges the options before the subcommand.
func (a *analysis) gitGlobals(args []word.Word) (rest []word.Word, elsewhere, ok bool) {
	for len(args) > 0 {
		w := args[0]
		switch {
		case w.MayBeOption():
			a.strangeOption("git", w)
			return nil, false, false
		case !strings.HasPrefix(w.Text, "-"):
			return args, elsewhere, true
		}
		switch w.Text {
		case "-P", "--no-pager", "--no-optional-locks", "--literal-pathspecs", "--no-replace-objects", "--icase-pathspecs",
			"--glob-pathspecs", "--noglob-pathspecs":
			args = args[1:]
		case "--version", "-v", "--help", "-h", "--html-path", "--man-path", "--info-path":
			return nil, false, true
		case "-C":
			if len(args) < 2 {
				return nil, false, true
			}
			for _, p := range a.resolve(args[1]) {
				if !a.within(p) {
					a.flag(Outside)
					elsewhere = true
				}
			}
			if !args[1].Known() {
				elsewhere = true
			}
			args = args[2:]
		case "-c":
			if len(args) < 2 || !harmlessSetting(args[1]) {
				a.strangeOption("git", w)
				return nil, false, false
			}
			args = args[2:]
		default:
			a.strangeOption("git", w)
			return nil, false, false
		}
	}
	return nil, elsewhere, true
}

// harmlessSetting reports whether git -c sets something that names no program
// and no place.
func harmlessSetting(w word.Word) bool {
	if !w.Known() {
		return false
	}
	name, value, _ := strings.Cut(w.Text, "=")
	switch name = strings.ToLower(name); name {
	case "user.name", "user.email", "author.name", "author.email", "committer.name", "committer.email", "init.defaultbranch", "core.quotepath",
		"color.ui", "column.ui", "log.date", "diff.renames", "merge.conflictstyle", "core.autocrlf", "core.safecrlf", "pull.rebase", "pull.ff":
		return true
	case "commit.gpgsign", "tag.gpgsign", "log.showsignature", "rebase.autosquash", "rerere.enabled":
		return value == "false"
	case "core.pager":
		return value == "cat" || value == ""
	}
	return strings.HasPrefix(name, "advice.")
}

// gitPrograms are the options by which git runs a program, in whole or, as git
// allows it, in part.
var gitPrograms = options{long: "upload-pack= receive-pack= exec= ext-diff textconv open-files-in-pager? filters extcmd= tool= gui " +
	"template= config= config-env= exec-path= smtp-server= sendmail-cmd= to-cmd= cc-cmd= remote= to="}

// gitDanger finds the options that run programs, whatever the subcommand.
func (a *analysis) gitDanger(sub string, args []word.Word) {
	for _, w := range args {
		if w.Text == "--" && w.Known() {
			return
		}
		if w.MayBeOption() {
			a.dynamic("git", w)
			continue
		}
		if strings.Contains(w.Text, "::") && gitTransports(sub) || strings.Contains(w.Text, "ssh://-") || strings.Contains(w.Text, "oProxyCommand") {
			a.raise(Destructive, Obfuscated, fault.T("git may run a program to reach %s", "git 可能会运行程序来访问 %s", w.Source))
		}
		if !strings.HasPrefix(w.Text, "--") || len(w.Text) < 4 {
			if strings.HasPrefix(w.Text, "-O") && sub == "grep" || strings.HasPrefix(w.Text, "-x") && sub == "rebase" ||
				(strings.HasPrefix(w.Text, "-u") || strings.HasPrefix(w.Text, "-c")) && sub == "clone" {
				a.evaluates("git " + sub)
			}
			continue
		}
		name, _, _ := strings.Cut(w.Text[2:], "=")
		if exact, _ := gitHarmless.hasLong(name, false); exact {
			continue
		}
		if found, _ := gitPrograms.hasLong(name, true); found {
			a.raise(Destructive, Obfuscated, fault.T("%s %s may run another program", "%s %s 可能会运行其他程序", "git "+sub, w.Source))
		}
	}
}

func gitTransports(sub string) bool {
	switch sub {
	case "clone", "fetch", "pull", "push", "ls-remote", "remote", "submodule", "archive":
		return true
	}
	return false
}

// gitHarmless are the long options of the reading subcommands, and those of
// others that begin like an option of gitPrograms.
var gitHarmless = options{long: "oneline graph decorate decorate= no-decorate stat shortstat numstat dirstat summary name-only name-status " +
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
	"remove-section tool-help to-stdout exec-batch go"}

// gitReader reports whether the subcommand only reads, whatever its operands.
func gitReader(sub string) bool {
	switch sub {
	case "status", "log", "diff", "show", "rev-parse", "ls-files", "ls-tree", "cat-file", "describe", "blame", "annotate", "shortlog", "grep",
		"rev-list", "show-ref", "for-each-ref", "merge-base", "name-rev", "count-objects", "check-ignore", "check-attr", "check-ref-format",
		"diff-tree", "diff-index", "diff-files", "cherry", "range-diff", "whatchanged", "show-branch", "verify-commit", "verify-tag", "version",
		"var", "fsck", "merge-tree", "stripspace", "column", "get-tar-commit-id", "patch-id", "check-mailmap", "for-each-repo-list", "help":
		return true
	}
	return false
}

// gitReads judges the subcommands that only read, and those that do as long as
// they are given nothing to change.
func (a *analysis) gitReads(sub string, args []word.Word) bool {
	operands := operandsOf(args)
	first := ""
	if len(operands) > 0 {
		first = operands[0].Text
	}
	switch {
	case sub == "help" && len(args) > 0 && !hasOption(args, "-a", "--all", "-g", "--guides", "-c", "--config"): // by the viewer that is configured
		a.evaluates("git help")
	case gitReader(sub):
	case sub == "branch" && (len(operands) == 0 && !gitEdits(args) || hasOption(args, "--list", "-l", "--contains", "--merged", "--no-merged") && !gitEdits(args)):
	case sub == "tag" && (len(operands) == 0 || hasOption(args, "--list", "-l", "--contains", "--points-at", "-n")) && !gitEdits(args):
	case sub == "remote" && (first == "" || first == "get-url"):
	case sub == "stash" && (first == "list" || first == "show"):
	case sub == "clean" && hasOption(args, "-n", "--dry-run", "-nd", "-dn", "-ndx"):
	case sub == "worktree" && first == "list", sub == "notes" && (first == "" || first == "list" || first == "show"),
		sub == "bisect" && (first == "log" || first == "view"), sub == "reflog" && (first == "" || first == "show" || first == "exists"),
		sub == "symbolic-ref" && len(operands) == 1 && !hasOption(args, "-d", "--delete"), sub == "bundle" && (first == "verify" || first == "list-heads"):
	case sub == "config" && gitConfigReads(args, operands):
	default:
		return false
	}
	a.gitReadOptions(sub, args)
	return true
}

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

// gitEdits finds the options of branch and tag that change something.
func gitEdits(args []word.Word) bool {
	return slices.ContainsFunc(args, func(w word.Word) bool {
		if strings.HasPrefix(w.Text, "--") {
			return hasOption([]word.Word{w}, "--delete", "--move", "--copy", "--force", "--set-upstream-to", "--unset-upstream", "--edit-description",
				"--track", "--create-reflog", "--annotate", "--sign", "--local-user", "--message", "--file", "--edit", "--del", "--mov", "--cop", "--forc", "--set-up", "--unset")
		}
		return strings.HasPrefix(w.Text, "-") && strings.ContainsAny(w.Text, "dDmMcCfuae") && w.Text != "-a" && w.Text != "--all" && w.Text != "-av" && w.Text != "-vva" && w.Text != "-avv"
	})
}

func gitConfigReads(args, operands []word.Word) bool {
	if len(operands) > 0 && (operands[0].Text == "get" || operands[0].Text == "list") {
		return true
	}
	reads := hasOption(args, "--get", "--get-all", "--get-regexp", "--get-urlmatch", "--list", "-l")
	edits := hasOption(args, "--add", "--unset", "--unset-all", "--replace-all", "--rename-section", "--remove-section", "-e", "--edit")
	return !edits && (reads || len(operands) == 1 && operands[0].Text != "edit" && operands[0].Text != "set" && operands[0].Text != "unset")
}

// gitReadOptions judges the options of a subcommand that only reads.
func (a *analysis) gitReadOptions(sub string, args []word.Word) {
	for i, w := range args {
		switch {
		case w.Text == "--" && w.Known():
			return
		case !w.Known():
		case w.Text == "-o" && sub != "ls-files" && sub != "grep" && sub != "log" && sub != "diff":
			if i+1 < len(args) {
				a.writes(args[i+1])
			}
		case strings.HasPrefix(w.Text, "--"):
			name, value, _ := strings.Cut(w.Text[2:], "=")
			if strings.HasPrefix("output", name) && len(name) > 1 || name == "output-directory" {
				a.raise(Write, "", fault.T("%s %s writes a file", "%s %s 会写入文件", "git "+sub, w.Source))
				if value == "" && i+1 < len(args) {
					a.writes(args[i+1])
				} else {
					a.writes(word.Literal(value))
				}
				continue
			}
			if found, _ := gitHarmless.hasLong(name, false); !found && !strings.HasPrefix(name, "no-") && !strings.HasPrefix(name, "color") && !strings.HasPrefix(name, "output-indicator") {
				a.unknownOption("git "+sub, w)
			}
		case !strings.HasPrefix(w.Text, "-"):
			if !strings.Contains(w.Text, ":") {
				a.reads(w)
			}
		}
	}
}
