package state

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// Directories that callers cannot name.
const (
	blobDir    = "blobs"
	lockDir    = "locks"
	scratchDir = "scratch"
	sessionDir = "sessions"
	tmpDir     = "tmp"
)

// logSuffix marks files that only a [Log] writes.
const logSuffix = ".jsonl"

// checkName checks the name of a file in the directory: parts of ASCII letters,
// digits and "._-+@" that start with a letter or digit, joined by "/".
func checkName(name string) error {
	for part := range strings.SplitSeq(name, "/") {
		if !plain(part) {
			return badName(name)
		}
	}
	first, _, _ := strings.Cut(name, "/")
	switch first {
	case blobDir, cacheDir, lockDir, scratchDir, sessionDir, tmpDir, identity:
		return badName(name)
	}
	return nil
}

func plain(part string) bool {
	if part == "" || len(part) > 128 {
		return false
	}
	for i := range len(part) {
		c := part[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case i > 0 && strings.IndexByte("._-+@", c) >= 0:
		default:
			return false
		}
	}
	return part[len(part)-1] != '.'
}

func badName(name string) error {
	return fault.New(fault.InvalidArguments, fault.T("not a valid name: %q", name)).
		WithHint(fault.T("use letters, digits and ._-+@"))
}
