package sandbox

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"slices"
	"strconv"
)

// Layers are directories of the machine, such as caches of tool chains, that a command
// finds as they are and may write to, while they stay as they are: what it writes goes
// to a directory of its own, and the next command finds it there. It needs
// [Namespaces] and a file system that passes [System.ProbeLayers].
//
// Commands that run at the same time do not see what the others write: each has a slot,
// the first one that is free.
type Layers struct {
	Dir   string   // for what is written, outside of everything that a command may write to
	Paths []string // directories that exist
	// Empty are directories that exist and of which the command finds nothing but what
	// commands wrote there and what else of the profile lies in them.
	Empty []string
}

// All returns the directories that have layers.
func (l *Layers) All() []string { return slices.Concat(l.Empty, l.Paths) }

// Written returns the directory of what commands with a slot wrote to one of the paths.
// It need not exist. Slot 0 has everything if one command runs at a time.
func (l *Layers) Written(slot int, path string) string {
	sum := sha256.Sum256([]byte(path))
	return filepath.Join(l.Dir, strconv.Itoa(slot), hex.EncodeToString(sum[:8]), "upper")
}
