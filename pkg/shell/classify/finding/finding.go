// Package finding is the vocabulary of a judgement: its parts report as findings what a
// command does, and package classify decides what each one means in the workspace.
package finding

import (
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// Flag is one stable word that gives a reason for a verdict.
type Flag string

// The flags.
const (
	Opaque       Flag = "opaque"            // runs code that the text does not show
	Network      Flag = "network"           // reaches other machines
	Obfuscated   Flag = "obfuscated"        // what will run is computed
	Privilege    Flag = "privilege"         // runs with the rights of another user or in another namespace
	PathAlias    Flag = "path_alias"        // a known program by an unusual path
	PathShadow   Flag = "path_shadow"       // a known name that leads to a file which anyone may have put there
	Outside      Flag = "outside_workspace" // names a path outside the workspace
	Protected    Flag = "protected_path"    // changes what git, a shell or an editor trusts
	Sensitive    Flag = "sensitive_read"    // reads what holds secrets
	DynamicArgs  Flag = "dynamic_args"      // arguments come from an expansion
	Confusable   Flag = "confusable"        // characters that look like others or are invisible
	Syntax       Flag = "syntax_error"      // the shell cannot parse it
	Environment  Flag = "environment"       // sets a variable that may make other programs run code
	Background   Flag = "background"        // leaves a process behind
	HardDenied   Flag = "hard_deny"         // never allowed
	TooComplex   Flag = "too_complex"       // too long or too deeply nested to be judged
	Unparsed     Flag = "unparsed"          // for a shell whose grammar is not known here
	UnknownFlags Flag = "unknown_option"    // an option that is not known to be harmless
)

// Dialect is the shell that runs a command.
type Dialect uint8

// The dialects.
const (
	Bash  Dialect = iota // bash
	POSIX                // sh, dash, busybox
	Zsh                  // zsh
	Other                // fish and others
	Cmd                  // of Windows, as is the next one
	PowerShell
)

// Finding is one thing that a command does.
type Finding struct {
	Kind    Kind
	Dialect Dialect     // of Script
	NoInput bool        // of Run and RunMore: the command gets no input
	Found   *Found      // of Run: the entries that a computed word stands for; nil if they are not known
	Name    string      // of the program or the variable
	Word    word.Word   // the path, the value of a variable, or a literal text
	Words   []word.Word // a command, or several paths
	General bool        // of Risk: a path that follows says it better. Of Write: another finding says it
	*Reason             // of Risk, Forbidden and Marked
}

// Found describes the entries of one name that are in directories, at any depth.
type Found struct {
	Dirs []word.Word // none is the directory of the shell
	Name string
}

// Reason is a reason for a verdict.
type Reason struct {
	Risk policy.Risk // of Risk
	Flag Flag        // of Risk, "" for none, and Marked
	Why  fault.Text  // of Risk and Forbidden
}

// Kind is the kind of a finding.
type Kind uint8

// The kinds of findings.
const (
	Risk      Kind = iota // the command has at least this risk
	Forbidden             // it is never allowed
	Marked                // the verdict carries Flag
	Connects              // it reaches other machines

	Read        // Word is read
	Write       // Word is created or changed
	Build       // Word is made out of Words by a program that runs code itself
	Overwrite   // Word is written, and what it holds may be lost
	Empty       // Word is emptied by Name
	WriteBelow  // files are written in the directory Word
	Remove      // Word is gone afterwards
	RemoveAll   // Word and everything below it are gone afterwards
	Delete      // Name deletes Words, which may hold options
	Copy        // Name copies Word to Words
	Move        // all of Words but the last are moved to the last
	MoveInto    // each of Words may be moved to the last one
	MoveIntoAny // each of Words may be moved to any of the others
	Directory   // the shell changes to the directory Word, "-" for an unknown one
	Start       // the script Word is started

	Run        // the command Words is run
	RunMore    // the command Words is run with further arguments, which are not known
	Script     // a shell runs Word
	Repository // git Name works in the directories Words of its options -C

	Discard          // git Name discards work or history
	DiscardChanges   // git Name discards unstaged changes of the files Words
	DiscardStaged    // git Name discards all uncommitted changes of the files Words
	DiscardUntracked // git Name deletes the untracked files Words

	Set        // the variable Name gets the value Word
	Export     // programs get the variable Name with the value Word
	Declare    // Words are the arguments of Name, such as export, and declare variables
	Variable   // Word is the name of a variable for the builtin Name
	Expression // Name evaluates Word as an arithmetic expression
	Operator   // Word is an argument of Name, which is test, and may become an operator
)

// Of returns a finding of a risk.
func Of(r policy.Risk, f Flag, why fault.Text) Finding {
	return Finding{Kind: Risk, Reason: &Reason{r, f, why}}
}

// Mark returns a finding of a flag, whatever the risk.
func Mark(f Flag) Finding { return Finding{Kind: Marked, Reason: &Reason{Flag: f}} }

// Evaluates returns the finding that text runs as code in a way that cannot be followed.
func Evaluates(name string) Finding {
	return Of(policy.Destructive, Obfuscated, fault.T("%s evaluates text as code", name))
}

// EvaluatesComputed returns the finding that by evaluates text that is not known.
func EvaluatesComputed(by string) Finding {
	return Of(policy.Write, Opaque, fault.T("%s evaluates computed text", by))
}

// ComputedPath returns the finding that the path of a file that is written is not known.
func ComputedPath(w word.Word) Finding {
	return Of(policy.Write, DynamicArgs, fault.T("the path that is written is computed: %s", w.Source))
}

// OtherRepository returns the finding that git works in a repository whose settings
// nobody has checked.
func OtherRepository(command string) Finding {
	return Of(policy.Write, Opaque, fault.T("the settings of another repository may name programs that git %s runs", command))
}

// Ambiguous returns a finding for each text that shells take differently.
func Ambiguous(texts []string) []Finding {
	var all []Finding
	for _, text := range texts {
		all = append(all, Of(policy.Destructive, Obfuscated, fault.T("shells differ about what %s means", text)))
	}
	return all
}
