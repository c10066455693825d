package process

import "os"

// Child is helve as a child of this process.
type Child struct {
	Argument string // its only argument
	Env      []string
	// Mark is the variable in Env that all it starts has, too: "NAME=value".
	Mark                  string
	Stdin, Stdout, Stderr *os.File
}

// Tree is a child of this process with all that descends from it. A process has one tree
// at a time, no other children, and starts it after [Adopt].
type Tree struct {
	pid  int
	mark string
	treeSystem
}
