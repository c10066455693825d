package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/windows"
)

// handle is the open root; os.Root confines it.
type handle struct{ std *os.Root }

func openHandle(dir string) (*handle, error) {
	std, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &handle{std}, nil
}

func (h *handle) close() error { return h.std.Close() }

func (h *handle) stat() (fs.FileInfo, error) { return h.std.Stat(".") }

// sub opens the directory rel, without links, as a root of its own.
func (h *handle) sub(rel string) (*handle, error) {
	std, _, err := h.descend(rel, false)
	if err != nil {
		return nil, err
	}
	return &handle{std}, nil
}

// open opens the regular file or directory rel for reading. It never leaves the
// root. If links is false, a link anywhere in rel is an error.
func (h *handle) open(rel string, links bool) (*os.File, error) {
	at, name := h.std, filepath.FromSlash(rel)
	if !links {
		parent, _, err := h.descend(path.Dir(rel), false)
		if err != nil {
			return nil, err
		}
		defer parent.Close()
		at, name = parent, path.Base(rel)
		if i, err := at.Lstat(name); err != nil || i.Mode()&fs.ModeSymlink != 0 {
			return nil, errors.Join(swapped, err)
		}
	}
	f, err := at.Open(name)
	if err != nil {
		return nil, err
	}
	i, err := f.Stat()
	if err == nil && !i.Mode().IsRegular() && !i.IsDir() {
		err = special
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// directory opens the directory rel, in which no name may be a link. With create
// it makes missing directories, and made lists them from the top.
func (h *handle) directory(rel string, create bool) (*directory, []string, error) {
	std, made, err := h.descend(rel, create)
	if err != nil {
		return nil, made, err
	}
	return &directory{std: std, top: h.std, path: rel}, made, nil
}

// descend opens the directory rel one name at a time. Each step checks that it
// opened the directory that it saw before, and not a link.
func (h *handle) descend(rel string, create bool) (_ *os.Root, made []string, err error) {
	at, err := h.std.OpenRoot(".")
	names := pathNames(rel)
	for i, name := range names {
		if err != nil {
			return nil, made, err
		}
		seen, lstatErr := at.Lstat(name)
		if errors.Is(lstatErr, fs.ErrNotExist) && create {
			switch err = at.Mkdir(name, 0o777); {
			case err == nil:
				made = append(made, strings.Join(names[:i+1], "/"))
			case !errors.Is(err, fs.ErrExist):
				return nil, made, errors.Join(err, at.Close())
			}
			seen, lstatErr = at.Lstat(name)
		}
		var next *os.Root
		switch {
		case lstatErr != nil:
			err = lstatErr
		case seen.Mode()&fs.ModeSymlink != 0:
			err = swapped
		case !seen.IsDir():
			err = syscall.ENOTDIR
		default:
			next, err = at.OpenRoot(name)
		}
		if err == nil {
			var met fs.FileInfo
			if met, err = next.Stat("."); err == nil && !os.SameFile(seen, met) {
				err = swapped
			}
			if err != nil {
				err = errors.Join(err, next.Close())
			}
		}
		at.Close()
		at = next
	}
	return at, made, err
}

func sameFile(a, b fs.FileInfo) bool { return os.SameFile(a, b) }

func isNotDir(err error) bool {
	return errors.Is(err, syscall.ENOTDIR) || errors.Is(err, windows.ERROR_DIRECTORY)
}

// isSpecial returns false: such files do not exist on this system.
func isSpecial(error) bool { return false }

// listEntries returns the entries of the open directory.
func listEntries(f *os.File) ([]Entry, error) {
	list, listErr := f.ReadDir(-1)
	entries := make([]Entry, 0, len(list))
	for _, e := range list {
		i, err := e.Info()
		switch {
		case errors.Is(err, fs.ErrNotExist): // gone since
		case err != nil:
			entries = append(entries, Entry{Name: e.Name(), Err: err})
		default:
			entries = append(entries, Entry{Name: e.Name(), Info: i})
		}
	}
	return entries, listErr
}
