package sandbox

import "io/fs"

// MaxChanges is how many changes of a preview [Sandbox.Changes] lists.
const MaxChanges = 100_000

// Op is what a command did to a path.
type Op string

// What a command did.
const (
	Create  Op = "create"
	Modify  Op = "modify"  // the bytes, and perhaps the mode, of a file; or where a link leads
	Delete  Op = "delete"  // a file, a link, or a directory with all that was in it
	Mode    Op = "mode"    // the mode alone
	Replace Op = "replace" // something of another kind is in its place, or a directory with nothing of what was in it
)

// Change is one effect of a command that ran in a preview.
type Change struct {
	Path string      `json:"path"` // relative to the workspace, with "/"
	Op   Op          `json:"op"`
	Mode fs.FileMode `json:"mode,omitempty"` // after the change, with its type
	// Source is the path, below [Preview.Upper], of the bytes that are there
	// now, for a file that was created, modified or replaced.
	Source string `json:"-"`
	// Target is where a link leads.
	Target string `json:"target,omitempty"`
}
