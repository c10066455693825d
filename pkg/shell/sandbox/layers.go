package sandbox

// Layers are directories of the machine, such as caches of tool chains, that a command
// finds as they are and may write to, while they stay as they are: what it writes goes
// to a directory of its own, and the next command finds it there. It needs
// [Namespaces] and a file system that [ProbeLayers] accepts.
//
// Commands that run at the same time do not see what the others write: each has a slot,
// the first one that is free.
type Layers struct {
	Dir   string   // for what is written, outside of everything that a command may write to
	Paths []string // directories that exist
}
