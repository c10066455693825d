package classify

import (
	"regexp"
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify/finding"
)

// The risks of package policy, by the short names that the rules here use.
const (
	Read        = policy.Read
	Write       = policy.Write       // also runs programs that may change files
	Destructive = policy.Destructive // also reaches beyond the workspace, or cannot be judged
)

// Flag is one stable word that gives a reason for a verdict.
type Flag = finding.Flag

// The flags, which package finding describes.
const (
	Opaque      = finding.Opaque
	Network     = finding.Network
	Obfuscated  = finding.Obfuscated
	Privilege   = finding.Privilege
	PathAlias   = finding.PathAlias
	PathShadow  = finding.PathShadow
	Outside     = finding.Outside
	Protected   = finding.Protected
	Sensitive   = finding.Sensitive
	DynamicArgs = finding.DynamicArgs
	Confusable  = finding.Confusable
	Syntax      = finding.Syntax
	Environment = finding.Environment
	Background  = finding.Background
	HardDenied  = finding.HardDenied
	TooComplex  = finding.TooComplex
	Unparsed    = finding.Unparsed
)

// Dialect is the shell that will run a command.
type Dialect = finding.Dialect

// The dialects. Commands for Zsh and Other are parsed as those of Bash and are
// at least [Write], because the grammar of these shells is not known here. Zsh may
// read with simple commands that every shell understands alike.
// Those for Cmd and PowerShell are judged by what their names mean on Windows, also
// by [Argv].
const (
	Bash       = finding.Bash
	POSIX      = finding.POSIX
	Zsh        = finding.Zsh
	Other      = finding.Other
	Cmd        = finding.Cmd
	PowerShell = finding.PowerShell
)

// Options describe the world to the judgement. With the zero value nothing is known: a
// relative path is in the workspace unless it climbs out by "..".
type Options struct {
	Dialect Dialect
	// Root is the absolute path of the workspace; Cwd the absolute directory
	// in which the command starts, by default Root.
	Root, Cwd string
	// Home is the absolute home directory, for "~" and $HOME.
	Home string
	// Env are the variables, "NAME=value", that the caller adds for this command.
	Env []string
	// Exported reports whether the command has a variable in its environment, which an
	// assignment then changes for programs. If it is nil, it has only those that every
	// shell has.
	Exported func(name string) bool
	// Scratch are absolute directories outside Root that may be written to,
	// such as the private temporary directory.
	Scratch []string
	// Resolve follows the links of an absolute path as far as the path exists. If
	// it is nil, paths are compared as written.
	Resolve func(abs string) string
	// Exists reports whether an absolute path exists. If it is nil, nobody knows.
	Exists func(abs string) bool
	// Directory reports whether an absolute path leads to a directory. If it is nil,
	// nobody knows.
	Directory func(abs string) bool
	// LookPath returns the absolute path of the program that a command name leads
	// to, "" if there is none, and whether it is trusted: neither in the workspace
	// nor where anyone may write. If it is nil, every name is trusted.
	LookPath func(name string) (abs string, trusted bool)
	// Protect reports whether a path relative to Root must not be changed. Some
	// paths are always protected, such as those below .git.
	Protect func(rel string) bool
	// OwnProcesses says that the command sees no processes but those of its sandbox.
	OwnProcesses bool
	// OwnLoopback says that the command gets a loopback of its own and no other network,
	// so that a server on it is one that the command starts itself.
	OwnLoopback bool
	// Loss returns the risk of losing what is at an absolute path, whose directory has
	// no links in it: of deleting the entry, or of overwriting or truncating the file.
	// If it is nil, deleting is [Destructive] and overwriting is [Write].
	Loss func(abs string, deletes bool) policy.Risk
	// LossNamed returns the risk of deleting every entry of a name in an absolute directory
	// and below it. If it is nil, that is [Destructive].
	LossNamed func(dir, name string) policy.Risk
	// Moves returns the risk of moving what is at an absolute path, "" if that is not
	// known, into another one or to its place. If it is nil, that is [Write].
	Moves func(from, to string) policy.Risk
	// Discards returns the risk of what git takes out of the working tree of the
	// repository in Root. If it is nil, that is [Destructive].
	Discards func(Discard) policy.Risk
	// Stray reports whether a command must not name an absolute path, which is outside
	// Root. If it is nil, the verdict lists no strays.
	Stray func(abs string) bool
	// Names is called with each text of a command that may name a path, as it is written, and
	// the directories in which the shell may be.
	Names func(written string, dirs []string)
	// Deny are the patterns of commands that are never allowed. Each is matched
	// against every simple command, with its words joined by one space.
	Deny []*regexp.Regexp
}

// Discard describes the content that git takes out of a working tree.
type Discard struct {
	// Paths are absolute: files, or directories for all that is in them. None is
	// everything.
	Paths []string
	// Untracked deletes the files that git neither tracks nor ignores.
	// Otherwise the content of tracked files goes as far as it is not staged, and
	// with Staged that, too.
	Untracked, Staged bool
}

// MaxCommands limits the number of simple commands that a verdict lists.
const MaxCommands = 200

// maxReasons limits the number of reasons that a verdict lists.
const maxReasons = 20

// Verdict is the judgement of a command.
type Verdict struct {
	Risk    policy.Risk
	Flags   []Flag       // sorted, each once
	Reasons []fault.Text // in the order of the command, each once; at most 20
	// Commands are the simple commands that would run, wrappers included, each with
	// its own risk; at most MaxCommands. A computed word is shown as written.
	Commands []policy.Command
	// Rest has the effects outside of Commands, of redirections for example, and of
	// the commands that are too many to be listed. It has no Argv.
	Rest     policy.Command
	Network  bool // reaches other machines
	HardDeny bool // never allowed, whoever approves
	// Written are the absolute paths that are written, as far as they are known.
	Written []string
	// Outside are those of them that are outside the workspace and its scratch directories.
	Outside []string
	// Guarded are those of them that are protected.
	Guarded []string
	// Touched are the paths that arguments and redirections name exactly, as far as it
	// is known what is done to them; at most 1000.
	Touched []Touch
	// Git are the commands of git that would run, as far as their words are known.
	Git []GitCall
	// Unpacks are the commands that unpack archives, as far as their words are known, with
	// the name of the program as the first of Args.
	Unpacks []GitCall
	// Strays are the words of arguments and redirections that name a path for which
	// Options.Stray holds, each once.
	Strays []string
}

// GitCall is one command of git.
type GitCall struct {
	Dirs []string // where it may run, absolute; none if that is not known
	Args []string // behind the name of the program
	// Input is the file, absolute, that it reads as its standard input, and Text what it
	// reads instead; "" are none.
	Input, Text string
}

// Has reports whether the verdict carries the flag.
func (v Verdict) Has(f Flag) bool { return slices.Contains(v.Flags, f) }

// Classify judges a command line.
func Classify(command string, o Options) Verdict {
	a := newAnalysis(o)
	a.guarded(func() { a.given(); a.source(command, o.Dialect) })
	return a.verdict()
}

// Argv judges a command that is started without a shell.
func Argv(argv []string, o Options) Verdict {
	a := newAnalysis(o)
	a.guarded(func() { a.given(); a.argv(argv) })
	return a.verdict()
}
