package walk

import (
	"errors"
	"io/fs"
	"os"
	"strings"
)

// errNotRegular says that a path is not, or no longer, a regular file.
var errNotRegular = errors.New("not a regular file")

// portable is a directory that is read with the standard library only.
type portable struct {
	root *os.Root
	rel  string
}

// openPortable opens a directory. It fails if the path leads through a link.
func openPortable(root *os.Root, rel string) (*portable, error) {
	if err := noLinks(root, rel); err != nil {
		return nil, err
	}
	sub, err := root.OpenRoot(rel)
	if err != nil {
		return nil, err
	}
	return &portable{sub, rel}, nil
}

func noLinks(root *os.Root, rel string) error {
	if rel == "." {
		return nil
	}
	for i := 0; i <= len(rel); i++ {
		if i < len(rel) && rel[i] != '/' {
			continue
		}
		info, err := root.Lstat(rel[:i])
		if err != nil {
			return err
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return &fs.PathError{Op: "open", Path: rel[:i], Err: errors.New("is a link")}
		}
	}
	return nil
}

func (p *portable) close() { p.root.Close() }

func (p *portable) entries(a *arena) error {
	f, err := p.root.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	for _, e := range entries {
		a.add([]byte(e.Name()), fileType(e.Type()))
	}
	if len(entries) > 0 {
		return nil
	}
	return err
}

func (p *portable) open(name string) (*os.File, error) {
	before, err := p.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, errNotRegular
	}
	f, err := p.root.OpenFile(name, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, err
	}
	after, err := f.Stat()
	if err == nil && !(after.Mode().IsRegular() && os.SameFile(before, after)) {
		err = errNotRegular
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func statPortable(f *os.File) (Info, error) {
	info, err := f.Stat()
	if err != nil {
		return Info{}, err
	}
	return Info{fileType(info.Mode()), info.Size(), info.ModTime()}, nil
}

func lstatPortable(root *os.Root, rel string) (Info, error) {
	dir, _ := split(rel)
	if err := noLinks(root, dir); err != nil {
		return Info{}, err
	}
	info, err := root.Lstat(rel)
	if err != nil {
		return Info{}, err
	}
	return Info{fileType(info.Mode()), info.Size(), info.ModTime()}, nil
}

func fileType(mode fs.FileMode) Type {
	switch mode.Type() {
	case 0:
		return File
	case fs.ModeDir:
		return Dir
	case fs.ModeSymlink:
		return Symlink
	}
	return Other
}

// below returns the prefix of the entries in a directory.
func below(rel string) string {
	if rel == "." || rel == "" {
		return ""
	}
	return rel + "/"
}

// dirOf returns the directory whose entries have a prefix.
func dirOf(prefix string) string {
	if prefix == "" {
		return "."
	}
	return prefix[:len(prefix)-1]
}

// split returns the directory of a path and the name in it.
func split(rel string) (dir, name string) {
	i := strings.LastIndexByte(rel, '/')
	if i < 0 {
		return ".", rel
	}
	return rel[:i], rel[i+1:]
}
