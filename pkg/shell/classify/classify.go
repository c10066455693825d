// Package classify tells from its text how much harm a command may do. It does
// not run, expand or look up anything by itself, and what it cannot decide
// counts as worse.
package classify

import (
	"fmt"
	"path"
	"regexp"
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
)

// The risks, by names that are short enough for the rules of this package.
const (
	Read        = policy.Read
	Write       = policy.Write       // also runs programs that may change files
	Destructive = policy.Destructive // also reaches beyond the workspace, or cannot be judged
)

// Flag is one stable word about why a verdict is as it is.
type Flag string

// The flags.
const (
	Opaque       Flag = "opaque"            // runs code that the text does not show
	Network      Flag = "network"           // reaches other machines
	Obfuscated   Flag = "obfuscated"        // what will run is computed
	Privilege    Flag = "privilege"         // asks for another user's rights or another namespace
	PathAlias    Flag = "path_alias"        // a known program by an unusual path
	PathShadow   Flag = "path_shadow"       // a known name that leads to a file anyone may have put there
	Outside      Flag = "outside_workspace" // names a path outside the workspace
	Protected    Flag = "protected_path"    // changes what git, a shell or an editor trusts
	Sensitive    Flag = "sensitive_read"    // reads what holds secrets
	DynamicArgs  Flag = "dynamic_args"      // arguments come from an expansion
	Confusable   Flag = "confusable"        // characters that look like others or like nothing
	Syntax       Flag = "syntax_error"      // the shell will not understand it as written
	Environment  Flag = "environment"       // sets a variable that makes other programs run code
	Background   Flag = "background"        // leaves a process behind
	HardDenied   Flag = "hard_deny"         // never allowed
	TooComplex   Flag = "too_complex"       // longer or deeper than is judged
	Unparsed     Flag = "unparsed"          // a shell whose grammar is not known here
	UnknownFlags Flag = "unknown_option"    // an option that is not known to be harmless
)

// Dialect is the shell that will run a command.
type Dialect int

// The dialects. Zsh and Other are judged as Bash and never come out below
// [Write]: their own grammar is not known here.
const (
	Bash  Dialect = iota // bash
	POSIX                // sh, dash, busybox
	Zsh                  // zsh
	Other                // fish, PowerShell, cmd
)

// Options is what the judgement may know of the world. The zero value knows
// nothing: relative paths are then inside the workspace unless they climb.
type Options struct {
	Dialect Dialect
	// Root is the absolute path of the workspace; Cwd the absolute directory
	// in which the command starts, by default Root.
	Root, Cwd string
	// Home is the absolute home directory, for "~" and $HOME.
	Home string
	// Env are variables, "NAME=value", that the command is given besides those of
	// everybody.
	Env []string
	// Scratch are absolute directories outside Root that may be written to,
	// such as the private temporary directory.
	Scratch []string
	// Resolve follows the links of an absolute path, as far as it exists. Nil
	// means that paths are compared as written.
	Resolve func(abs string) string
	// Exists reports whether an absolute path exists. Nil means unknown.
	Exists func(abs string) bool
	// LookPath gives the absolute path that a command name leads to, "" when
	// there is none, and whether it is trusted: not in the workspace and not
	// where anyone may write. Nil means that names are trusted.
	LookPath func(name string) (abs string, trusted bool)
	// Protect reports whether a path relative to Root must not be changed, in
	// addition to what is protected anyway.
	Protect func(rel string) bool
	// Deny are patterns that are never allowed, matched against every simple
	// command with its words joined by one space.
	Deny []*regexp.Regexp
}

// MaxCommands is how many simple commands a verdict lists.
const MaxCommands = 200

// maxReasons is how many reasons a verdict lists.
const maxReasons = 20

// Verdict is the judgement of a command.
type Verdict struct {
	Risk    policy.Risk
	Flags   []Flag       // sorted, each once
	Reasons []fault.Text // in the order of the command, each once; at most 20
	// Commands are the simple commands that would run, wrappers included, each with
	// the risk that it has where it stands; at most MaxCommands. Words that
	// are computed are as written.
	Commands []policy.Command
	// Rest is what is done outside of them, by redirections for example, and by
	// those that are too many to be listed. It has no Argv.
	Rest     policy.Command
	Network  bool // reaches other machines
	HardDeny bool // never allowed, whoever approves
	// Written are the absolute paths, as far as they are known, that are written.
	Written []string
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

// analysis is one judgement under way.
type analysis struct {
	o       Options
	v       Verdict
	seen    map[string]bool // reasons that are there already
	depth   int             // of commands within commands
	current int             // the command being judged, by its place in v.Commands; -1 for none
	src     string          // the source being walked, for showing words
	cwds    []string        // where the shell may be; see chdir
	lost    bool            // where the shell is cannot be told
	values  map[string]kind // what was assigned to a name
	numbers []string        // names used where the shell evaluates arithmetic
	written []string        // files that the command writes
	started []string        // files that the command starts by their path
}

// unnamedRoot stands for a workspace whose place is not told.
const unnamedRoot = "/workspace"

func newAnalysis(o Options) *analysis {
	if o.Root == "" {
		o.Root = unnamedRoot
	}
	o.Root = path.Clean(o.Root)
	if o.Cwd == "" {
		o.Cwd = o.Root
	}
	return &analysis{
		v: Verdict{Risk: Read, Rest: policy.Command{Risk: Read}},
		o: o, current: -1, seen: map[string]bool{}, values: map[string]kind{}, cwds: []string{path.Clean(o.Cwd)},
	}
}

// guarded runs f; a panic means that the command was not understood.
func (a *analysis) guarded(f func()) {
	defer func() {
		if p := recover(); p != nil {
			a.raise(Destructive, Obfuscated, fault.T("the command could not be analyzed: %s", "无法分析该命令：%s", fmt.Sprint(p)))
		}
	}()
	f()
	a.whole()
}

// raise makes the verdict at least as bad as r.
func (a *analysis) raise(r policy.Risk, f Flag, why fault.Text) {
	a.v.Risk = policy.Worst(a.v.Risk, r)
	part := a.part()
	part.Risk = policy.Worst(part.Risk, r)
	a.flag(f)
	if key := why.String(); key != "" && !a.seen[key] && len(a.v.Reasons) < maxReasons {
		a.seen[key] = true
		a.v.Reasons = append(a.v.Reasons, why)
	}
}

func (a *analysis) flag(f Flag) {
	if f != "" && !slices.Contains(a.v.Flags, f) {
		a.v.Flags = append(a.v.Flags, f)
	}
}

func (a *analysis) network() {
	a.v.Network, a.part().Network = true, true
	a.flag(Network)
}

// part is what is being judged: a simple command, or what is in none.
func (a *analysis) part() *policy.Command {
	if a.current < 0 {
		return &a.v.Rest
	}
	return &a.v.Commands[a.current]
}

// forbid is for what is never allowed.
func (a *analysis) forbid(why fault.Text) {
	a.v.HardDeny = true
	a.raise(Destructive, HardDenied, why)
}

func (a *analysis) verdict() Verdict {
	slices.Sort(a.v.Flags)
	a.v.Written = a.written
	return a.v
}
