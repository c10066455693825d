package policy

import (
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// Request is a call to be decided about. A tool names the paths that it touches; a
// command line is given as its simple commands.
type Request struct {
	Tool     string
	Project  Project
	Risk     Risk // of the whole
	Paths    []Path
	Commands []Command
	Cwd      string // absolute, that they run in
	// Rest holds the parts of a command line outside of its simple commands, such as
	// redirections. It has no Argv.
	Rest    Command
	Network bool // a command reaches the network
	// Granted is set if the settings let commands reach the network, so that this alone is
	// no reason to ask.
	Granted bool
	// Web is set if the tool itself reaches the web; Hosts lists the hosts known
	// beforehand. The risk of the tool covers it.
	Web   bool
	Hosts []string
	// Unconfined is set if no sandbox confines commands to the workspace, so that even
	// those that only write are asked about.
	Unconfined bool
	// Standing is set if the call leaves a command that runs again and again while nobody is
	// asked.
	Standing bool
	// Forbidden is the reason why the call is denied whatever the rules say; it is empty
	// for other calls.
	Forbidden fault.Text
}

// Project is the project that a call works in.
type Project struct {
	ID      string // "" is the workspace itself
	Foreign bool   // it is not the caller's own
}

// Path is one path that a call touches.
type Path struct {
	Path string // relative to the root, links resolved
	Use  schema.PathUse
	Tree bool  // it is a directory, with everything below it
	Loss *Loss // the loss that the call causes there; nil for none
	// Obeyed is set if other programs execute the file, or obey it, so that a person is
	// asked unless a rule decides otherwise.
	Obeyed bool
}

// Command is one simple command, with the risk that it has by itself.
type Command struct {
	Argv    []string
	Risk    Risk
	Network bool
	// Shared is set if it reaches the network only because another command of the line does.
	Shared bool
}
