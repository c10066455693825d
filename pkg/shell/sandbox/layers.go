package sandbox

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
)

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

// Written returns where what commands wrote to one of the paths is, if one ran at a
// time; it need not exist.
func (l *Layers) Written(path string) string {
	return filepath.Join(l.Dir, "0", layerName(path), upperName)
}

// upperName is the directory of a layer with what was written.
const upperName = "upper"

// layerName returns the name of the directory for a layer in a slot.
func layerName(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:8])
}
