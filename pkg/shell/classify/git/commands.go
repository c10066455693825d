package classify

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// gitChanges judges the subcommands that change the repository or the working
// tree, and reports whether sub is one that is known.
func (a *analysis) gitChanges(sub string, args []word.Word, c context) bool {
	operands := operandsOf(args)
	first := ""
	if len(operands) > 0 {
		first = operands[0].Text
	}
	loses := func(when bool) {
		if when {
			a.raise(Destructive, "", fault.T("git %s discards work or history", "git %s 会丢弃改动或历史", strings.TrimSpace(sub+" "+first)))
		}
	}
	switch sub {
	case "add", "commit", "mv", "init", "switch", "merge", "rebase", "cherry-pick", "revert", "am", "apply", "notes", "gc", "repack",
		"format-patch", "bundle", "archive", "sparse-checkout", "maintenance", "commit-tree", "write-tree", "hash-object", "mktag",
		"mktree", "read-tree", "update-index", "pack-refs", "rerere", "stage", "fast-export", "pack-objects", "index-pack":
		loses(hasOption(args, "-f", "--force", "--discard-changes", "-C", "--prune", "--prune-packed", "--unsafe-paths") && sub != "add")
		a.gitOutputs(sub, args)
	case "branch", "tag":
		loses(hasOption(args, "-d", "-D", "--delete", "-f", "--force", "-M", "-C", "--del"))
	case "checkout":
		a.gitCheckout(args, operands)
	case "restore":
		loses(!hasOption(args, "--staged", "-S") || hasOption(args, "--worktree", "-W"))
	case "reset":
		loses(hasOption(args, "--hard", "--merge", "--keep", "--har", "--ha", "--mer", "--ke", "--kee"))
	case "clean":
		loses(true)
	case "stash":
		loses(first == "drop" || first == "clear")
	case "rm":
		loses(!hasOption(args, "--cached"))
	case "worktree":
		loses(first != "add")
		for _, w := range operands[min(1, len(operands)):min(2, len(operands))] {
			a.writes(w)
		}
	case "bisect":
		if first == "run" {
			a.bisectRun(args, c)
		}
	case "fetch", "pull", "clone", "ls-remote", "lfs":
		a.network()
		if sub == "clone" && len(operands) > 1 {
			a.writes(operands[len(operands)-1])
		}
		loses(hasOption(args, "--force", "-f") && sub == "pull")
	case "push":
		a.network()
		a.raise(Destructive, Network, fault.T("git push changes what others see", "git push 会修改他人可见的内容"))
	case "submodule":
		a.network()
		if first != "update" && first != "init" && first != "status" && first != "sync" && first != "summary" {
			a.raise(Destructive, Opaque, fault.T("git submodule %s runs commands or discards work", "git submodule %s 会运行命令或丢弃改动", first))
		}
	default:
		return false
	}
	a.raise(Write, Opaque, fault.T("git %s may run hooks and filters of the repository", "git %s 可能会运行仓库的钩子和过滤器", sub))
	return true
}

// gitOutputs judges the files that some subcommands write.
func (a *analysis) gitOutputs(sub string, args []word.Word) {
	for i, w := range args {
		name, value, joined := strings.Cut(w.Text, "=")
		switch {
		case (name == "-o" || name == "--output" || name == "--output-directory" || name == "--directory") && !joined && i+1 < len(args):
			a.writes(args[i+1])
		case (name == "--output" || name == "--output-directory" || name == "--directory") && joined:
			a.writes(word.Literal(value))
		case (sub == "init" || sub == "bundle") && i > 0 && !strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(args[i-1].Text, "-"):
			a.writesBelow(w)
		case sub == "init" && !strings.HasPrefix(w.Text, "-"):
			a.writesBelow(w)
		}
	}
}

// gitCheckout tells switching branches from discarding changes of files, which
// git itself tells by what exists.
func (a *analysis) gitCheckout(args, operands []word.Word) {
	creates := hasOption(args, "-b", "--orphan", "--detach", "-t", "--track")
	if hasOption(args, "-f", "--force", "-B", "--ours", "--theirs", "-p", "--patch", "--pathspec-from-file") || hasOption(args, "--") ||
		!creates && len(operands) != 1 || !creates && len(operands) == 1 && a.mayBeFile(operands[0]) {
		a.raise(Destructive, "", fault.T("git %s discards work or history", "git %s 会丢弃改动或历史", "checkout"))
	}
}

func (a *analysis) mayBeFile(w word.Word) bool {
	if a.o.Exists == nil || !w.Known() || w.Text == "." || strings.HasPrefix(w.Text, ":") {
		return true
	}
	paths := a.resolve(w)
	if slices.ContainsFunc(paths, a.o.Exists) {
		return true
	}
	return len(paths) == 0
}

func (a *analysis) bisectRun(args []word.Word, c context) {
	for i, w := range args {
		if w.Text == "run" && i+1 < len(args) {
			a.command(args[i+1:], c)
			a.raise(Destructive, Opaque, fault.T("git bisect run checks out other commits and runs a command on each", "git bisect run 会检出其他提交并逐个运行命令"))
			return
		}
	}
}

// gitRefused is for what is left: maintenance that loses data, programs that
// talk to people or the network, and aliases.
func (a *analysis) gitRefused(sub string) {
	a.raise(Destructive, Opaque, fault.T("git %s changes settings or history, or is an alias for something else", "git %s 会修改设置或历史，或者是其他命令的别名", sub))
}
