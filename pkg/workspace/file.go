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

// Open opens what name leads to for reading: a regular file or a directory.
// Anything else is not_a_file, and opening it never blocks. The file's Name is
// the path relative to the root and means nothing to package os.
func (r *Root) Open(name string) (*os.File, error) {
	rel, err := r.Clean(name)
	if err != nil {
		return nil, err
	}
	f, err := r.open(rel)
	if err != nil {
		return nil, r.failure(err, name)
	}
	return f, nil
}

// open opens in one step where it can. Only where a link is absolute, or the
// path changes meanwhile, are the links resolved by hand first.
func (r *Root) open(rel string) (*os.File, error) {
	if filepath.Dir(r.dir) != r.dir { // "/" holds /proc and /dev, which must not even be opened
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

// Stat describes what name leads to, of whatever kind that is. Unlike other
// methods it suggests no similar paths when there is nothing, so that asking
// whether a path exists stays cheap; see [Root.NotFound].
func (r *Root) Stat(name string) (fs.FileInfo, error) { return r.describe(name, true) }

// Lstat is [Root.Stat] of the entry itself: of a link, not of its target.
func (r *Root) Lstat(name string) (fs.FileInfo, error) { return r.describe(name, false) }

func (r *Root) describe(name string, leaf bool) (fs.FileInfo, error) {
	rel, err := r.Clean(name)
	if err != nil {
		return nil, err
	}
	for range attempts {
		var real string
		if real, err = r.canonical(rel, leaf); err != nil {
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
		return nil, fault.System(err, name)
	}
	return nil, r.failure(err, name)
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

// ReadLink is the target of the link at name, as it is written there.
func (r *Root) ReadLink(name string) (string, error) {
	rel, err := r.Clean(name)
	if err != nil {
		return "", err
	}
	at, err := r.at(rel)
	if err != nil {
		return "", r.failure(err, name)
	}
	if at.mode&fs.ModeSymlink == 0 {
		return "", fault.New(fault.InvalidArguments, fault.T("%s is not a symbolic link", "%s 不是符号链接", name)).
			WithHint(fault.T("read it as what it is", "请按其实际类型读取"))
	}
	return at.target, nil
}

// at is what stands at the end of rel, which is not followed.
func (r *Root) at(rel string) (place, error) {
	real, err := r.canonical(rel, false)
	if err != nil {
		return place{}, err
	}
	return r.lookup(pathNames(path.Dir(real)), path.Base(real))
}

// Entry is one name in a directory.
type Entry struct {
	Name string
	Info fs.FileInfo // of the entry itself, as of Lstat; nil if Err is set
	Err  error       // why the entry cannot be described
}

// ReadDir lists everything in a directory, sorted by name. An entry that cannot
// be described is listed with its error; one that vanishes meanwhile is not. On
// an error of reading, what was read before it is given back as well.
func (r *Root) ReadDir(name string) ([]Entry, error) {
	rel, err := r.Clean(name)
	if err != nil {
		return nil, err
	}
	entries, err := r.list(rel)
	if err != nil {
		return entries, r.failure(err, name)
	}
	for i, e := range entries {
		if e.Err != nil {
			entries[i].Err = fault.System(e.Err, path.Join(rel, e.Name))
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
		return nil, fault.New(fault.NotADirectory, fault.T("%s is not a directory", "%s 不是目录", rel)).
			WithHint(fault.T("read it as a file, or list its parent", "请按文件读取，或列出其上级目录"))
	}
	entries, err := listEntries(f)
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return entries, err
}
