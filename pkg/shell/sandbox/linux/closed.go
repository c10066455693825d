//go:build linux && (amd64 || arm64)

package linux

import (
	"os"
	"slices"
)

// systemDirectory reports whether a directory in the root of the file system holds
// what programs need to run: themselves, their libraries and settings, and the
// kernel's own files.
func systemDirectory(name string) bool {
	switch name {
	case "bin", "sbin", "lib", "lib32", "lib64", "libx32", "usr", "etc", "opt", "nix", "gnu", "snap", "dev", "proc", "sys":
		return true
	}
	return false
}

// topDirectories returns the directories in the root of the file system, without
// links: those that a closed profile shows, and the others.
func topDirectories() (shown, others []string, err error) {
	entries, err := os.ReadDir("/")
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		switch path := "/" + e.Name(); {
		case !e.IsDir():
		case systemDirectory(e.Name()):
			shown = append(shown, path)
		default:
			others = append(others, path)
		}
	}
	return shown, others, nil
}

// closedDirectories returns the directories that a closed sandbox has of its own, with
// nothing in them but what the profile opens, besides those in replaced.
func closedDirectories(replaced []string) ([]string, error) {
	_, others, err := topDirectories()
	return slices.DeleteFunc(others, func(dir string) bool { return slices.Contains(replaced, dir) }), err
}
