package sandbox

import "io/fs"

// MaxChanges limits the changes that [Sandbox.Changes] lists.
const MaxChanges = 100_000

// Op is a kind of change to a path.
type Op string

// The operations.
const (
	Create  Op = "create"
	Modify  Op = "modify"  // the content of a file, and perhaps its mode, or the target of a link
	Delete  Op = "delete"  // a file, a link, or a directory with everything in it
	Mode    Op = "mode"    // only the mode
	Replace Op = "replace" // it has another type now, or is a new directory
)

// Change is one change that a command made in a preview.
type Change struct {
	Path string      `json:"path"` // relative to the workspace, with "/"
	Op   Op          `json:"op"`
	Mode fs.FileMode `json:"mode,omitempty"` // after the change, with its type
	// Source is the path, below [Preview.Upper], of the content that a file has now,
	// if it was created, modified or replaced.
	Source string `json:"-"`
	// Target is the target of a symbolic link.
	Target string `json:"target,omitempty"`
}
