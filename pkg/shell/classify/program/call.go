package program

import (
	"github.com/helve-dev/helve/pkg/shell/classify/finding"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// Context surrounds a simple command.
type Context struct {
	In       Input
	Dialect  finding.Dialect
	Appended bool // arguments will be added that are not known yet
	Files    Files
}

// Input is the standard input of a command.
type Input struct {
	Kind InputKind
	Text string    // of a here-document or here-string
	File word.Word // of FileInput; empty if it is not known
}

// InputKind is a kind of input.
type InputKind int

// The kinds of inputs.
const (
	NoInput      InputKind = iota // an empty input
	TextInput                     // literal text
	CommandInput                  // the output of another command, or text with expansions
	FileInput                     // a file
)

// Files answers questions about the files of the machine.
type Files interface {
	// Home returns the home directory, "" if it is not known.
	Home() string
	// Resolve returns the absolute paths that a word may name; none if nothing is
	// certain.
	Resolve(word.Word) []string
	// Within reports whether an absolute path is in the workspace.
	Within(abs string) bool
	// Finds reports whether there is a file of the workspace by a relative path from a
	// directory where the shell may be, or from one above it. It is not known where the
	// shell is lost or nothing can be asked.
	Finds(rel string) (found, known bool)
	// MayExist reports whether a word may name a file.
	MayExist(word.Word) bool
	// SurelyExists reports whether a word certainly names a file.
	SurelyExists(word.Word) bool
	// OwnProcesses reports whether the command sees no processes but those of its sandbox.
	OwnProcesses() bool
	// OwnLoopback reports whether the command gets a loopback of its own and no other
	// network.
	OwnLoopback() bool
}

// Call is a simple command whose program is known.
type Call struct {
	*Row
	Context
	Name string      // by which it was called, without its directory
	Args []word.Word // behind the name
}
