// Package git reads the command line of git and reports what it would do. It
// runs nothing and looks at no repository: which of its words are paths outside
// of the workspace, or files at all, is for the caller to find out.
//
// A subcommand that is not known may be an alias, which runs anything.
package git

import (
	"strings"

	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// Call is a git command line that was read.
type Call struct {
	Command string      // the subcommand, "" if there is none
	Reads   bool        // the subcommand only reads, whatever it is given
	Dirs    []word.Word // the directories of -C
	// Runs lists the effects of its options and operands, whatever the subcommand does.
	Runs []Effect
	// Does lists the effects of the subcommand.
	Does []Effect
}

// Effect is one thing that a git command does.
type Effect struct {
	Kind Kind
	Word word.Word   // the word that the effect is about
	Argv []word.Word // of Starts; the paths of DiscardsChanges and DiscardsUntracked, none for all
}

// Kind is the kind of an effect.
type Kind int

// The kinds of effects, with what the word of each one is.
const (
	Unclear           Kind = iota // an option: behind it, it is not certain what would run
	Computed                      // the subcommand, which is computed
	MayBeOption                   // a computed word, which may become an option
	Program                       // an option that may run another program
	Transport                     // an address that git may run a program to reach
	Evaluates                     // an option that makes git run text as code, or no word
	Unknown                       // an option that is not known to be harmless
	Reads                         // a path that is read
	Output                        // an option that writes a file
	Writes                        // a file that is written
	WritesBelow                   // a directory in which files are written
	Network                       // reaches other machines; no word
	Publishes                     // changes what others see; no word
	Changes                       // changes the repository, which may run its hooks and filters; no word
	Discards                      // discards work or history; the subcommand
	DiscardsIf                    // discards changes if this is a file and no branch
	DiscardsChanges               // discards what tracked files hold that is not staged; the subcommand
	DiscardsStaged                // discards what tracked files hold that is not committed; the subcommand
	DiscardsUntracked             // deletes files that are neither tracked nor ignored; the subcommand
	Submodules                    // runs commands in submodules or discards work; what is done to them
	Starts                        // checks out other commits and starts Argv on each; no word
	Refused                       // changes settings or history, or is an alias; no word
)

// Read reads the arguments of git.
func Read(args []word.Word) Call {
	c := Call{}
	args = c.globals(args)
	if len(args) == 0 {
		return c
	}
	sub := args[0]
	if !sub.Known() {
		c.Does = append(c.Does, Effect{Kind: Computed, Word: sub})
		return c
	}
	c.Command = sub.Text
	c.programs(args[1:])
	c.subcommand(args[1:])
	return c
}

func (c *Call) run(k Kind, w word.Word) { c.Runs = append(c.Runs, Effect{Kind: k, Word: w}) }

func (c *Call) do(k Kind, w word.Word) { c.Does = append(c.Does, Effect{Kind: k, Word: w}) }

// globals reads the options before the subcommand and returns what follows them.
func (c *Call) globals(args []word.Word) []word.Word {
	for len(args) > 0 {
		w := args[0]
		if !w.MayBeOption() && !strings.HasPrefix(w.Text, "-") {
			return args
		}
		taken := 1
		switch {
		case w.MayBeOption():
			taken = 0
		case word.Listed("-P --no-pager --no-optional-locks --literal-pathspecs --no-replace-objects --icase-pathspecs --glob-pathspecs --noglob-pathspecs", w.Text):
		case word.Listed("--version -v --help -h --html-path --man-path --info-path", w.Text):
			return nil
		case w.Text == "-C":
			if len(args) < 2 {
				return nil
			}
			c.Dirs = append(c.Dirs, args[1])
			taken = 2
		case w.Text == "-c" && len(args) > 1 && harmlessSetting(args[1]):
			taken = 2
		default:
			taken = 0
		}
		if taken == 0 {
			c.run(Unclear, w)
			return nil
		}
		args = args[taken:]
	}
	return nil
}

// harmlessSetting reports whether the setting of a -c names no program and no
// path.
func harmlessSetting(w word.Word) bool {
	if !w.Known() {
		return false
	}
	name, value, _ := strings.Cut(w.Text, "=")
	name = strings.ToLower(name)
	switch {
	case word.Listed("user.name user.email author.name author.email committer.name committer.email init.defaultbranch core.quotepath color.ui "+
		"column.ui log.date diff.renames merge.conflictstyle core.autocrlf core.safecrlf pull.rebase pull.ff", name):
		return true
	case word.Listed("commit.gpgsign tag.gpgsign log.showsignature rebase.autosquash rerere.enabled", name):
		return value == "false"
	case name == "core.pager":
		return value == "cat" || value == ""
	}
	return strings.HasPrefix(name, "advice.")
}

// programs finds the options and addresses by which git runs a program, whatever
// the subcommand.
func (c *Call) programs(args []word.Word) {
	for _, w := range args {
		if w.Text == "--" && w.Known() {
			return
		}
		if w.MayBeOption() {
			c.run(MayBeOption, w)
			continue
		}
		if strings.Contains(w.Text, "::") && word.Listed("clone fetch pull push ls-remote remote submodule archive", c.Command) ||
			strings.Contains(w.Text, "ssh://-") || strings.Contains(w.Text, "oProxyCommand") {
			c.run(Transport, w)
		}
		if !strings.HasPrefix(w.Text, "--") || len(w.Text) < 4 {
			if strings.HasPrefix(w.Text, "-O") && c.Command == "grep" || strings.HasPrefix(w.Text, "-x") && c.Command == "rebase" ||
				(strings.HasPrefix(w.Text, "-u") || strings.HasPrefix(w.Text, "-c")) && c.Command == "clone" {
				c.run(Evaluates, w)
			}
			continue
		}
		name, _, _ := strings.Cut(w.Text[2:], "=")
		if !word.Listed(harmless, name) && begins(programs, name) {
			c.run(Program, w)
		}
	}
}

// begins reports whether one of the words of list begins with prefix, as git
// allows options to be shortened.
func begins(list, prefix string) bool {
	for field := range strings.FieldsSeq(list) {
		if strings.HasPrefix(field, prefix) {
			return true
		}
	}
	return false
}
