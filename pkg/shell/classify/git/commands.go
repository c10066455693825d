package git

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// command is a row of the table of subcommands.
type command struct {
	names  string // separated by spaces
	reader bool   // it only reads, whatever it is given
	// It only reads when lists says so, when bare and without operands, when its
	// first operand is one of listed, or with one of the options in listing.
	lists   func(args, operands []word.Word) bool
	bare    bool
	listed  string
	listing string
	// discards are the options with which it discards work or history.
	discards string
	network  bool
	local    string // with one of these as its first operand it reaches nothing
	refused  bool   // unless it lists, it changes settings or history
	// also adds what else it does.
	also func(c *Call, args, operands []word.Word)
}

var commands = [...]command{
	{
		names: "status log diff show rev-parse ls-files ls-tree cat-file describe blame annotate shortlog grep rev-list show-ref " +
			"for-each-ref merge-base name-rev count-objects check-ignore check-attr check-ref-format diff-tree diff-index diff-files " +
			"cherry range-diff whatchanged show-branch verify-commit verify-tag version var fsck merge-tree stripspace column " +
			"get-tar-commit-id patch-id check-mailmap for-each-repo-list",
		reader: true,
	},
	{names: "help", reader: true, also: help},

	// These list, as long as they are given nothing to change.
	{names: "branch", lists: listsBranches, also: branch},
	{names: "tag", lists: listsTags, discards: "-d -D --delete -f --force -M -C --del"},
	{names: "remote", bare: true, listed: "get-url", refused: true},
	{names: "stash", listed: "list show", also: stash},
	{names: "clean", listing: "-n --dry-run -nd -dn -ndx", also: clean},
	{names: "worktree", listed: "list", also: worktree},
	{names: "notes", bare: true, listed: "list show", discards: forced, also: notes},
	{names: "bisect", listed: "log view", also: bisect},
	{names: "reflog", bare: true, listed: "show exists", refused: true},
	{names: "symbolic-ref", lists: showsReference, refused: true},
	{names: "bundle", listed: "verify list-heads", discards: forced, also: writesOutputs},
	{names: "config", lists: showsConfig, refused: true},

	{names: "add commit", also: writesOutputs}, // -C names the commit of a message
	{
		names: "mv init switch merge rebase cherry-pick revert am apply gc repack format-patch archive sparse-checkout " +
			"maintenance commit-tree write-tree hash-object mktag mktree update-index pack-refs rerere stage fast-export " +
			"pack-objects index-pack",
		discards: forced, also: writesOutputs,
	},
	{names: "checkout", also: checkout},
	{names: "restore", also: restore},
	{names: "reset", also: reset},
	{names: "rm", also: remove},
	{names: "read-tree", discards: forced + " --reset -u", also: writesOutputs},

	{names: "fetch ls-remote", network: true},
	{names: "lfs", network: true, listed: "ls-files status env version", also: lfs},
	{names: "pull", network: true, discards: "--force -f"},
	{names: "clone", network: true, also: clone},
	{names: "push", network: true, also: push},
	{names: "submodule", network: true, local: "status summary init sync", also: submodule},
}

const forced = "-f --force --discard-changes -C --prune --prune-packed --unsafe-paths"

// subcommand reads the arguments of the subcommand.
func (c *Call) subcommand(args []word.Word) {
	i := slices.IndexFunc(commands[:], func(row command) bool { return word.Listed(row.names, c.Command) })
	if i < 0 {
		c.do(Refused, word.Word{})
		return
	}
	row, operands := &commands[i], operandsOf(args)
	c.Reads = row.reader
	switch {
	case row.reader:
		if row.also != nil {
			row.also(c, args, operands)
		}
		c.readOptions(args)
		return
	case row.onlyLists(args, operands):
		c.readOptions(args)
		return
	case row.refused:
		c.do(Refused, word.Word{})
		return
	}
	if row.network && !word.Listed(row.local, firstOf(operands)) {
		c.do(Network, word.Word{})
	}
	if hasOption(args, row.discards) {
		c.discard(operands)
	}
	if row.also != nil {
		row.also(c, args, operands)
	}
	c.do(Changes, word.Word{})
}

func (row *command) onlyLists(args, operands []word.Word) bool {
	name := firstOf(operands)
	return row.lists != nil && row.lists(args, operands) || row.bare && name == "" || word.Listed(row.listed, name) || hasOption(args, row.listing)
}

// discard notes that work is discarded, by the subcommand and its first operand.
func (c *Call) discard(operands []word.Word) {
	c.do(Discards, word.Literal(strings.TrimSpace(c.Command+" "+firstOf(operands))))
}

func firstOf(operands []word.Word) string {
	if len(operands) == 0 {
		return ""
	}
	return operands[0].Text
}

func listsBranches(args, operands []word.Word) bool {
	return (len(operands) == 0 || hasOption(args, "--list -l --contains --merged --no-merged")) && !edits(args)
}

func listsTags(args, operands []word.Word) bool {
	return (len(operands) == 0 || hasOption(args, "--list -l --contains --points-at -n")) && !edits(args)
}

func showsReference(args, operands []word.Word) bool {
	return len(operands) == 1 && !hasOption(args, "-d --delete")
}

func showsConfig(args, operands []word.Word) bool {
	name := firstOf(operands)
	switch {
	case name == "get" || name == "list":
		return true
	case hasOption(args, "--add --unset --unset-all --replace-all --rename-section --remove-section -e --edit"):
		return false
	}
	return hasOption(args, "--get --get-all --get-regexp --get-urlmatch --list -l") ||
		len(operands) == 1 && name != "edit" && name != "set" && name != "unset"
}

// help is shown by a viewer that the configuration names, unless it only lists.
func help(c *Call, args, _ []word.Word) {
	if len(args) > 0 && !hasOption(args, "-a --all -g --guides -c --config") {
		c.do(Evaluates, word.Word{})
	}
}

func writesOutputs(c *Call, args, _ []word.Word) { c.outputs(args) }

// discardsOf notes that what some files hold is discarded.
func (c *Call) discardsOf(k Kind, paths []word.Word) {
	c.Does = append(c.Does, Effect{Kind: k, Word: word.Literal(c.Command), Argv: paths})
}

// simple reports whether a subcommand has no options but those of a list.
func simple(args []word.Word, list string) bool {
	for _, w := range args {
		switch {
		case w.Text == "--" && w.Known():
			return true
		case w.MayBeOption(), strings.HasPrefix(w.Text, "-") && (!w.Known() || !word.Listed(list, w.Text)):
			return false
		}
	}
	return true
}

func clean(c *Call, args, operands []word.Word) {
	forced := 0 // twice, it deletes repositories
	for _, w := range args {
		if strings.HasPrefix(w.Text, "-") && strings.Contains(w.Text, "f") {
			forced++
		}
	}
	if forced < 2 && simple(args, "-f --force -d -q --quiet -fd -df -fq -qf -fdq -fqd") {
		c.discardsOf(DiscardsUntracked, operands)
		return
	}
	c.discard(operands)
}

func reset(c *Call, args, operands []word.Word) {
	if !hasOption(args, "--hard --merge --keep --har --ha --mer --ke --kee") { // git takes abbreviations
		return
	}
	history := slices.ContainsFunc(operands, func(w word.Word) bool { return !w.Known() || !word.Listed("HEAD @", w.Text) })
	if !history && simple(args, "--hard -q --quiet") {
		c.discardsOf(DiscardsStaged, nil)
		return
	}
	c.discard(operands)
}

func stash(c *Call, _, operands []word.Word) {
	if name := firstOf(operands); name == "drop" || name == "clear" {
		c.discard(operands)
	}
}

func notes(c *Call, args, operands []word.Word) {
	if name := firstOf(operands); name == "remove" || name == "prune" {
		c.discard(operands)
	}
	c.outputs(args)
}

func lfs(c *Call, _, operands []word.Word) {
	if name := firstOf(operands); name == "prune" || name == "uninstall" || name == "migrate" {
		c.discard(operands)
	}
}

func worktree(c *Call, _, operands []word.Word) {
	if firstOf(operands) != "add" {
		c.discard(operands)
	}
	if len(operands) > 1 {
		c.do(Writes, operands[1])
	}
}

func bisect(c *Call, args, operands []word.Word) {
	if firstOf(operands) != "run" {
		return
	}
	if i := slices.IndexFunc(args, func(w word.Word) bool { return w.Text == "run" }); i+1 < len(args) {
		c.Does = append(c.Does, Effect{Kind: Starts, Argv: args[i+1:]})
	}
}

// branch deletes with -d only what is merged elsewhere, unless it is forced, or the
// branch is a remote one.
func branch(c *Call, args, operands []word.Word) {
	short, deletes, remote, forces := "", false, false, false
	for _, w := range args {
		switch {
		case strings.HasPrefix(w.Text, "--"):
			deletes = deletes || strings.HasPrefix(w.Text, "--d") // git takes abbreviations
			remote = remote || strings.HasPrefix(w.Text, "--r")
			forces = forces || strings.HasPrefix(w.Text, "--fo") && !strings.HasPrefix(w.Text, "--form")
		case strings.HasPrefix(w.Text, "-"):
			short += w.Text[1:]
		}
	}
	deletes = deletes || strings.Contains(short, "d")
	remote = remote || strings.Contains(short, "r")
	if forces || strings.ContainsAny(short, "DfMC") || deletes && remote {
		c.discard(operands)
	}
}

// checkout switches branches or discards changes of files, and only git knows
// which.
func checkout(c *Call, args, operands []word.Word) {
	if len(args) == 1 && args[0].Known() && args[0].Text == "-" {
		return // back to the branch before
	}
	creates := hasOption(args, "-b --orphan --detach -t --track")
	if i := slices.IndexFunc(args, func(w word.Word) bool { return w.Text == "--" && w.Known() }); i >= 0 && i+1 < len(args) {
		if simple(args[:i], "-q --quiet") && len(operandsOf(args[:i])) == 0 {
			c.discardsOf(DiscardsChanges, args[i+1:])
			return
		}
	}
	switch {
	case hasOption(args, "-f --force -B --ours --theirs -p --patch --pathspec-from-file --"),
		!creates && len(operands) != 1:
		c.do(Discards, word.Literal("checkout"))
	case !creates:
		c.do(DiscardsIf, operands[0])
	}
}

func restore(c *Call, args, operands []word.Word) {
	if hasOption(args, "--staged -S") && !hasOption(args, "--worktree -W") {
		return
	}
	if simple(args, "-q --quiet -W --worktree") && len(operands) > 0 {
		c.discardsOf(DiscardsChanges, operands)
		return
	}
	c.discard(operands)
}

func remove(c *Call, args, operands []word.Word) {
	if !hasOption(args, "--cached") {
		c.discard(operands)
	}
}

func clone(c *Call, _, operands []word.Word) {
	if len(operands) > 1 {
		c.do(Writes, operands[len(operands)-1])
	}
}

func push(c *Call, _, _ []word.Word) { c.do(Publishes, word.Word{}) }

func submodule(c *Call, _, operands []word.Word) {
	if name := firstOf(operands); !word.Listed("update init status sync summary", name) {
		c.do(Submodules, word.Literal(name))
	}
}
