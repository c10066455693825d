package effect

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"path"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/workspace"
)

// maxText is the largest file, in bytes, that is shown as a diff and written as text.
const maxText = 1 << 20

// sum returns the SHA-256 of data.
func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}

// entryAt describes what is at a path, with everything that identifies it. It does not
// follow a symbolic link.
func entryAt(root *workspace.Root, name string) (Entry, error) {
	at := root.At(name)
	info, err := root.Lstat(at)
	if fault.Is(err, fault.NotFound) || fault.Is(err, fault.NotADirectory) {
		return Entry{}, nil
	}
	if err != nil {
		return Entry{}, err
	}
	e := Entry{Kind: kindOf(info.Mode()), Mode: info.Mode().Perm()}
	switch e.Kind {
	case File:
		e.SHA, e.Bytes, err = hashFile(root, at)
	case Link:
		e.Mode = 0
		e.Target, err = root.ReadLink(at)
	case Directory:
		e.SHA, e.Bytes, err = root.Tree().Digest(name)
	}
	return e, err
}

// kindOf returns the kind for a mode.
func kindOf(mode fs.FileMode) Kind {
	switch {
	case mode.IsRegular():
		return File
	case mode.IsDir():
		return Directory
	case mode&fs.ModeSymlink != 0:
		return Link
	}
	return Special
}

// hashFile returns the SHA-256 and the size of a file.
func hashFile(root *workspace.Root, at workspace.Path) (sha string, size int64, err error) {
	f, err := root.Open(at)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	h := sha256.New()
	size, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), size, fault.System(err, at.String())
}

// readText reads a file of at most maxText bytes; ok is false for a larger one.
func readText(root *workspace.Root, name string) (data []byte, ok bool, err error) {
	f, err := root.Open(root.At(name))
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	data, err = io.ReadAll(io.LimitReader(f, maxText+1))
	return data, len(data) <= maxText, fault.System(err, name)
}

// inside returns the first entries below a directory and the number of all.
func inside(root *workspace.Root, dir string) (first []string, all int, err error) {
	var visit func(rel string) error
	visit = func(rel string) error {
		entries, err := root.ReadDir(root.At(path.Join(dir, rel)))
		if err != nil {
			return err
		}
		for _, e := range entries {
			below := path.Join(rel, e.Name)
			isDir := e.Info != nil && e.Info.IsDir()
			all++
			if len(first) < maxShown {
				shown := below
				if isDir {
					shown += "/"
				}
				first = append(first, shown)
			}
			if isDir {
				if err := visit(below); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return first, all, visit(".")
}
