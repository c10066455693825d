package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// Open opens the regular file or directory that p leads to, for reading. For
// anything else the error is not_a_file, and opening never blocks. The file's Name
// is the path relative to the root and means nothing to package os.
func (r *Root) Open(p Path) (*os.File, error) {
	f, err := r.open(p.rel)
	if err != nil {
		return nil, r.failure(err, p)
	}
	return f, nil
}

// open opens in one step if it can. If a link is absolute, or the path changes
// meanwhile, it resolves the links by hand first.
func (r *Root) open(rel string) (*os.File, error) {
	if filepath.Dir(r.dir) != r.dir { // "/" contains /proc and /dev, which must not even be opened
		f, err := r.handle.open(rel, r.opts.Symlinks == Follow)
		if !unsettled(err) {
			return f, err
		}
	}
	for range attempts {
		real, err := r.canonical(rel, true)
		if err != nil {
			return nil, err
		}
		f, err := r.handle.open(real, false)
		if !unsettled(err) {
			return f, err
		}
	}
	return nil, swapped
}

// Stat describes what p leads to, of any kind. Unlike other methods it suggests
// no similar paths if that does not exist, so that the question stays cheap; see
// [Root.NotFound].
func (r *Root) Stat(p Path) (fs.FileInfo, error) { return r.describe(p, true) }

// Lstat is [Root.Stat] without following a link at the end of p.
func (r *Root) Lstat(p Path) (fs.FileInfo, error) { return r.describe(p, false) }

func (r *Root) describe(p Path, leaf bool) (_ fs.FileInfo, err error) {
	for range attempts {
		var real string
		if real, err = r.canonical(p.rel, leaf); err != nil {
			break
		}
		var i fs.FileInfo
		if i, err = r.lstat(real); !unsettled(err) {
			if err == nil && leaf && i.Mode()&fs.ModeSymlink != 0 {
				err = swapped
				continue
			}
			if err == nil {
				return i, nil
			}
			break
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.System(err, p.given)
	}
	return nil, r.failure(err, p)
}

// lstat describes the entry at a canonical path.
func (r *Root) lstat(real string) (fs.FileInfo, error) {
	d, _, err := r.handle.directory(path.Dir(real), false)
	if err != nil {
		return nil, err
	}
	defer d.close()
	return d.lstat(path.Base(real))
}

// ReadLink returns the target of the link at p, as the link has it.
func (r *Root) ReadLink(p Path) (string, error) {
	at, err := r.at(p.rel)
	if err != nil {
		return "", r.failure(err, p)
	}
	if at.mode&fs.ModeSymlink == 0 {
		return "", fault.New(fault.InvalidArguments, fault.T("%s is not a symbolic link", p.given)).
			WithHint(fault.T("read it as what it is"))
	}
	return at.target, nil
}

// at returns the entry at rel and follows no link at its end.
func (r *Root) at(rel string) (found, error) {
	real, err := r.canonical(rel, false)
	if err != nil {
		return found{}, err
	}
	return r.lookup(pathNames(path.Dir(real)), path.Base(real))
}

// Entry is one name in a directory.
type Entry struct {
	Name string
	Info fs.FileInfo // of the entry itself, as from Lstat; nil if Err is set
	Err  error       // why the entry cannot be described
}

// ReadDir returns the entries of a directory, sorted by name, without temporary files
// of writers. An entry that cannot
// be described has its error; one that is removed meanwhile is left out. If reading
// fails, ReadDir also returns what it read before.
func (r *Root) ReadDir(p Path) ([]Entry, error) {
	entries, err := r.list(p.rel)
	if err != nil {
		return entries, r.failure(err, p)
	}
	for i, e := range entries {
		if e.Err != nil {
			entries[i].Err = fault.System(e.Err, path.Join(p.rel, e.Name))
		}
	}
	return entries, nil
}

func (r *Root) list(rel string) ([]Entry, error) {
	f, err := r.open(rel)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	i, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !i.IsDir() {
		return nil, fault.New(fault.NotADirectory, fault.T("%s is not a directory", rel)).
			WithHint(fault.T("read it as a file, or list its parent"))
	}
	entries, err := listEntries(f)
	entries = slices.DeleteFunc(entries, func(e Entry) bool { return IsTemporary(e.Name) && (e.Info == nil || e.Info.Mode().IsRegular()) })
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return entries, err
}
